"""What the stored audit says of each metric: the rows of ``audit.tsv`` and ``audit-attacks.tsv``."""

import csv
from pathlib import Path

__all__ = ["AUDIT", "Verdict", "read_largest", "read_verdicts", "verdict_in_words"]

AUDIT = Path(__file__).parents[1] / "reference" / "audit.tsv"
ATTACKS = AUDIT.with_name("audit-attacks.tsv")

Verdict = dict[str, str]
"""A row of the table: ``metric`` with its parameters, ``index`` with its ends ``low`` and ``high``, ``gamed`` (yes or
no), the best ``attack`` and its ``kind``. An index of 0 is honest chance or the unchanged submission, 1 is the gold."""


def read_verdicts() -> list[Verdict]:
    """Return the verdicts on all metrics and variants, worst first."""
    return _rows(AUDIT)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_largest() -> dict[tuple[str, str], tuple[float, str]]:
    """Return for each metric and manner of attacks the largest index, and the attack that has it."""
    largest: dict[tuple[str, str], tuple[float, str]] = {}
    for row in _rows(ATTACKS):
        key, index = (row["metric"], row["kind"]), row["index"]
        if index not in ("", "n/a") and (key not in largest or float(index) > largest[key][0]):
            largest[key] = float(index), row["attack"]
    return largest


def verdict_in_words(verdict: Verdict) -> str:
    """Return a verdict as one line of Markdown."""
    interval = f"95 % interval {verdict['low']} to {verdict['high']}"
    if verdict["gamed"] == "yes":
        by = f"best attack `{verdict['attack'].partition(' (')[0]}` ({verdict['kind']})"
        return f"`{verdict['metric']}`: **can be gamed**, gaming index **{verdict['index']}** ({interval}), {by}."
    return f"`{verdict['metric']}`: no attack gains much, gaming index {verdict['index']} ({interval})."

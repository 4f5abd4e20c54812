"""What the stored audit says of each metric: the rows of the first table of ``docs/reference/audit.md``."""

from pathlib import Path

from attrs import frozen

__all__ = ["AUDIT", "Verdict", "verdict_in_words", "verdicts"]

AUDIT = Path(__file__).parents[1] / "reference" / "audit.md"


@frozen
class Verdict:
    """How far the best attack on a metric gets: 0 is honest chance or the unchanged submission, 1 is the gold.

    Parameters
    ----------
    call : str
        The metric with the parameters that were attacked.
    index, low, high : str
        The gaming index and its interval, as printed.
    gamed : bool
        Whether the page prints the index in bold.
    attack, kind : str
        The best attack and its kind; empty where none scores above 0.
    """

    call: str
    index: str
    low: str
    high: str
    gamed: bool
    attack: str
    kind: str


def verdicts(name: str, page: str) -> list[Verdict]:
    """Return the verdicts on a metric and on its variants, from the text of the page of the audit, worst first."""
    first = [_cells(line) for line in page.split("\n## ")[0].splitlines() if line.startswith("|")]
    head, rows = first[0], first[2:]
    found = [_verdict(dict(zip(head, row, strict=True))) for row in rows]
    return [verdict for verdict in found if verdict.call.partition("(")[0] == name]


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\_", "_") for cell in line.strip("|").split(" | ")]


def _verdict(row: dict[str, str]) -> Verdict:
    index = row["gaming"]
    return Verdict(
        call=row["metric"],
        index=index.strip("*"),
        low=row["low"],
        high=row["high"],
        gamed=index.startswith("*"),
        attack=row["by"].partition(" (")[0],
        kind=row["kind"],
    )


def verdict_in_words(verdict: Verdict) -> str:
    """Return a verdict as one line of Markdown."""
    interval = f"95 % interval {verdict.low} to {verdict.high}"
    if verdict.gamed:
        by = f"best attack `{verdict.attack}` ({verdict.kind})"
        return f"`{verdict.call}`: **can be gamed**, gaming index **{verdict.index}** ({interval}), {by}."
    return f"`{verdict.call}`: no attack gains much, gaming index {verdict.index} ({interval})."

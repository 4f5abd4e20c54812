"""Count which claims of the rules of shared tasks are confirmed by the test that qeframe chooses.

Run as ``python docs/studies/published_claims.py --data FOLDER`` with the folder of all data: it writes
``docs/reference/published-claims.json``, and then the table of ``published-claims.md`` beside it. Without ``--data``
the table is written from what is stored.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import qeframe
from qeframe.core.registry import Registry
from qeframe.report import Cell, Column, Table, as_markdown

REFERENCE = Path(__file__).parents[1] / "reference"
STORED, PAGE = REFERENCE / "published-claims.json", REFERENCE / "published-claims.md"
MARK = "<!-- data -->"

DATA_SETS = {
    "WMT14 QE task 1.2, en-es": ("wmt14_qe_task1_2", "wmt14-qe-task1.2"),
    "WMT22 QE sentences, MQM, en-de": ("wmt22_qe_sentence", "wmt22-qe/mqm/en-de"),
    "WMT22 QE sentences, DA, en-cs": ("wmt22_qe_sentence", "wmt22-qe/da/en-cs"),
    "WMT22 QE words, en-de": ("wmt22_qe_word", "wmt22-qe/word/en-de"),
    "WMT22 QE words, en-cs": ("wmt22_qe_word", "wmt22-qe/word/en-cs"),
    "WMT23 metrics, segments, en-de": ("wmt23_metrics_segment", "wmt23-metrics"),
}
DEFAULT = ("test=default", "correction=default", "sided=two")


def measured(name: str, data: Path, registry: Registry) -> dict[str, Any]:
    """Return what the rules of a task claim on a data set, and what the default rules claim."""
    profile, path = DATA_SETS[name]
    rules = qeframe.choose_profile(profile, ["interval="], registry)
    tasks = qeframe.read_tasks(rules, data / path, registry)
    claims, row = {}, {"profile": profile}
    for who, settings in (("official", ()), ("default", DEFAULT)):
        found = qeframe.evaluate(rules, tasks, settings=["interval=", *settings], registry=registry)
        compared = [c for c in found.comparisons if c.metric == found.primary and not c.task]
        claims[who] = [sorted((c.a, c.b)) for c in compared if c.significant]
        how = found.signature.rules
        row |= {"metric": found.primary, "pairs": len(compared), who: len(claims[who])}
        row[f"rules_{who}"] = f"{how['test']}, {how['sided']}-sided, correction={how['correction']}"
    row["confirmed"] = sum(pair in claims["default"] for pair in claims["official"])
    return {**row, "not_confirmed": sorted(pair for pair in claims["official"] if pair not in claims["default"])}


def table(stored: dict[str, Any]) -> Table:
    """Return a row for each data set."""
    return Table.from_columns(
        "Claims",
        [
            (Column("data", "left", key=True), [Cell(name) for name in stored]),
            (Column("metric", "left"), [Cell(row["metric"]) for row in stored.values()]),
            (Column("rules of the task", "left"), [Cell(row["rules_official"]) for row in stored.values()]),
            (Column("pairs"), [Cell(f"{row['pairs']}") for row in stored.values()]),
            (Column("claims"), [Cell(f"{row['official']}") for row in stored.values()]),
            (Column("of these confirmed"), [Cell(f"{row['confirmed']}") for row in stored.values()]),
            (Column("by default in all"), [Cell(f"{row['default']}") for row in stored.values()]),
        ],
    )


def write(stored: dict[str, Any], page: Path = PAGE) -> None:
    """Write the table below what the page says."""
    before = page.read_text(encoding="utf-8").partition(MARK)[0]
    page.write_text(f"{before}{MARK}\n\n#{as_markdown(table(stored))}", encoding="utf-8")


def main() -> None:
    """Measure if there are data, and write the table."""
    parser = argparse.ArgumentParser(description="Count which claims are confirmed.")
    parser.add_argument("--data", type=Path, default=None)
    data = parser.parse_args().data
    if data is not None:
        registry = qeframe.load()
        rows = {name: measured(name, data, registry) for name in DATA_SETS}
        lines = [f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in rows.items()]
        STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    write(json.loads(STORED.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()

"""Count how many true differences a test finds, and how often it warns of unlike laws where there is one law.

Run as ``python docs/studies/power_and_warnings.py [--runs 60] [--page]``. It writes
``docs/reference/power-and-warnings.json`` and the table in ``docs/reference/calibration.md``; ``--page`` writes the
table from what is stored. Each data set has eight submissions on four levels, two on each. Those of the lower levels
have noise in addition: the difference of two more submissions of the null model, so that their errors follow its law.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import qeframe
from qeframe.core.components.loading.registry import Registry
from qeframe.core.tasks.task import Submission, Task
from qeframe.extensions.null_model import NullModel
from qeframe.report import Cell, Column, Table, as_markdown

REFERENCE = Path(__file__).parents[1] / "reference"
STORED, PAGE = REFERENCE / "power-and-warnings.json", REFERENCE / "calibration.md"
BEGIN, END = "<!-- power -->\n", "<!-- end of power -->\n"
SEED = 74
NOISE = (0.0, 0.35, 0.7, 1.2)
"""By what the noise of each level is multiplied."""
LAWS = (("normal", 200), ("zeros_60", 200), ("zeros_60", 500), ("heteroscedastic_t3", 500))
TESTS = {
    "default": ["test=default", "correction=default"],
    "jackknife, romano_wolf": ["test=jackknife", "correction=romano_wolf"],
    "exchange, max_t": ["test=exchange", "correction=max_t(standardize=as_needed)"],
}
WARNED = "degrees of freedom"
"""A word of the warning of unlike laws."""


def drawn(law: NullModel, units: int, run: int) -> Task:
    """Return a task of eight submissions, the two of a level after each other."""
    count = 2 * len(NOISE)
    drawn: Sequence[Any] = law.draw(np.random.default_rng([SEED, units, run]), units, 3 * count)
    batches = {}
    for nth, (batch, one, other) in enumerate(zip(drawn[:count], drawn[count:-count], drawn[-count:], strict=True)):
        answers = batch.predicted + NOISE[nth // 2] * (one.predicted - other.predicted)
        batches[Submission(f"s{nth}")] = type(batch).from_plain(batch.gold, answers, best="high")
    return Task(name="t", batches=batches)


def level(name: str) -> int:
    """Return the level of a submission, 0 for the best."""
    return int(name[1:]) // 2


def counted(law: str, units: int, test: str, runs: int, registry: Registry) -> dict[str, Any]:
    """Return the share of true differences that are found, and the share of data sets with the warning."""
    rules = qeframe.choose_profile("qe_sentence", [*TESTS[test], "interval="], registry)
    found, warned = [], 0
    true = [
        pair
        for pair in combinations([f"s{nth}" for nth in range(2 * len(NOISE))], 2)
        if level(pair[0]) < level(pair[1])
    ]
    for run in range(runs):
        task = drawn(registry.get(NullModel, law), units, run)
        evaluation = qeframe.evaluate(rules, [task], seed=run, registry=registry)
        scores = {s.name: s.scores[evaluation.primary].value for s in evaluation.submissions}
        claimed = {tuple(sorted((c.a, c.b))) for c in evaluation.comparisons if c.significant and not c.task}
        found.append(sum(pair in claimed and scores[pair[0]] > scores[pair[1]] for pair in true) / len(true))
        warned += any(WARNED in warning for warning in evaluation.warnings)
    return {
        "found": float(np.mean(found)), "error": float(np.std(found, ddof=1)) / math.sqrt(runs), "warned": warned,
    }  # fmt: skip


def table(rows: list[dict[str, Any]]) -> Table:
    """Return the shares, a row for each law and test."""
    return Table.from_columns(
        "",
        [
            (Column("null model", "left", key=True), [Cell(row["law"]) for row in rows]),
            (Column("units"), [Cell(f"{row['units']}") for row in rows]),
            (Column("test", "left"), [Cell(row["test"]) for row in rows]),
            (Column("true differences found"), [Cell(f"{row['found']:.3f} ± {row['error']:.3f}") for row in rows]),
            (Column("warned of unlike laws"), [Cell(f"{row['warned'] / row['runs']:.3f}") for row in rows]),
        ],
    )


def write(rows: list[dict[str, Any]], page: Path = PAGE) -> None:
    """Write the table between its marks."""
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    lines = [line for line in as_markdown(table(rows)).splitlines() if line.startswith("|")]
    page.write_text(before + BEGIN + "\n".join(["", *lines, "", ""]) + END + rest.split(END)[1], encoding="utf-8")


def main() -> None:
    """Count all cells, store them, and write the table."""
    parser = argparse.ArgumentParser(description="Count found differences and warnings.")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--page", action="store_true")
    given = parser.parse_args()
    if not given.page:
        registry = qeframe.load()
        rows = [
            {
                "law": law,
                "units": units,
                "test": test,
                "runs": given.runs,
                **counted(law, units, test, given.runs, registry),
            }
            for law, units in LAWS
            for test in TESTS
        ]
        STORED.write_text(json.dumps({"seed": SEED, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    write(json.loads(STORED.read_text(encoding="utf-8"))["rows"])


if __name__ == "__main__":
    main()

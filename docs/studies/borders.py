"""Count how often a border between clusters is false, and store the counts.

Run as ``python docs/studies/borders.py [--runs 100] [--page]``. It writes ``docs/reference/borders.json`` and the table
in ``docs/explanation/significance.md``; ``--page`` writes the table from what is stored. Submissions are scored by
Pearson's correlation, ten equal ones, and two groups of five equal ones of which the second has more noise.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from laws import Law, find_law

import qeframe
from qeframe.core.ranking import RankingInput, RankingRule, rank
from qeframe.core.registry import Registry
from qeframe.core.task import Submission, Task
from qeframe.report import Cell, Column, Table, as_markdown

DOCS = Path(__file__).parents[1]
STORED, PAGE = DOCS / "reference" / "borders.json", DOCS / "explanation" / "significance.md"
BEGIN, END = "<!-- borders -->\n", "<!-- end of borders -->\n"
SEED = 73
COUNT = 10
LAWS = {"normal": 500, "gross_errors": 100, "zeros_60": 500}
"""The laws, with the number of units."""
WORSE = 1.0
"""The noise that the second group has in addition, in standard deviations of the gold."""
TESTS = {
    "default": ["test=jackknife_and_exchange(draws=1000)", "correction=romano_wolf_and_max_t(draws=1000)"],
    "each pair by itself, one-sided": ["test=jackknife", "correction=none", "sided=one"],
}
RANKINGS = ("clusters", "separated")


def drawn(law: Law, groups: int, units: int, run: int) -> Task:
    """Return a task of equal submissions, or of two groups of equal ones."""
    rng = np.random.default_rng([SEED, units, run])
    batches: dict[Submission, Any] = {}
    for nth, batch in enumerate(law.draw(rng, units, COUNT)):
        noise = WORSE * batch.gold.std() * rng.normal(size=units) if nth * groups >= COUNT else 0.0
        batches[Submission(f"s{nth}")] = type(batch).from_plain(batch.gold, batch.predicted + noise, best="high")
    return Task(name="t", batches=batches)


def is_split(cluster: Sequence[int], groups: int) -> bool:
    """Return whether submissions of one group are in different clusters."""
    size = COUNT // groups
    return any(len(set(cluster[at : at + size])) > 1 for at in range(0, COUNT, size))


def false_borders(law: str, groups: int, test: str, runs: int, registry: Registry) -> dict[str, int]:
    """Return for each ranking rule in how many runs a border separates submissions of one group."""
    rules = qeframe.choose_profile("qe_sentence", [*TESTS[test], "interval="], registry)
    rules = attrs.evolve(rules, valid={"shown": False})
    counts = dict.fromkeys(RANKINGS, 0)
    for run in range(runs):
        task = drawn(find_law(law), groups, LAWS[law], run)
        found = qeframe.evaluate(rules, [task], seed=run, registry=registry)
        scores = {s.name: s.scores[found.primary].value for s in found.submissions}
        names = sorted(scores)
        better = np.zeros((COUNT, COUNT), dtype=np.bool_)
        for c in found.comparisons:
            if c.significant and c.metric == found.primary and not c.task:
                first, second = sorted((c.a, c.b), key=scores.__getitem__, reverse=True)
                better[names.index(first), names.index(second)] = True
        oriented = np.array([scores[name] for name in names])
        for ranking in RANKINGS:
            rule = registry.get(RankingRule, ranking)
            cluster = rank(rule, RankingInput(oriented=oriented, better=better, draws=None)).cluster
            counts[ranking] += is_split(cluster, groups)
    return counts


def table(rows: list[dict[str, Any]]) -> Table:
    """Return the shares, a row for each law, grouping and test."""
    lines: dict[tuple[str, ...], dict[str, float]] = {}
    for row in rows:
        key = (row["law"], f"{row['units']}", row["submissions"], row["test"])
        lines.setdefault(key, {})[row["ranking"]] = row["false"] / row["runs"]
    columns = [
        (Column(name, "left", key=True), [Cell(key[i]) for key in lines])
        for i, name in enumerate(("law", "units", "submissions", "test"))
    ]
    columns += [
        (Column(name), [Cell(f"{line[name]:.3f}"[1 if line[name] < 1 else 0 :]) for line in lines.values()])
        for name in RANKINGS
    ]
    return Table.from_columns("", columns)


def write(rows: list[dict[str, Any]], page: Path = PAGE) -> None:
    """Write the table between its marks."""
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    lines = [line for line in as_markdown(table(rows)).splitlines() if line.startswith("|")]
    page.write_text(before + BEGIN + "\n".join(["", *lines, "", ""]) + END + rest.split(END)[1], encoding="utf-8")


def main() -> None:
    """Count all cells, store them, and write the table."""
    parser = argparse.ArgumentParser(description="Count false borders between clusters.")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--page", action="store_true")
    given = parser.parse_args()
    if not given.page:
        registry, rows = qeframe.load(), []
        for law, units in LAWS.items():
            for groups, submissions in ((1, "ten equal submissions"), (2, "two groups of five")):
                for test in TESTS:
                    counts = false_borders(law, groups, test, given.runs, registry)
                    rows += [
                        {
                            "law": law, "units": units, "submissions": submissions, "test": test, "ranking": ranking,
                            "runs": given.runs, "false": count,
                        }
                        for ranking, count in counts.items()
                    ]  # fmt: skip
        STORED.write_text(json.dumps({"seed": SEED, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    write(json.loads(STORED.read_text(encoding="utf-8"))["rows"])


if __name__ == "__main__":
    main()

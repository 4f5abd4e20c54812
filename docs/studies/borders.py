"""Count how often a border between clusters is false, and store the counts.

Run as ``python docs/studies/borders.py [--runs 200]``: it writes ``docs/reference/borders.json``. The table is in
``docs/explanation/significance.md``. Submissions predict a gold with normal errors, scored by Pearson's correlation.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import qeframe
from qeframe.core.components.loading.registry import Registry
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores

STORED = Path(__file__).parents[1] / "reference" / "borders.json"
SEED = 73
NOISE = {"ten equal submissions": (1.7,) * 10, "two groups of five": (1.5,) * 5 + (2.2,) * 5}
TESTS = {
    "default": ["test=default", "correction=default"],
    "each pair by itself, one-sided": ["test=jackknife", "correction=none", "sided=one"],
}


def drawn(noise: tuple[float, ...], units: int, run: int) -> Task:
    """Return a task of submissions with normal errors."""
    rng = np.random.default_rng([SEED, units, run])
    gold = rng.normal(size=units)
    batches = {
        Submission(f"s{nth}"): Scores.from_plain(gold, gold + sd * rng.normal(size=units))
        for nth, sd in enumerate(noise)
    }
    return Task(name="t", batches=batches)


def has_false_border(cluster: dict[str, int], noise: tuple[float, ...]) -> bool:
    """Return whether two submissions of one group are in different clusters."""
    groups: dict[float, set[int]] = {}
    for name, number in cluster.items():
        groups.setdefault(noise[int(name[1:])], set()).add(number)
    return any(len(numbers) > 1 for numbers in groups.values())


def false_borders(
    ranking: str, test: list[str], noise: tuple[float, ...], units: int, runs: int, all_: Registry
) -> int:
    """Return in how many runs a border separates submissions of one group."""
    settings = [*test, f"ranking={ranking}", "interval="]
    rules = qeframe.choose_profile("qe_sentence", settings, all_)
    count = 0
    for run in range(runs):
        found = qeframe.evaluate(rules, [drawn(noise, units, run)], seed=run, registry=all_)
        count += has_false_border({s.name: s.cluster or 0 for s in found.submissions}, noise)
    return count


def main() -> None:
    """Count all cells and store them."""
    parser = argparse.ArgumentParser(description="Count false borders between clusters.")
    parser.add_argument("--runs", type=int, default=200)
    runs = parser.parse_args().runs
    registry = qeframe.load()
    rows = [
        {
            "null": null, "ranking": ranking, "test": test, "units": units, "runs": runs,
            "false": false_borders(ranking, TESTS[test], noise, units, runs, registry),
        }
        for null, noise in NOISE.items()
        for units in (500,)
        for ranking in ("clusters", "separated")
        for test in TESTS
    ]  # fmt: skip
    STORED.write_text(json.dumps({"seed": SEED, "rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Count how many true differences a test finds, and how often the default says that few units decide a result.

Run as ``python docs/studies/power_and_warnings.py [--only power|warnings|sides|marks]``. It writes
``docs/reference/power-and-warnings.json``; ``--only`` counts one of the parts again. Of ``sides`` and ``marks``, each
data set has two equal submissions. Of the other parts it has eight submissions on four levels, two on each. Those of
the lower levels have noise in addition: the difference of two more submissions of the same law. So their errors follow
it, but for heavy tails, which sums of errors have less of.
"""

from __future__ import annotations

import argparse
import json
import math
import warnings
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
from error_rates import Simulation
from laws import Law, find_law

import qeframe
from qeframe.core.errors import ResultWarning
from qeframe.core.metric import Metric
from qeframe.core.registry import Registry
from qeframe.core.result import Evaluation
from qeframe.core.significance import SignificanceTest
from qeframe.core.task import Submission, Task

REFERENCE = Path(__file__).parents[1] / "reference"
STORED = REFERENCE / "power-and-warnings.json"
SEED = {"power": 74, "warnings": 75, "sides": 76, "marks": 77}
RUNS = {"power": 60, "warnings": 400, "sides": 400, "marks": 500}
NOISE = (0.0, 0.35, 0.7, 1.2)
"""By what the noise of each level is multiplied."""
LAWS = (("normal", 200), ("zeros_60", 200), ("zeros_60", 500), ("heteroscedastic_t3", 500))
LAWS_OF_WARNINGS = {
    "one": (*LAWS[:3], ("heteroscedastic_t3", 200), ("heteroscedastic_t3", 500)),
    "unlike": (("alternating_t3", 100), ("alternating_t3", 200), ("alternating_t3", 500)),
}
"""Laws by whether their submissions follow one law."""
TESTS = {
    "default": ["test=default", "correction=default"],
    "jackknife, romano_wolf": ["test=jackknife", "correction=romano_wolf"],
    "exchange, max_t": ["test=exchange", "correction=max_t(standardize=as_needed)"],
}
WARNED, ON_TWO_SIDES = "degrees of freedom", "two sides of alpha"
"""Words of the warnings."""
LAWS_OF_SIDES = ("normal", "zeros_60", "zeros_90", "heteroscedastic_t3", "gross_errors")
LAWS_OF_MARKS = {"pearson": ("normal", "near_copies", *LAWS_OF_SIDES[1:]), "mae": LAWS_OF_SIDES}
"""Laws by metric."""
UNITS_OF_SIDES, UNITS_OF_MARKS = (30, 100, 500), (30, 100, 200, 500)


def drawn(law: Law, units: int, run: int, seed: int = SEED["power"]) -> Task:
    """Return a task of eight submissions, the two of a level after each other."""
    count = 2 * len(NOISE)
    drawn: Sequence[Any] = law.draw(np.random.default_rng([seed, units, run]), units, 3 * count)
    batches = {}
    for nth, (batch, one, other) in enumerate(zip(drawn[:count], drawn[count:-count], drawn[-count:], strict=True)):
        answers = batch.predicted + NOISE[nth // 2] * (one.predicted - other.predicted)
        batches[Submission(f"s{nth}")] = type(batch).from_plain(batch.gold, answers, best="high")
    return Task(name="t", batches=batches)


def level(name: str) -> int:
    """Return the level of a submission, 0 for the best."""
    return int(name[1:]) // 2


def evaluated(law: str, units: int, test: str, run: int, part: str, registry: Registry) -> Evaluation:
    """Return the result of a test on one data set."""
    rules = qeframe.choose_profile("qe_sentence", [*TESTS[test], "interval="], registry)
    task = drawn(find_law(law), units, run, SEED[part])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResultWarning)  # they are counted
        return qeframe.evaluate(rules, [task], seed=run, registry=registry)


def power(registry: Registry) -> Iterator[dict[str, Any]]:
    """Yield the share of true differences that are found, by law and test."""
    names = [f"s{nth}" for nth in range(2 * len(NOISE))]
    true = [pair for pair in combinations(names, 2) if level(pair[0]) < level(pair[1])]
    runs = RUNS["power"]
    for (law, units), test in product(LAWS, TESTS):
        found = []
        for run in range(runs):
            evaluation = evaluated(law, units, test, run, "power", registry)
            scores = {s.name: s.scores[evaluation.primary].value for s in evaluation.submissions}
            claimed = {tuple(sorted((c.a, c.b))) for c in evaluation.comparisons if c.significant and not c.task}
            found.append(sum(pair in claimed and scores[pair[0]] > scores[pair[1]] for pair in true) / len(true))
        error = float(np.std(found, ddof=1)) / math.sqrt(runs)
        yield {"law": law, "units": units, "test": test, "runs": runs, "found": float(np.mean(found)), "error": error}


def warned(registry: Registry) -> Iterator[dict[str, Any]]:
    """Yield the number of data sets in which the default test warns of unlike laws."""
    for laws, cells in LAWS_OF_WARNINGS.items():
        for law, units in cells:
            told = 0
            for run in range(RUNS["warnings"]):
                evaluation = evaluated(law, units, "default", run, "warnings", registry)
                told += any(WARNED in warning for warning in evaluation.warnings)
            yield {"laws": laws, "law": law, "units": units, "runs": RUNS["warnings"], "warned": told}


def on_two_sides(registry: Registry) -> Iterator[dict[str, Any]]:
    """Yield in how many pairs of equal submissions the p of the default's two tests lie on two sides of alpha."""
    rules = qeframe.choose_profile("qe_sentence", [*TESTS["default"], "interval="], registry)
    for law, units in product(LAWS_OF_SIDES, UNITS_OF_SIDES):
        told = 0
        for run in range(RUNS["sides"]):
            drawn = find_law(law).draw(np.random.default_rng([SEED["sides"], units, run]), units, 2)
            task = Task(name="t", batches={Submission(f"s{nth}"): batch for nth, batch in enumerate(drawn)})
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ResultWarning)
                evaluation = qeframe.evaluate(rules, [task], seed=run, registry=registry)
            told += any(ON_TWO_SIDES in warning for warning in evaluation.warnings)
        yield {"law": law, "units": units, "runs": RUNS["sides"], "warned": told}


def marked(registry: Registry) -> Iterator[dict[str, Any]]:
    """Yield how many scores have the mark that few units carry them."""
    details_of = registry.get(SignificanceTest, "jackknife_and_exchange").on_intervals
    assert details_of is not None
    for metric, laws in LAWS_OF_MARKS.items():
        for law, units in product(laws, UNITS_OF_MARKS):
            scored = registry.get(Metric, metric)
            simulation = Simulation(metric=scored, law=find_law(law), units=units, seed=SEED["marks"])
            details = [of for run in range(RUNS["marks"]) for of in details_of(simulation.contest(run))]
            count = sum("few_units" in of for of in details)
            yield {"metric": metric, "law": law, "units": units, "scores": len(details), "marked": count}


def main() -> None:
    """Count what was asked for, and store it."""
    parser = argparse.ArgumentParser(description="Count found differences and warnings.")
    parser.add_argument("--only", choices=RUNS, action="append")
    given = parser.parse_args()
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    counts = {"power": power, "warnings": warned, "sides": on_two_sides, "marks": marked}
    for part, count in counts.items():
        if part in (given.only or RUNS):
            stored[part] = {"seed": SEED[part], "rows": list(count(qeframe.load()))}
            STORED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

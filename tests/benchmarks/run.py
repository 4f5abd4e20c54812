"""How much faster the formulations are than the plain loops they replace.

Run by hand: ``python tests/benchmarks/run.py``. The two sides are run in turn and the best of several runs counts, so
that a busy machine slows both; where the loop would take minutes, it is run on a part and its time is scaled up.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import stdtr

import qeframe
from qeframe.batches.base import FloatArray
from qeframe.batches.scores import Scores, Values
from qeframe.components.metric import Metric
from qeframe.components.significance import SignificanceTest
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.scored_task import ScoredTask
from qeframe.resampling.statistic import additive

REPEATS = 5
RNG = np.random.default_rng(1)


def tags(units: int, submissions: int) -> list[FloatArray]:
    """Draw counts tp, fp, fn, tn of sentences of about 20 words for every submission, (units, 4) each."""
    bad = RNG.binomial(20, 0.18, size=units)
    found = []
    for _ in range(submissions):
        hits = RNG.binomial(bad, 0.5)
        false = RNG.binomial(20 - bad, 0.1)
        found.append(np.stack([hits, false, bad - hits, 20 - bad - false], axis=1).astype(np.float64))
    return found


def f1_mult(sums: FloatArray) -> FloatArray:
    tp, fp, fn, tn = np.moveaxis(sums, -1, 0)
    both = np.maximum(2 * tp + fp + fn, 1e-300) * np.maximum(2 * tn + fp + fn, 1e-300)
    product: FloatArray = 4 * tp * tn / both
    return product


COUNTS: dict[int, FloatArray] = {}


def counts_of(batch: Values) -> FloatArray:
    """Return the counts that belong to a stand-in batch: its first value says which."""
    return COUNTS[int(batch.predicted[0])]


F1_MULT = Metric(
    name="f1_mult_probe",
    summary="",
    kind=Values,
    bind=additive(columns=("tp", "fp", "fn", "tn"), extract=counts_of, score=f1_mult),
)


def bench_of(rows: list[FloatArray]) -> ScoredTask:
    COUNTS.update(enumerate(rows))
    batches = tuple(Values.from_plain(None, np.full(len(one), float(i))) for i, one in enumerate(rows))
    return ScoredTask(metrics=(F1_MULT,), batches=batches, key=(1, 2))


def best_of(*sides: Callable[[], Any]) -> list[float]:
    """Return the shortest time of each side, all of them run in turn."""
    times = [float("inf")] * len(sides)
    for _ in range(REPEATS):
        for i, side in enumerate(sides):
            start = time.perf_counter()
            side()
            times[i] = min(times[i], time.perf_counter() - start)
    return times


def report(row: str, ours: float, loop: float, target: str) -> None:
    print(f"{row:<58} {ours:9.4f} s   loop {loop:9.2f} s   ratio {loop / ours:9.0f}   target {target}")  # noqa: T201


def bootstrap() -> None:
    """Row 1: F1-mult of 20 submissions, 2000 units, 1000 draws."""
    rows = tags(2000, 20)

    def ours() -> FloatArray:
        return ComparableInTask(bench_of(rows)).resample(1000)

    def loop() -> FloatArray:
        rng = np.random.default_rng(1)
        scores = np.empty((1000, 20))
        for draw in range(1000):
            chosen = rng.integers(0, 2000, 2000)
            for submission, counts in enumerate(rows):
                scores[draw, submission] = f1_mult(counts[chosen].sum(axis=0))
        return scores

    report("1  bootstrap, F1-mult, 20 x 2000, B = 1000", *best_of(ours, loop), "40")


def randomization() -> None:
    """Row 2: 190 pairs, 2000 units, 1000 exchanges."""
    rows = tags(2000, 20)
    test = qeframe.load().get(SignificanceTest, "randomization(draws=1000)")

    def ours() -> FloatArray:
        return test.run(ComparableInTask(bench_of(rows)), "two").p

    def loop(pairs: int = 4) -> None:
        rng = np.random.default_rng(1)
        for other in range(1, pairs + 1):
            a, b = rows[0], rows[other]
            observed = abs(f1_mult(a.sum(axis=0)) - f1_mult(b.sum(axis=0)))
            count = 0
            for _ in range(1000):
                mask = rng.integers(0, 2, 2000).astype(bool)[:, None]
                new_a, new_b = np.where(mask, b, a), np.where(mask, a, b)
                count += abs(f1_mult(new_a.sum(axis=0)) - f1_mult(new_b.sum(axis=0))) >= observed

    fast, slow = best_of(ours, loop)
    report("2  randomization, F1-mult, 190 pairs x 2000, R = 1000", fast, slow * 190 / 4, "500")
    test = qeframe.load().get(SignificanceTest, "randomization(draws=10000)")
    report("2  the same, R = 10000", best_of(ours)[0], slow * 1900 / 4, "500")


def williams() -> None:
    """Row 12: 1000 submissions, 2000 units, 499,500 pairs."""
    gold = RNG.normal(size=2000)
    batches = tuple(Scores.from_plain(gold, gold + RNG.normal(size=2000)) for _ in range(1000))
    registry = qeframe.load()
    test, pearson = registry.get(SignificanceTest, "williams"), registry.get(Metric, "pearson")
    comparable = ComparableInTask(ScoredTask(metrics=(pearson,), batches=batches, key=(1,)))
    assert len(comparable.oriented) == 1000

    def ours() -> FloatArray:
        return test.run(comparable, "one").p

    def loop(pairs: int = 300) -> list[float]:
        found = []
        for other in range(1, pairs + 1):
            a, b = batches[0].predicted, batches[other].predicted
            r_a, r_b = np.corrcoef(gold, a)[0, 1], np.corrcoef(gold, b)[0, 1]
            r = np.corrcoef(a, b)[0, 1]
            k = 1 - r_a**2 - r_b**2 - r**2 + 2 * r_a * r_b * r
            spread = 2 * k * 1999 / 1997 + (r_a + r_b) ** 2 / 4 * (1 - r) ** 3
            found.append(float(stdtr(1997, -(r_a - r_b) * np.sqrt(1999 * (1 + r) / spread))))
        return found

    fast, slow = best_of(ours, loop)
    report("12 Williams, 1000 x 2000, 499,500 pairs (vectors given)", fast, slow * 499_500 / 300, "1000")

    def whole() -> FloatArray:
        return test.run(ComparableInTask(ScoredTask(metrics=(pearson,), batches=batches, key=(1,))), "one").p

    report("12 the same with all scores computed first", best_of(whole)[0], slow * 499_500 / 300, "1000")


def start() -> None:
    """Row 15: the help of the command line, against an interpreter that does nothing."""
    commands = [sys.executable, "-c", "from qeframe.cli import main; main()", "--help"], [sys.executable, "-c", "pass"]
    runs = [lambda c=c: subprocess.run(c, check=True, capture_output=True) for c in commands]
    fast, empty = best_of(*runs)
    print(f"15 qeframe --help: {fast:.3f} s, an empty interpreter {empty:.3f} s, target under 0.3 s")  # noqa: T201


if __name__ == "__main__":
    for row in (bootstrap, randomization, williams, start):
        row()

"""What honest inference costs: Romano and Wolf's step-down beside the bootstrap, and the jackknife of all pairs.

Run by hand: ``python tests/benchmarks/inference.py``. 20 submissions, 2,000 units. Times are of the processor, the best
of several runs. Exit status 1 if a target is missed: the step-down and the rank sets at most a quarter of the bootstrap
of 10,000 draws, the jackknife of all pairs under .2 s for additive metrics.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

import qeframe
from qeframe.core.components.comparable import Pairwise
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.rank_sets import rank_sets
from qeframe.core.evaluation.scored_task import ScoredTask

SUBMISSIONS, UNITS, DRAWS, REPEATS = 20, 2000, 10_000, 3
MOST_ADDED, MOST_SECONDS = 0.25, 0.2


def comparable(name: str) -> ComparableInTask:
    rng = np.random.default_rng(1)
    metric = qeframe.load().get(Metric, name)
    if name in {"mcc", "f1_mult"}:
        bad = rng.random((UNITS, 20)) < 0.18
        answers = [bad ^ (rng.random((UNITS, 20)) < 0.1 + k / 100) for k in range(SUBMISSIONS)]
        gold = bad.astype(int).tolist()
        batches = tuple(metric.kind.from_plain(gold, one.astype(int).tolist()) for one in answers)
    else:
        scores = rng.normal(size=UNITS)
        noisy = scores + rng.normal(size=(SUBMISSIONS, UNITS)) * np.linspace(0.8, 1.2, SUBMISSIONS)[:, None]
        batches = tuple(metric.kind.from_plain(scores, one) for one in noisy)
    return ComparableInTask(ScoredTask(metrics=(metric,), batches=batches, key=(1, 2)))


def seconds(work: Callable[[], object]) -> float:
    best = np.inf
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def family(given: ComparableInTask, pairwise: Pairwise, correction: Correction) -> None:
    """Adjust the p-values of all pairs and derive the rank sets; the draws are there."""
    assert correction.adjust_jointly is not None
    adjusted = correction.adjust_jointly(given, pairwise, "two")
    better = np.zeros((SUBMISSIONS, SUBMISSIONS), dtype=bool)
    better[given.pairs] = adjusted < 0.05
    rank_sets(better)


def main() -> int:
    registry = qeframe.load()
    test = registry.get(SignificanceTest, "jackknife")
    correction = registry.get(Correction, f"romano_wolf(draws={DRAWS})")
    missed = 0
    for name in ("pearson", "mae", "mcc"):
        drawn = seconds(lambda name=name: comparable_of(name).resample(DRAWS))  # type: ignore[misc]
        given = comparable_of(name)
        given.resample(DRAWS)
        pairwise = test.run(given, "two")
        added = seconds(lambda given=given, pairwise=pairwise: family(given, pairwise, correction))  # type: ignore[misc]
        pairs = seconds(lambda name=name: test.run(comparable_of(name), "two"))  # type: ignore[misc]
        sys.stdout.write(
            f"{name:8} bootstrap {drawn:.2f} s, step-down and rank sets {added:.2f} s ({added / drawn:.0%}), "
            f"jackknife of all pairs {pairs:.3f} s\n"
        )
        missed += (added > MOST_ADDED * drawn) + (pairs > MOST_SECONDS)
    return int(missed > 0)


BOUND: dict[str, ComparableInTask] = {}


def comparable_of(name: str) -> ComparableInTask:
    """Return a comparable with bound metrics and nothing drawn."""
    if name not in BOUND:
        BOUND[name] = comparable(name)
        BOUND[name].scored_task.scores  # noqa: B018
    bound = BOUND[name].scored_task
    fresh = ScoredTask(metrics=bound.metrics, batches=bound.batches, key=bound.key)
    fresh.scores  # noqa: B018
    return ComparableInTask(fresh)


if __name__ == "__main__":
    sys.exit(main())

"""What honest inference costs: Romano and Wolf's step-down beside the bootstrap, and the jackknife of all pairs.

Run by hand: ``python tests/benchmarks/inference.py``. 20 submissions, 2,000 units. Times are of the processor, the best
of several runs. Exit status 1 if a target is missed: the step-down and the rank sets at most a quarter of the bootstrap
of 10,000 draws, the jackknife of all pairs under .2 s for additive metrics. Then ``compare`` with a family of ten on
1,000 units: the default with 1,000 draws at most twice the jackknife with Romano and Wolf's step-down, which was the
default before. Where an adjusted p is near alpha, the default draws on to 10,000. And ``spa`` of 8 metrics on 10
systems and 500 segments: at most a second.
"""

import sys
import time
import warnings
from collections.abc import Callable

import numpy as np

import qeframe
from qeframe.core.contest import Contest
from qeframe.core.findings import rank_sets
from qeframe.core.metric import Metric
from qeframe.core.sample import Sample
from qeframe.core.significance import Correction, Pairwise, SignificanceTest

SUBMISSIONS, UNITS, DRAWS, REPEATS = 20, 2000, 10_000, 3
MOST_ADDED, MOST_SECONDS = 0.25, 0.2


def contest(name: str) -> Contest:
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
    return Contest.of(Sample(metrics=(metric,), batches=batches, key=(1, 2)))


def seconds(work: Callable[[], object]) -> float:
    best = np.inf
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def family(given: Contest, pairwise: Pairwise, correction: Correction) -> None:
    """Adjust the p-values of all pairs and derive the rank sets; the draws are there."""
    assert correction.adjust_jointly is not None
    adjusted = correction.adjust_jointly(given, pairwise, "two")
    better = np.zeros((SUBMISSIONS, SUBMISSIONS), dtype=bool)
    better[given.pairs] = adjusted < 0.05
    rank_sets(better)


def whole_comparisons() -> int:
    """Time ``compare`` as a user calls it; return how many targets are missed."""
    rng = np.random.default_rng(1)
    gold, missed = rng.normal(size=1000), 0
    answers = {f"s{nth}": gold + rng.normal(size=1000) * sd for nth, sd in enumerate(np.linspace(0.8, 1.2, 10))}
    rules = {
        "jackknife, romano_wolf": {"test": "jackknife", "correction": "romano_wolf"},
        "default, 1,000 draws": {
            "test": "jackknife_and_exchange(draws=1000)",
            "correction": "romano_wolf_and_max_t(draws=1000)",
        },
        "default, drawn on": {},
    }
    for name in ("pearson", "mae", "spearman"):
        took = {
            what: seconds(lambda name=name, rule=rule: qeframe.compare(name, gold, answers, **rule))  # type: ignore[misc]
            for what, rule in rules.items()
        }
        sys.stdout.write(f"{name:8} family of 10: {', '.join(f'{what} {s:.3f} s' for what, s in took.items())}\n")
        missed += took["default, 1,000 draws"] > 2 * took["jackknife, romano_wolf"]
    human = rng.normal(size=(500, 10)) + np.linspace(0, 1, 10)
    metrics = {f"m{nth}": human + rng.normal(size=human.shape) * (1 + nth / 8) for nth in range(8)}
    rules = {
        "1,000 draws": {"test": "exchange(draws=1000)", "correction": "max_t(draws=1000, standardize=as_needed)"},
        "drawn on": {},
    }
    took = {
        what: seconds(lambda rule=rule: qeframe.compare("spa", human, metrics, **rule))  # type: ignore[misc]
        for what, rule in rules.items()
    }
    sys.stdout.write(
        f"spa      8 metrics, 10 systems, 500 segments: {', '.join(f'{w} {s:.2f} s' for w, s in took.items())}\n"
    )
    return missed + (took["1,000 draws"] > 1)


def main() -> int:
    registry = qeframe.load()
    test = registry.get(SignificanceTest, "jackknife")
    correction = registry.get(Correction, f"romano_wolf(draws={DRAWS})")
    missed = 0
    for name in ("pearson", "mae", "mcc"):
        drawn = seconds(lambda name=name: contest_of(name).resample(DRAWS))  # type: ignore[misc]
        given = contest_of(name)
        given.resample(DRAWS)
        pairwise = test.run(given, "two")
        added = seconds(lambda given=given, pairwise=pairwise: family(given, pairwise, correction))  # type: ignore[misc]
        pairs = seconds(lambda name=name: test.run(contest_of(name), "two"))  # type: ignore[misc]
        sys.stdout.write(
            f"{name:8} bootstrap {drawn:.2f} s, step-down and rank sets {added:.2f} s ({added / drawn:.0%}), "
            f"jackknife of all pairs {pairs:.3f} s\n"
        )
        missed += (added > MOST_ADDED * drawn) + (pairs > MOST_SECONDS)
    warnings.simplefilter("ignore")
    return int(missed + whole_comparisons() > 0)


BOUND: dict[str, Contest] = {}


def contest_of(name: str) -> Contest:
    """Return a contest with bound metrics and nothing drawn."""
    if name not in BOUND:
        BOUND[name] = contest(name)
        BOUND[name].sample.scores  # noqa: B018
    bound = BOUND[name].sample
    fresh = Sample(metrics=bound.metrics, batches=bound.batches, key=bound.key)
    fresh.scores  # noqa: B018
    return Contest.of(fresh)


if __name__ == "__main__":
    sys.exit(main())

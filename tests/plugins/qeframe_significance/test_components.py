"""The tests as components: of whole comparisons, over tasks, and one seeded simulation."""

from statistics import NormalDist

import numpy as np
import pytest

import qeframe
from qeframe.core.contest import Contest
from qeframe.core.ranking import Aggregation
from qeframe.core.significance import SignificanceTest
from qeframe_significance.paired_bootstrap import bca_levels
from tests.plugins.contests import contest
from tests.registered import REGISTRY


def test_randomization_of_a_correlation_depends_on_the_scales() -> None:
    """The correlation of B with the gold stays, the correlations of mixed answers do not."""
    gold, a, b = np.random.default_rng(5).normal(size=(3, 40)) + np.random.default_rng(6).normal(size=40)
    p = {}
    for scale in (1.0, 100.0):
        (pair,) = qeframe.compare("pearson", gold, {"A": a, "B": scale * b}, test="randomization(draws=999)")
        p[scale] = (pair.difference, pair.p)
    assert p[1.0][0] == pytest.approx(p[100.0][0])
    assert abs(p[1.0][1] - p[100.0][1]) > 0.05


def test_bca_over_tasks_is_accelerated_task_by_task() -> None:
    """The formula for several samples, by loops over influence values of a weighted mean of two means."""
    rng = np.random.default_rng(4)
    samples = rng.exponential(size=9) ** 2 + 40, rng.exponential(size=14)
    weights = np.array([1.0, 3.0])
    across = Contest.across(
        [
            each.terms[0]
            for each in tuple(contest("mean", None, [values], key=(k,)) for k, values in enumerate(samples))
        ],
        (np.array([0]), np.array([0])),
        submissions=1,
        aggregation=REGISTRY.get(Aggregation, "weighted"),
        weights=weights,
    )
    cubes = squares = 0.0
    for share, values in zip(weights / weights.sum(), samples, strict=True):
        for value in values:
            influence = share * (value - values.mean())
            cubes += (influence / len(values)) ** 3
            squares += (influence / len(values)) ** 2
    normal, drawn = NormalDist(), across.resample(600)
    bias = normal.inv_cdf(float((drawn[:, 0] < across.oriented[0]).mean()))
    shifted = [bias + normal.inv_cdf(level) for level in (0.05, 0.95)]
    levels = [normal.cdf(bias + z / (1 - cubes / squares**1.5 / 6 * z)) for z in shifted]
    test = REGISTRY.get(SignificanceTest, "bootstrap(draws=600, interval=bca)")
    assert test.interval is not None
    low, high, _ = test.interval(across, 0.9)
    assert (low[0], high[0]) == pytest.approx(tuple(np.quantile(drawn[:, 0], levels)), abs=1e-9)
    pooled = bca_levels(drawn, across.oriented, across.jackknife(), 0.9)
    assert abs(float(pooled[0][0]) - levels[0]) > 1e-4


def test_undefined_draws_are_left_out_of_intervals_and_count_as_extreme() -> None:
    """Of four units one differs: many draws are constant."""
    gold, predicted = [0.0, 0.0, 0.0, 1.0], [0.0, 0.1, 0.2, 1.0]
    given = contest("pearson", gold, [predicted, predicted[::-1]])
    test = REGISTRY.get(SignificanceTest, "bootstrap(draws=500)")
    drawn = given.resample(500)
    undefined = np.isnan(drawn[:, 0] - drawn[:, 1])
    assert 100 < undefined.sum() < 300
    assert float(test.run(given, "two").p[0]) >= (1 + undefined.sum()) / 501
    assert test.interval is not None
    assert np.isfinite(np.stack(test.interval(given, 0.9)[:2])).all()


@pytest.mark.parametrize("name", ["bootstrap(draws=200)", "bootstrap(draws=200, p=percentile)", "randomization"])
def test_a_giant_submission_hides_nothing(name: str) -> None:
    rng = np.random.default_rng(1)
    low, high = rng.normal(size=(2, 9)) + [[0.0], [2.0]]
    test = REGISTRY.get(SignificanceTest, name)

    def p(*answers: np.ndarray) -> np.ndarray:
        return test.run(contest("mean", None, answers, key=(3,)), "two").p

    alone = p(high, low)
    assert alone[0] < 0.05
    assert p(high, low, 1e14 * (1 + rng.random(9)))[0] == alone[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "test"),
    [("pearson", "williams"), ("pearson", "bootstrap(draws=400)"), ("mae", "bootstrap(draws=400)"),
     ("pearson", "randomization(draws=400)"), ("mae", "wilcoxon")],
)  # fmt: skip
def test_two_equal_submissions_are_told_apart_in_one_of_twenty(metric: str, test: str) -> None:
    """Rejections at .05 of a true null, n = 200, 1200 experiments: .05 within three standard errors (.019)."""
    rng = np.random.default_rng(20)
    rejected = 0
    for seed in range(1200):
        gold = rng.normal(size=200)
        a, b = (gold + rng.normal(size=200) for _ in range(2))
        (pair,) = qeframe.compare(metric, gold, {"A": a, "B": b}, test=test, seed=seed, correction="none")
        rejected += pair.significant
    assert rejected / 1200 == pytest.approx(0.05, abs=0.019)

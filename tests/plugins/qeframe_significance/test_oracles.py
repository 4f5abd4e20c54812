"""Tests and intervals against scipy, and one seeded simulation of those that are asymptotic."""

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.batches.base import FloatArray
from qeframe.batches.scores import Scores, Values
from qeframe.components.aggregation import Aggregation
from qeframe.components.metric import Metric
from qeframe.components.significance import Correction, SignificanceTest
from qeframe.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.scored_task import ScoredTask
from qeframe.testing import values_batches
from qeframe_significance import bootstrap, randomization, t_test, wilcoxon, williams
from qeframe_significance.bootstrap_test import bca_levels, p_of_differences, quantiles

REGISTRY = qeframe.load()
SEVERAL = st.integers(-12, 12).map(lambda quarters: quarters / 4)


def several(units: int) -> st.SearchStrategy[list[float]]:
    return st.lists(SEVERAL, min_size=units, max_size=units)


def test_randomization_of_a_correlation_depends_on_the_scales() -> None:
    """The correlation of B with the gold stays, the correlations of mixed answers do not."""
    gold, a, b = np.random.default_rng(5).normal(size=(3, 40)) + np.random.default_rng(6).normal(size=40)
    p = {}
    for scale in (1.0, 100.0):
        (pair,) = qeframe.compare("pearson", gold, {"A": a, "B": scale * b}, test="randomization(draws=999)")
        p[scale] = (pair.difference, pair.p)
    assert p[1.0][0] == pytest.approx(p[100.0][0])
    assert abs(p[1.0][1] - p[100.0][1]) > 0.05


@pytest.mark.parametrize("welch", [False, True])
@pytest.mark.parametrize("sided", ["two", "one"])
@given(st.data())
@settings(max_examples=30)
def test_t_test(welch: bool, sided: Any, data: st.DataObject) -> None:
    a = data.draw(several(data.draw(st.integers(2, 9))).filter(lambda v: len(set(v)) > 1))
    b = data.draw(several(data.draw(st.integers(2, 9))).filter(lambda v: len(set(v)) > 1))
    peer = scipy.stats.ttest_ind(a, b, equal_var=not welch, alternative="greater" if sided == "one" else "two-sided")
    found = t_test(a, b, welch=welch, sided=sided)
    assert (found.statistic, found.p) == pytest.approx((peer.statistic, peer.pvalue), abs=1e-12)


def test_williams_of_a_submission_and_its_reverse() -> None:
    """Near r_ab = -1 the value depends on how it is neared; at it, t is undefined but for r_a = 0, 1 and -1."""
    n, r, near = 50, 0.6, 1e-7
    along_the_diagonal = williams(r, -r, -1 + near, n).t
    assert along_the_diagonal == pytest.approx(r * np.sqrt((n - 3) / (1 - r * r)), rel=1e-5)
    shift = np.sqrt((2 - 2 * r * r) * near) / 2  # r_a + r_b such that K = 0, to first order
    along_the_edge = williams(r + shift, -r + shift, -1 + near, n).t
    assert along_the_edge == pytest.approx(r * np.sqrt((n - 1) / (1 - r * r)), rel=1e-2)
    assert along_the_edge > 1.015 * along_the_diagonal
    assert np.isnan([williams(r, -r, -1, n).t, williams(r, -r, -1, n).p_two]).all()
    perfect, opposite, nothing = williams(1, -1, -1, n), williams(-1, 1, -1, n), williams(0, 0, -1, n)
    assert (perfect.t, perfect.p_one, perfect.p_two) == (np.inf, 0.0, 0.0)
    assert (opposite.t, opposite.p_one, opposite.p_two) == (-np.inf, 1.0, 0.0)
    assert (nothing.t, nothing.p_one, nothing.p_two) == (0.0, 0.5, 1.0)


def test_williams_of_reversed_answers() -> None:
    gold, answers = np.random.default_rng(5).normal(size=(2, 30))
    (pair,) = qeframe.compare("pearson", gold, {"A": answers, "B": 2 - 3 * answers}, test="williams")
    assert np.isnan(pair.p)
    assert not pair.significant


def test_t_test_of_constants() -> None:
    """Where scipy is undefined."""
    assert (t_test([1, 1], [1, 1]).p, t_test([1, 1], [1, 1], sided="one").p) == (1.0, 0.5)
    assert (t_test([2, 2], [1, 1]).p, t_test([1, 1], [2, 2], sided="one").p) == (0.0, 1.0)
    assert np.isnan(t_test([1], [1, 2]).p)


@pytest.mark.newest
@pytest.mark.parametrize(("sided", "alternative"), [("two", "two-sided"), ("one", "greater")])
@given(st.data())
@settings(max_examples=30)
def test_wilcoxon(sided: Any, alternative: Any, data: st.DataObject) -> None:
    """With and without zeros and ties; all zeros are p 1 by our convention."""
    differences = data.draw(several(data.draw(st.integers(1, 12))))
    found = wilcoxon(differences, np.zeros(len(differences)), sided=sided)
    if not any(differences):
        assert (found.statistic, found.p) == (0.0, 1.0)
        return
    peer = scipy.stats.wilcoxon(differences, alternative=alternative)
    assert found.p == pytest.approx(peer.pvalue, abs=1e-12)
    ranks = scipy.stats.rankdata(np.abs([d for d in differences if d]))
    signs = np.sign([d for d in differences if d])
    assert found.statistic == pytest.approx(float(signs @ ranks))


@pytest.mark.parametrize(("sided", "alternative"), [("two", "two-sided"), ("one", "greater")])
@given(st.data())
@settings(max_examples=12)
def test_exact_randomization(sided: Any, alternative: Any, data: st.DataObject) -> None:
    units = data.draw(st.integers(2, 6))
    a, b = data.draw(several(units)), data.draw(several(units))

    def difference(x: FloatArray, y: FloatArray, axis: int) -> FloatArray:
        return np.asarray(np.mean(x, axis=axis) - np.mean(y, axis=axis))

    peer = scipy.stats.permutation_test(
        (a, b), difference, permutation_type="samples", alternative=alternative, n_resamples=10**6, vectorized=True
    )
    found = randomization(a, b, sided=sided)
    assert found.exhaustive
    if sided == "two":  # scipy doubles the smaller tail; of a symmetric distribution it is the same
        assert found.p == pytest.approx(min(1.0, peer.pvalue), abs=1e-12)
    else:
        assert found.p == pytest.approx(peer.pvalue, abs=1e-12)


def test_sampled_randomization_nears_the_exact_one() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 10))
    exact = randomization(a, b, draws=1024).p
    sampled = randomization(a, b, draws=1023)
    assert not sampled.exhaustive
    assert sampled.p == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 1023))


def intervals(values: FloatArray, method: str, draws: int = 20_000) -> tuple[float, float]:
    comparable = ComparableInTask(
        ScoredTask(metrics=(REGISTRY.get(Metric, "mean"),), batches=(Values.from_plain(None, values),), key=(5,))
    )
    test = REGISTRY.get(SignificanceTest, f"bootstrap(draws={draws}, interval={method})")
    assert test.interval is not None
    low, high, _ = test.interval(comparable, 0.95)
    return float(low[0]), float(high[0])


@pytest.mark.newest
@pytest.mark.parametrize(("method", "peer"), [("percentile", "percentile"), ("bca", "BCa")])
def test_intervals_are_those_of_scipy(method: str, peer: Any) -> None:
    """Within Monte-Carlo error: scipy draws samples of its own. The data are skewed, so the two methods differ."""
    values = np.random.default_rng(7).exponential(size=25) ** 2
    expected = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method=peer, confidence_level=0.95, rng=np.random.default_rng(1)
    ).confidence_interval
    found = intervals(values, method)
    width = expected.high - expected.low
    assert found == pytest.approx((expected.low, expected.high), abs=0.02 * width)
    other = intervals(values, "bca" if method == "percentile" else "percentile")
    assert abs(other[1] - found[1]) > 0.04 * width


def test_bca_levels_by_hand() -> None:
    """Efron's formula, with 30 % of the draws below the observed score and a skewed jackknife."""
    normal = NormalDist()
    draws, left_out = np.arange(100.0), np.array([1.0, 2.0, 2.0, 7.0])
    bias = normal.inv_cdf(0.30)
    away = left_out.mean() - left_out
    acceleration = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    shifted = [bias + normal.inv_cdf(level) for level in (0.05, 0.95)]
    expected = [normal.cdf(bias + each / (1 - acceleration * each)) for each in shifted]
    low, high = bca_levels(draws[:, None], np.array([29.5]), left_out[:, None], 0.9)
    assert (low[0], high[0]) == pytest.approx(tuple(expected), abs=1e-12)
    low, high = bca_levels(draws[:, None], np.array([-1.0]), left_out[:, None], 0.9)
    assert np.isnan([low[0], high[0]]).all()


def test_bca_over_tasks_is_accelerated_task_by_task() -> None:
    """The formula for several samples, by loops over influence values of a weighted mean of two means."""
    rng = np.random.default_rng(4)
    samples = rng.exponential(size=9) ** 2 + 40, rng.exponential(size=14)
    weights = np.array([1.0, 3.0])
    comparables = tuple(
        ComparableInTask(
            ScoredTask(metrics=(REGISTRY.get(Metric, "mean"),), batches=(Values.from_plain(None, v),), key=(k,))
        )
        for k, v in enumerate(samples)
    )
    comparable = ComparableAcrossTasks(
        comparables=comparables,
        positions=(np.array([0]), np.array([0])),
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
    normal, drawn = NormalDist(), comparable.resample(600)
    bias = normal.inv_cdf(float((drawn[:, 0] < comparable.oriented[0]).mean()))
    shifted = [bias + normal.inv_cdf(level) for level in (0.05, 0.95)]
    levels = [normal.cdf(bias + z / (1 - cubes / squares**1.5 / 6 * z)) for z in shifted]
    test = REGISTRY.get(SignificanceTest, "bootstrap(draws=600, interval=bca)")
    assert test.interval is not None
    low, high, _ = test.interval(comparable, 0.9)
    assert (low[0], high[0]) == pytest.approx(tuple(np.quantile(drawn[:, 0], levels)), abs=1e-9)
    pooled = bca_levels(drawn, comparable.oriented, comparable.jackknife(), 0.9)
    assert abs(float(pooled[0][0]) - levels[0]) > 1e-4


def test_bca_of_ties_and_constants() -> None:
    """Draws equal to the observed score count half on either side; all equal leaves the percentile levels."""
    normal = NormalDist()
    draws, left_out = np.array([[1.0, 1.0], [2.0, 1.0], [2.0, 1.0], [3.0, 1.0], [3.0, 1.0]]), np.ones((4, 2))
    low, high = bca_levels(draws, np.array([2.0, 1.0]), left_out, 0.9)
    bias = normal.inv_cdf((1 + 0.5 * 2) / 5)
    assert low[0] == pytest.approx(normal.cdf(2 * bias + normal.inv_cdf(0.05)), abs=1e-12)
    assert (low[1], high[1]) == pytest.approx((0.05, 0.95), abs=1e-12)
    undefined = bca_levels(np.full((5, 1), np.nan), np.array([1.0]), np.ones((4, 1)), 0.9)
    assert np.isnan(undefined).all()


@given(values_batches(min_units=3, max_units=12))
@settings(max_examples=20)
def test_the_percentile_interval_is_made_of_quantiles_of_the_draws(batch: Values) -> None:
    comparable = ComparableInTask(ScoredTask(metrics=(REGISTRY.get(Metric, "mean"),), batches=(batch,), key=(5,)))
    test = REGISTRY.get(SignificanceTest, "bootstrap(draws=101)")
    assert test.interval is not None
    low, high, draws = test.interval(comparable, 0.9)
    assert (low[0], high[0]) == pytest.approx(tuple(np.quantile(draws[:, 0], [0.05, 0.95])), abs=1e-12)


@given(st.lists(st.integers(-3, 12), min_size=1, max_size=90), st.sampled_from((0.05, 0.1, 0.2, 0.5)))
def test_where_percentile_p_is_below_alpha_the_interval_leaves_0_out(drawn: list[int], alpha: float) -> None:
    """The reverse fails at the edge alone: two draws fewer at or beyond 0, and p would be below alpha as well."""
    draws = np.array(drawn, dtype=float)[:, None]
    p = float(p_of_differences(draws, np.ones(1), "percentile", "two", np.array([1e-12]))[0])
    low, high = (float(end[0]) for end in quantiles(draws, 1 - alpha))
    beyond = min((draws <= 0).sum(), (draws >= 0).sum())
    assert p == min(1.0, 2 * (1 + beyond) / (1 + len(draws)))
    leaves_out = low > 0 or high < 0
    if p < alpha - 1e-12:
        assert leaves_out
    elif leaves_out:
        assert 2 * (1 + beyond - 2) / (1 + len(draws)) < alpha


def test_the_edge_of_the_percentile_interval() -> None:
    """Of 39 draws the interval at .05 reads the lowest two, at place .95; p is 2 (1 + c) / 40."""
    differences = np.arange(39.0)[:, None]
    for lowest_above_0, p, leaves_out in ((1.0, 0.05, True), (-0.5, 0.1, True), (-1.5, 0.15, False)):
        shifted = differences + lowest_above_0
        slack = np.array([1e-12])
        assert p_of_differences(shifted, np.ones(1), "percentile", "two", slack)[0] == pytest.approx(p)
        assert (quantiles(shifted, 0.95)[0][0] > 0) == leaves_out


def test_the_bootstrap_is_centered_on_the_mean_of_the_draws() -> None:
    """Not on the observed difference: for a biased score the two are not the same."""
    draws, observed, none = np.array([[1.0], [2.0], [6.0]]), np.array([2.5]), np.array([0.0])
    assert p_of_differences(draws, observed, "centered", "two", none)[0] == 2 / 4  # |-2|, |-1|, |3| about the mean 3
    assert p_of_differences(draws, observed, "centered", "one", none)[0] == 2 / 4
    assert p_of_differences(draws - 2.9, observed, "percentile", "two", none)[0] == 1.0
    assert p_of_differences(draws, observed, "percentile", "two", none)[0] == 2 * 1 / 4
    assert p_of_differences(draws, observed, "percentile", "one", none)[0] == 1 / 4
    assert p_of_differences(draws, observed, "koehn", "one", none)[0] == 0.0
    found = bootstrap([1, 2, 6], [0, 0, 0], draws=[[0], [1], [2]])
    assert (found.p_centered, found.p_percentile, found.p_koehn) == (2 / 4, 2 / 4, 0.0)
    assert (found.wins_a, found.low, found.high) == (3, pytest.approx(1.05), pytest.approx(5.8))


def test_undefined_draws_are_left_out_of_intervals_and_count_as_extreme() -> None:
    """Of four units one differs: many draws are constant."""
    gold, predicted = [0.0, 0.0, 0.0, 1.0], [0.0, 0.1, 0.2, 1.0]
    batches = (Scores.from_plain(gold, predicted), Scores.from_plain(gold, predicted[::-1]))
    comparable = ComparableInTask(ScoredTask(metrics=(REGISTRY.get(Metric, "pearson"),), batches=batches, key=(1,)))
    test = REGISTRY.get(SignificanceTest, "bootstrap(draws=500)")
    drawn = comparable.resample(500)
    undefined = np.isnan(drawn[:, 0] - drawn[:, 1])
    assert 100 < undefined.sum() < 300
    assert float(test.run(comparable, "two").p[0]) >= (1 + undefined.sum()) / 501
    assert test.interval is not None
    assert np.isfinite(np.stack(test.interval(comparable, 0.9)[:2])).all()


def test_corrections_by_hand() -> None:
    p = np.array([0.01, 0.04, 0.03, np.nan])
    expected = {
        "none": [0.01, 0.04, 0.03, np.nan],
        "bonferroni": [0.04, 0.16, 0.12, np.nan],
        "holm": [0.04, 0.09, 0.09, np.nan],
        "bh": [0.04, 0.16 / 3, 0.16 / 3, np.nan],
    }
    for name, adjusted in expected.items():
        assert REGISTRY.get(Correction, name).adjust(p) == pytest.approx(adjusted, nan_ok=True), name


def test_bh_is_that_of_scipy() -> None:
    p = np.random.default_rng(1).uniform(0, 0.1, 30)
    assert REGISTRY.get(Correction, "bh").adjust(p) == pytest.approx(scipy.stats.false_discovery_control(p))


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

"""Intervals and p-values of the bootstrap, against scipy and by hand."""

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.core.batch import FloatArray
from qeframe.core.significance import SignificanceTest
from qeframe.kinds.scores.batch import Values
from qeframe.testing import values_batches
from qeframe_significance import bootstrap
from qeframe_significance.paired_bootstrap import bca_levels, p_of_differences, p_of_overlap, quantiles
from tests.plugins.contests import contest, contest_of
from tests.registered import REGISTRY


def intervals(values: FloatArray, method: str, draws: int = 20_000) -> tuple[float, float]:
    test = REGISTRY.get(SignificanceTest, f"bootstrap(draws={draws}, interval={method})")
    assert test.interval is not None
    low, high, _ = test.interval(contest("mean", None, [values], key=(5,)), 0.95)
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
    test = REGISTRY.get(SignificanceTest, "bootstrap(draws=101)")
    assert test.interval is not None
    low, high, draws = test.interval(contest_of("mean", [batch], key=(5,)), 0.9)
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


def test_the_bootstrap_of_a_handful_of_units_is_chance():
    """As the page on significance says."""
    found = {round(bootstrap([1, 1], [0.8, 1], seed=seed).p_centered, 2) for seed in range(8)}
    assert min(found) < 0.27
    assert max(found) == 0.51


def test_intervals_overlap_up_to_p():
    rng = np.random.default_rng(0)
    drawn = 0.3 * rng.normal(size=(200, 4)) + np.array([1.0, 0.4, 0.0, -9.0])
    pairs = np.array([0, 0, 1, 0]), np.array([1, 2, 2, 3])
    p = p_of_overlap(drawn, np.array([1.0, 0.4, 0.0, -9.0]), pairs)
    for first, second, of_pair in zip(*pairs, p, strict=True):
        for alpha, overlap in ((of_pair - 1e-6, True), (of_pair + 1e-6, False)):
            low, high = quantiles(drawn, 1 - alpha)
            assert second == 3 or (low[first] <= high[second]) == overlap
    assert p[3] == 1 / 201
    equal = p_of_overlap(drawn[:, [0, 0]], np.array([1.0, 1.0]), (np.array([0]), np.array([1])))
    assert equal == pytest.approx(1.0, abs=0.02)
    drawn[:3, 0] = np.nan
    assert (p_of_overlap(drawn, np.zeros(4), pairs) >= p)[:3].all()
    assert np.isnan(p_of_overlap(drawn, np.array([np.nan, 0, 0, 0]), pairs)[0])

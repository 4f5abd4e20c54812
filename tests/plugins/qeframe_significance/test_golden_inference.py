"""Every intermediate value of the checked cases of inference, and scipy on small cases."""

import numpy as np
import pytest
from scipy import stats

import qeframe
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs
from qeframe.statistics.jackknife_variance import jackknife_variance
from qeframe_significance import bootstrap
from qeframe_significance.approximate_randomization import randomization
from qeframe_significance.families.romano_wolf import spread_of_differences
from qeframe_significance.jackknife_t import jackknife
from qeframe_significance.paired_bootstrap import at_levels, bca_levels
from tests.plugins.contests import CASES, NEAR, contest


def test_difference_of_correlations() -> None:
    case = CASES["pearson_difference"]
    given = contest("pearson", case["data"]["gold"], [case["data"]["A"], case["data"]["B"]])
    assert given.oriented == pytest.approx([case["r_A"], case["r_B"]], **NEAR)
    left_out = given.jackknife()
    raw = jackknife_variance((left_out[:, 0] - left_out[:, 1])[:, None])
    assert raw.error[0] == pytest.approx(case["se_jackknife"], **NEAR)
    found = jackknife_of_pairs(given)
    assert found.difference[0] == pytest.approx(case["z_difference"], **NEAR)
    assert found.error[0] == pytest.approx(case["se_jackknife_z"], **NEAR)
    assert found.freedom[0] == pytest.approx(case["nu_z"], **NEAR)
    assert found.t[0] == pytest.approx(case["t_z"], **NEAR)
    one, two = (jackknife.run(given, side).p[0] for side in ("one", "two"))
    assert two == pytest.approx(case["p_two_sided_t_nu"], **NEAR)
    assert min(1.0, 2 * min(one, 1 - one)) == pytest.approx(case["p_leader_corrected"], **NEAR)


def test_interval_of_a_correlation() -> None:
    case = CASES["pearson_interval_jackknife_z"]
    given = contest("pearson", case["data"]["gold"], [case["data"]["A"]])
    found = jackknife_variance(np.arctanh(given.jackknife()))
    assert found.error[0] == pytest.approx(case["se_z"], **NEAR)
    assert found.freedom[0] == pytest.approx(case["nu"], **NEAR)
    assert jackknife.interval is not None
    low, high, draws = jackknife.interval(given, case["confidence"])
    assert (low[0], high[0]) == pytest.approx((case["low"], case["high"]), **NEAR)
    assert draws.shape == (0, 1)


def test_mean() -> None:
    case = CASES["jackknife_t_nu_of_a_mean"]
    differences = np.array(case["differences"])
    given = contest("mean", None, [differences, np.zeros(len(differences))])
    found = jackknife_of_pairs(given)
    assert found.difference[0] == pytest.approx(case["difference"], **NEAR)
    assert jackknife.run(given, "two").p[0] == pytest.approx(case["p"], **NEAR)
    assert (found.error[0], found.freedom[0]) == pytest.approx((case["se"], case["nu"]), **NEAR)
    assert found.t[0] == pytest.approx(case["t"], **NEAR)
    assert 2 * stats.t.sf(found.t[0], len(differences) - 1) == pytest.approx(case["p_with_n_minus_1"], **NEAR)


def test_spread_of_a_family() -> None:
    case = CASES["romano_wolf"]
    draws, scores = np.array(case["draws"]), np.array(case["scores"])
    differences = draws[:, 0] - draws[:, 1]
    assert np.std(differences) == pytest.approx(case["s_0_1"], rel=1e-9)
    pair = np.array([0]), np.array([1])
    spread = spread_of_differences(draws - draws.mean(axis=0), *pair)[0]
    assert spread == pytest.approx(case["s_0_1"], rel=1e-9)
    assert (scores[0] - scores[1]) / spread == pytest.approx(case["t_0_1"], rel=1e-9)


@pytest.mark.parametrize("units", [2, 3, 4, 5, 6])
def test_few_units_are_never_certain(units: int) -> None:
    """The default test never goes below the exact p, which test_qeframe_significance.py holds to scipy."""
    a, b = np.random.default_rng(units).normal(size=(2, units))
    exact = randomization(a, b).p
    pair = qeframe.compare("mean", None, {"A": a, "B": b})[0]
    assert (pair.test, pair.p) == ("jackknife_and_exchange", pytest.approx(exact))
    assert pair.p >= 2 / 2**units


def test_a_comparison_of_two_units_is_not_significant() -> None:
    pair = qeframe.compare("mae", [1, 2], {"A": [1, 2], "B": [2, 1]})[0]
    assert (pair.p, pair.significant) == (0.5, False)


@pytest.mark.newest
def test_bca_of_scipy_from_the_same_draws() -> None:
    """The ends of scipy lie between neighboring draws; so do ours, from scipy's own draws."""
    values = np.random.default_rng(4).exponential(size=25)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=1999, confidence_level=0.9, method="BCa", rng=np.random.default_rng(1)
    )
    draws = theirs.bootstrap_distribution[:, None]
    left_out = ((values.sum() - values) / (len(values) - 1))[:, None]
    low, high = at_levels(draws, *bca_levels(draws, np.array([values.mean()]), left_out, 0.9))
    ordered = np.sort(draws[:, 0])
    for mine, other in ((low[0], theirs.confidence_interval.low), (high[0], theirs.confidence_interval.high)):
        assert abs(np.searchsorted(ordered, mine) - np.searchsorted(ordered, other)) <= 3


def test_percentile_interval_of_scipy_from_the_same_draws() -> None:
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(2, 30))
    positions = rng.integers(30, size=(199, 30))
    found = bootstrap(a, b, draws=positions.tolist())
    expected = np.quantile([np.mean((a - b)[draw]) for draw in positions], [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx(tuple(expected))

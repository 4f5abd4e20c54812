"""Every intermediate value of the checked cases of inference, and scipy on small cases."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs
from qeframe.statistics.jackknife_variance import jackknife_variance
from qeframe_significance import bootstrap
from qeframe_significance.approximate_randomization import randomization
from qeframe_significance.families.romano_wolf import spread_of_differences
from qeframe_significance.paired_bootstrap import at_levels, bca_levels

CASES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "golden_inference.json").read_text(encoding="utf-8"))
NEAR = {"rel": 1e-9, "abs": 1e-12}


def comparable(metric: str, gold: Any, *submissions: Any) -> ComparableInTask:
    chosen = qeframe.load().get(Metric, metric)
    batches = tuple(chosen.kind.from_plain(gold, answers) for answers in submissions)
    return ComparableInTask(ScoredTask(metrics=(chosen,), batches=batches, key=(1,)), as_given=True)


def test_difference_of_correlations() -> None:
    case = CASES["pearson_difference"]
    given = comparable("pearson", case["data"]["gold"], case["data"]["A"], case["data"]["B"])
    assert given.oriented == pytest.approx([case["r_A"], case["r_B"]], **NEAR)
    left_out = given.jackknife()
    raw = jackknife_variance((left_out[:, 0] - left_out[:, 1])[:, None])
    assert raw.error[0] == pytest.approx(case["se_jackknife"], **NEAR)
    found = jackknife_of_pairs(given)
    assert found.difference[0] == pytest.approx(case["z_difference"], **NEAR)
    assert found.error[0] == pytest.approx(case["se_jackknife_z"], **NEAR)
    assert found.freedom[0] == pytest.approx(case["nu_z"], **NEAR)
    assert found.t[0] == pytest.approx(case["t_z"], **NEAR)


def test_interval_of_a_correlation() -> None:
    case = CASES["pearson_interval_jackknife_z"]
    given = comparable("pearson", case["data"]["gold"], case["data"]["A"])
    found = jackknife_variance(np.arctanh(given.jackknife()))
    assert found.error[0] == pytest.approx(case["se_z"], **NEAR)
    assert found.freedom[0] == pytest.approx(case["nu"], **NEAR)


def test_mean() -> None:
    case = CASES["jackknife_t_nu_of_a_mean"]
    differences = np.array(case["differences"])
    found = jackknife_of_pairs(comparable("mean", None, differences, np.zeros(len(differences))))
    assert found.difference[0] == pytest.approx(case["difference"], **NEAR)
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


def test_all_exchanges_of_two_units() -> None:
    case = CASES["exact_exchange_of_means"]["two_units"]
    found = randomization(case["A"], case["B"])
    assert (found.p, found.exhaustive) == (case["p"], True)


@pytest.mark.parametrize("units", [2, 3, 4, 5, 6])
def test_few_units_are_never_certain(units: int) -> None:
    """scipy enumerates too; the default test of qeframe never goes below its exact p."""
    rng = np.random.default_rng(units)
    a, b = rng.normal(size=(2, units))
    exact = stats.permutation_test(
        (a, b), lambda x, y: np.mean(x) - np.mean(y), permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert randomization(a, b).p == pytest.approx(exact)
    pair = qeframe.compare("mean", None, {"A": a, "B": b})[0]
    assert (pair.test, pair.p) == ("jackknife_and_exchange", pytest.approx(exact))
    assert pair.p >= 2 / 2**units


def test_a_comparison_of_two_units_is_not_significant() -> None:
    pair = qeframe.compare("mae", [1, 2], {"A": [1, 2], "B": [2, 1]})[0]
    assert (pair.p, pair.significant) == (0.5, False)


def test_pearson_of_scipy() -> None:
    case = CASES["pearson_difference"]["data"]
    assert stats.pearsonr(case["gold"], case["A"]).statistic == pytest.approx(
        CASES["pearson_difference"]["r_A"], rel=1e-9
    )


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

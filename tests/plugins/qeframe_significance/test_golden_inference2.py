"""Checked cases of two tests and intervals on scales: every number that the tests of single procedures leave.

`laws_p` is of a procedure that was rejected. `tests/qeframe/statistics/test_power_and_units_needed.py` checks the units
needed for a power of .8.
"""

from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit

from qeframe.core.contest import Contest
from qeframe.core.exchange import winsorized
from qeframe.plugin import Tags
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs
from qeframe.statistics.jackknife_variance import jackknife_variance
from qeframe.statistics.scale_transforms import from_working_scale, on_working_scale
from qeframe_significance.jackknife_intervals import _skewness, _unskewed
from qeframe_significance.jackknife_t import jackknife
from tests.plugins.contests import CASES2, NEAR, contest, contest_of, numbers, tags

ENDS = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}
FIRST, SECOND = [0, 0, 1], [1, 2, 2]


def of_case(name: str, metric: str = "") -> Contest:
    case = CASES2[name]
    if "counts" in case:
        batches = [Tags.from_plain(*tags(counts)) for counts in zip(*case["counts"], strict=True)]
        return contest_of(metric or case["metric"], batches)
    return contest(case["metric"], case["gold"], case["submissions"])


@pytest.mark.parametrize("name", ["pearson_gross_error", "pearson_perfect", "mae_zero_error", "mcc_sentences"])
def test_scores_and_jackknife(name):
    case, given = CASES2[name], of_case(name)
    assert given.oriented.tolist() == pytest.approx(case["score"], **NEAR)
    found, tested = jackknife_of_pairs(given), jackknife.run(given, "two")
    defined = ~np.isnan(found.error)
    assert np.where(defined, found.error, np.nan).tolist() == pytest.approx(numbers(case["se"]), **NEAR)
    assert np.where(defined, found.freedom, np.nan).tolist() == pytest.approx(numbers(case["df"]), **NEAR)
    assert tested.statistic is not None
    assert tested.statistic.tolist() == pytest.approx(numbers(case["t"]), **NEAR)
    assert tested.p.tolist() == pytest.approx(numbers(case["p_t"]), **NEAR)
    if "difference_z" in case:
        assert np.where(defined, found.difference, np.nan).tolist() == pytest.approx(
            numbers(case["difference_z"]), **NEAR
        )


def test_the_jackknife_of_sparse_gold():
    case, given = CASES2["sparse_gold"], of_case("sparse_gold")
    found = jackknife_of_pairs(given)
    assert (found.t.tolist(), found.freedom.tolist()) == (
        pytest.approx(case["t"], **NEAR),
        pytest.approx(case["df"], **NEAR),
    )


@pytest.mark.parametrize("name", ["pearson_gross_error", "pearson_perfect"])
def test_scales_and_differences_of_exchanges(name):
    case = CASES2[name]
    spread = winsorized(np.array(case["submissions"])).std(axis=1)
    assert case["scale"]["how"] == "winsorized"
    assert spread.tolist() == pytest.approx(case["scale"]["sd"], **NEAR)
    exchanging = of_case(name).along("", standardize="as_needed")
    differences = exchanging.unexchanged((np.array(FIRST), np.array(SECOND)))
    assert differences.tolist() == pytest.approx(case["difference_r_scaled"], **NEAR)


def hall_and_t(given: Contest, scale: Any) -> tuple[Any, Any]:
    """Return the intervals of Hall and of Student's t of the scores on a scale, each (2, S)."""
    scores, left_out = (on_working_scale(values, scale) for values in (given.oriented, given.jackknife()))
    found = jackknife_variance(left_out)
    error = np.where(found.error > 0, found.error, np.nan)
    q = stdtrit(found.freedom, 0.975)
    slope = _skewness(-left_out) / (3 * np.sqrt(len(left_out)))
    hall = np.stack([scores - error * _unskewed(q, slope), scores - error * _unskewed(-q, slope)])
    return from_working_scale(hall, scale), from_working_scale(
        np.stack([scores - q * error, scores + q * error]), scale
    )


@pytest.mark.parametrize(
    ("name", "scale", "key_of_hall", "key_of_t"),
    [
        ("pearson_gross_error", "arctanh", "interval_95_hall", "interval_95_t"),
        ("pearson_perfect", "arctanh", "interval_95_hall", "interval_95_t"),
        ("mae_zero_error", "identity", "interval_95_hall", ""),
        ("mae_zero_error", "log", "", "interval_95_log_scale"),
        ("mcc_sentences", "arctanh", "interval_95_z_hall", "interval_95_z"),
    ],
)
def test_intervals_of_hall_and_of_t(name, scale, key_of_hall, key_of_t):
    with np.errstate(all="ignore"):
        hall, t = hall_and_t(of_case(name), scale)
    for key, found in ((key_of_hall, hall), (key_of_t, t)):
        for ends, expected in zip(found.tolist(), CASES2[name].get(key, ()), strict=key != ""):
            assert ends == pytest.approx(numbers(expected), **ENDS)


def test_scores_of_tags_and_grids():
    case = CASES2["mcc_sentences"]
    assert of_case("mcc_sentences", "f1_mult").oriented.tolist() == pytest.approx(case["f1_mult"], **NEAR)
    grid = CASES2["grid"]
    for metric, key in (("pairwise_accuracy", "pa"), ("spa", "spa")):
        given = contest(metric, grid["gold"], grid["metrics"])
        found = given.along("", standardize="as_needed").unexchanged((np.array(FIRST), np.array(SECOND)))
        score = np.array(grid[key]["score"])
        assert found.tolist() == pytest.approx((score[FIRST] - score[SECOND]).tolist(), **NEAR)
        if metric == "pairwise_accuracy":
            assert given.oriented.tolist() == pytest.approx(grid[key]["score"], **NEAR)


def test_every_number_is_asked_for():
    """The keys of this file, here and in the tests of the default test and of intervals."""
    asked = {"note", "metric", "gold", "submissions", "counts", "metrics", "draws", "laws_p", "units_for_power_80"}
    asked |= {"score", "scale", "difference_z", "difference_r_scaled", "se", "df", "t", "p_t", "p_x", "p", "x_adjusted"}
    asked |= {"holm_of_p_t", "interval_95_t", "interval_95_hall", "interval_95_hull", "interval_95_log_scale"}
    asked |= {"interval_95_z", "interval_95_z_hall", "f1_mult", "f1_mult_interval_95_logit", "pa", "spa"}
    asked |= {"defined_draws", "romano_wolf", "holm"}
    assert {key for case in CASES2.values() for key in case} == asked

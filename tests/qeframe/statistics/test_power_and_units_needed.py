"""Equivalence, the smallest detectable difference and power: checked cases, degenerate cases, mistakes."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from qeframe.core.errors import DataError
from qeframe.statistics.power_and_units_needed import (
    ends_of_planned_difference,
    equivalence,
    minimum_detectable_difference,
    power_at,
    predictive_probability,
    units_needed,
)

NEAR = {"rel": 1e-9, "abs": 1e-12}
GOLDEN = Path(__file__).parents[2]
CASES: dict[str, Any] = json.loads((GOLDEN / "golden_inference.json").read_text(encoding="utf-8"))
CASES2: dict[str, Any] = json.loads((GOLDEN / "golden_inference2.json").read_text(encoding="utf-8"))["data"]


def test_two_one_sided_tests() -> None:
    case = CASES["tost"]
    found = equivalence(case["difference"], case["se"], case["nu"], case["delta"])
    assert found.p == pytest.approx(case["p"], **NEAR)
    assert (found.low, found.high) == pytest.approx(case["interval_90"], **NEAR)
    assert found.equivalent is case["equivalent_at_.05"]


def test_p_is_below_alpha_exactly_where_the_interval_lies_within() -> None:
    difference = np.linspace(-0.1, 0.1, 41)
    found = equivalence(difference, 0.02, 87, 0.05)
    assert ((np.asarray(found.p) < 0.05) == found.equivalent).all()


def test_undefined_and_constant_differences() -> None:
    assert math.isnan(float(equivalence(0.1, math.nan, 5, 0.2).p))
    assert equivalence(0.1, math.nan, 5, 0.2).equivalent is False
    assert equivalence(0.1, 0.0, 5, 0.2).p == 0.0
    assert equivalence(0.3, 0.0, 5, 0.2).p == 1.0


def test_minimum_detectable_difference() -> None:
    case = CASES["minimum_detectable_difference"]
    found = minimum_detectable_difference(case["se"], alpha=case["alpha"], power=case["power"])
    assert float(found) == pytest.approx(case["value"], **NEAR)
    needed = units_needed(case["difference"], case["se"], case["units_n"], alpha=case["alpha"], power=case["power"])
    assert float(needed) == case["units_needed_for_power_.8"]


def test_power_at_the_detectable_difference_is_the_power() -> None:
    least = minimum_detectable_difference(0.02, 40, power=0.8)
    assert float(power_at(least, 0.02, 1.0, 40)) == pytest.approx(0.8, rel=1e-9)
    assert float(power_at(0.0, 0.02, 1.0, 40)) == pytest.approx(0.025, rel=1e-9)


@pytest.mark.parametrize("name", ["pearson_gross_error", "pearson_perfect"])
def test_units_needed_and_their_interval(name: str) -> None:
    case = CASES2[name]
    sides = zip(case["difference_z"], case["se"], case["df"], *case["units_for_power_80"].values(), strict=True)
    for difference, error, freedom, point, low, high in sides:
        if difference is None:
            assert (point, low, high) == (None, None, None)
            continue
        ends = ends_of_planned_difference(difference, error, freedom)
        least, n = float(minimum_detectable_difference(error)), len(case["gold"])
        assert n * (least / abs(difference)) ** 2 == pytest.approx(point, **NEAR)
        assert n * (least / float(ends[1])) ** 2 == pytest.approx(low, **NEAR)
        assert float(units_needed(difference, error, n)) == math.ceil(point)
        assert (float(ends[0]), high) == (0.0, None)


def test_no_difference_needs_infinitely_many_units() -> None:
    assert float(units_needed(0.0, 0.02, 100)) == math.inf
    assert float(units_needed(0.1, 0.0, 100)) == 2
    assert math.isnan(float(units_needed(0.1, math.nan, 100)))


def test_the_predictive_probability_is_the_mean_power_over_true_differences() -> None:
    """With infinite degrees of freedom: by a sum over true differences around the observed one."""
    steps = np.linspace(-8, 8, 4001)
    truths = 0.03 + 0.02 * steps
    z = stats.norm.isf(0.025)
    either = stats.norm.cdf(truths / 0.02 * math.sqrt(2) - z) + stats.norm.cdf(-truths / 0.02 * math.sqrt(2) - z)
    mean = float(np.average(either, weights=stats.norm.pdf(steps)))
    assert float(predictive_probability(0.03, 0.02, 2.0, 1e9, 10**9)) == pytest.approx(mean, abs=1e-6)


def test_predictions_by_their_formula_and_their_limits() -> None:
    nu, k = 12.5, 0.5
    c = stats.t(min(nu * k, k * 40 - 1)).ppf(0.995)
    ends = [(sign * math.sqrt(k) * 1.5 - c) / math.sqrt(1 + k) for sign in (1, -1)]
    expected = sum(stats.t(nu).cdf(end) for end in ends)
    assert float(predictive_probability(-0.03, 0.02, k, nu, 40, alpha=0.01)) == pytest.approx(expected, rel=1e-9)
    assert float(predictive_probability(0.03, 0.02, 1e9, nu, 40)) == pytest.approx(1.0, abs=1e-3)
    assert float(predictive_probability(0.03, 0.0, 1.0, nu, 40)) == 1.0
    assert math.isnan(float(predictive_probability(0.0, 0.0, 1.0, nu, 40)))
    assert math.isnan(float(predictive_probability(0.03, math.nan, 1.0, nu, 40)))


def test_power_is_too_large_on_average_where_differences_are_small() -> None:
    """The figures of the page on numbers of segments: twice the segments, a true power of .21."""
    true = stats.norm.isf(0.025) + stats.norm.ppf(0.21)
    observed = true / math.sqrt(2) + np.linspace(-8, 8, 4001)
    weights = stats.norm.pdf(np.linspace(-8, 8, 4001))
    assert round(float(np.average(power_at(observed, 1.0, 2.0), weights=weights)), 2) == 0.35
    predicted = predictive_probability(observed, 1.0, 2.0, 1e9, 10**9)
    assert round(float(np.average(predicted, weights=weights)), 2) == 0.44


@pytest.mark.parametrize(("delta", "alpha"), [(0.0, 0.05), (-1.0, 0.05), (math.nan, 0.05), (0.1, 0.5), (0.1, 0.0)])
def test_mistakes(delta: float, alpha: float) -> None:
    with pytest.raises(DataError):
        equivalence(0.1, 0.02, 10, delta, alpha=alpha)

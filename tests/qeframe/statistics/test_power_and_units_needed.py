"""Equivalence, the smallest detectable difference and power: checked cases, degenerate cases, mistakes."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.statistics.power_and_units_needed import (
    equivalence,
    minimum_detectable_difference,
    power_at,
    units_needed,
)

NEAR = {"rel": 1e-9, "abs": 1e-12}
CASES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "golden_inference.json").read_text(encoding="utf-8"))


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


def test_no_difference_needs_infinitely_many_units() -> None:
    assert float(units_needed(0.0, 0.02, 100)) == math.inf
    assert float(units_needed(0.1, 0.0, 100)) == 2
    assert math.isnan(float(units_needed(0.1, math.nan, 100)))


@pytest.mark.parametrize(("delta", "alpha"), [(0.0, 0.05), (-1.0, 0.05), (math.nan, 0.05), (0.1, 0.5), (0.1, 0.0)])
def test_mistakes(delta: float, alpha: float) -> None:
    with pytest.raises(DataError):
        equivalence(0.1, 0.02, 10, delta, alpha=alpha)

"""Tables of tie policies: coefficients, bounds, thresholds, and the defaults that are those of another plugin."""

import numpy as np
import pytest

import qeframe_ties
from qeframe.core.errors import DataError
from qeframe_agreement.tie_tables import ACC23, WMT14, bounds_of, check_epsilon, coefficients


def test_coefficients_and_what_counts():
    weights, counted = coefficients(WMT14.table)
    assert weights.tolist() == [[1, 0, -1], [0, 0, 0], [-1, 0, 1]]
    assert counted.tolist() == [[True] * 3, [False] * 3, [True] * 3]
    weights, counted = coefficients(ACC23.table)
    assert (weights == np.eye(3)).all()
    assert counted.all()


@pytest.mark.parametrize(
    ("numbers", "bounds"), [([1.0, -1.0, 0.0], (-1, 1)), ([], (-1, 1)), ([0.5, 0.5], (-0.5, 1.5)), ([0.0], (-1, 1))]
)
def test_bounds(numbers, bounds):
    assert bounds_of(numbers) == bounds


@pytest.mark.parametrize("epsilon", [-0.1, float("inf"), float("nan")])
def test_a_threshold_is_a_finite_number_of_at_least_0(epsilon):
    with pytest.raises(DataError, match="epsilon must be a finite number of at least 0"):
        check_epsilon(epsilon)


def test_a_threshold_is_returned():
    assert [check_epsilon(value) for value in (0.0, 25)] == [0.0, 25]


@pytest.mark.parametrize("policy", [WMT14, ACC23], ids=lambda policy: policy.name)
def test_the_defaults_are_those_of_the_plugin_of_tie_policies(policy):
    theirs = {each.name: each for each in qeframe_ties.qeframe_tie_policies()}[policy.name]
    assert policy.table == theirs.table
    assert policy.claims == theirs.claims

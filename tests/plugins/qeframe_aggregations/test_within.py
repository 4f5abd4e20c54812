"""Aggregation within a task: weighted means with undefined parts, and groups of units."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe_aggregations.within import macro, micro, weighted_mean

NAN = np.nan


def slow_mean(scores, weights, undefined):
    """Average the parts of one row, one after the other."""
    total = share = 0.0
    for score, weight in zip(scores, weights, strict=True):
        if np.isnan(score) and undefined == "drop":
            continue
        if np.isnan(score) and undefined == "propagate" and weight > 0:
            return NAN
        total, share = total + weight * np.nan_to_num(score), share + weight
    return total / share if share > 0 else NAN


@pytest.mark.parametrize("undefined", ["propagate", "drop", "zero"])
def test_weighted_means_against_a_loop(undefined):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(40, 4))
    scores[rng.random(scores.shape) < 0.3] = NAN
    for weights in np.array([[1, 1, 1, 1], [3, 0, 1, 0.5], [0, 0, 0, 0]]):
        expected = [slow_mean(row, weights, undefined) for row in scores]
        assert weighted_mean(scores, weights, undefined=undefined) == pytest.approx(expected, nan_ok=True)


def test_macro_weighs_all_groups_alike():
    rule = macro(by="domain")
    assert rule.by == "domain"
    assert rule.aggregate(np.array([0.2, 0.8]), np.array([1.0, 1.0]), True) == pytest.approx(0.5)
    scores, weights = np.array([0.2, NAN]), np.ones(2)
    values = [macro(undefined=each).aggregate(scores, weights, True) for each in ("propagate", "drop", "zero")]
    assert values == pytest.approx([NAN, 0.2, 0.1], nan_ok=True)


def test_macro_needs_a_grouping():
    with pytest.raises(DataError, match="parameter by must name a grouping, such as document"):
        macro(by="")


def test_micro_pools_all_units():
    assert micro.pools
    assert micro.aggregate(np.array([0.4]), np.ones(1), True) == pytest.approx(0.4)

"""Spearman's correlation without each unit, against computing it again for every unit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from qeframe.statistics.leave_one_out_ranks import concordant_units, spearman_without_each
from qeframe.statistics.ranks import tie_groups

PAIRS = st.integers(1, 6).flatmap(
    lambda levels: st.lists(st.tuples(st.integers(0, levels), st.integers(0, levels)), max_size=40)
)


def sides(pairs):
    values = np.array(pairs, dtype=float).reshape(-1, 2)
    return values[:, 0], values[:, 1]


def again(x, y):
    """Return the correlations without each unit, each computed from the other units."""
    found = []
    for i in range(len(x)):
        a, b = np.delete(x, i), np.delete(y, i)
        varied = len(set(a)) > 1 and len(set(b)) > 1
        found.append(spearmanr(a, b).statistic if varied else np.nan)
    return np.array(found)


@given(PAIRS)
def test_concordant_units_are_counted_pair_by_pair(pairs):
    x, y = sides(pairs)
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    assert concordant_units(tie_groups(x), tie_groups(y)).tolist() == (signs > 0).sum(axis=1).tolist()


@settings(max_examples=45)
@given(PAIRS)
def test_every_unit_is_left_out_in_turn(pairs):
    x, y = sides(pairs)
    found = spearman_without_each(tie_groups(x), tie_groups(y))
    assert found == pytest.approx(again(x, y), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("units", [64, 65, 300])
def test_more_units_without_ties(units):
    x, y = np.random.default_rng(units).normal(size=(2, units))
    assert spearman_without_each(tie_groups(x), tie_groups(y + x)) == pytest.approx(again(x, y + x), abs=1e-12)


def test_few_units_and_constant_sides_are_undefined():
    assert spearman_without_each(tie_groups(np.empty(0)), tie_groups(np.empty(0))).shape == (0,)
    for units in (1, 2):
        line = tie_groups(np.arange(float(units)))
        assert np.isnan(spearman_without_each(line, line)).all()
    flat = spearman_without_each(tie_groups(np.array([1.0, 1, 1, 2])), tie_groups(np.arange(4.0)))
    assert np.isnan(flat).tolist() == [False, False, False, True]


def test_ties_that_are_ranked_apart():
    x, y = np.array([1.0, 1, 1, 2]), np.array([3.0, 1, 2, 4])
    apart = tie_groups(x, apart=True)
    assert spearman_without_each(apart, tie_groups(y)) == pytest.approx(again(np.arange(4.0), y))

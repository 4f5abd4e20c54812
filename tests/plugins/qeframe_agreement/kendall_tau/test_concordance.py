"""Counts of concordant pairs against loops over all pairs; weights against repeated items."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from qeframe_agreement.kendall_tau.concordance import Concordance, count_pairs, taus_of_items

NAN = np.nan
numbers = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


def slow_counts(x, y):
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in combinations(range(len(x)), 2)]
    excess = sum(a * b for a, b in signs)
    return excess, sum(a != 0 for a, _ in signs), sum(b != 0 for _, b in signs), min(len(set(x)), len(set(y)))


@given(numbers)
def test_counts_against_a_loop(cells):
    x, y = np.array(cells, dtype=float).reshape(-1, 2).T
    assert count_pairs(x, y) == slow_counts(x.tolist(), y.tolist())


def test_counts_of_many_cells():
    x, y = np.random.default_rng(0).integers(0, 30, (2, 300)).astype(float)
    assert count_pairs(x, y) == slow_counts(x.tolist(), y.tolist())


def with_gaps(items=8, columns=4, seed=0):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 4, (2, items, columns)).astype(float)
    gaps = rng.random(x.shape) < 0.25
    x[gaps] = y[gaps] = NAN
    return x, y


@pytest.mark.parametrize("variant", ["b", "c"])
def test_taus_of_items_are_those_of_scipy(variant):
    x, y = with_gaps(items=30)
    for a, b, found in zip(x, y, taus_of_items(variant, x, y), strict=True):
        there = ~np.isnan(a)
        if len(set(a[there])) < 2 or len(set(b[there])) < 2:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(kendalltau(a[there], b[there], variant=variant).statistic)


@pytest.mark.parametrize("variant", ["b", "c"])
def test_equal_weights_give_the_tau_of_all_cells(variant):
    x, y = with_gaps()
    there = ~np.isnan(x)
    expected = kendalltau(x[there], y[there], variant=variant).statistic
    assert Concordance(variant, x, y)(np.array([[1.0] * 8, [3.0] * 8])) == pytest.approx([expected] * 2)


@pytest.mark.parametrize("columns", [1, 4])
@pytest.mark.parametrize("variant", ["b", "c"])
def test_weights_count_pairs_of_different_items_by_their_product(variant, columns):
    """Pairs of cells of one item count with its weight once: copies of an item are tied with each other."""
    x, y = with_gaps(columns=columns, seed=1)
    weights = np.random.default_rng(2).integers(0, 3, (5, 8)).astype(float)
    cells = [(i, j) for i in range(8) for j in range(columns) if not np.isnan(x[i, j])]
    for row, found in zip(weights, Concordance(variant, x, y)(weights), strict=True):
        excess = untied_x = untied_y = 0.0
        for one, other in combinations(cells, 2):
            weight = row[one[0]] * row[other[0]]
            a, b = (np.sign(side[one] - side[other]) for side in (x, y))
            excess, untied_x, untied_y = excess + weight * a * b, untied_x + weight * abs(a), untied_y + weight * abs(b)
        size = sum(row[i] for i, _ in cells)
        distinct = min(len({side[cell] for cell in cells if row[cell[0]] > 0}) for side in (x, y))
        spread = np.sqrt(untied_x * untied_y) if variant == "b" else size**2 / 2 * (distinct - 1) / distinct
        assert found == pytest.approx(np.clip(excess / spread, -1, 1))


def test_undefined_for_a_constant_side_and_without_cells():
    weights = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    constant = Concordance("b", np.array([[1.0], [1.0]]), np.array([[1.0], [2.0]]))
    empty = Concordance("c", np.full((2, 1), NAN), np.full((2, 1), NAN))
    assert np.isnan(constant(weights)).all()
    assert np.isnan(empty(weights)).all()

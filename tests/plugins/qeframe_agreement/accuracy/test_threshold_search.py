"""The best threshold of ties against a search over all thresholds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.accuracy.threshold_search import best_threshold, first_best
from qeframe_agreement.grids.pairing import item_pairs
from qeframe_agreement.tie_tables import ACC23


def slow_best(pairs, predicted):
    """Return the smallest of the best thresholds and the sum of scores at it, one threshold after the other."""
    candidates = sorted({0.0, *np.abs(pairs.differences(predicted)[pairs.counted]).tolist()})
    totals = np.array([pairs.values(predicted, epsilon).sum() for epsilon in candidates])
    best = int(np.flatnonzero(totals >= totals.max() - 1e-12)[0])
    return candidates[best], totals[best]


cells = st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=5)


@given(
    st.integers(1, 5).flatmap(lambda n: st.tuples(*[st.lists(cells.map(lambda c: c[0]), min_size=n, max_size=n)] * 2))
)
def test_whole_numbers_with_many_ties(sides):
    grid = Grid.from_plain(*sides)
    pairs = item_pairs(grid, ACC23)
    assert best_threshold(pairs, grid.predicted) == pytest.approx(slow_best(pairs, grid.predicted), abs=1e-12)


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
@pytest.mark.parametrize("seed", range(3))
def test_real_numbers_in_many_bins(seed, scale):
    """An outlier puts all the other differences into few bins."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 3, (40, 5)).astype(float)
    predicted = scale * (gold + rng.normal(0, 0.7, gold.shape))
    predicted[0, 0] += 1000 * scale * (seed == 1)
    grid = Grid.from_plain(gold, predicted)
    pairs = item_pairs(grid, ACC23)
    assert best_threshold(pairs, grid.predicted) == pytest.approx(slow_best(pairs, grid.predicted), abs=1e-12)


def test_nothing_is_gained_by_ties_without_human_ties():
    grid = Grid.from_plain([[1, 2, 3]], [[1.0, 2.0, 3.0]])
    assert best_threshold(item_pairs(grid, ACC23), grid.predicted) == (0.0, 1.0)


def test_the_first_of_equally_good_thresholds():
    curves = np.array([[0.1, 3.0], [0.3, 3.0 - 1e-15], [0.1 + 0.2, 1.0]])
    assert first_best(curves).tolist() == [1, 0]

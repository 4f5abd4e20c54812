"""Pairs of systems within items, against a loop over the pairs and the tie table."""

from itertools import combinations

import numpy as np
import pytest

from qeframe.core.components.metric import TiePolicy
from qeframe.core.errors import DataError
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.grids.pairing import check_table, item_pairs, signs
from qeframe_agreement.tie_tables import ACC23

NAN = np.nan


def slow_scores(grid, table, epsilon):
    """Return the score of every item, and how many pairs count in each."""
    scores, sizes = [], []
    for x, y, there in zip(grid.gold, grid.predicted, grid.present, strict=True):
        entries = []
        for i, j in combinations(np.flatnonzero(there), 2):
            human = int(1 - np.sign(x[i] - x[j]))
            difference = y[i] - y[j]
            metric = 0 if difference > epsilon else 2 if difference < -epsilon else 1
            if table[human][metric] is not None:
                entries.append(table[human][metric])
        scores.append(np.mean(entries) if entries else 0.0)
        sizes.append(len(entries))
    return scores, sizes


def test_signs_of_nan_are_zero():
    first, second = np.array([1, 2, 2, NAN, 1]), np.array([2, 1, 2, 1, NAN])
    assert signs(first, second).tolist() == [-1, 1, 0, 0, 0]


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 5.0])
@pytest.mark.parametrize("table", [ACC23.table, ((1, 0, -1), (None, None, None), (-1, 0, 1)), ((1, 0.1, 0),) * 3])
def test_values_against_a_loop(random_grids, epsilon, table):
    """Quarters are exact in single precision, a tenth is not."""
    for grid in random_grids(metrics=2, items=12, systems=5, seed=3):
        policy = TiePolicy(name="made", summary="", table=table)
        pairs = item_pairs(grid, policy)
        assert pairs.table.dtype == (np.float64 if 0.1 in table[0] else np.float32)
        scores, sizes = slow_scores(grid, table, epsilon)
        assert pairs.values(grid.predicted, epsilon) == pytest.approx(scores, abs=1e-12)
        assert pairs.size.tolist() == [max(1, size) for size in sizes]
        assert pairs.defined.tolist() == [float(size > 0) for size in sizes]
        assert pairs.counted.sum(axis=0).tolist() == sizes


def test_differences_are_first_minus_second():
    grid = Grid.from_plain([[1, 2, 3]], [[5, 3, 9]])
    pairs = item_pairs(grid, ACC23)
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 2)]
    assert pairs.differences(grid.predicted)[:, 0].tolist() == [2, -4, -6]
    assert pairs.outcome(pairs.differences(grid.predicted), 0.0)[:, 0].tolist() == [0, 1, 1]


def test_tables_that_exclude_by_the_metric_are_refused():
    with pytest.raises(DataError, match="tie policy 'made' excludes pairs by the metric's relation"):
        check_table(TiePolicy(name="made", summary="", table=((1, None, -1), (None, None, None), (-1, None, 1))))
    assert check_table(ACC23) is ACC23

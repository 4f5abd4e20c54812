"""Ranks that claims allow."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.evaluation.rank_sets import rank_sets


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(1, 3))
def test_they_hold_the_ranks_of_all_orders_in_which_the_claims_are_true(levels, step):
    """Claims: who is at least `step` levels above is better."""
    level = np.array(levels)
    better = level[:, None] - level >= step
    allowed = [
        order
        for order in itertools.permutations(range(len(level)))
        if all(order.index(i) < order.index(j) for i, j in zip(*np.nonzero(better), strict=True))
    ]
    ranks = np.array([[order.index(i) + 1 for i in range(len(level))] for order in allowed])
    low, high = rank_sets(better)
    np.testing.assert_array_equal(low, ranks.min(axis=0))
    np.testing.assert_array_equal(high, ranks.max(axis=0))

"""Ranks by score against scipy, and their shares in draws against a loop."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qeframe_rankings import competition_ranks, rank_shares

SCORE = st.sampled_from([-1.0, 0.0, 0.5, 2.0, np.nan])


@given(arrays(np.float64, st.tuples(st.integers(0, 4), st.integers(1, 6)), elements=SCORE))
def test_ranks_are_those_of_scipy(oriented):
    """Equal scores share the smaller rank; undefined scores share the rank after all others."""
    filled = np.where(np.isnan(oriented), -np.inf, oriented)
    expected = [scipy.stats.rankdata(-row, method="min").tolist() for row in filled]
    assert competition_ranks(oriented).tolist() == expected


def test_ranks_by_hand():
    assert competition_ranks(np.array([0.5, 2.0, np.nan, 0.5, -1.0, np.nan])).tolist() == [2, 1, 5, 2, 4, 5]
    assert competition_ranks(np.full(3, np.nan)).tolist() == [1, 1, 1]


@given(arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=SCORE))
def test_shares_count_the_ranks_in_all_draws(draws):
    shares = rank_shares(draws)
    ranks = competition_ranks(draws)
    for submission, row in enumerate(shares):
        expected = [(ranks[:, submission] == rank).mean() for rank in range(1, draws.shape[1] + 1)]
        assert row == pytest.approx(expected)
    assert shares.sum(axis=1) == pytest.approx(np.ones(draws.shape[1]))


def test_without_draws_there_are_no_shares():
    assert np.isnan(rank_shares(np.empty((0, 3)))).all()
    assert rank_shares(np.empty((0, 3))).shape == (3, 3)

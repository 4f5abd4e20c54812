"""Counts on whole numbers of two bytes, against comparisons in double precision."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qeframe_agreement.soft_accuracy.permutation_counts import ReachedCounter


def count_reached(kept, given, slack):
    return ReachedCounter(*kept.shape)(kept, given, slack)


def by_comparison(kept, given, slack):
    sums, near = kept[:, None] + given, slack[..., None]
    return (sums < -near).sum(axis=2) + (sums <= near).sum(axis=2)


@given(data=st.data(), rows=st.integers(1, 4), draws=st.integers(1, 20))
def test_lattices_full_of_equal_sums(data, rows, draws):
    """Multiples of .1: many sums are 0 up to rounding."""
    elements = st.integers(-3, 3).map(lambda whole: whole * 0.1 + 0.2 - 0.2)
    kept, given_away = (data.draw(arrays(np.float64, (rows, draws), elements=elements)) for _ in range(2))
    slack = np.full((rows, rows), 1e-12)
    assert count_reached(kept, given_away, slack).tolist() == by_comparison(kept, given_away, slack).tolist()


@pytest.mark.parametrize("draws", [1, 7, 8, 1000, 2040, 2041, 4100])
def test_any_number_of_draws(draws):
    rng = np.random.default_rng(draws)
    kept, given_away = rng.normal(size=(2, 5, draws))
    slack = np.full((5, 5), 1e-12)
    assert (count_reached(kept, given_away, slack) == by_comparison(kept, given_away, slack)).all()


def test_differences_that_single_precision_does_not_hold():
    rng = np.random.default_rng(0)
    kept = 1e6 + rng.normal(size=(6, 300)) * 1e-4
    given_away = -1e6 + rng.normal(size=(6, 300)) * 1e-4
    slack = rng.random((6, 6)) * 1e-5
    assert (count_reached(kept, given_away, slack) == by_comparison(kept, given_away, slack)).all()


def test_zeros_are_half_below():
    assert count_reached(np.zeros((2, 5)), np.zeros((2, 5)), np.full((2, 2), 1e-12)).tolist() == [[5, 5], [5, 5]]


def test_sums_far_from_zero_need_no_comparison():
    kept = np.array([[5.0, 6.0], [-5.0, -6.0], [0.5, -0.5]])
    given_away = np.array([[1.0, 1.0], [-1.0, 2.0], [-20.0, -30.0]])
    slack = np.full((3, 3), 1e-12)
    assert (count_reached(kept, given_away, slack) == by_comparison(kept, given_away, slack)).all()

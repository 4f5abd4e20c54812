import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from qeframe.resampling.ranks import mid_ranks, shared_places


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_ranks_are_those_of_scipy(values: list[int]) -> None:
    both = np.array([values, values[::-1]], dtype=float)
    assert mid_ranks(both) == pytest.approx(scipy.stats.rankdata(both, axis=1))
    ordered = np.sort(both, axis=1)
    fresh = np.concatenate([np.zeros((2, 1), dtype=bool), np.diff(ordered, axis=1) > 0], axis=1)
    for places, method in zip(shared_places(fresh), ("min", "max"), strict=True):
        assert (places == np.sort(scipy.stats.rankdata(both, method=method, axis=1), axis=1)).all()


def test_undefined_values_have_no_rank() -> None:
    found = mid_ranks(np.array([2.0, np.nan, 1.0, np.nan, 2.0]))
    assert found == pytest.approx([2.5, np.nan, 1.0, np.nan, 2.5], nan_ok=True)
    assert mid_ranks(np.empty((3, 0))).shape == (3, 0)


def test_values_that_differ_by_rounding_share_a_rank() -> None:
    values = np.array([0.3, 0.1 + 0.2, 0.4, np.nan, np.inf, -np.inf])
    assert mid_ranks(values) == pytest.approx([2, 3, 4, np.nan, 5, 1], nan_ok=True)
    assert mid_ranks(values, slack=1e-12) == pytest.approx([2.5, 2.5, 4, np.nan, 5, 1], nan_ok=True)
    assert mid_ranks(np.array([np.inf, np.inf, 1.0]), slack=1e-12) == pytest.approx([2.5, 2.5, 1.0])
    assert mid_ranks(np.empty((3, 0)), slack=1e-12).shape == (3, 0)

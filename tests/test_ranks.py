import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from qeframe.ranks import mid_ranks, shared_places


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

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.resampling.memory import MOST_CELLS, bounded_slices


@given(st.integers(0, 60), st.integers(0, 30), st.integers(1, 5), st.integers(1, 100))
def test_every_item_is_in_one_slice_that_fits(count: int, cells_each: int, least: int, most: int) -> None:
    slices = bounded_slices(count, cells_each, least=least, most=most)
    items = [list(range(count)[part]) for part in slices]
    assert [item for part in items for item in part] == list(range(count))
    assert all(items)
    for part in items:
        assert len(part) * cells_each <= most or len(part) <= least
    for part in items[:-1]:  # one more would not fit
        assert len(part) >= least
        assert (len(part) + 1) * cells_each > most or cells_each == 0


def test_the_bound_is_read_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bounded_slices(10, MOST_CELLS // 5) == [slice(0, 5), slice(5, 10)]
    monkeypatch.setattr("qeframe.core.resampling.memory.MOST_CELLS", 4)
    assert bounded_slices(3, 2) == [slice(0, 2), slice(2, 4)]
    assert np.arange(3)[bounded_slices(3, 2)[1]].tolist() == [2]

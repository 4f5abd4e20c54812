"""Arrays as sources, and what all sources share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.streaming.sources.source import ArraySource, first_unusable, numbered, regrouped


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(1, 8))
def test_regrouped_arrays_hold_the_same_numbers(sizes, units):
    numbers = np.arange(float(sum(sizes)))
    parts = np.split(numbers, np.cumsum(sizes)[:-1]) if sizes else []
    found = list(regrouped(iter(parts), units))
    assert np.concatenate([np.empty(0), *found]).tolist() == numbers.tolist()
    assert all(len(part) == units for part in found[:-1])
    assert all(0 < len(part) <= units for part in found)


def test_an_array_and_one_mapped_from_a_file(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(10, dtype=np.float32))
    for values in (np.arange(10), np.load(tmp_path / "a.npy", mmap_mode="r"), list(range(10))):
        source = ArraySource("a", values)
        chunks = list(source.chunks(4))
        assert [len(chunk.ids) for chunk in chunks] == [4, 4, 2]
        assert np.concatenate([chunk.values for chunk in chunks]).tolist() == list(range(10))
        assert chunks[1].ids.tolist() == [4, 5, 6, 7]
        assert (source.expected_units(), source.stamp(), source.record(), source.has_ids) == (10, 10, None, False)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "'a' has no unit"),
        ([1.0, 2.0, np.nan], r"NaN \(a missing value\) at position 2 of 'a'; every unit needs a finite number"),
        ([1.0, np.inf], "inf, which is too large to compute with at position 1"),
        ([1e101], "too large"),
        (["x"], "'a' is not an array of numbers in one dimension"),
        ([[1.0]], "one dimension"),
        ([[1.0], [2.0, 3.0]], "one dimension"),
        (np.ma.array([1.0, 9.0], mask=[False, True]), "masked value at position 1 of 'a'"),
    ],
)
def test_unusable_arrays(values, message):
    with pytest.raises(DataError, match=message):
        list(ArraySource("a", values).chunks(2))


def test_first_unusable_and_numbered():
    assert first_unusable(np.array([1.0, -1e100])) is None
    assert first_unusable(np.array([1.0, np.nan, np.inf])) == (1, "NaN (a missing value)")
    piece = numbered("a", np.array([5.0, 6.0]), 7)
    assert (piece.ids.tolist(), piece.lines.tolist()) == ([7, 8], [8, 9])

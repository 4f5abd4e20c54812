import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import DataError

ROWS = st.lists(st.lists(st.integers(-9, 9), max_size=4), max_size=6)


def as_lists(ragged: Ragged) -> list[list[int]]:
    return [list(row) for row in ragged]


@given(ROWS)
def test_rows_come_back(rows: list[list[int]]) -> None:
    ragged = Ragged.from_rows(rows)
    assert as_lists(ragged) == rows
    assert len(ragged) == len(rows)
    assert list(ragged.lengths) == [len(row) for row in rows]
    assert list(ragged.row_of_value) == [i for i, row in enumerate(rows) for _ in row]


@given(ROWS)
def test_sums_over_rows_with_empty_ones(rows: list[list[int]]) -> None:
    ragged = Ragged.from_rows(rows, dtype=np.int64)
    assert list(ragged.sum_rows(ragged.values)) == [sum(row) for row in rows]
    two_columns = np.stack([ragged.values, 2 * ragged.values], axis=1)
    assert ragged.sum_rows(two_columns).tolist() == [[sum(row), 2 * sum(row)] for row in rows]


@given(ROWS, st.data())
def test_take_keeps_the_asked_rows_in_the_asked_order(rows: list[list[int]], data: st.DataObject) -> None:
    asked = data.draw(st.lists(st.integers(0, max(0, len(rows) - 1)), max_size=6 if rows else 0))
    taken = Ragged.from_rows(rows, dtype=np.int64).take(np.array(asked, dtype=np.int64))
    assert as_lists(taken) == [rows[i] for i in asked]


def test_rows_are_found_from_the_end_too() -> None:
    ragged = Ragged.from_rows([[1], [2, 3]])
    assert list(ragged[-1]) == [2, 3]
    with pytest.raises(IndexError):
        ragged[2]


@pytest.mark.parametrize("offsets", [[1, 2], [0, 1], [0, 2, 1, 2], [], [[0, 2]]])
def test_offsets_that_describe_no_rows_are_refused(offsets: list[int]) -> None:
    with pytest.raises(DataError, match="offsets must begin with 0"):
        Ragged(np.array([5, 6]), offsets)


def test_no_rows_at_all() -> None:
    empty = Ragged.from_rows([])
    assert len(empty) == 0
    assert empty.sum_rows(empty.values).shape == (0,)


def test_words_are_values_too() -> None:
    assert as_lists(Ragged.from_rows([["a", "b"], ["c"]])) == [["a", "b"], ["c"]]

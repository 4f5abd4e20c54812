"""What all kinds of batch share: selection of units, computed rows, labels."""

from itertools import product
from random import Random

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from qeframe.core.batch import Batch, check_kind, is_sparse, labels_to_index, take_units
from qeframe.core.ragged import Ragged
from qeframe.kinds.registered import registered_kinds
from qeframe.kinds.texts.alignments import Alignment, MatchedBlock
from qeframe.plugin import DataError, Scores, Texts, Values


def test_units_are_selected_by_positions_and_by_masks():
    batch = Scores.from_plain([1, 2, 3], [4, 5, 6])
    for units in (np.array([2, 0]), np.array([True, False, True])):
        part = batch.take(units)
        expected = [2, 0] if units.dtype != bool else [0, 2]
        assert part.ids.tolist() == expected
        assert part.gold.tolist() == [[1, 2, 3][i] for i in expected]
        assert part.predicted.tolist() == [[4, 5, 6][i] for i in expected]
        assert part.pivot == batch.pivot


def test_rows_of_ragged_arrays_are_selected():
    rows = Ragged.from_rows([[1], [2, 3], []])
    assert [row.tolist() for row in take_units(rows, np.array([False, True, True]))] == [[2, 3], []]
    assert [row.tolist() for row in take_units(rows, np.array([1, 0]))] == [[2, 3], [1]]


def test_rows_are_computed_once_for_all_metrics():
    calls = []

    def extract(batch):
        calls.append(batch)
        return batch.predicted[:, None]

    batch = Values.from_plain(None, [1, 2])
    assert batch.rows(extract) is batch.rows(extract)
    assert calls == [batch]


def test_a_kind_that_is_only_made_from_plain_values_keeps_the_ids_of_its_units():
    class Answers(Batch):
        @classmethod
        def from_plain(cls, gold, predicted, **declared):
            return cls(ids=np.arange(len(gold)))

    batch = Answers.pair(ids=np.array([5, 7]), gold=[1, 2], predicted=[2, 1], best="high")
    assert batch.ids.tolist() == [5, 7]


def test_labels_are_numbered_in_order_of_first_occurrence():
    index, labels = labels_to_index(["b", "a", "b", "c"])
    assert index.tolist() == [0, 1, 0, 2]
    assert labels == ("b", "a", "c")
    assert [labels[i] for i in index] == ["b", "a", "b", "c"]


def test_a_batch_of_another_kind_is_refused():
    with pytest.raises(DataError, match="metric 'm' works on Scores, not on Values; choose a metric on Values"):
        check_kind(Values.from_plain(None, [1]), Scores, "metric 'm'")
    check_kind(Scores.from_plain([1, 2], [1, 2]), Values, "metric 'm'")


def test_sparse_arrays_are_known_without_their_module():
    from scipy.sparse import csr_array

    assert is_sparse(csr_array(np.eye(2)))
    assert not is_sparse(np.eye(2))


def test_the_root_has_no_warning_and_no_missing_cells():
    batch = Batch(ids=np.arange(2))
    assert batch.gold_warning() == ""
    assert batch.answers_same_cells(batch)


KINDS = [kind for kind in registered_kinds() if kind.fixed_submissions is not None]


def _arrays(value):
    """Yield every array of a batch, a ragged array or tokens."""
    if isinstance(value, np.ndarray):
        yield value
    elif attrs.has(type(value)):
        for each in attrs.fields(type(value)):
            yield from _arrays(getattr(value, each.name))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.batch.__name__)
def test_no_array_of_a_batch_can_be_written_to(kind):
    batches = list(kind.fixed_submissions(Random(1), 8))
    half = np.arange(8) < 4
    batches += [batches[0].take(np.arange(3))]
    if "swap_answers" in vars(kind.batch):
        batches += batches[0].swap_answers(batches[1], half)
    if kind.batch is Texts:
        batches += [batches[0].tokens]
    arrays = [array for batch in batches for array in _arrays(batch)]
    assert len(arrays) > len(batches)
    for array in arrays:
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_arrays_that_a_user_gives_stay_theirs():
    gold, predicted = np.arange(3.0), np.arange(3.0)
    batch = Scores.from_plain(gold, predicted)
    direct = Scores(ids=np.arange(3), gold=gold, predicted=predicted)
    view = predicted[:]
    view.flags.writeable = False
    through_view = Scores(ids=np.arange(3), gold=gold, predicted=view)
    predicted[:] = 9
    for made in (batch, direct, through_view):
        assert made.predicted.tolist() == [0, 1, 2]


def test_an_array_that_is_held_is_not_copied_again():
    batch = Scores.from_plain([1, 2], [3, 4])
    assert attrs.evolve(batch, predicted=np.ones(2)).gold is batch.gold


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_cached_rows_are_read_only(form):
    rows = Scores.from_plain([1, 2], [3, 4]).rows(lambda batch: form(np.ones((2, 2))))
    with pytest.raises(ValueError, match="read-only"):
        rows[0, 0] = 5


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


def test_no_rows_and_rows_of_words() -> None:
    empty = Ragged.from_rows([])
    assert len(empty) == 0
    assert empty.sum_rows(empty.values).shape == (0,)
    assert as_lists(Ragged.from_rows([["a", "b"], ["c"]])) == [["a", "b"], ["c"]]


CANDIDATE = ("a", "b", "a", "c")
REFERENCES = (("a", "b"), ("c", "a", "a"))


def test_hits_are_all_pairs_of_equal_words():
    alignment = Alignment(CANDIDATE, REFERENCES, ())
    expected = {
        (i, number, j)
        for i, number in product(range(4), range(2))
        for j in range(len(REFERENCES[number]))
        if CANDIDATE[i] == REFERENCES[number][j]
    }
    assert alignment.hits == expected
    assert alignment.matched == frozenset()


def test_words_of_a_block_are_matched_also_in_part():
    blocks = (MatchedBlock(0, 0, 0, 2), MatchedBlock(candidate=3, reference=1, position=0, length=0.25))
    alignment = Alignment(CANDIDATE, REFERENCES, blocks)
    assert alignment.matched == {(0, 0, 0), (1, 0, 1), (3, 1, 0)}
    assert alignment.matched <= alignment.hits


PAPER = Alignment(tuple("DABCDXBFG"), (tuple("ABCDEBFG"),), (MatchedBlock(1, 0, 0, 4), MatchedBlock(6, 0, 5, 3)))


TWO = Alignment(
    ("a", "b", "d", "e"), (("a", "b", "c"), ("d", "e")), (MatchedBlock(0, 0, 0, 0.5), MatchedBlock(2, 1, 0, 2))
)


def test_hits_and_blocks():
    assert len(PAPER.hits) == 4 + 3 + 1 + 2
    assert PAPER.matched == {(i + 1, 0, i) for i in range(4)} | {(i + 6, 0, i + 5) for i in range(3)}
    assert PAPER.matched < PAPER.hits
    assert TWO.matched == {(0, 0, 0), (2, 1, 0), (3, 1, 1)}
    assert TWO.hits - TWO.matched == {(1, 0, 1)}

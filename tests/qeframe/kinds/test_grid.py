"""Grids: missing cells on either side, flat sequences, stacks, exchanges by items and by cells; bad input is named."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.grid.kind import KIND

N = None


def test_missing_cells():
    grid = Grid.from_plain([[1, N, 3], [N, N, N]], [[N, 2, 3], [1, 2, 3]])
    assert grid.present.tolist() == [[False, False, True], [False, False, False]]
    assert (grid.unanswered, grid.systems, len(grid), grid.unit) == (1, 3, 2, "segment")
    assert grid.pivot == pytest.approx((2.0, 11 / 5))


def test_a_flat_sequence_is_one_item():
    assert Grid.from_plain([1, 2, 3], [1, 3, 2]).gold.shape == (1, 3)
    assert Grid.from_plain([], []).gold.shape == (0, 0)


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([[1, 2]], [[1, 2], [3, 4]], "length mismatch: gold and predicted have 1 x 2 and 2 x 2 cells"),
        ([[1, 2], [3]], [[1, 2], [3, 4]], "rows of numbers of the same length"),
        ([1, N, 3], [1, 2, 3], "missing value at position 1 of gold; give a number, or rows of a grid"),
        ([1, 2], [1, np.nan], "missing value at position 1 of predicted"),
        ([[1, "x"]], [[1, 2]], "rows of numbers"),
        ([[1, np.inf]], [[1, 2]], "infinite value in row 0, column 1 of gold"),
        ([[1, 1e300]], [[1, 2]], "too large a value in row 0, column 1 of gold"),
        ([[1, 10**400]], [[1, 2]], "rows of numbers"),
        ([[1, 1j]], [[1, 2]], "rows of numbers"),
        ([[1, 2]], None, "predicted scores are missing"),
        ([[[1]]], [[[1]]], "one or two dimensions"),
    ],
)
def test_bad_input(gold, predicted, message):
    with pytest.raises(DataError, match=message):
        Grid.from_plain(gold, predicted)


@pytest.mark.parametrize(
    ("gold", "remark"),
    [
        ([[1, 1], [2, 2]], "all pairs are human ties"),
        ([[1, 1], [2, N]], "all pairs are human ties"),
        ([[1], [2]], "there is only one system"),
        ([[1, 1], [1, 2]], ""),
        ([[1, N], [N, 2]], ""),
        ([], ""),
    ],
)
def test_a_gold_without_decided_pairs_is_remarked(gold, remark):
    assert Grid.from_plain(gold, gold).gold_warning().partition(":")[0] == remark


def test_a_submission_from_files_is_never_padded():
    gold, predicted = np.array([[1.0, 2.0], [np.nan, 1.0]]), np.array([[1.0, np.nan], [np.nan, 1.0]])
    with pytest.raises(DataError, match="system 1 for segment 7 is missing"):
        Grid.pair(ids=np.array([7, 9]), gold=gold, predicted=predicted)
    assert Grid.pair(ids=np.array([7, 9]), gold=gold, predicted=np.nan_to_num(predicted)).unanswered == 0


def test_worst_answers_reverse_the_gold():
    gold = np.array([[1.0, 2.0, 5.0], [3.0, 3.0, np.nan]])
    assert Grid.worst_answers(gold, np.array([[0.0, 8.0]])).tolist() == [[8, 6, 0], [4, 4, 4]]
    with pytest.raises(DataError, match="has no range"):
        Grid.worst_answers(gold, np.array([[np.nan]]))


def test_take_exchange_and_stack():
    a = Grid.from_plain([[1, 2], [3, 4]], [[1, 2], [3, 4]])
    b = Grid.from_plain([[1, 2], [3, 4]], [[5, 6], [7, 8]])
    assert a.take(np.array([1])).gold.tolist() == [[3, 4]]
    assert a.take(np.array([1])).pivot == a.pivot
    assert a.swap_answers(b, np.array([True, False]))[0].predicted.tolist() == [[5, 6], [3, 4]]
    cells = np.array([[True, False], [False, True]])
    assert a.swap_answers(b, cells)[1].predicted.tolist() == [[1, 6], [7, 4]]
    stack = a.join_units(b)
    assert stack.predicted.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert stack.ids.tolist() == [0, 1, 0, 1]


BATCH = Grid.from_plain([[0.0, 1.0], [None, 3.0]], [[1.0, 2.0], [3.0, 4.0]])


def test_rearranged_missing_and_mirrored_answers():
    answers = np.array(list(KIND.rearrangements(BATCH, BATCH.predicted)))
    assert answers.shape == (4, 2, 2)
    assert (answers.mean(axis=0) == 2.5).all()
    assert KIND.without_answer(BATCH, 1).tolist() == [[1, 2], [0, 0]]
    assert KIND.may_abstain
    assert KIND.audit.mirrored(BATCH).predicted.tolist() == [[4, 3], [2, 1]]
    assert np.isfinite(KIND.audit.rearranged(BATCH, np.random.default_rng(1)).predicted).all()

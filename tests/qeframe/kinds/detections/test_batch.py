import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.detections.batch import Detections


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([0, 2], [1, 2], r"gold value 2 at position 1 is neither 0 nor 1; give 1 for each positive unit"),
        ([0, 0.5], [1, 2], r"gold value 0.5 at position 1 is neither 0 nor 1"),
        ([0, None], [1, 2], "missing value"),
        ([0, 1], [1, float("nan")], r"missing value \(NaN\) at position 1 of predicted"),
        ([0, 1, 1], [1, 2], "length mismatch: 3 gold values and 2 predicted ones"),
        ([1], [1], "too few values"),
        (None, [1, 2], "gold values are missing"),
    ],
)
def test_what_cannot_be_used_is_named(gold, predicted, message):
    with pytest.raises(DataError, match=message):
        Detections.from_plain(gold, predicted)


def test_worst_answers_are_on_the_wrong_side():
    worst = Detections.worst_answers(np.array([1.0, 0.0]), np.array([3.0, 5.0, 4.0]))
    assert worst.tolist() == [3, 5]
    with pytest.raises(DataError, match="no range"):
        Detections.worst_answers(np.array([1.0]), np.array([]))


@pytest.mark.parametrize(
    ("gold", "warning"), [([0, 0], "no positive unit"), ([1, 1], "no negative unit"), ([0, 1], "")]
)
def test_a_gold_of_one_class_is_warned_of(gold, warning):
    found = Detections.from_plain(gold, [1, 2]).gold_warning()
    assert warning in found
    assert bool(found) == bool(warning)


def test_swapping_keeps_the_kind():
    first, second = (Detections.from_plain([0, 1], side) for side in ([1, 2], [3, 4]))
    mine, theirs = first.swap_answers(second, np.array([True, False]))
    assert isinstance(mine, Detections)
    assert (mine.predicted.tolist(), theirs.predicted.tolist()) == ([3, 2], [1, 4])

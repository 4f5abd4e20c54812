"""Judgments: made from what a user has at hand, cut, exchanged, filled with the worst answers; bad input is named."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.judgments.batch import Judgments, relations


def test_characters_and_signs_are_the_same():
    for human in ("<=>", ["<", "=", ">"], [1, 0, -1], np.array([1.0, 0.0, -1.0]), (np.int8(1), 0, -1)):
        assert relations(human).tolist() == [1, 0, -1]


def test_differences_and_scores_are_the_same():
    by_difference = Judgments.from_plain("<=>", [0.5, 0, -2])
    by_scores = Judgments.from_plain("<=>", [[1.5, 1], [3, 3], [0, 2]])
    assert by_difference.metric_relations().tolist() == by_scores.metric_relations().tolist() == [1, 0, -1]
    assert by_scores.metric_relations(0.5).tolist() == [0, 0, -1]


def test_two_judgments_by_two_scores():
    assert Judgments.from_plain("<>", [[1, 2], [3, 4]]).predicted.shape == (2, 2)


def test_none_at_all():
    assert len(Judgments.from_plain("", [])) == 0


@pytest.mark.parametrize(
    ("human", "metric", "message"),
    [
        ("<x", [1, 2], "human judgment 'x' at position 1 is no relation"),
        ([2, 0], [1, 2], "human judgment 2 at position 0"),
        ([[1], 0], [1, 2], "is no relation"),
        (None, [1], "human judgments are missing"),
        ("<>", [1], "length mismatch: 2 human judgments and 1 of the metric"),
        ("<>", [1, None], "missing metric score at position 1"),
        ("<>", [[1, 2], [np.nan, 2]], "missing metric score at position 1"),
        ("<>", [1, np.inf], "infinite metric score at position 1"),
        ("<>", [1, 1e300], "too large a metric score at position 1"),
        ("<>", np.ma.array([1, 2], mask=[False, True]), "masked value at position 1 of the metric scores"),
        ("<>", [1, 1j], "metric scores must be numbers"),
        ("<>", ["a", "b"], "metric scores must be numbers"),
        ("<>", [[1, 2, 3], [1, 2, 3]], "not of shape"),
    ],
)
def test_bad_input(human, metric, message):
    with pytest.raises(DataError, match=message):
        Judgments.from_plain(human, metric)


def test_worst_answers_contradict():
    worst = Judgments.worst_answers(np.array([1, 0, -1], dtype=np.int8), np.array([[0.0, 3.0]]))
    assert worst.tolist() == [[0, 3], [0, 3], [3, 0]]
    with pytest.raises(DataError, match="has no range"):
        Judgments.worst_answers(np.array([1], dtype=np.int8), np.empty((0, 2)))


def test_take_and_exchange():
    a = Judgments.from_plain("<=>", [1, 2, 3])
    b = Judgments.from_plain("<=>", [-1, -2, -3])
    assert a.take(np.array([2, 2])).human.tolist() == [-1, -1]
    mine, theirs = a.swap_answers(b, np.array([True, False, True]))
    assert mine.predicted[:, 0].tolist() == [-1, 2, -3]
    assert theirs.predicted[:, 0].tolist() == [1, -2, 3]
    assert Judgments.pair(ids=a.ids, gold=a.human, predicted=a.predicted, best="high").unit == "judgment"

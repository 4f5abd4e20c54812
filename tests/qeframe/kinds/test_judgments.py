"""Judgments: made from what a user has at hand, cut, exchanged, filled with the worst answers; bad input is named."""

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qeframe.core.errors import DataError
from qeframe.kinds.judgments.batch import Judgments, pairs_from_ranks, pairs_from_scores, pairs_of_rankings, relations
from qeframe.kinds.judgments.kind import KIND
from tests.outcome import failure


def test_characters_and_signs_are_the_same():
    for human in ("<=>", ["<", "=", ">"], [1, 0, -1], np.array([1.0, 0.0, -1.0]), (np.int8(1), 0, -1)):
        assert relations(human).tolist() == [1, 0, -1]


def test_differences_and_scores_are_the_same():
    by_difference = Judgments.from_plain("<=>", [0.5, 0, -2])
    by_scores = Judgments.from_plain("<=>", [[1.5, 1], [3, 3], [0, 2]])
    assert by_difference.metric_relations().tolist() == by_scores.metric_relations().tolist() == [1, 0, -1]
    assert by_scores.metric_relations(0.5).tolist() == [0, 0, -1]


def test_two_judgments_and_none_at_all():
    assert Judgments.from_plain("<>", [[1, 2], [3, 4]]).predicted.shape == (2, 2)
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
    assert "has no range" in failure(DataError, Judgments.worst_answers, np.array([1], dtype=np.int8), np.empty((0, 2)))


@settings(max_examples=25)
@given(arrays(np.int64, st.tuples(st.integers(0, 4), st.integers(1, 5)), elements=st.sampled_from([-1, 1, 2, 3])))
def test_many_rankings_are_single_rankings_one_by_one(ranks):
    systems = np.tile(np.arange(ranks.shape[1]), (len(ranks), 1))
    pairs = pairs_of_rankings(ranks, systems)
    expected = [
        (row, int(a), int(b), int(relations(relation)[0]))
        for row, values in enumerate(ranks.tolist())
        for a, b, relation in pairs_from_ranks({str(i): rank for i, rank in enumerate(values)})
    ]
    found = zip(pairs.source.tolist(), pairs.left.tolist(), pairs.right.tolist(), pairs.human.tolist(), strict=True)
    assert sorted(found) == sorted(expected)


def test_left_out_systems_are_in_no_pair_and_threshold_0_has_no_ties():
    pairs = pairs_of_rankings([[1, 2, 3]], [[4, -1, 7]])
    assert (pairs.left.tolist(), pairs.right.tolist(), pairs.human.tolist()) == ([4], [7], [1])
    assert len(pairs_from_scores([[1.0, 1.0, 2.0]], threshold=0).human) == 2


@given(arrays(np.float64, (3, 4), elements=st.sampled_from([0.0, 10.0, 25.0, 50.0, np.nan])), st.booleans())
def test_assessments_that_differ_enough(scores, strict):
    pairs = pairs_from_scores(scores, strict=strict)
    expected = {
        (row, a, b, 1 if values[a] > values[b] else -1)
        for row, values in enumerate(scores.tolist())
        for a, b in combinations(range(4), 2)
        if abs(values[a] - values[b]) > 25 or (not strict and abs(values[a] - values[b]) == 25)
    }
    found = zip(pairs.source.tolist(), pairs.left.tolist(), pairs.right.tolist(), pairs.human.tolist(), strict=True)
    assert set(found) == expected


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pairs_of_rankings([[1, 2]], [[1]]), "length mismatch: ranks of shape"),
        (lambda: pairs_of_rankings([[0, 2]], [[1, 2]]), "a rank is below 1; ranks count from 1"),
        (lambda: pairs_from_scores([1.0, 2.0]), "assessments must be segments x systems, not of 1 dimensions"),
        (lambda: pairs_from_ranks({"A": 0}), "0 is no rank of 'A'; ranks count from 1"),
    ],
)
def test_what_is_refused(make, message):
    assert failure(DataError, make).startswith(message)


BATCH = Judgments.from_plain("<=>", [1.0, 2.0, 3.0])


def test_answers_of_the_gold_and_of_other_judgments():
    batch = KIND.with_answers(BATCH, KIND.gold_answers(BATCH))
    assert np.sign(batch.predicted[:, 0] - batch.predicted[:, 1]).tolist() == batch.human.tolist() == [1, 0, -1]
    answers = list(KIND.rearrangements(BATCH, BATCH.predicted))
    assert len(answers) == 3 * 2**3
    assert (np.mean(answers, axis=0)[:, 0] == np.mean(answers, axis=0)[:, 1]).all()


def test_ordinary_judgments_compare_several_systems_equally_often():
    batch = KIND.ordinary(Random(1), 10)
    assert batch.system_count == 8
    assert np.bincount(batch.systems[:, 0]).tolist() == [10] * 8
    assert (batch.systems[:, 0] != batch.systems[:, 1]).all()
    assert set(batch.human.tolist()) == {-1, 0, 1}

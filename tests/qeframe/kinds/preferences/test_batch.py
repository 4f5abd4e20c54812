"""Pairwise preferences: made from words and signs, cut, exchanged, given the worst answers; bad input is named."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.preferences.batch import NO_DECISION, NOT_ASKED, UNKNOWN_LENGTH, Preferences, decisions_of


def test_words_and_signs_are_the_same():
    for gold in (["A", "tie", "B"], ["A>B", "A=B", "B>A"], [1, 0, -1], np.array([1.0, 0.0, -1.0])):
        batch = Preferences.from_plain(gold, gold)
        assert batch.gold.tolist() == [1, 0, -1]
        assert batch.decisions.tolist() == [[1, NOT_ASKED], [0, NOT_ASKED], [-1, NOT_ASKED]]
        assert np.isnan(batch.scores).all()


def test_both_orders_and_scores():
    batch = Preferences.from_plain(["A", "B"], [["A", None], ["B", "A", 0.5, 2.0]])
    assert batch.decisions.tolist() == [[1, NO_DECISION], [-1, 1]]
    assert batch.scores[1].tolist() == [0.5, 2.0]


def test_defaults_of_what_a_task_may_not_know():
    batch = Preferences.from_plain(["A"], ["B"])
    assert (batch.lengths == UNKNOWN_LENGTH).all()
    assert batch.section_names == ("all",)
    assert batch.shown_first.tolist() == [1]


def test_none_at_all():
    assert len(Preferences.from_plain([], [])) == 0


@pytest.mark.parametrize(
    ("gold", "judge", "message"),
    [
        (["A", "x"], ["A", "A"], "'x' at position 1 is no decision"),
        (["A", None], ["A", "A"], "the gold of the pair at position 1 is not one preference"),
        ([["A", "B"]], ["A"], "the gold of the pair at position 0 is not one preference"),
        (["A", "B"], ["A"], "length mismatch: 2 gold preferences, 1 of the judge"),
        (["A"], [["A", "B", "A"]], "3 decisions at position 0"),
        (["A"], [["-", "A"]], "no decision in the first order at position 0"),
        (["A"], [[["A"]]], "is no decision"),
        (["A"], [[2.5]], "2.5 at position 0 is no decision"),
        ("AB", ["A", "B"], "decisions must be a list"),
        (None, ["A"], "decisions must be a list"),
    ],
)
def test_bad_input(gold, judge, message):
    with pytest.raises(DataError, match=message):
        Preferences.from_plain(gold, judge)


def test_pair_takes_records_signs_and_plain_files():
    fields = [("preference", "i1"), ("lengths", "i8", (2,)), ("section", "U4"), ("shown_first", "i1")]
    records = np.array([(1, (3, 4), "code", 0), (-1, (5, 6), "chat", 0)], dtype=fields)
    answers, ids = decisions_of(["A", "B"]), np.arange(2)
    batch = Preferences.pair(ids=ids, gold=records, predicted=answers)
    assert [batch.section_names[code] for code in batch.section] == ["code", "chat"]
    assert batch.lengths.tolist() == [[3, 4], [5, 6]]
    assert batch.shown_first.tolist() == [0, 0]
    for gold in (records["preference"], decisions_of(["A", "B"])):
        assert Preferences.pair(ids=ids, gold=gold, predicted=answers).gold.tolist() == [1, -1]


def test_worst_answers_contradict_in_the_orders_that_were_asked():
    worst = Preferences.worst_answers(np.array([1, 0, -1], dtype=np.int8), decisions_of(["A"]))
    assert worst[:, :2].tolist() == [[-1, NOT_ASKED], [1, NOT_ASKED], [1, NOT_ASKED]]
    both = Preferences.worst_answers(np.array([1], dtype=np.int8), decisions_of([["A", "tie"]]))
    assert both[:, :2].tolist() == [[-1, -1]]
    with pytest.raises(DataError, match="asked in no order"):
        Preferences.worst_answers(np.array([1], dtype=np.int8), np.empty((0, 4)))


def test_take_and_exchange():
    a = Preferences.from_plain(["A", "B"], ["A", "A"], sections=["one", "two"])
    b = Preferences.from_plain(["A", "B"], ["B", "B"], sections=["one", "two"])
    assert a.take(np.array([1, 1])).section.tolist() == [1, 1]
    one, other = a.swap_answers(b, np.array([True, False]))
    assert one.decisions[:, 0].tolist() == [-1, 1]
    assert other.decisions[:, 0].tolist() == [1, -1]


def test_warnings_of_a_gold():
    assert Preferences.from_plain([], []).gold_warning() == ""
    assert "all human pairs are ties" in Preferences.from_plain(["tie"], ["A"]).gold_warning()
    assert "always prefers B" in Preferences.from_plain(["B", "B"], ["A", "A"]).gold_warning()
    assert Preferences.from_plain(["A", "B"], ["A", "A"]).gold_warning() == ""
    assert Preferences.from_plain(["A", "A"], ["A", "A"], shown_first=[0, 0]).gold_warning() == ""

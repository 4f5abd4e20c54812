"""Pairwise preferences: made from words and signs, cut, exchanged, given the worst answers; bad input is named."""

from random import Random

import numpy as np
import pytest

from qeframe import DataError, align
from qeframe.core.kind_parts import GeneratedGold
from qeframe.kinds.plain_files import plain_reading
from qeframe.kinds.preferences.batch import NO_DECISION, NOT_ASKED, UNKNOWN_LENGTH, Preferences, decisions_of
from qeframe.kinds.preferences.kind import KIND, LONGER_IS_BETTER, TIE_RATE


def test_words_and_signs_are_the_same():
    for gold in (["A", "tie", "B"], ["A>B", "A=B", "B>A"], [1, 0, -1], np.array([1.0, 0.0, -1.0])):
        batch = Preferences.from_plain(gold, gold)
        assert batch.gold.tolist() == [1, 0, -1]
        assert batch.decisions.tolist() == [[1, NOT_ASKED], [0, NOT_ASKED], [-1, NOT_ASKED]]
        assert np.isnan(batch.scores).all()


def test_both_orders_and_scores_or_none_at_all():
    batch = Preferences.from_plain(["A", "B"], [["A", None], ["B", "A", 0.5, 2.0]])
    assert batch.decisions.tolist() == [[1, NO_DECISION], [-1, 1]]
    assert batch.scores[1].tolist() == [0.5, 2.0]
    assert len(Preferences.from_plain([], [])) == 0


def test_defaults_of_what_a_task_may_not_know():
    batch = Preferences.from_plain(["A"], ["B"])
    assert (batch.lengths == UNKNOWN_LENGTH).all()
    assert batch.section_names == ("all",)
    assert batch.shown_first.tolist() == [1]


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


def test_warnings_of_a_gold():
    assert Preferences.from_plain([], []).gold_warning() == ""
    assert "all pairs are human ties" in Preferences.from_plain(["tie"], ["A"]).gold_warning()
    assert "always prefers B" in Preferences.from_plain(["B", "B"], ["A", "A"]).gold_warning()
    assert Preferences.from_plain(["A", "B"], ["A", "A"]).gold_warning() == ""
    assert Preferences.from_plain(["A", "A"], ["A", "A"], shown_first=[0, 0]).gold_warning() == ""


BATCH = Preferences.from_plain(["A", "tie", "B"], [["A", "B"], ["tie", None], ["B", "B"]])


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_plain_files(tmp_path):
    gold = written(tmp_path / "gold.txt", "A\nB\ntie\n")
    sides = [written(tmp_path / "one.txt", "A\nA\nnone\n"), written(tmp_path / "two.txt", "A B\nB none\ntie -\n")]
    one, two = align(plain_reading(Preferences, gold, sides)).batches.values()
    assert one.gold.tolist() == two.gold.tolist() == [1, -1, 0]
    assert one.decisions[:, 0].tolist() == [1, 1, NO_DECISION]
    assert KIND.plain(two)["predicted"] == ["A B", "B none", "tie"]


def test_gold_rearranged_corrected_and_missing_answers():
    batch = KIND.with_answers(BATCH, KIND.gold_answers(BATCH))
    assert (batch.decisions == BATCH.gold[:, None]).all()
    assert (KIND.audit.perfect(BATCH).decisions == batch.decisions).all()
    assert len(list(KIND.rearrangements(BATCH, BATCH.predicted))) == 6
    assert np.sort(KIND.audit.rearranged(BATCH, np.random.default_rng(1)).decisions[:, 0]).tolist() == [-1, 0, 1]
    (corrected,) = KIND.corrections(BATCH, 0)
    assert corrected[:, :2].tolist()[0] == [1, 1]
    assert KIND.without_answer(BATCH, 2)[2, :2].tolist() == [1, 1]


def test_an_honest_judge_knows_a_share_of_the_pairs():
    gold = KIND.audit.generate(np.random.default_rng(1))
    assert isinstance(gold, GeneratedGold)
    batch = gold.batch
    assert abs((batch.gold == 0).mean() - TIE_RATE) < 0.01
    decided = batch.gold != 0
    longer = np.sign(batch.lengths[:, 0] - batch.lengths[:, 1])
    assert abs((longer == batch.gold)[decided].mean() - LONGER_IS_BETTER) < 0.02
    right = (KIND.audit.honest(batch, 0.5, np.random.default_rng(2)).decisions[:, 0] == batch.gold).mean()
    assert abs(right - (0.5 + 0.5 * (0.1**2 + 2 * 0.45**2))) < 0.02
    assert (KIND.audit.honest(batch, 1.0, np.random.default_rng(2)).decisions == batch.gold[:, None]).all()


def test_fixed_submissions_have_one_gold():
    sides = KIND.fixed_submissions(Random(1), 12)
    assert len(sides) == 3
    assert all((side.gold == sides[0].gold).all() for side in sides)


def test_relations_become_preferences():
    batch = KIND.from_relations((("<", ">"), ("=", "<"), (">", "=")))
    assert batch.gold.tolist() == [1, 0, -1]
    assert batch.decisions.tolist() == [[-1, -1], [1, 1], [0, 0]]

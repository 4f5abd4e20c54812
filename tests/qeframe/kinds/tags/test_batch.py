"""The kind of batch of word-level tasks: what it is made from, how it is cut and exchanged."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import DataError
from qeframe.kinds.tags import batch as tags_module
from qeframe.kinds.tags.batch import BINARY, SPELLINGS, SentenceTags, Tags


def test_names_spellings_and_numbers_mean_the_same():
    gold = [["OK", "ok", "GOOD", "good", 0, np.int8(0)], [], ["BAD", "bad", 1, np.str_("BAD")]]
    batch = Tags.from_plain(gold, gold)
    assert batch.classes == BINARY
    assert [row.tolist() for row in batch.gold] == [[0] * 6, [], [1] * 4]
    assert batch.gold.values.dtype == np.int8
    assert batch.unit == "sentence"
    assert batch.ids.tolist() == [0, 1, 2]
    assert set(SPELLINGS.values()) == set(BINARY)


def test_arrays_and_tuples_are_welcome():
    batch = Tags.from_plain((np.array(["OK", "BAD"]), ("BAD",)), [np.array([0, 1]), (1,)])
    assert batch.predicted.values.tolist() == batch.gold.values.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    "sentence", [["OK\nOK", ""], ["OK\nBAD"], [""], ["OKBAD"], ["O", "K"], ["KO"], ["OK "], ["BAD", ""], ["\0"], [None]]
)
def test_what_only_looks_like_tags_in_a_row(sentence):
    with pytest.raises(DataError, match="unknown tag"):
        Tags.from_plain([["OK"] * len(sentence)], [sentence])


@pytest.mark.parametrize("rows_at_once", [1, 2, 3, 2**14])
def test_rows_are_read_in_portions(monkeypatch, rows_at_once):
    monkeypatch.setattr(tags_module, "_ROWS_AT_ONCE", rows_at_once)
    sentences = [[], ["OK", "BAD"], [], [], ("BAD",), ["OK", "OK", "BAD"], []]
    batch = Tags.from_plain(sentences, [[str(tag).lower() for tag in row] for row in sentences])
    assert batch.gold.values.tolist() == batch.predicted.values.tolist() == [0, 1, 1, 0, 0, 1]
    assert batch.gold.lengths.tolist() == [0, 2, 0, 0, 1, 3, 0]


def test_classes_are_taken_from_the_gold():
    batch = Tags.from_plain([["none", "Fluency"], ["Accuracy"]], [["Accuracy", "none"], ["Fluency"]])
    assert batch.classes == ("Accuracy", "Fluency", "none")
    assert batch.predicted.values.tolist() == [0, 2, 1]


@pytest.mark.parametrize("misspelled", ["BAAD", "Ok", "OK ", "Fluency"])
def test_other_names_beside_ok_or_bad_are_taken_for_misspelled_tags(misspelled):
    gold = [["OK", "BAD"], ["OK", misspelled]]
    with pytest.raises(
        DataError, match=f"unknown tag '{misspelled}' at position 1 of sentence 1 of gold; the tags are OK"
    ):
        Tags.from_plain(gold, [["OK", "BAD"], ["OK", "OK"]])
    declared = Tags.from_plain(gold, [["OK", "BAD"], ["OK", "OK"]], classes=["OK", "BAD", misspelled])
    assert declared.gold.values.tolist() == [0, 1, 0, 2]


def test_declared_classes():
    batch = Tags.from_plain([["K", 1]], [["S", "D"]], classes=["K", "S", "D"])
    assert (batch.gold.values.tolist(), batch.predicted.values.tolist()) == ([0, 1], [1, 2])


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        (None, [["OK"]], "gold tags are missing; give a list of sentences"),
        ([["OK"]], "OK", "predicted tags are text"),
        ([["OK"]], ["OK"], "a sentence of predicted is text"),
        (np.array(["OK", "BAD"]), [["OK"], ["BAD"]], "a sentence of gold is text, not a list of tags; give a list of"),
        ([b"OK"], [["OK", "OK"]], "a sentence of gold is text"),
        ([1, 0], [1, 0], "gold tags are not lists of tags"),
        ([["OK"]], [["OK"], []], "number of sentences differs: 1 gold and 2 predicted ones"),
        ([["OK"], []], [["OK"], ["OK"]], "length mismatch in sentence 1: 0 gold tags and 1 predicted"),
        ([["OK"], ["OK"]], [[], []], r"length mismatch in sentence 0: 1 gold tag and 0 predicted \(and 1 more\)"),
        (
            [["OK"], ["BAD", "OK"]],
            [["OK"], ["OK", "B"]],
            "unknown tag 'B' at position 1 of sentence 1 of predicted; the tags are OK, BAD",
        ),
        ([["OK", 2]], [["OK", "OK"]], "unknown tag 2 at position 1 of sentence 0 of gold"),
        ([["A", 2]], [["A", "A"]], "gold tags are neither names nor 0 and 1"),
        ([["OK"]], [[["OK"]]], r"unknown tag \['OK'\] at position 0 of sentence 0 of predicted"),
        ([[["OK"]]], [["OK"]], "classes must be 2 to 127 different names"),
        ([["BADD"]], [["OK"]], "classes must be 2 to 127 different names, not: BADD"),
    ],
)
def test_what_is_no_batch(gold, predicted, message):
    with pytest.raises(DataError, match=message):
        Tags.from_plain(gold, predicted)


def test_unknown_gold_tag_among_declared_classes():
    with pytest.raises(DataError, match="unknown tag 'X' at position 0 of sentence 0 of gold"):
        Tags.from_plain([["X"]], [["OK"]], classes=BINARY)


@pytest.mark.parametrize("classes", [["OK"], ["OK", "OK"], [str(i) for i in range(128)]])
def test_impossible_classes(classes):
    with pytest.raises(DataError, match="2 to 127 different names"):
        Tags.from_plain([], [], classes=classes)


@st.composite
def pairs(draw):
    lengths = draw(st.lists(st.integers(0, 6), min_size=1, max_size=6))
    side = [st.lists(st.integers(0, 1), min_size=n, max_size=n) for n in lengths]
    gold, one, two = ([draw(each) for each in side] for _ in range(3))
    return Tags.from_plain(gold, one), Tags.from_plain(gold, two)


@settings(max_examples=45)
@given(pair=pairs(), seed=st.integers(0, 99))
def test_sentences_are_exchanged_and_taken_whole(pair, seed):
    a, b = pair
    rng = np.random.default_rng(seed)
    mask = rng.random(len(a)) < 0.5
    swapped, given_away = a.swap_answers(b, mask)
    for row, exchanged in enumerate(mask):
        assert swapped.predicted[row].tolist() == (b if exchanged else a).predicted[row].tolist()
        assert given_away.predicted[row].tolist() == (a if exchanged else b).predicted[row].tolist()
    some = rng.integers(0, len(a), size=4)
    assert [row.tolist() for row in a.take(some).predicted] == [a.predicted[i].tolist() for i in some]
    assert a.take(mask).ids.tolist() == np.flatnonzero(mask).tolist()


@pytest.mark.parametrize("classes", [BINARY, ("OK", "Fluency", "Accuracy")])
def test_worst_answers_are_all_wrong(classes):
    gold = SentenceTags(np.array([0, 1, 1, len(classes) - 1], dtype=np.int8), np.array([0, 3, 3, 4]), classes)
    worst = Tags.worst_answers(gold, gold)
    assert worst.classes == classes
    assert (worst.values != gold.values).all()
    assert worst.values.max() < len(classes)
    assert worst.offsets.tolist() == gold.offsets.tolist()


def test_pair_names_the_sentence_and_the_classes():
    ids = np.array([7, 8])
    gold = SentenceTags(np.array([0, 1, 1], dtype=np.int8), np.array([0, 1, 3]))
    plain = Ragged(np.array([0, 1, 0], dtype=np.int8), np.array([0, 1, 3]))
    assert Tags.pair(ids=ids, gold=gold, predicted=plain).classes == BINARY
    assert gold.take(np.array([1])).classes == BINARY
    with pytest.raises(DataError, match="length mismatch in sentence 8: 2 gold tags and 0 predicted"):
        Tags.pair(ids=ids, gold=gold, predicted=Ragged(np.zeros(1, dtype=np.int8), np.array([0, 1, 1])))
    with pytest.raises(DataError, match="the gold has the classes OK, BAD, the submission OK, GAP"):
        Tags.pair(ids=ids, gold=gold, predicted=SentenceTags(gold.values, gold.offsets, ("OK", "GAP")))

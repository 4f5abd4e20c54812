import numpy as np

from qeframe.kinds.texts.batch import Texts
from qeframe.kinds.texts.kind import KIND

BATCH = Texts.from_plain(["a b c", "d e"], ["a b", "e"])


def test_padding_appends_words_of_no_reference():
    for answers in KIND.padded(BATCH, 0):
        assert answers[0].startswith("a b ")
        assert not set(answers[0].split()[2:]) & {"a", "b", "c", "d", "e"}
        assert answers[1] == "e"


def test_no_answer_is_an_answer_to_one_segment_only():
    answers = KIND.without_answer(BATCH, 1)
    assert answers[0] == "a b"
    assert answers[1] != "e"


def test_a_perfect_answer_is_a_reference():
    assert KIND.audit.perfect(BATCH).predicted.tolist() == ["a b c", "d e"]


def test_without_order_words_are_in_as_many_texts_and_texts_keep_their_lengths():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(list("abcdefgh"), size=size)) for size in rng.integers(1, 7, size=40)]
    batch = Texts.from_plain(texts, texts)
    gold = KIND.anonymous(batch, rng.permutation).gold.values.tolist()
    rows, before = ([text.split() for text in side] for side in (gold, texts))
    assert sum(own != other for own, other in zip(rows, before, strict=True)) > 30
    assert [len(row) for row in rows] == [len(row) for row in before]
    for word in "abcdefgh":
        assert sum(word in row for row in rows) == sum(word in row for row in before)
        assert sum(row.count(word) for row in rows) == sum(row.count(word) for row in before)


def test_values_that_are_replaced_leave_the_lengths():
    gold = KIND.anonymous(BATCH, lambda words: np.zeros(words, dtype=np.int64)).gold.values.tolist()
    assert gold == ["a a a", "a a"]

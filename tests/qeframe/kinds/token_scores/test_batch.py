import numpy as np
import pytest

from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import DataError
from qeframe.kinds.token_scores.batch import TokenScores


def test_tags_may_be_words_or_codes():
    for gold in (["OK BAD", ""], [["ok", "bad"], []], [[0, 1], []]):
        batch = TokenScores.from_plain(gold, [[0.5, 1.5], []])
        assert batch.gold.values.tolist() == [0, 1]
        assert batch.gold.lengths.tolist() == [2, 0]
        assert batch.predicted.values.tolist() == [0.5, 1.5]


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        (["OK MAYBE"], [[1, 2]], "unknown tag 'MAYBE' in sentence 0 of gold; a tag is one of OK"),
        ([[0, 3]], [[1, 2]], "gold value 3 at position 1 is neither 0 nor 1"),
        ([[0, 1]], [[1, None]], r"missing value \(NaN\) at position 1 of predicted \(sentence 0\)"),
        ([[0, 1]], [["a", 1]], "values must be numbers"),
        ([[0, 1]], [[1]], "sentence 0 has 2 gold tags and 1 numbers; give one number for each token"),
        ([[0, 1]], [[1, 2], [3]], "number of sentences differs: 1 gold and 2 predicted ones"),
        (None, [[1]], "gold sentences are missing"),
        ([[0]], "1", "predicted sentences are missing"),
        ([0, 1], [[1], [2]], "one dimension"),
    ],
)
def test_what_cannot_be_used_is_named(gold, predicted, message):
    with pytest.raises(DataError, match=message):
        TokenScores.from_plain(gold, predicted)


def test_worst_answers_are_on_the_wrong_side():
    gold = Ragged.from_rows([[1.0, 0.0]])
    worst = TokenScores.worst_answers(gold, Ragged.from_rows([[3.0, 7.0], [5.0]]))
    assert worst.values.tolist() == [3, 7]
    assert TokenScores.worst_answers(gold, Ragged.from_rows([], np.float64)).values.tolist() == [0, 0]


def test_a_gold_without_a_mixed_sentence_is_warned_of():
    assert "no sentence has both" in TokenScores.from_plain(["OK OK", "BAD"], [[1, 2], [3]]).gold_warning()
    assert not TokenScores.from_plain(["OK BAD"], [[1, 2]]).gold_warning()


def test_sentences_are_swapped_whole():
    first, second = (TokenScores.from_plain(["OK BAD", "OK"], side) for side in ([[1, 2], [3]], [[4, 5], [6]]))
    mine, theirs = first.swap_answers(second, np.array([True, False]))
    assert mine.predicted.values.tolist() == [4, 5, 3]
    assert theirs.predicted.values.tolist() == [1, 2, 6]


def test_codes_of_tags_become_numbers():
    side = Ragged(np.array([0, 1], np.int8), np.array([0, 2]))
    batch = TokenScores.pair(ids=np.arange(1), gold=side, predicted=Ragged(np.array([1.0, 2.0]), side.offsets))
    assert batch.gold.values.dtype == np.float64

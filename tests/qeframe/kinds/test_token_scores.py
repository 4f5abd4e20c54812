import numpy as np
import pytest

from qeframe.kinds.plain_files import plain_reading
from qeframe.kinds.token_scores.batch import TokenScores
from qeframe.kinds.token_scores.kind import KIND
from qeframe.plugin import DataError, Ragged
from tests.qeframe.kinds.plain_sides import read_plain


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


def test_codes_of_tags_become_numbers():
    side = Ragged(np.array([0, 1], np.int8), np.array([0, 2]))
    batch = TokenScores.pair(ids=np.arange(1), gold=side, predicted=Ragged(np.array([1.0, 2.0]), side.offsets))
    assert batch.gold.values.dtype == np.float64


BATCH = TokenScores.from_plain(["OK BAD", "BAD OK OK"], [[1, 2], [3, 4, 5]])


def test_rearranged_corrected_and_missing_answers():
    answers = np.array([side.values for side in KIND.rearrangements(BATCH, BATCH.predicted)])
    assert len(answers) == 6
    assert answers.mean(axis=0).tolist() == [1.5, 1.5, 4, 4, 4]
    assert [side.values.tolist() for side in KIND.corrections(BATCH, 0)] == [[0, 2, 3, 4, 5], [1, 3, 3, 4, 5]]
    assert KIND.without_answer(BATCH, 1).values.tolist() == [1, 2, 0, 5, 5]


def test_rearranged_gold_stays_within_its_sentence_and_generated_gold_has_the_stated_rate():
    rearranged = KIND.audit.rearranged(BATCH, np.random.default_rng(3)).predicted
    assert rearranged.sum_rows(rearranged.values).tolist() == [1, 1]
    generated = KIND.audit.generate(np.random.default_rng(1)).batch
    assert generated.gold.values.mean() == pytest.approx(0.18, abs=0.01)


def test_a_plain_file_has_tags_or_numbers(tmp_path):
    tmp_path.joinpath("gold").write_text("OK BAD\n\nbad\n")
    tmp_path.joinpath("answers").write_text("0.5 1e-3\n\n-2\n")
    reading = plain_reading(TokenScores, tmp_path / "gold", [tmp_path / "answers"])
    assert reading.gold.values.values.tolist() == [0, 1, 1]
    assert reading.submissions[0].values.values.tolist() == [0.5, 1e-3, -2]
    assert reading.submissions[0].values.lengths.tolist() == [2, 0, 1]


def test_the_kind_reads_the_gold_alone(tmp_path):
    tmp_path.joinpath("gold").write_text("1 0\n")
    assert read_plain(TokenScores, tmp_path / "gold").values.values.tolist() == [1, 0]

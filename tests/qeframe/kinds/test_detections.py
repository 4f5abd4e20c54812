import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.data.text_lines import read_text_lines
from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.detections.kind import KIND
from qeframe.kinds.detections.number_lines import names_classes, numbers_by_token, parse_classes
from tests.qeframe.kinds.plain_sides import read_plain


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([0, 2], [1, 2], r"gold value 2 at position 1 is neither 0 nor 1; give 1 for each positive unit"),
        ([0, 0.5], [1, 2], r"gold value 0.5 at position 1 is neither 0 nor 1"),
        ([0, None], [1, 2], "missing value"),
        ([0, 1], [1, float("nan")], r"missing value \(NaN\) at position 1 of predicted"),
        ([0, 1, 1], [1, 2], "length mismatch: 3 gold values and 2 predicted ones"),
        ([], [], "too few values"),
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


BATCH = Detections.from_plain([0, 1, 1], [0.25, 0.5, 2])


def test_constants_and_corrections():
    assert [answers[0] for answers in KIND.constants(BATCH)] == [0, 0.5, pytest.approx(2 / 3), 1]
    assert [answers.tolist() for answers in KIND.corrections(BATCH, 1)] == [[0.25, 2, 2]]
    assert [answers.tolist() for answers in KIND.corrections(BATCH, 0)] == [[0, 0.5, 2]]


def test_rearranged_answers_and_generated_gold():
    answers = np.array(list(KIND.rearrangements(BATCH, BATCH.predicted)))
    assert answers.mean(axis=0) == pytest.approx([BATCH.predicted.mean()] * 3)
    generated = KIND.audit.generate(np.random.default_rng(1))
    assert generated.batch.gold.mean() == pytest.approx(0.12, abs=0.01)
    assert "12% positive" in generated.description


def test_honest_submissions_are_probabilities_and_better_with_quality():
    rng = np.random.default_rng(1)
    gold = KIND.audit.generate(rng).batch
    sides = [KIND.audit.honest(gold, quality, rng).predicted for quality in (0.2, 0.8)]
    assert all((side >= 0).all() and (side <= 1).all() for side in sides)
    low, high = (np.corrcoef(gold.gold, side)[0, 1] for side in sides)
    assert 0 < low < high


@pytest.mark.parametrize("text", ["OK\nBAD\nok\n", "0\n1\n0\n", "NOT\nERR\nGOOD\n", "0.0\n1.0\n0\n"])
def test_a_plain_file_has_classes_or_numbers(tmp_path, text):
    tmp_path.joinpath("gold").write_text(text)
    assert read_plain(Detections, tmp_path / "gold").values.tolist() == [0, 1, 0]


@pytest.fixture
def file(tmp_path):
    def written(text):
        path = tmp_path / "file"
        path.write_text(text, encoding="utf-8")
        return read_text_lines(path, empty_end=True)

    return written


def test_classes_of_all_spellings(file):
    texts = ["OK", "BAD", "GOOD", "ERR", "NOT", "1", "0", "bad"]
    assert names_classes(texts)
    assert parse_classes(texts, file("x\n")).tolist() == [0, 1, 0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("word", ["Bad", "2", "", "ERROR" * 20])
def test_another_word_is_refused_with_its_line(file, word):
    with pytest.raises(DataError, match=r"file:5: .* is not the name of a class; a class is OK, ok"):
        parse_classes(["OK", word], file("x\n"), skip=3)


def test_one_number_for_each_token(file):
    side = numbers_by_token(file("1 2.5\n\n-3e-1\t4\n"))
    assert side.values.tolist() == [1, 2.5, -0.3, 4]
    assert side.lengths.tolist() == [2, 0, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n3 x\n", "file:2: 'x' is not a number"),
        ("1 2\n3 1,5\n", "file:2: '1,5' is not a number; write decimals with a point"),
        ("1\nnan 2\n", "file:2: NaN"),
        ("1\n2 1e200\n", "file:2: '1e200' is too large"),
        ("1\n2 1_000\n", "file:2: '1_000' is not a number"),
        ("1\n2 \u0663\n", "file:2: '\u0663' is not a number"),
    ],
)
def test_what_is_no_number_is_refused_with_its_line(file, text, message):
    with pytest.raises(DataError, match=message):
        numbers_by_token(file(text))

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.detections.kind import KIND
from qeframe.kinds.plain_files import plain_reading, read_plain

BATCH = Detections.from_plain([0, 1, 1], [0.25, 0.5, 2])


def test_constants_are_decisions_and_the_rate():
    assert [answers[0] for answers in KIND.constants(BATCH)] == [0, 0.5, pytest.approx(2 / 3), 1]


def test_a_correction_moves_one_unit_to_the_right_end():
    assert [answers.tolist() for answers in KIND.corrections(BATCH, 1)] == [[0.25, 2, 2]]
    assert [answers.tolist() for answers in KIND.corrections(BATCH, 0)] == [[0, 0.5, 2]]


def test_every_unit_gets_every_answer_equally_often():
    answers = np.array(list(KIND.rearrangements(BATCH, BATCH.predicted)))
    assert answers.mean(axis=0) == pytest.approx([BATCH.predicted.mean()] * 3)


def test_honest_submissions_are_probabilities_and_better_with_quality():
    rng = np.random.default_rng(1)
    gold = KIND.audit.generate(rng).batch
    sides = [KIND.audit.honest(gold, quality, rng).predicted for quality in (0.2, 0.8)]
    assert all((side >= 0).all() and (side <= 1).all() for side in sides)
    low, high = (np.corrcoef(gold.gold, side)[0, 1] for side in sides)
    assert 0 < low < high


def test_generated_gold_has_both_classes():
    generated = KIND.audit.generate(np.random.default_rng(1))
    assert generated.batch.gold.mean() == pytest.approx(0.12, abs=0.01)
    assert "12% positive" in generated.description


@pytest.mark.parametrize("text", ["OK\nBAD\nok\n", "0\n1\n0\n", "NOT\nERR\nGOOD\n", "0.0\n1.0\n0\n"])
def test_a_plain_file_has_classes_or_numbers(tmp_path, text):
    tmp_path.joinpath("gold").write_text(text)
    assert read_plain(Detections, tmp_path / "gold").values.tolist() == [0, 1, 0]


def test_a_gold_of_other_numbers_is_refused_with_its_line(tmp_path):
    tmp_path.joinpath("gold").write_text("0\n0.5\n1\n")
    tmp_path.joinpath("answers").write_text("0\n1\n1\n")
    with pytest.raises(DataError, match=r"gold:2: gold value 0\.5 is neither 0 nor 1"):
        plain_reading(Detections, tmp_path / "gold", [tmp_path / "answers"])


@pytest.mark.parametrize("word", ["MAYBE", "nan", "bad ok", ""])
def test_a_word_that_is_no_class_is_refused(tmp_path, word):
    tmp_path.joinpath("gold").write_text(f"OK\n{word}\nBAD\n")
    with pytest.raises(DataError, match=r"gold:[12]: "):
        read_plain(Detections, tmp_path / "gold")

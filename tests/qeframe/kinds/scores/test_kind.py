import numpy as np
import pytest

from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.scores.kind import KIND

BATCH = Scores.from_plain([0.0, 1.0, 5.0], [1.0, 1.0, 2.0])


def test_likely_constants():
    assert [answers[0] for answers in KIND.constants(BATCH)] == [0, 1, 2, 5]


def test_every_unit_gets_every_answer_equally_often():
    answers = np.array(list(KIND.rearrangements(BATCH, BATCH.predicted)))
    assert answers.shape == (6, 3)
    assert (answers.mean(axis=0) == BATCH.predicted.mean()).all()


def test_a_correction_sets_one_unit_right():
    assert [answers.tolist() for answers in KIND.corrections(BATCH, 2)] == [[1, 1, 5]]


def test_the_generated_gold_is_handed_in():
    generated = KIND.audit.generate(np.random.default_rng(1))
    assert (generated.batch.gold == generated.batch.predicted).all()
    assert generated.batch.gold.mean() == pytest.approx(1.2 / 4.4, abs=0.01)

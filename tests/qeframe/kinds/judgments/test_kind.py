from random import Random

import numpy as np

from qeframe.kinds.judgments.batch import Judgments
from qeframe.kinds.judgments.kind import KIND

BATCH = Judgments.from_plain("<=>", [1.0, 2.0, 3.0])


def test_the_answers_of_the_gold_agree_with_it():
    batch = KIND.with_answers(BATCH, KIND.gold_answers(BATCH))
    assert np.sign(batch.predicted[:, 0] - batch.predicted[:, 1]).tolist() == batch.human.tolist() == [1, 0, -1]


def test_scores_are_given_to_other_judgments_with_both_sides():
    answers = list(KIND.rearrangements(BATCH, BATCH.predicted))
    assert len(answers) == 3 * 2**3
    assert (np.mean(answers, axis=0)[:, 0] == np.mean(answers, axis=0)[:, 1]).all()


def test_ordinary_judgments_compare_several_systems_equally_often():
    batch = KIND.ordinary(Random(1), 10)
    assert batch.system_count == 8
    assert np.bincount(batch.systems[:, 0]).tolist() == [10] * 8
    assert (batch.systems[:, 0] != batch.systems[:, 1]).all()
    assert set(batch.human.tolist()) == {-1, 0, 1}

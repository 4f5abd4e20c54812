"""An attack answers a batch; without settings or tries it has one answer."""

import numpy as np

from qeframe.extensions.attack import Attack, answer
from qeframe.kinds.scores.batch import Scores


def test_an_attack_has_one_answer_by_default():
    copy = Attack(name="copy", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda batch, rng: batch)
    batch = Scores.from_plain([1.0, 2.0], [2.0, 2.0])
    assert copy.answer(batch, np.random.default_rng(0)) is batch
    assert (copy.settings, copy.tries, copy.refutes) == ({}, 1, None)


def test_answers_to_the_same_units_pass():
    batch = Scores.from_plain([1.0, 2.0], [2.0, 1.0])
    own = Attack(name="own", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda given, rng: given)
    assert answer(own, batch, np.random.default_rng(0)).predicted.tolist() == [2.0, 1.0]

"""An attack answers a batch; without settings or tries it has one answer."""

import numpy as np

from qeframe.extensions.attack import Attack
from qeframe.kinds.scores.batch import Scores


def test_an_attack_has_one_answer_by_default():
    copy = Attack(name="copy", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda batch, rng: batch)
    batch = Scores.from_plain([1.0, 2.0], [2.0, 2.0])
    assert copy.answer(batch, np.random.default_rng(0)) is batch
    assert (copy.settings, copy.tries, copy.refutes) == ({}, 1, None)

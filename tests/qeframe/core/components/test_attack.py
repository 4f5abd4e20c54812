"""An attack answers a batch; without settings or tries it has one answer. What attacks draw."""

import numpy as np

from qeframe.api.attacks import answer, generator
from qeframe.core.metric import Attack
from qeframe.plugin import Scores


def test_a_generator_depends_on_the_seed_and_the_names():
    assert generator(1, "a", "b").random() == generator(1, "a", "b").random()
    assert len({generator(1, "a").random(), generator(2, "a").random(), generator(1, "b").random()}) == 3


def test_an_attack_has_one_answer_by_default():
    copy = Attack(name="copy", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda batch, rng: batch)
    batch = Scores.from_plain([1.0, 2.0], [2.0, 2.0])
    assert copy.answer(batch, np.random.default_rng(0)) is batch
    assert (copy.settings, copy.tries, copy.refutes) == ({}, 1, None)


def test_answers_to_the_same_units_pass():
    batch = Scores.from_plain([1.0, 2.0], [2.0, 1.0])
    own = Attack(name="own", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda given, rng: given)
    assert answer(own, batch, np.random.default_rng(0)).predicted.tolist() == [2.0, 1.0]

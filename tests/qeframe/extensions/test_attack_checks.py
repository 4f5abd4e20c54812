"""What an attack returns: the answers that pass; tests/hostile has those that do not."""

import numpy as np

from qeframe.extensions.attack import Attack
from qeframe.extensions.attack_checks import answer
from qeframe.kinds.scores.batch import Scores


def test_answers_to_the_same_units_pass():
    batch = Scores.from_plain([1.0, 2.0], [2.0, 1.0])
    own = Attack(name="own", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda given, rng: given)
    assert answer(own, batch, np.random.default_rng(0)).predicted.tolist() == [2.0, 1.0]

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.extensions.attack import Attack
from qeframe.testing import checks_of

HONEST = qeframe.load().all(Attack)[0]


def broken(law, answer):
    (check,) = [
        check
        for check in checks_of(attrs.evolve(HONEST, answer=answer, manner="blind"), tries=10)
        if check.law.name == law
    ]
    found = attrs.evolve(check, shrink=False).search().found
    return "" if found is None else found.what


@pytest.mark.parametrize(
    ("law", "answer", "what"),
    [
        ("shape", lambda batch, rng: batch.predicted, " instead of "),
        ("shape", lambda batch, rng: batch.take(np.arange(1)), "it answers 1 units instead of "),
        ("units", lambda batch, rng: batch.take(np.arange(len(batch))[::-1]), "the answer is for other units"),
        ("blind", lambda batch, rng: batch, "beside another submission it answers "),
    ],
)
def test_a_wrong_attack_is_found_out(law, answer, what):
    assert what in broken(law, answer)


def test_the_attack_itself_is_lawful():
    assert broken("shape", HONEST.answer) == broken("input", HONEST.answer) == ""

import numpy as np
import pytest

import qeframe
from qeframe.kinds.preferences.kind import KIND
from qeframe.plugin import Preferences
from qeframe.plugin.kinds import NO_DECISION
from qeframe_attacks import preferences as attacks

RNG = np.random.default_rng(7)
BATCH = Preferences.from_plain(
    ["A", "B", "tie"], [["A", "B"], ["tie", None], ["B", "B"]], lengths=[[9, 1], [1, 9], [4, 4]], shown_first=[1, -1, 0]
)


def decisions(attack):
    return attack.answer(BATCH, RNG).decisions.tolist()


def test_what_is_shown_first():
    assert decisions(attacks.first_answer)[:2] == [[1, -1], [-1, 1]]


def test_what_is_longer():
    made = decisions(attacks.longer_answer)
    assert made[:2] == [[1, 1], [-1, -1]]
    assert made[2] in ([1, 1], [-1, -1])


def test_ties_and_chance():
    assert decisions(attacks.tie_every_pair) == [[0, 0]] * 3
    assert all(first == second != 0 for first, second in decisions(attacks.random_preference))


def test_one_order_for_both():
    assert decisions(attacks.one_order) == [[1, 1], [0, 0], [-1, -1]]


def test_ties_are_broken_and_nothing_else():
    made = decisions(attacks.break_pair_ties)
    assert made[0] == [1, -1]
    assert made[1] in ([1, NO_DECISION], [-1, NO_DECISION])


@pytest.mark.parametrize(
    ("attack", "metric", "expected"),
    [
        ("first_answer", "preference_accuracy", 0.5),
        ("tie_every_pair", "preference_accuracy(ties=0.5)", 0.5),
        ("longer_answer", "preference_accuracy", 0.6),
    ],
)
def test_scores_of_attacks(attack, metric, expected):
    gold = KIND.audit.generate(np.random.default_rng(1)).batch
    gold = gold.take(gold.gold != 0)
    honest = KIND.audit.honest(gold, 0.3, np.random.default_rng(2))
    answer = getattr(attacks, attack).answer(honest, np.random.default_rng(3))
    assert qeframe.score(metric, answer, None) == pytest.approx(expected, abs=0.02)

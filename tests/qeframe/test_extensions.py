"""What plugins bring besides components."""

import numpy as np
import pytest

from qeframe.core.errors import PluginWarning
from qeframe.extensions.attack import Attack, answer
from qeframe.extensions.hooks import qeframe_component_hooks
from qeframe.plugin import Scores
from tests.qeframe.core.components.made_plugins import empty_but, plugin


# An attack answers a batch; without settings or tries it has one answer.
def test_an_attack_has_one_answer_by_default():
    copy = Attack(name="copy", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda batch, rng: batch)
    batch = Scores.from_plain([1.0, 2.0], [2.0, 2.0])
    assert copy.answer(batch, np.random.default_rng(0)) is batch
    assert (copy.settings, copy.tries, copy.refutes) == ({}, 1, None)


def test_answers_to_the_same_units_pass():
    batch = Scores.from_plain([1.0, 2.0], [2.0, 1.0])
    own = Attack(name="own", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda given, rng: given)
    assert answer(own, batch, np.random.default_rng(0)).predicted.tolist() == [2.0, 1.0]


# Classes of components that plugins bring, those of qeframe among them.
def test_every_hook_says_what_it_returns():
    hooks = qeframe_component_hooks()
    assert all(hook.summary.startswith("Return ") and hook.summary.endswith(".") for hook in hooks)
    assert len({hook.kind for hook in hooks}) == len(hooks) == 1


def test_without_the_hook_there_are_no_attacks(registry):
    assert registry.names(Attack)
    with pytest.warns(PluginWarning, match="has unknown hooks: qeframe_attacks; they are not called; a blocked plugin"):
        found = empty_but(own=plugin(qeframe_attacks=[registry.all(Attack)[0]]))
    assert found.names(Attack) == []

"""Classes of components that plugins bring, those of qeframe among them."""

from qeframe.extensions.attack import Attack
from qeframe.extensions.hooks import qeframe_component_hooks
from tests.qeframe.core.components.made_plugins import empty_but, plugin


def test_every_hook_says_what_it_returns():
    hooks = qeframe_component_hooks()
    assert all(hook.summary.startswith("Return ") and hook.summary.endswith(".") for hook in hooks)
    assert len({hook.kind for hook in hooks}) == len(hooks) == 5


def test_without_the_hook_there_are_no_attacks(registry):
    assert registry.names(Attack)
    assert empty_but(own=plugin(qeframe_attacks=[registry.all(Attack)[0]])).names(Attack) == []

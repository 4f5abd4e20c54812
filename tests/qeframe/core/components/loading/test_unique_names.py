"""No plugin can replace another one's component."""

import pytest

from qeframe.core.components.loading.loader import load
from qeframe.core.components.metric import Metric
from qeframe.core.components.parametric import Parametric
from qeframe.core.errors import PluginError
from tests.qeframe.core.components.made_plugins import empty_but, failure, plugin, power, share_equal, tie_policy


@pytest.mark.parametrize(
    ("hook", "component", "word"),
    [
        ("qeframe_metrics", share_equal("x"), "metric"),
        ("qeframe_metrics", Parametric(power), "metric"),
        ("qeframe_tie_policies", tie_policy("x"), "tie policy"),
    ],
)
def test_a_name_that_is_taken_stays_taken(hook, component, word):
    first, second = (plugin(**{hook: [component]}) for _ in range(2))
    line = failure(PluginError, empty_but, first=first, second=second)
    assert line == (
        f"the {word} '{component.name}' is brought twice: by plugin 'first' of distribution '(given)' and by "
        "plugin 'second' of distribution '(given)'; rename that of plugin 'second', or start with QEFRAME_BLOCK=second"
    )


def test_a_parametric_component_cannot_take_the_name_of_a_component():
    first, second = plugin(qeframe_metrics=[share_equal("power")]), plugin(qeframe_metrics=[Parametric(power)])
    assert "the metric 'power' is brought twice" in failure(PluginError, empty_but, first=first, second=second)


def test_a_profile_cannot_be_replaced(tmp_path):
    first, second = (plugin(qeframe_profiles={"mine": tmp_path / "mine.toml"}) for _ in range(2))
    assert "the profile 'mine' is brought twice" in failure(PluginError, empty_but, first=first, second=second)


def test_no_plugin_can_replace_a_built_in(registry):
    one_of_each = {entry.origin.plugin: name for name, entry in registry.tables[Metric].items()}
    assert len(one_of_each) > 5
    for name in one_of_each.values():
        line = failure(PluginError, load, extra={"own": plugin(qeframe_metrics=[share_equal(name)])})
        assert f"the metric '{name}' is brought twice: by plugin 'qeframe_" in line
        assert "and by plugin 'own'" in line

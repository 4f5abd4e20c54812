"""Loading plugins: unique names, hook specifications, and the registry."""

import inspect
from types import MappingProxyType

import attrs
import pytest

import qeframe
from qeframe.core import hookspecs
from qeframe.core.calls import parse_call
from qeframe.core.errors import DataError, PluginError, UnknownNameError
from qeframe.core.hookspecs import COMPONENT_HOOKS, GROUP, OTHER_HOOKS, PREFIX
from qeframe.core.loader import load
from qeframe.core.origin import Origin
from qeframe.core.reader import Reader
from qeframe.plugin import Aggregation, Correction, Metric, Parametric, RankingRule, Scores, SignificanceTest, TiePolicy
from qeframe.plugin.audit import Attack
from tests.outcome import failure
from tests.qeframe.core.components.made_plugins import empty_but, half, plugin, power, share_equal, tie_policy


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


def test_neither_a_component_nor_a_profile_can_be_replaced(tmp_path):
    first, second = plugin(qeframe_metrics=[share_equal("power")]), plugin(qeframe_metrics=[Parametric(power)])
    assert "the metric 'power' is brought twice" in failure(PluginError, empty_but, first=first, second=second)
    first, second = (plugin(qeframe_profiles={"mine": tmp_path / "mine.toml"}) for _ in range(2))
    assert "the profile 'mine' is brought twice" in failure(PluginError, empty_but, first=first, second=second)


def test_no_plugin_can_replace_a_built_in(registry):
    one_of_each = {entry.origin.plugin: name for name, entry in registry.tables[Metric].items()}
    assert len(one_of_each) > 5
    for name in one_of_each.values():
        line = failure(PluginError, load, extra={"own": plugin(qeframe_metrics=[share_equal(name)])})
        assert f"the metric '{name}' is brought twice: by plugin 'qeframe_" in line
        assert "and by plugin 'own'" in line


def test_a_plugin_of_every_hook_is_found():
    brought = {
        "qeframe_metrics": share_equal(),
        "qeframe_tie_policies": tie_policy("none_neutral"),
        "qeframe_aggregations": Aggregation(name="first", summary="", aggregate=lambda s, w, higher: s[..., 0]),
        "qeframe_significance_tests": SignificanceTest(name="coin", summary="", needs="bind", run=lambda *_: None),
        "qeframe_corrections": Correction(name="halve", summary="", adjust=lambda p: p / 2),
        "qeframe_ranking_rules": RankingRule(name="flat", summary="", rank=lambda standing: None),
        "qeframe_attacks": Attack(
            name="copy", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda batch, rng: batch
        ),
        "qeframe_readers": Reader(name="nothing", summary="", kind=Scores, read=lambda path, best: ()),
    }
    own = plugin(**{hook: [component] for hook, component in brought.items()})
    registry = empty_but(own=own)
    assert brought.keys() == registry.hooks.keys()
    for hook, kind in registry.hooks.items():
        assert registry.all(kind) == [brought[hook]]
        assert registry.entry(kind, brought[hook].name).origin == Origin("own", "(given)", "")


def test_every_hook_is_documented_and_takes_no_argument():
    names = [name for name in dir(hookspecs) if name.startswith("qeframe_")]
    assert sorted(names) == sorted([*COMPONENT_HOOKS, *OTHER_HOOKS])
    for name in names:
        hook = getattr(hookspecs, name)
        assert hook.__doc__.startswith("Return ")
        assert not inspect.signature(hook).parameters
        with pytest.raises(AssertionError):
            hook()


def test_the_group_has_the_version_of_the_interface():
    assert GROUP == PREFIX + "2"


def test_every_component_is_found_by_its_own_name(registry):
    for kind in registry.hooks.values():
        assert [parse_call(component.name).name for component in registry.all(kind)] == registry.names(kind)
        for name in registry.names(kind):
            assert isinstance(registry.get(kind, name), kind)
            assert registry.get(kind, registry.get(kind, name).name).name == registry.get(kind, name).name


def test_components_of_different_classes_may_share_a_name():
    own = plugin(qeframe_metrics=[share_equal("x")], qeframe_tie_policies=[tie_policy("x")])
    registry = empty_but(own=own)
    assert isinstance(registry.get(Metric, "x"), Metric)
    assert isinstance(registry.get(TiePolicy, "x"), TiePolicy)


def test_names_are_sorted_whatever_the_order_of_plugins_and_a_copy(registry):
    first, second = plugin(qeframe_metrics=[share_equal("b")]), plugin(qeframe_metrics=[share_equal("a")])
    assert empty_but(x=first, y=second).names(Metric) == ["a", "b"] == empty_but(y=second, x=first).names(Metric)
    registry.names(Metric).clear()
    assert registry.names(Metric)


def test_a_component_is_its_own_answer_and_what_is_none_is_refused(registry):
    metric = share_equal()
    assert registry.get(Metric, metric) is metric
    assert qeframe.score(metric, [1, 2], [1, 3]) == 0.5
    message = failure(DataError, registry.get, Metric, tie_policy("x"))
    assert message == "a metric is given by name or as a component, not as TiePolicy"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("power(exponnent=2)", "unknown parameter of power 'exponnent'; did you mean 'exponent'"),
        ("powr", "unknown metric 'powr'; did you mean 'power'?"),
        ("f1", "unknown metric 'f1'; 'qeframe plugins' lists every metric"),
        ("power(ties=hlf)", "unknown tie policy 'hlf'; did you mean 'half'?"),
        ("power(ties=half(midle=1))", "unknown parameter of half 'midle'; did you mean 'middle'?"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(asked, message):
    brought = plugin(qeframe_metrics=[Parametric(power)], qeframe_tie_policies=[Parametric(half)])
    assert failure(UnknownNameError, empty_but(own=brought).get, Metric, asked).startswith(message)


def test_the_registry_cannot_be_changed(registry):
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        registry.tables = {}
    with pytest.raises(TypeError):
        registry.tables[Metric] = {}
    with pytest.raises(TypeError):
        registry.tables[Metric]["mine"] = share_equal()
    with pytest.raises(TypeError):
        registry.profiles["mine"] = None
    assert isinstance(registry.plugins, tuple)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        next(iter(registry.all(Metric))).name = "other"
    for table in (registry.tables, *registry.tables.values(), registry.profiles):
        assert isinstance(table, MappingProxyType)


def test_an_unknown_name_is_told_with_what_is_blocked():
    found = load(block=["qeframe_scoring", "qeframe_texts"])
    assert failure(UnknownNameError, found.get, Metric, "delta_avg") == (
        "unknown metric 'delta_avg'; 'qeframe plugins' lists every metric (blocked: qeframe_scoring, qeframe_texts)"
    )

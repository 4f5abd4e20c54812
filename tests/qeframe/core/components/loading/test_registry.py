"""The registry finds every component by name, and cannot be changed."""

from types import MappingProxyType

import attrs
import pytest

import qeframe
from qeframe.core.components.calls import parse_call
from qeframe.core.components.loading.loader import load
from qeframe.core.components.metric import Metric, TiePolicy
from qeframe.core.components.parametric import Parametric
from qeframe.core.errors import DataError, UnknownNameError
from tests.qeframe.core.components.made_plugins import empty_but, failure, half, plugin, power, share_equal, tie_policy


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


def test_names_are_sorted_whatever_the_order_of_plugins():
    first, second = plugin(qeframe_metrics=[share_equal("b")]), plugin(qeframe_metrics=[share_equal("a")])
    assert empty_but(x=first, y=second).names(Metric) == ["a", "b"] == empty_but(y=second, x=first).names(Metric)


def test_a_component_is_its_own_answer_and_needs_no_registration(registry):
    metric = share_equal()
    assert registry.get(Metric, metric) is metric
    assert qeframe.score(metric, [1, 2], [1, 3]) == 0.5


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


def test_what_is_neither_name_nor_component_is_refused(registry):
    message = failure(DataError, registry.get, Metric, tie_policy("x"))
    assert message == "a metric is given by name or as a component, not as TiePolicy"


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


def test_names_are_a_copy(registry):
    registry.names(Metric).clear()
    assert registry.names(Metric)


def test_an_unknown_name_is_told_with_what_is_blocked():
    found = load(block=["qeframe_scoring", "qeframe_texts"])
    assert failure(UnknownNameError, found.get, Metric, "delta_avg") == (
        "unknown metric 'delta_avg'; 'qeframe plugins' lists every metric (blocked: qeframe_scoring, qeframe_texts)"
    )

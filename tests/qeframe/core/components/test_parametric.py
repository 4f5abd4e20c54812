"""A component with parameters checks them and is named with them."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.core.calls import Call, Parametric
from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.metric import Metric, TiePolicy
from tests.outcome import failure
from tests.qeframe.core.components.made_plugins import empty_but, half, plugin, power, share_equal


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("power", "power"),
        ("power()", "power"),
        ("power(exponent=2)", "power"),
        ("power(exponent=2.0, least=1)", "power"),
        ("power(exponent=0.5)", "power(exponent=0.5)"),
        ("power(exponent=3)", "power(exponent=3)"),
        ("power(rounded=true)", "power(rounded=true)"),
        ("power(reading=clipped)", "power(reading=clipped)"),
        ("power(label='en-de')", 'power(label="en-de")'),
        ("power(labels=[a, b])", "power(labels=[a, b])"),
        ("power(cap=3)", "power(cap=3)"),
        ("power(least=2, exponent=3)", "power(exponent=3, least=2)"),
        ("power(ties=half)", "power(ties=half)"),
        ("power(ties=half(middle=1))", "power(ties=half(middle=1))"),
        ("power(ties=half(middle=0))", "power(ties=half)"),
    ],
)
def test_parameters_that_differ_from_their_defaults_are_printed_and_parse_back(asked, name):
    registry = empty_but(own=plugin(qeframe_metrics=[Parametric(power)], qeframe_tie_policies=[Parametric(half)]))
    metric = registry.get(Metric, asked)
    assert metric.name == name
    assert registry.get(Metric, metric.name).summary == metric.summary
    assert registry.get(Metric, Call("power", {})).name == "power"


def test_a_parameter_may_be_in_every_name():
    parametric = Parametric(power, always_named=("exponent",))
    registry = empty_but(own=plugin(qeframe_metrics=[parametric], qeframe_tie_policies=[Parametric(half)]))
    for asked in ("power", "power(exponent=2)"):
        assert registry.get(Metric, asked).name == "power(exponent=2)"
    assert registry.get(Metric, "power(least=2)").name == "power(exponent=2, least=2)"


def test_values_are_handed_over_in_the_hinted_type():
    registry = empty_but(own=plugin(qeframe_metrics=[Parametric(power)], qeframe_tie_policies=[Parametric(half)]))
    asked = "power(exponent=3, rounded=true, labels=[a], cap=2, ties=half(middle=1))"
    expected = (3.0, 1, True, "literal", "BAD", ("a",), 2, "half(middle=1)")
    assert registry.get(Metric, asked).summary == repr(expected)


@settings(max_examples=10)
@given(
    exponent=st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**6), 10**6),
    least=st.integers(),
    rounded=st.booleans(),
    reading=st.sampled_from(["literal", "clipped"]),
    label=st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    labels=st.lists(st.sampled_from(["OK", "BAD", "true", "a b", "1"])).map(tuple),
)
def test_any_parameters_print_and_parse_back(**given_):
    registry = empty_but(own=plugin(qeframe_metrics=[Parametric(power)]))
    metric = Parametric(power)(**given_)
    back = registry.get(Metric, metric.name)
    assert (back.name, back.summary) == (metric.name, metric.summary)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_is_refused(value):
    with pytest.raises(DataError, match=r"power: parameter exponent = .* must be a finite number"):
        Parametric(power)(exponent=value)


def order(*, beta: float | Literal["inf"] = 1.0) -> Metric:
    return attrs.evolve(share_equal("order"), summary=repr(beta))


@pytest.mark.parametrize(("value", "kept"), [("inf", "inf"), (math.inf, "inf"), (2, 2.0)])
def test_infinity_is_a_value_where_the_hint_has_it(value, kept):
    assert Parametric(order)(beta=value).summary == repr(kept)


@pytest.mark.parametrize("value", [-math.inf, math.nan, "infinity"])
def test_other_values_are_refused_with_those_that_are_allowed(value):
    with pytest.raises(DataError, match=r"order: parameter beta = .* must be a number or inf"):
        Parametric(order)(beta=value)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("power(exponent=big)", "power: parameter exponent = 'big' must be a number"),
        ("power(exponent=true)", "power: parameter exponent = True must be a number"),
        (f"power(exponent={10**400})", "power: parameter exponent = 1000"),
        ("power(least=1.5)", "power: parameter least = 1.5 must be a whole number"),
        ("power(least=true)", "power: parameter least = True must be a whole number"),
        ("power(rounded=1)", "power: parameter rounded = 1 must be true or false"),
        ("power(reading=symetric)", "power: parameter reading = 'symetric' must be literal or clipped"),
        ("power(label=3)", "power: parameter label = 3 must be a word"),
        ("power(labels=a)", "power: parameter labels = 'a' must be a list in brackets"),
        ("power(labels=[1])", "power: parameter labels = 1 must be a word"),
        ("power(cap=few)", "power: parameter cap = 'few' must be a whole number or "),
        ("power(ties=4)", "a tie policy is given by name or as a component, not as int"),
        ("plain(x=1)", "metric 'plain' has no parameters"),
        ("power(exponent", "cannot read the name 'power(exponent'; write NAME or "),
    ],
)
def test_a_parameter_that_is_not_what_it_must_be_is_refused(asked, message):
    brought = plugin(qeframe_metrics=[Parametric(power), share_equal("plain")], qeframe_tie_policies=[Parametric(half)])
    assert failure(DataError, empty_but(own=brought).get, Metric, asked).startswith(message)


def test_it_knows_what_it_makes_and_takes():
    parametric = Parametric(power)
    assert (parametric.name, parametric.makes) == ("power", Metric)
    assert list(parametric.parameters) == ["exponent", "least", "rounded", "reading", "label", "labels", "cap", "ties"]
    assert parametric.component_parameters == {"ties": TiePolicy}


def test_a_table_is_checked_and_handed_over_read_only():
    def named(*, of: str | Mapping[str, str] = "", lists: Literal["all"] | tuple[str, ...] = ("own",)) -> Metric:
        """Return a metric."""
        return attrs.evolve(power(), name="named", summary=repr((of, lists)))

    parametric = Parametric(named)
    registry = empty_but(own=plugin(qeframe_metrics=[parametric]))
    made = registry.get(Metric, 'named(of={a-b="c"}, lists=all)')
    assert made.name == "named(of={a-b=c}, lists=all)"
    assert registry.get(Metric, made.name).summary == made.summary == repr((MappingProxyType({"a-b": "c"}), "all"))
    for wrong, message in (
        ("of={a=1}", r"must be a word or a table in braces, {NAME=\"VALUE\"}"),
        ("of=[a]", r"must be a word or a table in braces, {NAME=\"VALUE\"}"),
        ("lists={a=b}", "must be all or a list in brackets"),
    ):
        with pytest.raises(DataError, match=message):
            registry.get(Metric, f"named({wrong})")
    assert parametric.checked("lists", ["x"]) == ("x",)
    with pytest.raises(UnknownNameError, match="unknown parameter of named 'off'; did you mean 'of'"):
        parametric.checked("off", 1)

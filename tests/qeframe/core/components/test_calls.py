"""Names with parameters are read, checked, and printed so that they read the same again."""

import contextlib
import keyword
import warnings
from collections.abc import Mapping
from types import MappingProxyType

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.api.overrides import parse_value
from qeframe.core.calls import Call, format_call, parse_call
from qeframe.core.errors import DataError, QeframeError

names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: not keyword.iskeyword(name) and name not in {"true", "false"}
)
words = st.one_of(
    st.sampled_from(["true", "false", "None", "True", "lambda", "inf", "nan", "", "a b", 'q"uote', "back\\slash"]),
    st.sampled_from(["\ufb01ne", "\u0131", "\u2460", "\u017f"]),  # letters that Python's parser would normalize
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
numbers = st.one_of(st.integers(-(10**30), 10**30), st.floats(allow_nan=False, allow_infinity=False))
plain = st.one_of(st.booleans(), numbers, words)


def calls(values: st.SearchStrategy, *, least: int = 0) -> st.SearchStrategy[Call]:
    return st.builds(Call, names, st.dictionaries(names, values, min_size=least, max_size=4))


def tables(values: st.SearchStrategy) -> st.SearchStrategy[Mapping]:
    return st.dictionaries(st.one_of(names, words, st.just("en-de")), values, max_size=3).map(MappingProxyType)


# a name without parameters within another is a word: the component that it may stand for is found later
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3).map(tuple) | calls(inner, least=1) | tables(inner), max_leaves=8
)


def kinds(value: object) -> object:
    """Return the types of a value and all its parts, numbers alike: 2.0 is printed as 2."""
    match value:
        case tuple():
            return tuple(map(kinds, value))
        case Mapping():
            return {key: kinds(part) for key, part in value.items()}
        case Call():
            return {key: kinds(part) for key, part in value.parameters.items()}
        case bool() | str():
            return type(value)
    return float


@settings(max_examples=25)
@given(calls(values))
def test_what_is_printed_reads_the_same_again(call):
    back = parse_call(str(call))
    assert back == call
    assert kinds(back) == kinds(call)
    assert str(back) == str(call)


@settings(max_examples=30)
@given(calls(values))
def test_the_order_of_parameters_is_kept(call):
    assert list(parse_call(str(call)).parameters) == list(call.parameters)


def read(text: str) -> Call | str:
    """Return the call that a text is, or the message that refuses it; a warning is a failure."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return parse_call(text)
        except QeframeError as error:
            return str(error)


@given(st.text(max_size=40) | st.text("ab1f=(),[]'\"\\ .-\n", max_size=20).map("f(a=%s)".__mod__))
def test_any_text_is_read_or_refused_in_one_line(text):
    result = read(text)
    if isinstance(result, Call):
        assert read(str(result)) == result
    else:
        assert len(result.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("mcc", Call("mcc")),
        (" mcc ", Call("mcc")),
        ("mcc()", Call("mcc")),
        ("f_beta(beta=2)", Call("f_beta", {"beta": 2})),
        ("f_beta(beta=-0.5)", Call("f_beta", {"beta": -0.5})),
        ("kendall(ties=wmt14)", Call("kendall", {"ties": "wmt14"})),
        ("x(on=true, off=false)", Call("x", {"on": True, "off": False})),
        ("x(word='true')", Call("x", {"word": "true"})),
        ("x(word=\"en-de\", words=[a, 'b c'])", Call("x", {"word": "en-de", "words": ("a", "b c")})),
        ("x(words=(a, b))", Call("x", {"words": ("a", "b")})),
        ("x(words=('a',), more=[b,], none=())", Call("x", {"words": ("a",), "more": ("b",), "none": ()})),
        ("x ( a = .5, b=- 1e-3, c=2., d=True, )", Call("x", {"a": 0.5, "b": -0.001, "c": 2.0, "d": True})),
        ("x(on=\u00fcber, of=y(), line='a\\nb')", Call("x", {"on": "\u00fcber", "of": Call("y"), "line": "a\nb"})),
        ("x(of=y(z=1, of=w))", Call("x", {"of": Call("y", {"z": 1, "of": "w"})})),
    ],
)
def test_the_grammar(text, call):
    assert parse_call(text) == call


def test_booleans_are_not_numbers():
    assert parse_call("x(on=true)").parameters["on"] is True
    assert str(Call("x", {"on": True, "one": 1})) == "x(on=true, one=1)"


@pytest.mark.parametrize(
    "text",
    [
        "", "F-1", "1", "lambda", "f(1)", "f(**x)", "f(a=1, a=2)", "f(a=)", "f(a=None)", "f(a=b'x')", "f(a=f'x')",
        "f(a=1j)", "f(a=-x)", "f(a=+1)", "f(a=1e999)", "f(a=-1e999)", "f(a=[1, 1e999])", "f(a={1: 2})", "f(a=...)",
        "mae # no comment", "(mae)", "\uff4d\uff41\uff45", "f(\uff41=1)", "f(a=\uff4d)", "f(a=(1))", "f(a=r'x')",
        "f(a='x' 'y')", "f(a=\"\"\"x\"\"\")", "f(a=1 # b\n)", "f(a=\\\n1)", "f(a=007)", "f(a=0x1)", "f(a=1_0)",
        "f(a=[,])", "f(a=1 if b else 2)", "f(a=b.c)", "f.g", "f()()", "f(a=1); g", "f\x00", "(" * 500, "-" * 5000 + "1",
    ],
    ids=lambda text: repr(text[:20]),
)  # fmt: skip
def test_what_is_not_a_name_is_refused_with_the_grammar(text):
    with pytest.raises(DataError, match=r"cannot read the name .* write NAME or NAME\(key=value, ...\)") as caught:
        parse_call(text)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("text", ["f(a=1if b)", "f(a='\\d')", "f(a=1is 2)", "1or 2", "f(a=0x1for x)"])
def test_odd_text_gives_no_warning_of_the_parser(text):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with contextlib.suppress(DataError):
            parse_call(text)
    assert caught == []


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1), ("input", "input"), ("[a, b]", ("a", "b")), (" 'a, b' ", "a, b")]
)
def test_one_value_is_read(text, value):
    assert parse_value(text) == value


@pytest.mark.parametrize("text", ["", "1, b=2", "1, 2", "1) or f(a=2", "1) # ", ")(", "**x", "1, **x", "1e999", "nan)"])
def test_more_or_less_than_one_value_is_refused(text):
    with pytest.raises(DataError):
        parse_value(text)


def test_code_in_a_name_is_never_run():
    with pytest.raises(DataError):
        parse_call("f(a=__import__('os').getcwd())")


def test_a_call_is_frozen():
    given_ = {"a": 1}
    call = Call("f", given_)
    given_["a"] = 2
    assert call.parameters["a"] == 1
    with pytest.raises(TypeError):
        call.parameters["a"] = 3
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        call.name = "g"


def test_a_component_is_printed_by_its_name():
    @attrs.frozen
    class Named:
        name: str

    assert format_call("kendall", {"ties": Named("custom(a=1)")}) == "kendall(ties=custom(a=1))"


def test_values_can_be_printed_in_another_way():
    assert format_call("f", {"a": 1, "b": 2}, lambda value: f"<{value}>") == "f(a=<1>, b=<2>)"


@pytest.mark.parametrize(
    ("text", "value", "printed"),
    [
        ('{he-en="refB"}', {"he-en": "refB"}, "{he-en=refB}"),
        ("{he-en=refB, en-de = 'a=b'}", {"he-en": "refB", "en-de": "a=b"}, '{he-en=refB, en-de="a=b"}'),
        ('{"he-en": refB}', {"he-en": "refB"}, "{he-en=refB}"),
        ('{"a b"=[x, {c=1}]}', {"a b": ("x", {"c": 1})}, '{"a b"=[x, {c=1}]}'),
        ("{}", {}, "{}"),
        ("{a=f(b=2), c=3}", {"a": Call("f", {"b": 2}), "c": 3}, "{a=f(b=2), c=3}"),
    ],
)
def test_tables(text, value, printed):
    assert parse_value(text) == value
    assert format_call("f", {"x": parse_value(text)}) == f"f(x={printed})"
    assert parse_call(f"f(y=2, x={text}, z=3)").parameters == {"y": 2, "x": value, "z": 3}


@pytest.mark.parametrize("text", ["{a=1, a=2}", "{a}", "{a=}", "{=1}", "{**a}", "{a=1", "{1: 2}", "{a==1}"])
def test_what_is_no_table(text):
    with pytest.raises(DataError):
        parse_value(text)

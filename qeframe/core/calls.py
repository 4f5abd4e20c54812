"""Names of components with parameters, such as ``f_beta(beta=2)``, and the components that they make."""

from __future__ import annotations

import ast
import inspect
import json
import keyword
import math
import re
import sys
import types
import typing
import unicodedata
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

import attrs
from attrs import field, frozen

from qeframe.core.component import Component, WrongReturnError, as_names, describe
from qeframe.core.errors import DataError, UnknownNameError

T = TypeVar("T")

_SHAPE = "write NAME or NAME(key=value, ...), words with other characters than letters in double quotes"

_SPACE = r"[ \t\r\n\f]*"
_STRING = r""""(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'"""
_NUMBER = r"-?[ \t]*(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?!\w)"
_BARE = "[A-Za-z0-9_-]+"
"""A key of a table that needs no quotes."""


def _frozen_mapping(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(values))


@frozen
class Call:
    """A name and its parameters, as written."""

    name: str
    parameters: Mapping[str, Any] = field(factory=dict, converter=_frozen_mapping)

    def __str__(self) -> str:
        return format_call(self.name, self.parameters)


@lru_cache(1000)
def parse_call(text: str) -> Call:
    """Read a name with parameters.

    Result: with values of type int, float, bool, str, tuple, mapping or Call. Raises DataError if the text is not of
    that form, or a number in it is not finite.
    """
    reader = _TextReader(text.strip())
    try:
        name = reader.name()
        reader.expect(r"\Z")
    except (SyntaxError, ValueError, RecursionError):
        raise DataError(f"cannot read the name '{text[:200]}'", remedy=_SHAPE) from None
    return Call(name) if isinstance(name, str) else name


class _TextReader:
    """Reads a text from left to right; a `ValueError` or `SyntaxError` refuses what is not of the grammar."""

    def __init__(self, text: str) -> None:
        self._text, self._position = text, 0

    def take(self, pattern: str) -> str | None:
        """Return what comes next, after spaces, and go on behind it, if it matches a pattern; None if it does not."""
        match = re.compile(f"{_SPACE}({pattern})").match(self._text, self._position)
        if match is None:
            return None
        self._position = match.end()
        return match[1]

    def expect(self, pattern: str) -> str:
        """Return what comes next, which must match a pattern."""
        taken = self.take(pattern)
        if taken is None:
            raise ValueError(f"no {pattern} at {self._position}")
        return taken

    def name(self) -> str | Call:
        """Read a word, or a name with parameters in brackets."""
        word = self.word()
        return Call(word, self.entries(self.parameter, r"\)")) if self.take(r"\(") else word

    def word(self) -> str:
        """Read a word as it is: letters that Python takes for others, such as full-width ones, are refused."""
        word = self.expect(r"\w+")
        if not word.isidentifier() or keyword.iskeyword(word) or unicodedata.normalize("NFKC", word) != word:
            raise ValueError(word)
        return word

    def parameter(self) -> str:
        """Read ``key =``."""
        name = self.word()
        self.expect("=")
        return name

    def table_key(self) -> str:
        """Read ``key =``, or ``"key":`` as in Python."""
        key = self.expect(f"{_STRING}|{_BARE}")
        is_quoted = key[0] in "\"'"
        self.expect("[=:]" if is_quoted else "=")
        return str(_literal(key)) if is_quoted else key

    def entries(self, key: Callable[[], str], end: str) -> dict[str, Any]:
        """Read keys with their values up to a closing bracket."""
        entries = self.items(lambda: (key(), self.value()), end)
        if len(dict(entries)) < len(entries):
            raise ValueError("a key is given twice")
        return dict(entries)

    def items(self, item: Callable[[], T], end: str) -> list[T]:
        """Read items with commas between them, and perhaps one behind the last, up to a closing bracket."""
        items = []
        while self.take(end) is None:
            items.append(item())
            self.expect(f",|(?={end})")
        return items

    def value(self) -> Any:
        """Read the value of a parameter, of a key of a table or in a list."""
        if literal := self.take(f"{_NUMBER}|{_STRING}"):
            return _literal(literal)
        if truth := self.take(r"(?:true|True|false|False)\b"):
            return truth.lower() == "true"
        if self.take(r"\["):
            return tuple(self.items(self.value, r"\]"))
        if self.take(r"\("):
            values = self.items(self.value, r"\)")
            if len(values) == 1 and not re.search(rf",{_SPACE}\)\Z", self._text[: self._position]):
                raise ValueError("brackets around a single value")
            return tuple(values)
        if self.take(r"\{"):
            return _frozen_mapping(self.entries(self.table_key, r"\}"))
        return self.name()


def _literal(text: str) -> Any:
    """Return a number or a quoted string as Python reads it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's parser warns of backslashes that mean nothing
        value = ast.literal_eval(text)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(text)
    return value


def format_call(name: str, parameters: Mapping[str, Any], format_value: Callable[[Any], str] | None = None) -> str:
    """Return a name with its parameters as text, from which `parse_call` reads the same again."""
    written = format_value or _format_value
    return name + (f"({', '.join(f'{k}={written(v)}' for k, v in parameters.items())})" if parameters else "")


def _format_value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case int() | float() | Call():
            return str(value)
        case tuple() | list():
            return "[" + ", ".join(map(_format_value, value)) + "]"
        case Mapping():
            entries = (
                f"{k if re.fullmatch(_BARE, k) else json.dumps(k, ensure_ascii=False)}={_format_value(v)}"
                for k, v in value.items()
            )
            return "{" + ", ".join(entries) + "}"
        case str() if (
            value.isascii() and value.isidentifier() and not (keyword.iskeyword(value) or value in {"true", "false"})
        ):
            return value
        case str():
            return json.dumps(value, ensure_ascii=False)
    return str(getattr(value, "name", value))


C = TypeVar("C", bound=Component)


@frozen
class Parametric(Generic[C]):
    """A component with parameters.

    Parameters
    ----------
    build : callable
        A documented function that returns a component. Its parameters are keywords with defaults and type hints: int,
        float (a finite number), bool, str, a Literal of words, a tuple of words, a mapping of names to words, or a
        component; also a union of them, such as ``float | Literal["inf"]`` where infinity is allowed. Its name is the
        name of the component.
    always_named : tuple of str
        Parameters that are part of every name, also where they have their default value. Results are found by name, so
        these are the parameters that distinguish results.

    Examples
    --------
    >>> import attrs
    >>> import qeframe
    >>> from qeframe.plugin import Metric, Parametric
    >>> def distance(*, power: int = 1) -> Metric:
    ...     return attrs.evolve(qeframe.load().get(Metric, "mae"), name="distance")
    >>> Parametric(distance)(power=2).name
    'distance(power=2)'
    """

    build: Callable[..., C]
    always_named: tuple[str, ...] = field(default=(), converter=as_names)

    @property
    def name(self) -> str:
        """The name without parameters."""
        return self.build.__name__

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        """The types of its parameters and of what it returns, by name."""
        return typing.get_type_hints(self.build)

    @property
    def makes(self) -> type[C]:
        """The class of component that it makes."""
        return typing.cast("type[C]", self._hints.get("return", object))

    @cached_property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """Its parameters by name."""
        return inspect.signature(self.build).parameters

    @cached_property
    def component_parameters(self) -> Mapping[str, type[Component]]:
        """The parameters that are components themselves, and the class of each."""
        hints = self._hints
        return {k: hints[k] for k in self.parameters if isinstance(hints[k], type) and issubclass(hints[k], Component)}

    def checked(self, key: str, value: Any) -> Any:
        """Return the value of a parameter in the type of its hint.

        Raises
        ------
        UnknownNameError
            If there is no such parameter.
        DataError
            If the value has another type.
        """
        if key not in self.parameters:
            raise UnknownNameError(f"parameter of {self.name}", key, self.parameters)
        return _check(self.name, key, value, self._hints[key])

    def __call__(self, **given: Any) -> C:
        """Return the component, named with the parameters that differ from their defaults or are always named."""
        checked = {key: self.checked(key, value) for key, value in given.items()}
        values = {k: checked.get(k, p.default) for k, p in self.parameters.items()}
        named = {k: v for k, v in values.items() if k in self.always_named or v != self.parameters[k].default}
        component = self.build(**checked)
        if not isinstance(component, self.makes):
            raise WrongReturnError(f"{self.name}(...)", describe(component), f"a {self.makes.__name__}")
        return attrs.evolve(component, name=format_call(self.name, named))


def _check(owner: str, key: str, value: Any, hint: Any) -> Any:
    """Return a parameter's value in the hinted type; raise a `DataError` that names the values it may have."""
    origin, options = typing.get_origin(hint), typing.get_args(hint)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if origin is Literal:
        word = "inf" if isinstance(value, float) and value == math.inf else value
        if word in options and isinstance(word, (str, int)):
            return word
    elif origin in _UNIONS:
        for option in options:
            with suppress(DataError):
                return _check(owner, key, value, option)
    elif origin is tuple:
        if isinstance(value, (tuple, list)):
            return tuple(_check(owner, key, item, options[0]) for item in value)
    elif origin is Mapping:
        if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
            return types.MappingProxyType({k: _check(owner, f"{key}.{k}", v, options[1]) for k, v in value.items()})
    elif hint is float and is_number:
        if abs(value) <= sys.float_info.max:
            return float(value)
    elif isinstance(hint, type) and isinstance(value, hint) and not (hint is int and isinstance(value, bool)):
        return value
    expected = "a finite number" if hint is float and is_number else _describe_hint(hint)
    shown = dict(value) if isinstance(value, Mapping) else value
    raise DataError(f"{owner}: parameter {key} = {shown!r} must be {expected}")


_UNIONS = (typing.Union, types.UnionType)


def _describe_hint(hint: Any) -> str:
    """Return the values that a type hint allows, in words."""
    origin, options = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return " or ".join(map(str, options))
    if origin in _UNIONS:
        return " or ".join(map(_describe_hint, options))
    words = {
        int: "a whole number", float: "a number", bool: "true or false", str: "a word", Call: "WORD(key=value)",
        Mapping: 'a table in braces, {NAME="VALUE"}', tuple: "a list in brackets",
    }  # fmt: skip
    return words.get(origin or hint, getattr(hint, "__name__", str(hint)))

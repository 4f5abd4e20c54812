"""Names with parameters, such as ``f_beta(beta=2)``: how they are read and printed.

The grammar is a small part of Python's own: ``name`` or ``name(key=value, ...)``, where a value is a number, a word, a
quoted string, ``true`` or ``false``, a list, a table ``{key="value"}``, or a name with parameters again.
"""

from __future__ import annotations

import ast
import json
import keyword
import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from attrs import field, frozen

from qeframe.core.errors import DataError

_SHAPE = "write NAME or NAME(key=value, ...), words with other characters than letters in double quotes"


def _frozen_mapping(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(values))


_UNUSUAL = re.compile("[0-9][_xXoObB]")
_BARE = re.compile("[A-Za-z0-9_-]+")
"""A key of a table that needs no quotes."""

_STRING = r""" "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' """
_TOKEN = re.compile(
    rf"(?P<key>{_STRING}|{_BARE.pattern})\s*=(?!=)|(?P<string>{_STRING})|(?P<bracket>[\[\](){{}}])", re.X
)
"""The parts of a name that tell which keys are those of a table."""


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
    try:
        code = _with_dictionaries(text.strip())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's parser warns of text that is unusual as code
            tree = ast.parse(code, mode="eval")
        if _UNUSUAL.search(text) and any(_is_unusual(node, code) for node in ast.walk(tree)):
            raise ValueError(text)
        return _read_call(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise DataError(f"cannot read the name '{text[:200]}'", remedy=_SHAPE) from None


def _with_dictionaries(text: str) -> str:
    """Return a text with tables ``{key = value}`` written as Python's dictionaries ``{"key": value}``."""
    if "{" not in text:
        return text
    open_brackets: list[str] = []

    def rewrite(token: re.Match[str]) -> str:
        if bracket := token["bracket"]:
            if bracket in "[({":
                open_brackets.append(bracket)
            elif open_brackets:
                open_brackets.pop()
        if token["key"] is None or open_brackets[-1:] != ["{"]:
            return token[0]
        key = token["key"].strip()
        return f"{json.dumps(key) if _BARE.fullmatch(key) else key}:"

    return _TOKEN.sub(rewrite, text)


def _is_unusual(node: ast.AST, text: str) -> bool:
    """Return whether a node is a number that is written with an underscore or in another base than ten."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value is not True):
        return False
    return _UNUSUAL.search(ast.get_source_segment(text, node) or "") is not None


def parse_value(text: str) -> Any:
    """Read one value of a parameter.

    Raises
    ------
    DataError
        If the text is not of that form, or is more than one value.
    """
    parameters = parse_call(f"x(value={text})").parameters
    if list(parameters) != ["value"]:
        raise DataError(f"'{text[:200]}' is more than one value", remedy="give one value for each parameter")
    return parameters["value"]


def _read_call(node: ast.expr) -> Call:
    match node:
        case ast.Name(id=name):
            return Call(name)
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords) if all(k.arg for k in keywords):
            given = [k.arg for k in keywords]
            if len(set(given)) == len(given):
                return Call(name, {str(k.arg): _read_value(k.value) for k in keywords})
    raise ValueError(node)


def _read_value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=float() as value) if not math.isfinite(value):
            raise ValueError(node)
        case ast.Constant(value=bool() | int() | float() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)) if math.isfinite(value):
            return -value
        case ast.Name(id=word):
            return {"true": True, "false": False}.get(word, word)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return tuple(_read_value(item) for item in items)
        case ast.Dict(keys=keys, values=values):
            return _read_table(keys, values)
        case ast.Call():
            return _read_call(node)
    raise ValueError(node)


def _read_table(keys: Sequence[ast.expr | None], values: Sequence[ast.expr]) -> Mapping[str, Any]:
    names = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    if len(set(names)) < len(keys):
        raise ValueError(keys)
    return _frozen_mapping({name: _read_value(value) for name, value in zip(names, values, strict=True)})


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
                f"{k if _BARE.fullmatch(k) else json.dumps(k, ensure_ascii=False)}={_format_value(v)}"
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

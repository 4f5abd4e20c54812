"""Names with parameters, such as ``f_beta(beta=2)``: how they are read and printed.

The grammar is a small part of Python's own: ``name`` or ``name(key=value, ...)``, where a value is a number, a word, a
quoted string, ``true`` or ``false``, a list, or a name with parameters again.
"""

from __future__ import annotations

import ast
import json
import keyword
import math
import re
import warnings
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from attrs import field, frozen

from qeframe.errors import DataError

__all__ = ["Call", "format_call", "parse_call", "parse_value"]

_SHAPE = "write NAME or NAME(key=value, ...), words with other characters than letters in double quotes"


def _frozen_mapping(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(values))


_UNUSUAL = re.compile("[0-9][_xXoObB]")


@frozen
class Call:
    """A name and its parameters, as written."""

    name: str
    parameters: Mapping[str, Any] = field(factory=dict, converter=_frozen_mapping)

    def __str__(self) -> str:
        return format_call(self.name, self.parameters)


def parse_call(text: str) -> Call:
    """Read a name with parameters.

    Returns
    -------
    Call
        With values of type int, float, bool, str, tuple or Call.

    Raises
    ------
    DataError
        If the text is not of that form, or a number in it is not finite.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's parser warns of text that is unusual as code
            tree = ast.parse(text.strip(), mode="eval")
        if _UNUSUAL.search(text) and any(_is_unusual(node, text.strip()) for node in ast.walk(tree)):
            raise ValueError(text)
        return _read_call(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise DataError(f"cannot read the name '{text[:200]}'", remedy=_SHAPE) from None


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
        case ast.Call():
            return _read_call(node)
    raise ValueError(node)


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
        case str() if (
            value.isascii() and value.isidentifier() and not (keyword.iskeyword(value) or value in {"true", "false"})
        ):
            return value
        case str():
            return json.dumps(value, ensure_ascii=False)
    return str(getattr(value, "name", value))

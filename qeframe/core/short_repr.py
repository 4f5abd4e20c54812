"""One line for a value: the `repr` of results that hold more than fits one."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Any

WIDEST = 100
"""Characters of a line, about."""


_FIRST = 4
"""Of a list that is too long for a line, so many values are shown."""


class Brief:
    """A frozen value whose `repr` is a line: the fields that differ from their defaults, as far as they fit."""

    __slots__ = ()

    def __repr__(self) -> str:
        return in_a_line(self)


def in_a_line(value: Any) -> str:
    """Return the class of a value and those of its fields that are short and not the default; `...` for the others."""
    said, more = "", False
    for attribute in getattr(type(value), "__attrs_attrs__", ()):
        of_field = getattr(value, attribute.name)
        plain = isinstance(of_field, (str, int, float, type(None)))
        if (plain and of_field == attribute.default) or (isinstance(of_field, Sized) and not len(of_field)):
            continue
        text = f"{attribute.name}={of_field:.4g}" if isinstance(of_field, float) else f"{attribute.name}={of_field!r}"
        fits = plain and len(type(value).__name__) + len(said) + len(text) < WIDEST - 10
        said, more = (f"{said}, {text}" if said else text) if fits else said, more or not fits
    return f"{type(value).__name__}({', '.join(filter(None, [said, '...' if more else '']))})"


def beginning_of(value: Any, show: Callable[[Any], str] = repr) -> str:
    """Return a value as `show` has it; of a long list or text how it begins, and how many there are in all."""
    whole = show(value)
    if len(whole) <= WIDEST or not isinstance(value, (list, tuple, str)):
        return whole
    if isinstance(value, str):
        return f"{show(value[:WIDEST])}... {len(value)} characters in all"
    first = ", ".join(map(beginning_of, value[:_FIRST]))
    return f"[{first}, ... {len(value)} in all]" if len(value) > _FIRST else f"[{first}]"

"""Components with parameters.

A `Parametric` is a documented function of keyword parameters that returns a component. Its type hints are checked, and
the component is named so that its name reads back: ``f_beta(beta=2)``.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, TypeVar

import attrs
from attrs import frozen

from qeframe.components.calls import format_call
from qeframe.components.component import Component
from qeframe.errors import DataError, UnknownNameError

__all__ = ["Parametric"]


C = TypeVar("C", bound=Component)


@frozen
class Parametric(Generic[C]):
    """A component with parameters.

    Parameters
    ----------
    build : callable
        A documented function of keyword parameters with defaults and type hints (int, float, bool, str, a Literal of
        words, a tuple of words, or a component) that returns a component. Its name is the family's name.
    spelled : tuple of str
        Parameters that every name states, also with their default value: those by which results are told apart.
    """

    build: Callable[..., C]
    spelled: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name without parameters."""
        return self.build.__name__

    @property
    def makes(self) -> type[C]:
        """The class of component that it makes."""
        made = typing.get_type_hints(self.build).get("return", object)
        return typing.cast("type[C]", made)

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """Its parameters by name."""
        return inspect.signature(self.build).parameters

    @property
    def component_parameters(self) -> Mapping[str, type[Component]]:
        """Its parameters that are components themselves, and of which class."""
        hints = typing.get_type_hints(self.build)
        return {k: hints[k] for k in self.parameters if isinstance(hints[k], type) and issubclass(hints[k], Component)}

    def __call__(self, **given: Any) -> C:
        """Return the component, named with the parameters that differ from their defaults or are always spelled."""
        hints = typing.get_type_hints(self.build)
        for key in given:
            if key not in self.parameters:
                raise UnknownNameError(f"parameter of {self.name}", key, self.parameters)
        checked = {key: _check(self.name, key, value, hints[key]) for key, value in given.items()}
        values = {k: checked.get(k, p.default) for k, p in self.parameters.items()}
        told = {k: v for k, v in values.items() if k in self.spelled or v != self.parameters[k].default}
        return attrs.evolve(self.build(**checked), name=format_call(self.name, told))


def _check(owner: str, key: str, value: Any, hint: Any) -> Any:
    """Return a parameter's value in the hinted type, or say what it may be."""
    origin, options = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        if value in options and isinstance(value, (str, int)):
            return value
        expected = " or ".join(map(str, options))
    elif origin in (typing.Union, types.UnionType):
        for option in options:
            try:
                return _check(owner, key, value, option)
            except DataError:
                continue
        expected = " or ".join(_word(option) for option in options)
    elif origin is tuple:
        if isinstance(value, (tuple, list)):
            return tuple(_check(owner, key, item, options[0]) for item in value)
        expected = "a list in brackets"
    elif hint is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        if abs(value) <= sys.float_info.max:
            return float(value)
        expected = "a finite number"
    elif isinstance(hint, type) and isinstance(value, hint) and not (hint is int and isinstance(value, bool)):
        return value
    else:
        expected = _word(hint)
    raise DataError(f"{owner}: parameter {key} = {value!r} must be {expected}")


def _word(hint: Any) -> str:
    if typing.get_origin(hint) is Literal:
        return " or ".join(map(str, typing.get_args(hint)))
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
    return words.get(hint, getattr(hint, "__name__", str(hint)))

"""Components with parameters.

A `Parametric` is a documented function of keyword parameters that returns a component. Its type hints are checked. The
component that it returns is named with its parameters, so that the name can be read back: ``f_beta(beta=2)``.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

import attrs
from attrs import field, frozen

from qeframe.core.components.calls import Call, format_call
from qeframe.core.components.component import Component, as_names
from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.returned import WrongReturnError, describe

C = TypeVar("C", bound=Component)


@frozen
class Parametric(Generic[C]):
    """A component with parameters.

    Parameters
    ----------
    build : callable
        A documented function that returns a component. Its parameters are keywords with defaults and type hints: int,
        float, bool, str, a Literal of words, a tuple of words, a mapping of names to words, or a component. Its name is
        the name of the component.
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

    def variants(self) -> Iterator[C]:
        """Yield the component with each other value of a parameter that is a choice, and another of each number.

        Values that it refuses beside the defaults of the other parameters are left out.
        """
        for key, parameter in self.parameters.items():
            for value in _other_values(parameter.default, self._hints[key]):
                try:
                    yield self(**{key: value})
                except DataError:
                    continue
                if _is_number(value):
                    break


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _other_values(default: Any, hint: Any) -> Iterator[Any]:
    """Yield the words that a hint allows but for the default, then numbers beside the default."""
    options = typing.get_args(hint) if typing.get_origin(hint) in _UNIONS else (hint,)
    words = [word for option in options if typing.get_origin(option) is Literal for word in typing.get_args(option)]
    yield from (word for word in (*words, *((False, True) if bool in options else ())) if word != default)
    number = default if _is_number(default) else 0
    if float in options:
        yield from (number + 0.3, number * 0.7)
    elif int in options:
        yield from (number + 1, number - 1, 40)


def _check(owner: str, key: str, value: Any, hint: Any) -> Any:
    """Return a parameter's value in the hinted type; raise a `DataError` that names the values it may have."""
    origin, options = typing.get_origin(hint), typing.get_args(hint)
    is_number = _is_number(value)
    if origin is Literal:
        if value in options and isinstance(value, (str, int)):
            return value
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

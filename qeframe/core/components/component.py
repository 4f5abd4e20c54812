"""What every component has: a name, a summary, a source, and the plugin that brought it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import copy
from numbers import Real
from typing import Any, TypeVar

from attrs import field, frozen

from qeframe.core.errors import DataError

C = TypeVar("C", bound="Component")

PROJECT = "qeframe"
"""The distribution of the core and of the plugins that come with it, and the name of the entry points."""
GIVEN = "(given)"
"""In place of the distribution of a plugin that is given to `load`."""


@frozen
class Origin:
    """Where a component comes from."""

    plugin: str
    distribution: str
    version: str

    def __str__(self) -> str:
        return f"plugin '{self.plugin}' of distribution '{f'{self.distribution} {self.version}'.strip()}'"


def as_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return a tuple of names; a single string is one name."""
    return (names,) if isinstance(names, str) else tuple(names)


@frozen(kw_only=True, repr=False)
class Component:
    """What every component has.

    Parameters
    ----------
    name : str
        Lower case with underscores. A name with parameters can be read back: ``f_beta(beta=2)``.
    summary : str
        One line for listings.
    source : str
        The paper, and the shared task that fixed the variant.
    origin : Origin, optional
        The plugin that brought it, which messages name. The registry sets it; None: the component was given by hand.
    """

    name: str
    summary: str
    source: str = ""
    origin: Origin | None = field(default=None, eq=False, repr=False)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


def class_word(kind: type[Component]) -> str:
    """Return what messages call a component of a class or of its subclasses: "metric", "tie policy" ..."""
    *_, first = (c for c in kind.__mro__ if issubclass(c, Component) and c is not Component)
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", first.__name__).lower()


def refuse(component: Component, key: str, value: Any, remedy: str, verb: str = "is") -> None:
    """Raise a `DataError` for the value of a field."""
    raise DataError(_told(component, key, value, verb), remedy=remedy)


def check_field(component: Component, key: str, is_valid: bool, expected: str) -> None:
    """Refuse a field that is not valid: it is not what was expected."""
    if not is_valid:
        raise DataError(f"{_told(component, key, getattr(component, key))}, not {expected}")


def _told(component: Component, key: str, value: Any, verb: str = "is") -> str:
    from qeframe.core.returned import describe  # with numpy, which the list of commands does without

    return f"{class_word(type(component))} '{component.name}': {key} {verb} {describe(value)}"


def check_words(component: Component, key: str, words: Sequence[str]) -> None:
    """Refuse a field that is not one of the words."""
    value = getattr(component, key)
    if not isinstance(value, str) or value not in words:
        refuse(component, key, value, f"give {' or '.join(repr(word) for word in words)}")


def check_functions(component: Component, *keys: str) -> None:
    """Refuse fields that are neither a function nor left out."""
    for key in keys:
        value = getattr(component, key)
        if value is not None and not callable(value):
            refuse(component, key, value, "give a function")


def check_least_p(component: Component, least: Any) -> None:
    """Refuse a lower bound of p that is no share."""
    if isinstance(least, bool) or not (isinstance(least, Real) and 0 <= float(least) <= 1):
        refuse(component, "least_p", least, "give a number from 0 to 1")


def with_origin(component: C, origin: Origin) -> C:
    """Return a copy of a component that says where it comes from."""
    copied = copy(component)
    object.__setattr__(copied, "origin", origin)
    return copied


def is_foreign(component: Component) -> bool:
    """Return whether a component did not come with qeframe: it is tried once more at work, our own is tested."""
    return component.origin is None or component.origin.distribution != PROJECT


def name_with_origin(component: Component) -> str:
    """Return the name of a component, with the distribution of one that did not come with qeframe."""
    origin = component.origin
    if origin is None or origin.distribution in (PROJECT, GIVEN):
        return component.name
    return f"{component.name} ({f'{origin.distribution} {origin.version}'.strip()})"

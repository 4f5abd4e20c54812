"""The law of names: no other installed plugin has a component, or a profile, of the same class and name."""

from collections.abc import Iterator
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from types import FunctionType, MethodType
from typing import Any

import attrs
from attrs import frozen

from qeframe.core.calls import Parametric
from qeframe.core.component import Component, class_word
from qeframe.core.entry_points import block_list
from qeframe.core.hookspecs import COMPONENT_HOOKS, GROUP
from qeframe.core.loader import imported
from qeframe.testing.laws.law import Law
from qeframe.testing.laws.reader_laws import ProfileFile


@frozen
class _Taken:
    """A component of an installed plugin."""

    kind: type[Component]
    component: Any
    package: str
    owner: str


@frozen
class _Profile:
    """A profile of an installed plugin."""

    name: str
    file: Any


@cache
def _installed() -> tuple[_Taken, ...]:
    """Return what all installed plugins bring. One that cannot be imported brings nothing."""
    plugins = [
        (point, plugin)
        for point in entry_points(group=GROUP)
        if point.name not in block_list() and (plugin := _imported(point)) is not None
    ]
    return tuple(taken for point, plugin in plugins for taken in _of(point, plugin))


def _imported(point: EntryPoint) -> object | None:
    try:
        plugin: object = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException:  # the command says so when it starts
        return None
    return plugin


def _of(point: EntryPoint, plugin: object) -> Iterator[_Taken]:
    name, version = (point.dist.name, point.dist.version) if point.dist else ("(unknown)", "")
    owner = f"plugin '{point.name}' of distribution '{f'{name} {version}'.strip()}'"
    try:
        brought: list[tuple[type[Component], Any]] = [
            (kind, list(map(imported, getattr(plugin, hook, list)()))) for hook, kind in COMPONENT_HOOKS.items()
        ]
        files: dict[str, Any] = getattr(plugin, "qeframe_profiles", dict)()
        profiles = [_Profile(*file) for file in files.items()]
        brought.append((ProfileFile, profiles))
    except KeyboardInterrupt:
        raise
    except BaseException:  # the command says so when it starts
        return
    for kind, components in brought:
        yield from (_Taken(kind, component, point.module.partition(".")[0], owner) for component in components)


def _packages(value: Any, depth: int = 6) -> set[str]:
    """Return the packages in which the functions of a component are defined."""
    if isinstance(value, MethodType):
        return _packages(value.__func__, depth)
    if isinstance(value, FunctionType):
        inside = [cell.cell_contents for cell in value.__closure__ or () if depth and _is_filled(cell)]
        return {value.__module__.partition(".")[0]}.union(*(_packages(package, depth - 1) for package in inside))
    if depth and isinstance(value, partial):
        parts = [value.func, *value.args, *value.keywords.values()]
        return set[str]().union(*(_packages(part, depth - 1) for part in parts))
    if attrs.has(type(value)):
        parts = [getattr(value, field.name, None) for field in attrs.fields(type(value))] if depth else []
        return {type(value).__module__.partition(".")[0]}.union(*(_packages(part, depth - 1) for part in parts))
    return {type(value).__module__.partition(".")[0]} if callable(value) else set()


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018  # a cell without a value raises
    except ValueError:
        return False
    return True


def _free(component: Component, _kind: Any) -> None:
    """Raise an AssertionError if an installed plugin that did not bring the component has its name."""
    name = component.name.partition("(")[0]
    rivals = [
        taken
        for taken in _installed()
        if isinstance(component, taken.kind) and taken.component.name == name and not _is_the_same(component, taken)
    ]
    if not rivals:
        return
    first = rivals[0]
    word = "profile" if first.kind is ProfileFile else class_word(first.kind)
    raise AssertionError(f"the {word} '{name}' is brought by {first.owner} too: with both installed, no command starts")


def _is_the_same(component: Component, taken: _Taken) -> bool:
    """Return whether an installed plugin brings this component, perhaps with other parameters."""
    if isinstance(component, ProfileFile):
        return bool(taken.component.file == component.file)
    if isinstance(taken.component, Parametric):
        other = taken.component()
        return bool(other == component) or taken.package in _packages(component)
    return bool(taken.component == component) or taken.package in _packages(component)


NAME_LAW: Law[Any] = Law(
    name="free_name", states="no other installed plugin has a component of this class and name", holds=_free, exact=True
)
"""The law of names."""

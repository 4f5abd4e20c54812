"""Loads plugins: what entry points name is imported, its hooks are called, its names are unique."""

from __future__ import annotations

import keyword
import re
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import Distribution, EntryPoint, entry_points
from importlib.resources.abc import Traversable
from types import FunctionType
from typing import Any, TypeVar, cast

import pluggy

from qeframe.core import hookspecs
from qeframe.core.batch_kind import REGISTERED, BatchKind
from qeframe.core.calls import Parametric
from qeframe.core.component import GIVEN, PROJECT, Component, class_word, error_in_words, named_output
from qeframe.core.entry_points import COMMAND_GROUP, block_list
from qeframe.core.errors import PluginError, PluginWarning, code_point
from qeframe.core.hookspecs import COMPONENT_HOOKS, GROUP, OTHER_HOOKS, PREFIX
from qeframe.core.origin import Origin
from qeframe.core.registry import Entry, Plugin, Registry


def error_of(origin: Origin, what: str) -> PluginError:
    """Return the error of a plugin, which says how to go on without it."""
    return PluginError(f"{origin}: {what}; repair it, or start with QEFRAME_BLOCK={origin.plugin}")


Registered = TypeVar("Registered")


def add_once(table: dict[str, Registered], name: str, entry: Registered, word: str) -> None:
    """Add an entry to a table; raise a `PluginError` that names both plugins if its name is already there."""
    if name in table:
        first, foreign = sorted((_owner(table[name]), _owner(entry)), key=lambda owner: owner.distribution != PROJECT)
        raise PluginError(
            f"the {word} '{name}' is brought twice: by {first} and by {foreign}; "
            f"rename that of plugin '{foreign.plugin}', or start with QEFRAME_BLOCK={foreign.plugin}"
        )
    table[name] = entry


def _owner(entry: object) -> Origin:
    return entry.origin if isinstance(entry, Entry) else cast("tuple[object, Origin]", entry)[1]


_SLOW = 1.0
"""Seconds of processor time from which on the import of a plugin of third parties is named."""


def load(*, extra: Mapping[str, object] | None = None, block: Iterable[str] | None = None) -> Registry:
    """Return the registry of all installed plugins.

    Parameters
    ----------
    extra : mapping of str to object, optional
        Further plugins by name: modules or objects with hook implementations, for tests and notebooks.
    block : iterable of str, optional
        Plugins to leave out; by default those of the environment variable QEFRAME_BLOCK.

    Returns
    -------
    Registry
        Immutable; every component has its origin.

    Raises
    ------
    PluginError
        If a plugin cannot be imported, has an unknown hook, returns a wrong type, uses a name that another plugin has,
        or is made for another version of the plugin interface.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric
    >>> qeframe.load().get(Metric, "mae").higher_is_better
    False
    """
    blocked = block_list() if block is None else tuple(sorted(set(block)))
    if extra:
        given = [Plugin(Origin(name, GIVEN, ""), module) for name, module in extra.items()]
        return _build([*_installed(blocked), *given], blocked)
    return _load_once(blocked)


@cache
def _load_once(blocked: tuple[str, ...]) -> Registry:
    return _build(_installed(blocked), blocked)


def _installed(blocked: Sequence[str]) -> list[Plugin]:
    """Load the entry points of our group that are not blocked."""
    every = entry_points()
    points = [point for group in every.groups if group.startswith(PREFIX) for point in every.select(group=group)]
    names = {point.name for point in (*points, *every.select(group=COMMAND_GROUP))}
    absent = sorted(set(blocked) - names)
    if absent:
        listed = ", ".join(sorted(names))
        raise PluginError(f"no plugin is named '{absent[0]}', so it cannot be blocked; the plugins are {listed}")
    points = [point for point in points if point.name not in blocked]
    described = cache(_described)  # reading the metadata of a distribution takes longer than all the rest
    installed = [(point, Origin(point.name, *described(point.dist))) for point in points]
    installed.sort(key=lambda pair: (pair[0].name, pair[0].group, str(pair[1])))
    for point, origin in installed:
        if point.group != GROUP:
            raise PluginError(
                f"{origin} is made for the plugin interface {point.group}, this qeframe has {GROUP}; "
                f"install a version of '{origin.distribution}' for {GROUP}, or start with QEFRAME_BLOCK={point.name}"
            )
    _check_names(origin for _, origin in installed)
    return [Plugin(origin, _import(point, origin)) for point, origin in installed]


def _check_names(origins: Iterable[Origin]) -> None:
    """Raise a `PluginError` if two plugins have one name: before importing, so that a duplicate cannot replace one."""
    owners: dict[str, Origin] = {}
    for origin in origins:
        if origin.plugin in owners:
            raise PluginError(
                f"two plugins are named '{origin.plugin}': of distribution '{owners[origin.plugin].distribution}' and "
                f"of distribution '{origin.distribution}'; uninstall one of them"
            )
        owners[origin.plugin] = origin


def _described(distribution: Distribution | None) -> tuple[str, str]:
    return ("(unknown)", "") if distribution is None else (distribution.name, distribution.version)


def _hint(error: BaseException) -> str:
    """Return where a plugin finds what it imports, if it asks for a module of the core that is not there."""
    missing = isinstance(error, ImportError) and str(error.name or "").startswith(f"{PROJECT}.")
    return " (all that a plugin imports is in qeframe.plugin)" if missing else ""


def _import(point: EntryPoint, origin: Origin) -> object:
    begun = time.process_time()
    try:
        with named_output(str(origin), warnings_are_errors=False):
            module: object = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PluginError(
            f"{origin} cannot be imported: {error_in_words(error)}{_hint(error)}; "
            f"repair or uninstall '{origin.distribution}', or start with QEFRAME_BLOCK={origin.plugin}"
        ) from error
    seconds = time.process_time() - begun  # a busy machine or disk is no fault of the plugin
    if seconds > _SLOW and origin.distribution != PROJECT:
        warnings.warn(f"{origin} took {seconds:.1f} s to import; its author can import on first use", PluginWarning, 2)
    return module


def _build(plugins: Sequence[Plugin], blocked: tuple[str, ...]) -> Registry:
    _check_names(plugin.origin for plugin in plugins)
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    hooks: dict[str, type[Any]] = {**COMPONENT_HOOKS, "qeframe_kinds": BatchKind}
    tables: dict[type[Any], dict[str, Entry]] = {kind: {} for kind in hooks.values()}
    profiles: dict[str, tuple[Traversable, Origin]] = {}
    for plugin in plugins:
        _register(manager, plugin)
        for hook, kind in hooks.items():
            for brought in call_hook(hook, plugin, list):
                name, entry = _entry(brought, kind, hook, plugin.origin)
                add_once(tables[kind], name, entry, "kind of batch" if kind is BatchKind else class_word(kind))
                if kind is BatchKind and plugin.origin.distribution == GIVEN:
                    REGISTERED.setdefault(name, []).insert(0, partial(getattr, entry, "component"))
        for name, file in call_hook("qeframe_profiles", plugin, dict).items():
            if not isinstance(file, Traversable):
                raise error_of(plugin.origin, f"profile '{name}' must be a file, not {type(file).__name__}")
            check_name(name, plugin.origin)
            add_once(profiles, name, (file, plugin.origin), "profile")
    kinds = tables.pop(BatchKind)
    return Registry(tuple(plugins), tables, dict(sorted(profiles.items())), COMPONENT_HOOKS, kinds, blocked)


def _entry(brought: object, kind: type[Any], hook: str, origin: Origin) -> tuple[str, Entry]:
    """Return the name and the entry of what a hook brings: a value, or the place from which it is imported."""
    if isinstance(brought, str) and ":" in brought:
        name = _place(brought).name
        if kind is not BatchKind:
            check_name(name, origin)
        return name, Entry(partial(_imported, brought, kind, hook, origin), origin)
    name, value = _checked(brought, kind, hook, origin)
    return name, Entry(lambda: value, origin)


def _place(text: str) -> EntryPoint:
    """Read the name and the place of a component: ``"name = module:variable"``."""
    name, _, place = text.rpartition("=")
    return EntryPoint(name.strip() or place.rpartition(":")[2].strip(), place.strip(), GROUP)


def imported(component: object, origin: Origin | None = None) -> Any:
    """Return what a hook brings, imported if it is the name of a place; a function there is one with parameters."""
    if not isinstance(component, str):
        return component
    value = _place(component).load() if origin is None else _import(_place(component), origin)
    return Parametric(value) if isinstance(value, FunctionType) else value


def _imported(place: str, kind: type[Any], hook: str, origin: Origin) -> Any:
    """Return what is at a place, checked as others are when the registry is built."""
    name, value = _checked(imported(place, origin), kind, hook, origin)
    if name != (stated := _place(place).name):
        what = f"hook {hook} names the place of '{stated}', and what is there has the name '{name}'"
        raise error_of(origin, what)
    return value


def _register(manager: pluggy.PluginManager, plugin: Plugin) -> None:
    """Register a plugin, whose hooks must be known."""
    names = [*COMPONENT_HOOKS, *OTHER_HOOKS]
    unknown = sorted(name for name in dir(plugin.module) if _is_hook(plugin.module, name) and name not in names)
    what = f"has unknown hooks: {', '.join(unknown)}" if unknown else ""
    try:
        manager.register(plugin.module, name=plugin.origin.plugin)
    except (pluggy.PluginValidationError, ValueError) as error:
        what = what or f"is not a plugin: {error}"
    if what:
        remedy = f"the hooks are {', '.join(names)}; repair it, or start with QEFRAME_BLOCK={plugin.origin.plugin}"
        raise PluginError(f"{plugin.origin} {what}; {remedy}")


def _is_hook(module: object, name: str) -> bool:
    return hasattr(getattr(module, name, None), f"{PROJECT}_impl")


def call_hook(hook: str, plugin: Plugin, empty: Callable[[], Any]) -> Any:
    """Call a plugin's implementation of a hook, so that the error of a failure names its distribution.

    A plugin without the hook has what `empty` returns.
    """
    if not _is_hook(plugin.module, hook):
        return empty()
    try:
        with named_output(str(plugin.origin), warnings_are_errors=False):
            returned = getattr(plugin.module, hook)()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PluginError(
            f"{plugin.origin} failed in hook {hook}: {error_in_words(error)}; "
            f"repair it, or start with QEFRAME_BLOCK={plugin.origin.plugin}"
        ) from error
    expected: type[Any] = Mapping if empty is dict else Sequence
    if not isinstance(returned, expected) or isinstance(returned, str):
        kinds = f"a {expected.__name__.lower()}, not {type(returned).__name__}"
        raise error_of(plugin.origin, f"hook {hook} must return {kinds}")
    return returned


def _checked(component: object, kind: type[Any], hook: str, origin: Origin) -> tuple[str, Any]:
    """Return the name of what a hook brings, of a kind that of its class of batches, and the value itself."""
    try:
        of_class = component.makes if isinstance(component, Parametric) else type(component)
    except Exception as error:
        name = getattr(component, "name", hook)
        raise error_of(origin, f"the type hints of '{name}' cannot be read: {error}") from error
    if not (isinstance(of_class, type) and issubclass(of_class, kind)):
        what = getattr(of_class, "__name__", str(of_class))
        if isinstance(component, Parametric) and of_class is object:
            what = f"the function '{component.name}' of hook {hook} does not say what it returns"
            raise error_of(origin, f"{what}: its return annotation is missing, write -> {kind.__name__}")
        what = f"Parametric[{what}]" if isinstance(component, Parametric) else what
        raise error_of(origin, f"hook {hook} must return values of type {kind.__name__}, not {what}")
    if isinstance(component, BatchKind):
        return component.batch.__name__, component
    checked = cast("Component | Parametric[Any]", component)
    check_name(checked.name, origin)
    return checked.name, checked


def check_name(name: object, origin: Origin) -> None:
    """Raise a `PluginError` if a component or a profile has no name in lower case with digits and underscores.

    Names are typed, compared and written into paths: two that look the same, or lead out of a folder, could pass for
    another's.
    """
    if not isinstance(name, str):
        raise error_of(origin, f"a name is of type {type(name).__name__}, not a text")
    wrong = next((at for at, character in enumerate(name) if not re.match("[a-z0-9_]", character)), None)
    if wrong is not None:
        what = f"character {wrong + 1} is {code_point(name[wrong])}"
        raise error_of(origin, f"the name {name[:80]!a} cannot be read, it is not lower case with underscores: {what}")
    if not name or not name[0].isalpha() or keyword.iskeyword(name):
        raise error_of(origin, f"the name '{name}' cannot be read, it is not lower case with underscores")

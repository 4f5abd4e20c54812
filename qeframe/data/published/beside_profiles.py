"""Data sources and published tables of all plugins: TOML files in folders beside the files of their profiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import TypeVar

from qeframe.core.component import Component, class_word, with_origin
from qeframe.core.errors import DataError
from qeframe.core.loader import add_once, check_name, error_of
from qeframe.core.origin import Origin
from qeframe.core.registry import Registry
from qeframe.data.published.data_source import DataSource, data_sources_from_toml
from qeframe.data.published.published_table import PublishedTable, published_tables_from_toml

C = TypeVar("C", bound=Component)


def find_data_sources(registry: Registry) -> dict[str, DataSource]:
    """Return all data sources by name: the tables of ``sources/*.toml`` beside profiles.

    Raises PluginError if a file is not right, or a name is there twice; it names the plugin.
    """
    return _found(registry, "sources", data_sources_from_toml)


def find_published_tables(registry: Registry) -> dict[str, PublishedTable]:
    """Return all published tables by name: those of ``published/*.toml`` beside profiles.

    Raises PluginError if a file is not right, or a name is there twice; it names the plugin.
    """
    return _found(registry, "published", published_tables_from_toml)


def named(name: str, found: Mapping[str, C], word: str, registry: Registry) -> C:
    """Return what was found under a name; raise an `UnknownNameError`, which calls it by a word, if nothing was."""
    if name not in found:
        raise registry.unknown(word, name, found, f"known: {', '.join(found)}" if found else "there are none")
    return found[name]


def _found(registry: Registry, folder: str, read: Callable[[Traversable, str], Sequence[C]]) -> dict[str, C]:
    found: dict[str, tuple[C, Origin]] = {}
    for place, origin in _folders_of_profiles(registry):
        beside = place.joinpath(folder)
        names = sorted(file.name for file in beside.iterdir()) if beside.is_dir() else []
        for name in names:
            if not name.endswith(".toml"):
                continue
            try:
                values = read(beside, name)
            except DataError as error:
                raise error_of(origin, str(error)) from error
            for value in values:
                check_name(value.name, origin)
                add_once(found, value.name, (with_origin(value, origin), origin), class_word(type(value)))
    return {name: found[name][0] for name in sorted(found)}


def _folders_of_profiles(registry: Registry) -> list[tuple[Traversable, Origin]]:
    """Return each folder that holds profiles, with the plugin that brings them.

    A folder has no place of its own in an archive that is not a file system: a profile there has nothing beside it.
    """
    folders: dict[str, tuple[Traversable, Origin]] = {}
    for file, origin in registry.profiles.values():
        folder: Traversable | None = getattr(file, "parent", None)
        if folder is not None:
            folders.setdefault(str(folder), (folder, origin))
    return list(folders.values())

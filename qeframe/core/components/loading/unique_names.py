"""Each name once: what a plugin brings under a name of another one is refused, with both plugins."""

from __future__ import annotations

from typing import TypeVar, cast

from qeframe.core.components.component import PROJECT, Origin
from qeframe.core.components.loading.registry import Entry
from qeframe.core.errors import PluginError


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

"""The tables of commands that come with qeframe, and whether another distribution names one.

A table is ``COMMANDS`` in a module that imports nothing heavy. Entry points are asked for only for the list of commands
and for a word that is no command of qeframe: `foreign_commands` has those.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from qeframe.core.entry_points import COMMAND_GROUP, block_list

if TYPE_CHECKING:
    import click

    from qeframe.core.entry_points import Command

TABLES = ("qeframe.cli.commands", "qeframe_competitions.commands")
"""The modules with qeframe's own tables: those of layers, and those of plugins that come with it."""


def own_commands() -> Mapping[str, Command]:
    """Return the commands that come with qeframe, by name, but for those of blocked plugins."""
    return _own(block_list())


@cache
def _own(blocked: Sequence[str]) -> Mapping[str, Command]:
    modules = [module for module in TABLES if module.startswith("qeframe.") or module.partition(".")[0] not in blocked]
    return {command.name: command for module in modules for command in import_module(module).COMMANDS}


def own_command(command: Command) -> click.Command:
    """Import a command that comes with qeframe."""
    module, _, name = command.path.partition(":")
    imported: click.Command = getattr(import_module(module), name)
    return imported


def any_foreign() -> bool:
    """Return whether a distribution on the path of imports names a table; `importlib.metadata` takes long to import."""
    group = COMMAND_GROUP.encode()
    return any(group in text for text in _files_of_entry_points())


def _files_of_entry_points() -> Iterator[bytes]:
    standard = os.path.dirname(os.__file__)  # has no distribution
    for folder in sys.path:
        try:
            names = () if folder == standard else os.listdir(folder or ".")
        except FileNotFoundError:
            continue
        except OSError:  # an archive, or a folder that cannot be listed: `importlib.metadata` knows more
            yield COMMAND_GROUP.encode()
            continue
        for name in names:
            if name.endswith(("-info", "-INFO")) and not name.startswith("qeframe-"):  # its own tables are in TABLES
                yield _content(f"{folder or '.'}/{name}/entry_points.txt")


def _content(path: str) -> bytes:
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:  # most distributions have none
        return b""
    try:
        return os.read(file, os.fstat(file).st_size)
    finally:
        os.close(file)

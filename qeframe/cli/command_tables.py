"""The tables of commands that come with qeframe.

A table is ``COMMANDS`` in a module that imports nothing heavy. Entry points are asked for only for the list of commands
and for a word that is no command of qeframe: `foreign_commands` has those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from qeframe.core.entry_points import block_list

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

"""The commands that come with qeframe.

Their table is ``COMMANDS`` in `qeframe.cli.commands`, which imports nothing heavy. Entry points are asked for only for
the list of commands and for a word that is no command of qeframe: `foreign_commands` has those.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from qeframe.cli.commands import COMMANDS

if TYPE_CHECKING:
    import click

    from qeframe.core.entry_points import Command


@cache
def own_commands() -> Mapping[str, Command]:
    """Return the commands that come with qeframe, by name."""
    return {command.name: command for command in COMMANDS}


def own_command(command: Command) -> click.Command:
    """Import a command that comes with qeframe."""
    module, _, name = command.path.partition(":")
    imported: click.Command = getattr(import_module(module), name)
    return imported

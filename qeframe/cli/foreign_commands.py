"""The commands of other distributions, whose entry points name tables of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, NamedTuple

import click

from qeframe.cli.command_tables import own_commands
from qeframe.core.entry_points import COMMAND_GROUP, Command, block_list
from qeframe.core.errors import PluginError

if TYPE_CHECKING:
    from qeframe.core.origin import Origin

_NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Found(NamedTuple):
    """The commands of other distributions.

    `commands` (Command, Origin): by name; without those that are refused.
    `refused`: what is wrong with a name that is brought twice.
    `unreadable`: what is wrong with each table that cannot be read.
    """

    commands: Mapping[str, tuple[Command, Origin]]
    refused: Mapping[str, str]
    unreadable: Sequence[str]


def foreign_commands() -> Found:
    """Return the commands of other distributions that are not blocked; a table that cannot be read stops no other."""
    brought: dict[str, list[tuple[Command, Origin]]] = {}
    unreadable: list[str] = []
    for origin, table in foreign_tables():
        if isinstance(table, PluginError):
            unreadable.append(str(table))
            continue
        for command in table:
            brought.setdefault(command.name, []).append((command, origin))
    refused = {name: twice for name, these in brought.items() if (twice := _twice(name, these))}
    commands = {name: first for name, (first, *_) in brought.items() if name not in refused}
    return Found(commands, refused, sorted(unreadable))


def foreign_tables() -> Iterator[tuple[Origin, Sequence[Command] | PluginError]]:
    """Yield the table of each entry point of another distribution that is not blocked, or why it cannot be read."""
    for point in entry_points(group=COMMAND_GROUP):
        if point.name not in block_list():
            from qeframe.core.origin import Origin  # with attrs: not where there is no other distribution

            origin = Origin(point.name, *((point.dist.name, point.dist.version) if point.dist else ("(unknown)", "")))
            try:
                yield origin, _read(point, origin)
            except PluginError as error:
                yield origin, error


def _read(point: EntryPoint, origin: Origin) -> Sequence[Command]:
    try:
        with redirect_stdout(sys.stderr):
            table = import_module(point.module).COMMANDS
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _unusable(f"the table of commands of {origin}", error, origin) from error
    if isinstance(table, str) or not isinstance(table, Sequence) or not all(isinstance(c, Command) for c in table):
        raise PluginError(f"{origin}: COMMANDS must be a sequence of Command; {_remedy(origin)}")
    for command in table:
        if not _NAME.fullmatch(str(command.name)):
            what = f"{str(command.name)[:80]!a} cannot name a command: it is not lower case with hyphens between words"
            raise PluginError(f"{origin}: {what}; {_remedy(origin)}")
    return table


def _twice(name: str, brought: Sequence[tuple[Command, Origin]]) -> str:
    """Return the message for a name that several tables have; empty if one has it."""
    owners = [*(["qeframe"] if name in own_commands() else []), *sorted(str(origin) for _, origin in brought)]
    if len(owners) == 1:
        return ""
    last = max((origin for _, origin in brought), key=str)
    return (
        f"the command '{name}' is brought twice: by {owners[0]} and by {owners[-1]}; "
        f"rename that of plugin '{last.plugin}', or start with QEFRAME_BLOCK={last.plugin}"
    )


def foreign_command(command: Command, origin: Origin) -> click.Command:
    """Import a command of another distribution.

    Raises PluginError if it cannot be imported, or is no command of click.
    """
    module, _, name = command.path.partition(":")
    try:
        with redirect_stdout(sys.stderr):
            imported = getattr(import_module(module), name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _unusable(f"the command '{command.name}' of {origin}", error, origin) from error
    if not isinstance(imported, click.Command):
        what = f"'{command.path}' is of type {type(imported).__name__}, not a command of click"
        raise PluginError(f"the command '{command.name}' of {origin}: {what}; {_remedy(origin)}")
    return imported


def _unusable(what: str, error: BaseException, origin: Origin) -> PluginError:
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return PluginError(f"{what} cannot be imported: {said}; {_remedy(origin)}")


def _remedy(origin: Origin) -> str:
    return f"repair or uninstall '{origin.distribution}', or start with QEFRAME_BLOCK={origin.plugin}"

"""The group of commands. Here, and only here, an error becomes one line on standard error and exit status 2."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click

from qeframe.cli.command_tables import own_command, own_commands
from qeframe.cli.commands import GROUPS
from qeframe.cli.shared.command_ending import ended_by_signals, ending_line
from qeframe.cli.shared.standard_streams import silence, standard_streams, whole_output
from qeframe.core.entry_points import COMMAND_GROUP, block_list
from qeframe.core.errors import (
    TRACEBACK,
    PipeWarning,
    PluginError,
    PluginWarning,
    QeframeError,
    ResultWarning,
    SubmissionsError,
    did_you_mean,
    one_line,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from qeframe.cli.foreign_commands import Found
    from qeframe.core.entry_points import Command

_WARNINGS = (PipeWarning, PluginWarning)
"""The warnings that are printed in a line each: a silent pipe, an unusable plugin."""

_USED: set[str] = set()
"""The modules of the commands that were asked for: they may end the program with a status of their own."""

_PATIENCE = 1.0
"""Seconds in which Python may end by itself after a signal."""


class _InterruptedError(Exception):
    """`KeyboardInterrupt` under another name: click writes an empty line for it."""


class _ReaderGoneError(Exception):
    """`BrokenPipeError` under another name: click makes an exit with status 1 of it."""


class _Commands(click.Group):
    """A group that imports a command when the command is used."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise _InterruptedError from error
        except BrokenPipeError as error:
            raise _ReaderGoneError from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_every(ctx))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in own_commands():
            command = own_commands()[cmd_name]
            command_of = own_command(command)
        elif cmd_name in (foreign := _foreign(ctx)).commands:
            from qeframe.cli.foreign_commands import foreign_command

            command, origin = foreign.commands[cmd_name]
            command_of = foreign_command(command, origin)
        elif cmd_name in foreign.refused:
            raise PluginError(foreign.refused[cmd_name])
        else:
            return None
        _USED.add(command.path.partition(":")[0])
        return command_of

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own, foreign = own_commands(), _foreign(ctx)
        sections = {title: [own[name] for name in group] for title, group in GROUPS.items()}
        for command, origin in foreign.commands.values():
            title = f"Commands of {origin.distribution} {origin.version}".strip()
            sections[title] = sorted([*sections.get(title, ()), command])
        longest = max(map(len, self.list_commands(ctx)))
        for title, commands in sections.items():
            if commands:
                with formatter.section(title):
                    formatter.write_dl([(command.name.ljust(longest), command.summary) for command in commands])
        for problem in (*foreign.unreadable, *foreign.refused.values()):
            warnings.warn(problem, PluginWarning, stacklevel=2)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names by the tables: a command that cannot be imported does not hide the others."""
        from click.shell_completion import CompletionItem

        matching = [command for name, command in sorted(_every(ctx).items()) if name.startswith(incomplete)]
        items = [CompletionItem(command.name, help=command.summary) for command in matching]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            unknown = f"unknown command '{args[0]}'; "
            foreign = _foreign(ctx)
            if foreign.unreadable:  # it may be one of these
                raise PluginError(unknown + foreign.unreadable[0])
            blocked = f" (blocked: {', '.join(block_list())})" if block_list() else ""
            raise click.UsageError(f"{unknown}{did_you_mean(args[0], self.list_commands(ctx))}{blocked}", ctx)
        return super().resolve_command(ctx, args)


def _every(ctx: click.Context) -> dict[str, Command]:
    return {**own_commands(), **{command.name: command for command, _ in _foreign(ctx).commands.values()}}


def _foreign(ctx: click.Context) -> Found:
    """Return the commands of other distributions, read once for each start."""
    if COMMAND_GROUP not in ctx.meta:
        from qeframe.cli.foreign_commands import foreign_commands  # `importlib.metadata` takes long to import

        ctx.meta[COMMAND_GROUP] = foreign_commands()
    found: Found = ctx.meta[COMMAND_GROUP]
    return found


@click.command(
    cls=_Commands,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="qeframe", prog_name="qeframe")  # read from the metadata when it is asked for
@click.pass_context
def app(ctx: click.Context) -> None:
    """Evaluate machine-translation quality estimation and metrics, by the rules of any shared task.

    Results go to standard output. Progress and warnings go to standard error. The exit status is 0 for success, 1 if a
    requested check failed, and 2 for unusable input or a failing plugin. The environment variable QEFRAME_BLOCK=NAME
    starts without a plugin. QEFRAME_TRACEBACK=1 shows the traceback of an unexpected error.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


_COMPLETION = "_QEFRAME_COMPLETE"


def asked_by_shell() -> str:
    """Return what a shell asks for; empty if the command was not started by completion."""
    return os.environ.get(_COMPLETION, "")


def _answer_shell(asked: str) -> int:
    """Print the script of a shell, or completions; a line of a broken command has none, and no message."""
    from click.shell_completion import shell_complete

    try:
        return shell_complete(app, {}, "qeframe", _COMPLETION, asked)
    except Exception:
        if os.environ.get(TRACEBACK):
            raise
        return 1


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    is_program = arguments is None
    try:
        with standard_streams(of_program=is_program), ended_by_signals() as signals:
            if asked := asked_by_shell():
                sys.exit(_answer_shell(asked))
            _run(arguments, signals)
    except KeyboardInterrupt as error:  # before the work, or after it
        _end(*(error.args or (2,)), for_good=is_program)


def _path_of(words: Sequence[str]) -> str:
    """Return the command that words on the command line begin with; click does not say it of an option's values."""
    command: click.Command = app
    path = ["qeframe"]
    for word in words:
        context = click.Context(command)
        inner = command.get_command(context, word) if isinstance(command, click.Group) else None
        if inner is None:
            break
        command, path = inner, [*path, word]
    return " ".join(path)


def _run(arguments: Sequence[str] | None, signals: Sequence[int]) -> None:
    status = 0
    try:
        with whole_output(), _warnings_in_one_line():
            words = None if arguments is None else list(arguments)
            status = app.main(args=words, prog_name="qeframe", standalone_mode=False) or 0  # of `Context.exit`
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else _path_of(sys.argv[1:] if arguments is None else arguments)
        _fail(f"{error.format_message().rstrip('.')}; '{command} --help' shows how")
    except click.ClickException as error:
        _fail(error.format_message())
    except QeframeError as error:
        if os.environ.get(TRACEBACK) and error.__cause__ is not None:
            raise
        _fail(*(str(error).split("\n") if isinstance(error, SubmissionsError) else [str(error)]))
    except (KeyboardInterrupt, click.Abort, _InterruptedError):
        _end(signals[-1] if signals else 2, for_good=arguments is None)
    except (BrokenPipeError, _ReaderGoneError):
        silence(sys.stdout)  # its reader has gone: no message
        sys.exit(141)
    except SystemExit as stop:
        if _ends_in_command(stop):
            raise
        _fail_unexpectedly(stop)
    except BaseException as error:
        _fail_unexpectedly(error)
    if status:
        sys.exit(status)


def _end(number: int, *, for_good: bool) -> NoReturn:
    """End as a signal asks for; for good, also where threads still compute a block."""
    click.echo(ending_line(number), err=True)
    if for_good:
        late = threading.Timer(_PATIENCE, os._exit, [128 + number])
        late.daemon = True
        late.start()
    sys.exit(128 + number)


def _ends_in_command(stop: BaseException) -> bool:
    """Return whether an exit was asked for by a command, not by what it computes."""
    last = stop.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_globals.get("__name__") in _USED


def _fail_unexpectedly(error: BaseException) -> NoReturn:
    """Print one line for an unexpected error, or raise it where its traceback is asked for."""
    from qeframe.cli.shared.unexpected_error import failure_line

    if os.environ.get(TRACEBACK):
        raise error
    _fail(failure_line(error))


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """Print a line for each warning of qeframe, once, instead of Python's warning."""
    printed: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *where: object, **options: object) -> None:
        if not issubclass(category, _WARNINGS):
            other(message, category, *where, **options)  # type: ignore[arg-type]
        elif str(message) not in printed:
            printed.add(str(message))
            click.echo(f"qeframe: warning: {message}", err=True)

    with warnings.catch_warnings():
        for category in _WARNINGS:
            warnings.simplefilter("always", category)
        warnings.simplefilter("ignore", ResultWarning)  # commands print what limits a result with the result
        other, warnings.showwarning = warnings.showwarning, show
        yield


def _fail(*lines: str) -> NoReturn:
    click.echo("qeframe: " + "\n".join(map(one_line, lines)), err=True)
    sys.exit(2)

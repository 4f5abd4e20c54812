"""The group of commands. Here, and only here, an error becomes one line on standard error and exit status 2."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import NoReturn

import click

from qeframe.cli.shared.completion import answer_shell, asked_by_shell
from qeframe.cli.shared.standard_streams import silence, standard_streams, whole_output
from qeframe.core.ending import ended_by_signals, ending_line, no_silent_end
from qeframe.core.errors import (
    TRACEBACK,
    FormerSpellingWarning,
    PipeWarning,
    PluginWarning,
    QeframeError,
    did_you_mean,
    one_line,
)

__all__ = ["app", "main"]

_MODULES = {
    "audit": "qeframe.cli.commands.audit",
    "bundle": "qeframe.cli.commands.bundle",
    "calibrate": "qeframe.cli.commands.calibrate",
    "check-plugin": "qeframe.cli.commands.check_plugin",
    "compare": "qeframe.cli.commands.compare",
    "correlate": "qeframe.cli.commands.correlate",
    "demo": "qeframe.cli.commands.demo",
    "diff": "qeframe.cli.commands.diff",
    "distinguish": "qeframe.cli.commands.distinguish",
    "export": "qeframe.cli.commands.export",
    "fetch": "qeframe.cli.commands.fetch",
    "grid": "qeframe.cli.commands.grid",
    "lock": "qeframe.cli.commands.lock",
    "merge": "qeframe.cli.commands.merge",
    "new-plugin": "qeframe.cli.commands.new_plugin",
    "plugins": "qeframe.cli.commands.listing",
    "power": "qeframe.cli.commands.power",
    "profiles": "qeframe.cli.commands.listing",
    "ratings": "qeframe.cli.commands.ratings",
    "report": "qeframe.cli.commands.report",
    "reproduce": "qeframe.cli.commands.reproduce",
    "run": "qeframe.cli.commands.run",
    "score": "qeframe.cli.commands.score",
    "sensitivity": "qeframe.cli.commands.sensitivity",
    "spans": "qeframe.cli.commands.spans",
    "store": "qeframe.cli.commands.store",
    "stream": "qeframe.cli.commands.stream",
    "validate": "qeframe.cli.commands.validate",
}

_SUMMARIES = {
    "audit": "Measure how far METRICS can be gamed, and by which attack.",
    "bundle": "Make a shared task ready for a platform that scores submissions.",
    "calibrate": "Measure the error rate of TEST on METRIC.",
    "check-plugin": "Check the components and the profiles of a plugin against their laws.",
    "compare": "Test the differences between SUBMISSIONS under METRIC.",
    "correlate": "Correlate metrics with human judges by document size.",
    "demo": "Generate a small shared task and evaluate it.",
    "diff": "Show what changed from the result OLD to the result NEW, and why.",
    "distinguish": "Compare how well metrics separate submissions.",
    "export": "Write the tasks in PATH, as PROFILE reads them, in another layout.",
    "fetch": "Download the published files of a shared task.",
    "grid": "Print which words of a segment match its references.",
    "lock": "Record the numbers of every component in FILE.",
    "merge": "Join the shards in FOLDERS to the result of one run.",
    "new-plugin": "Write a new plugin of one kind, with its tests.",
    "plugins": "List the plugins, and every component with its parameters and the plugin that brings it.",
    "power": "Say how many units would tell submissions apart.",
    "profiles": "List the profiles, print the rules of one with their certainty, or compare two.",
    "ratings": "Turn the ratings in PATH into scores of segments: the mean over raters.",
    "report": "Make the page and the tables of a result again.",
    "reproduce": "Compare published values with the values that are computed from the data.",
    "run": "Evaluate the submissions in PATH by the rules of PROFILE.",
    "score": "Print the scores of SUBMISSIONS under METRIC.",
    "sensitivity": "Compare the ranks in PATH under several profiles.",
    "spans": "Print the error spans of segments, those of the gold and those of a submission.",
    "store": "Keep results over runs and years in one file.",
    "stream": "Evaluate SUBMISSIONS of more units than memory holds against GOLD.",
    "validate": "Check the file SUBMISSION as PROFILE reads it, without the gold.",
}
"""The first sentence of the help of each command, so that the list of commands imports none of them."""

_WARNINGS = (FormerSpellingWarning, PipeWarning, PluginWarning)
"""The warnings that are printed in a line each: a former spelling, a silent pipe, a slow plugin."""

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
        return sorted(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _MODULES:
            return None
        command: click.Command = getattr(import_module(_MODULES[cmd_name]), cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        limit = formatter.width - 6 - max(map(len, names))
        light = {name: click.Command(name, help=_SUMMARIES[name]) for name in names}
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(limit)) for name, command in light.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _MODULES and not args[0].startswith("-"):
            raise click.UsageError(f"unknown command '{args[0]}'; {did_you_mean(args[0], _MODULES)}", ctx)
        return super().resolve_command(ctx, args)


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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    is_program = arguments is None
    try:
        with standard_streams(of_program=is_program), ended_by_signals() as signals, no_silent_end(guard=is_program):
            if asked := asked_by_shell():
                sys.exit(answer_shell(app, asked))
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
    try:
        with whole_output(), _warnings_in_one_line():
            app.main(args=None if arguments is None else list(arguments), prog_name="qeframe", standalone_mode=False)
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
        _fail(str(error))
    except (KeyboardInterrupt, click.Abort, _InterruptedError) as error:
        cause = error.__cause__ or error
        if signals or not getattr(cause, "__notes__", ()):
            _end(signals[-1] if signals else 2, for_good=arguments is None)
        _fail_unexpectedly(cause)
    except (BrokenPipeError, _ReaderGoneError):
        _end_quietly()
    except SystemExit as stop:
        if _ends_in_own_module(stop):
            raise
        _fail_unexpectedly(stop)
    except BaseException as error:
        _fail_unexpectedly(error)


def _end_quietly() -> NoReturn:
    """End as a program ends whose reader has gone: without a message."""
    silence(sys.stdout)
    sys.exit(141)


def _end(number: int, *, for_good: bool) -> NoReturn:
    """End as a signal asks for; for good, also where threads still compute a block."""
    click.echo(ending_line(number), err=True)
    if for_good:
        late = threading.Timer(_PATIENCE, os._exit, [128 + number])
        late.daemon = True
        late.start()
    sys.exit(128 + number)


def _ends_in_own_module(stop: BaseException) -> bool:
    """Return whether an exit was asked for by a command, not by a plugin."""
    last = stop.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and str(last.tb_frame.f_globals.get("__name__", "")).startswith("qeframe.cli.")


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
        other, warnings.showwarning = warnings.showwarning, show
        yield


def _fail(message: str) -> NoReturn:
    click.echo(f"qeframe: {one_line(message)}", err=True)
    sys.exit(2)

"""The group of commands, and the one place where errors become a line on standard error and exit status 2."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from qeframe import __version__
from qeframe.errors import QeframeError, did_you_mean, one_line

__all__ = ["app", "main"]

_HOMES = {
    "audit": "qeframe.cli.audit",
    "check-plugin": "qeframe.cli.plugin_kit",
    "compare": "qeframe.cli.score",
    "correlate": "qeframe.cli.correlate",
    "demo": "qeframe.cli.demo",
    "distinguish": "qeframe.cli.distinguish",
    "lock": "qeframe.cli.lock",
    "new-plugin": "qeframe.cli.plugin_kit",
    "grid": "qeframe.cli.grid",
    "plugins": "qeframe.cli.listing",
    "profiles": "qeframe.cli.listing",
    "run": "qeframe.cli.run",
    "score": "qeframe.cli.score",
    "sensitivity": "qeframe.cli.sensitivity",
}


class _Commands(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _HOMES:
            return None
        command: click.Command = getattr(import_module(_HOMES[cmd_name]), cmd_name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _HOMES and not args[0].startswith("-"):
            raise click.UsageError(f"unknown command '{args[0]}'; {did_you_mean(args[0], _HOMES)}", ctx)
        return super().resolve_command(ctx, args)


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="qeframe")
def app() -> None:
    """Evaluate machine-translation quality estimation and metrics, by the rules of any shared task.

    Results go to standard output, progress and warnings to standard error. Exit status: 0 success, 1 a requested check
    failed, 2 unusable input or a plugin that fails. In the environment, QEFRAME_BLOCK=NAME starts without a plugin, and
    QEFRAME_TRACEBACK=1 shows where an unforeseen error came from.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    try:
        app.main(args=None if arguments is None else list(arguments), prog_name="qeframe", standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "qeframe"
        _fail(f"{error.format_message().rstrip('.')}; '{command} --help' shows how")
    except click.ClickException as error:
        _fail(error.format_message())
    except QeframeError as error:
        _fail(str(error))
    except (KeyboardInterrupt, click.Abort):
        click.echo("qeframe: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except Exception as error:
        from qeframe.cli.failure import TRACEBACK, tell_failure

        if os.environ.get(TRACEBACK):
            raise
        _fail(tell_failure(error))


def _fail(message: str) -> None:
    click.echo(f"qeframe: {one_line(message)}", err=True)
    sys.exit(2)

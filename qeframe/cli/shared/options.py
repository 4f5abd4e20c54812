"""Options that several commands share, and the extra that laws need."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import qeframe
from qeframe.cli.shared.progress import working
from qeframe.cli.shared.standard_streams import print_tables, say
from qeframe.core.errors import DataError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from qeframe.api.submissions import Chosen
    from qeframe.core.task import LeftOut
    from qeframe.data.reading import Reading
    from qeframe.report.layouts.table import Table

Command = Callable[..., Any]


class _NamedPath(click.Path):
    """A path that is not empty: an empty path would silently mean the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the path is empty; '.' is the current folder", param, ctx)
        try:
            os.lstat(value)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                self.fail(f"the path '{str(value)[:40]}...' is too long", param, ctx)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


class WholeNumber(click.IntRange):
    """A whole number in digits 0 to 9, as in files: Python also reads underscores and the digits of other scripts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or refuse the text."""
        if isinstance(value, str) and not re.fullmatch("[+-]?[0-9]+", value):
            self.fail(f"'{value}' is not a whole number in digits 0 to 9", param, ctx)
        return super().convert(value, param, ctx)


class DecimalNumber(click.FloatRange):
    """A finite number in digits 0 to 9 with a point, as in files."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or refuse the text."""
        if isinstance(value, str) and not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", value):
            self.fail(f"'{value}' is not a number in digits 0 to 9", param, ctx)
        return super().convert(value, param, ctx)


def complete_profile(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a profile, also after a comma, by the files in the folders ``profiles`` of plugins.

    No plugin is imported. Where no name begins like the word, the shell offers files.
    """
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    from click.shell_completion import CompletionItem

    from qeframe.core.hookspecs import GROUP

    before, comma, last = incomplete.rpartition(",")
    specs = map(find_spec, {point.module.partition(".")[0] for point in entry_points(group=GROUP)})
    folders = [folder for spec in specs if spec for folder in spec.submodule_search_locations or ()]
    files = (path for folder in folders for path in Path(folder, "profiles").rglob("*.toml"))
    names = sorted(path.stem for path in files if path.parent.name not in ("published", "sources"))
    items = [CompletionItem(before + comma + name) for name in names if name.startswith(last)]
    return items or [CompletionItem(incomplete, type="file")]


profile_argument = click.argument("profile", shell_complete=complete_profile)
path_type = _NamedPath()
share_type = DecimalNumber(0, 1, min_open=True, max_open=True)
"""A chance or a level: above 0 and below 1."""


def number_option(
    name: str, help_text: str, *, default: int | None = None, least: int = 1
) -> Callable[[Command], Command]:
    """Return the option of a whole number; a default is shown."""
    shown = default is not None
    return click.option(name, type=WholeNumber(min=least), default=default, show_default=shown, help=help_text)


def choice_option(
    name: str, words: Sequence[str], help_text: str, *, default: str = "", dest: str = ""
) -> Callable[[Command], Command]:
    """Return the option of one of some words, the first by default; `dest` is the parameter, if it has another name."""
    names, default = [name, *([dest] if dest else [])], default or words[0]
    return click.option(*names, type=click.Choice(words), default=default, show_default=True, help=help_text)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
quiet_option = click.option("--quiet", is_flag=True, help="Show no progress, warnings or hints.")
seed_option = number_option("--seed", "Seed of all random draws.", default=0, least=0)
set_option = click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a rule of the profile; repeatable."
)


def out_option_with(help_text: str) -> Callable[[Command], Command]:
    """Return the option of what is written, with a help text of its own."""
    return click.option("--out", type=path_type, help=help_text)


out_option = out_option_with("Write report.html, evaluation.json and tables into this folder.")
html_option = click.option(
    "--html", type=path_type, metavar="FILE", help="Also write the result into this file, a page of HTML."
)
figures_option = choice_option(
    "--figures",
    ["none", "svg", "png"],
    "With --out, also draw figures into files of this format. The page has pictures of its own.",
)


class LeavingOut:
    """Which submissions a command leaves out, and those that it did leave out: filled in as it reads."""

    def __init__(self, exclude: Sequence[str] = (), skip_invalid: bool = False) -> None:
        named = (item.partition("=") for item in exclude)
        self.exclude = {name.strip(): reason.strip() for name, _, reason in named}
        self.skip_invalid = skip_invalid
        self.left_out: list[LeftOut] = []
        self.told = False  # whether the command itself says who was left out

    def of(self, profile: qeframe.Profile, path: Path, registry: qeframe.Registry) -> Chosen | None:
        """Return which submissions in a path are read; None for all of them: see `leave_out`."""
        from qeframe.api.submissions import leave_out

        chosen = leave_out(profile, path, registry, exclude=self.exclude, skip_invalid=self.skip_invalid)
        self.add(() if chosen is None else chosen.left_out)
        return chosen

    def tasks(
        self, profile: qeframe.Profile, path: Path, registry: qeframe.Registry, *, quiet: bool = False
    ) -> list[qeframe.Task]:
        """Return the tasks in a path, and show the progress of what is computed from texts."""
        with working("computing", quiet=quiet) as runner:
            return qeframe.read_tasks(profile, path, registry, runner=runner, chosen=self.of(profile, path, registry))

    def readings(
        self, profile: qeframe.Profile, path: Path, registry: qeframe.Registry, runner: qeframe.Runner | None = None
    ) -> tuple[list[Reading], Chosen | None]:
        """Return what is read of a path, not aligned, and what `of` returns; all mistakes are listed."""
        from qeframe.api.read import read_readings
        from qeframe.api.submissions import raise_all
        from qeframe.core.resolve import resolve

        chosen = self.of(profile, path, registry)
        try:
            return read_readings(profile, path, registry, runner=runner, chosen=chosen), chosen
        except DataError as error:
            if chosen is None:
                raise_all(resolve(profile, registry), path, error)
            raise

    def add(self, left_out: Sequence[LeftOut]) -> None:
        """Note who was left out, each once."""
        self.left_out += [exclusion for exclusion in left_out if exclusion not in self.left_out]

    @property
    def notes(self) -> list[str]:
        """Who was left out, why and by which option, a line for each."""
        return [exclusion.in_words for exclusion in self.left_out]

    @property
    def record(self) -> dict[str, list[LeftOut]]:
        """The same as a part of JSON; empty without any."""
        return {"left_out": self.left_out} if self.left_out else {}


def leaving_out_options(command: Command) -> Command:
    """Add the options of submissions that are left out; the command is given one argument, `leaving`.

    When the command is done, those that it left out are told on standard error. The exit status is then 1 if
    ``--skip-invalid`` left out something.
    """

    @wraps(command)
    def with_leaving(*args: Any, exclude: tuple[str, ...], skip_invalid: bool, **given: Any) -> Any:
        leaving = LeavingOut(exclude, skip_invalid)
        result = command(*args, leaving=leaving, **given)
        say(*leaving.notes, quiet=given.get("quiet") or leaving.told)
        if any(exclusion.by == "skip_invalid" for exclusion in leaving.left_out):
            click.get_current_context().exit(1)
        return result

    return exclude_option(skip_invalid_option(with_leaving))


def names_option(
    name: str, parameter: str, metavar: str, help_text: str, *, required: bool = False
) -> Callable[[Command], Command]:
    """Return the option of several components."""
    return click.option(name, parameter, multiple=True, required=required, metavar=metavar, help=help_text)


exclude_option = click.option(
    "--exclude",
    multiple=True,
    metavar="NAME[=REASON]",
    help="Leave a submission out, and say why; repeatable. NAME is the submission's, or its file's.",
)
skip_invalid_option = click.option(
    "--skip-invalid",
    is_flag=True,
    help="Leave out files of submissions that cannot be used; exit status 1 if there are any.",
)


best_option = choice_option("--best", ["low", "high"], "Which end of the gold scale is good.")
workers_option = number_option("--workers", "Number of threads. The result does not depend on it.", default=1)


class CommonOptions(NamedTuple):
    """The values of `common_options`."""

    seed: int
    workers: int
    as_json: bool
    quiet: bool

    def working(self, what: str) -> AbstractContextManager[qeframe.Runner]:
        """Return a runner with these workers, which shows its progress: see `working` of the progress."""
        return working(what, workers=self.workers, quiet=self.quiet)

    def show(self, record: str, tables: Sequence[Table]) -> None:
        """Print a result as JSON if that is asked for, otherwise its tables with an empty line between."""
        if self.as_json:
            click.echo(record, nl=False)
        else:
            print_tables(tables)


def common_options(command: Command) -> Command:
    """Add --seed, --workers, --json and --quiet; the command is given one argument, `common`."""

    @wraps(command)
    def with_common(*args: Any, seed: int, workers: int, as_json: bool, quiet: bool, **given: Any) -> Any:
        return command(*args, common=CommonOptions(seed, workers, as_json, quiet), **given)

    return seed_option(workers_option(json_option(quiet_option(with_common))))


def check_usage(wrong: Mapping[str, object]) -> None:
    """Raise a usage error for the first message whose condition holds."""
    for message, holds in wrong.items():
        if holds:
            raise click.UsageError(message)


def check_figures(out: object, figures: str) -> None:
    """Raise a usage error if figures are asked for without a folder."""
    check_usage({"figures are files: give --out too": out is None and figures != "none"})


@contextmanager
def laws_required() -> Iterator[None]:
    """Import `qeframe.testing` within this context.

    Raises DataError if a dependency of `qeframe.testing` is missing; the remedy names the extra to install.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise DataError(f"the laws need {error.name}", remedy="pip install 'qeframe[test]'") from error

"""``qeframe sensitivity``: one task under the rules of several profiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

import qeframe
from qeframe import report, studies
from qeframe.cli.shared import options
from qeframe.cli.shared.pages import page_bytes, take_out, write_out, write_page
from qeframe.cli.shared.progress import working
from qeframe.core.errors import DataError, SubmissionsError


@click.command()
@click.argument("path", type=options.path_type)
@click.option(
    "--profiles",
    default="",
    metavar="A,B,...",
    shell_complete=options.complete_profile,
    help="Profiles, separated by commas: a column for each.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="'A [--set KEY=VALUE]...'",
    help="One more column: a profile with settings of its own; repeatable.",
)
@options.out_option
@options.html_option
@options.set_option
@options.leaving_out_options
@options.common_options
def sensitivity(
    path: Path,
    profiles: str,
    columns: tuple[str, ...],
    out: Path | None,
    html: Path | None,
    settings: tuple[str, ...],
    leaving: options.LeavingOut,
    common: options.CommonOptions,
) -> None:
    """Compare the ranks in PATH under several profiles.

    PATH and the profiles are those of 'qeframe run', two columns or more. Each profile reads PATH by its own reader.
    --set changes a rule of all columns: --set reader=rankings reads rankings for all of them. --column 'A --set
    primary=mae' changes a rule of one. The last sentence says under how many columns the winner is the same.
    Significance tests may take long. --set test= leaves them out, and ranks then follow the scores.
    """
    import attrs

    from qeframe.core.display import canonical_json
    from qeframe.studies.tables.sensitivity import sensitivity_table

    result_folder = take_out(out, path)
    registry = qeframe.load()
    named = {name: (name, settings) for name in _names(profiles)}
    for column in columns:
        name, values = _column(column)
        label = " ".join([name, *values])
        if label in named:
            raise DataError(f"the column '{label}' is there twice", remedy="give each once, with settings that differ")
        named[label] = name, (*settings, *values)
    if len(named) < 2:
        raise DataError("one column cannot be compared", remedy="write --profiles A,B, or one more --column")
    rules = [qeframe.choose_profile(name, changes, registry) for name, changes in named.values()]
    evaluations = [
        attrs.evolve(evaluation, profile=label)
        for label, evaluation in zip(named, _evaluations(rules, path, registry, leaving, common), strict=True)
    ]
    table = sensitivity_table(evaluations, f"{path.name}: the same task under several profiles")
    record = canonical_json({**studies.sensitivity_record(evaluations), **leaving.record})
    common.show(record, [table])
    if not (result_folder or html):
        return
    warnings = [f"{evaluation.profile}: {warning}" for evaluation in evaluations for warning in evaluation.warnings]
    page = page_bytes(table.title, [table], warnings=warnings, notes=leaving.notes)
    write_page(html, page, quiet=common.quiet)
    files = {"report.html": page, **report.files_of_tables("sensitivity", [table]), "sensitivity.json": record}
    write_out(result_folder, files, quiet=common.quiet)


def _names(profiles: str) -> list[str]:
    names = [name.strip() for name in profiles.split(",")] if profiles else []
    if not all(names):
        raise DataError(f"--profiles '{profiles}' is not a list of profiles", remedy="write --profiles A,B")
    if len(set(names)) < len(names):
        raise DataError(f"--profiles '{profiles}' names a profile twice", remedy="name each once")
    return names


def _column(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the profile and the settings of a column, which is written as for 'qeframe run'."""
    import shlex

    try:
        name, *words = shlex.split(text)
    except ValueError:
        name, words = "", []
    if not name or len(words) % 2 or any(option != "--set" for option in words[::2]):
        raise DataError(f"--column '{text}' is no column", remedy="write --column 'PROFILE --set KEY=VALUE'")
    return name, tuple(words[1::2])


def _evaluations(
    rules: Sequence[qeframe.Profile],
    path: Path,
    registry: qeframe.Registry,
    leaving: options.LeavingOut,
    common: options.CommonOptions,
) -> list[qeframe.Evaluation]:
    """Evaluate a path under every profile, once all have read it; what they share is read and computed once."""
    from qeframe.api.submissions import SharedReading
    from qeframe.core.profile_tables import part_rules

    shared = SharedReading()
    chosen = {}
    for profile in rules:
        with _reading(profile, rules[0]):
            chosen[id(profile)] = leaving.of(profile, path, registry)
            shared.check(profile, path, registry, chosen[id(profile)])
    tasks: dict[object, list[qeframe.Task]] = {}
    keys = []
    for profile in rules:
        parts = repr(part_rules(profile))
        key = (profile.reader, profile.best, profile.missing, profile.computed, profile.baselines, parts)
        keys.append(key)
        if key not in tasks:
            with _reading(profile, rules[0]), working("computing", quiet=common.quiet) as runner:
                choice = chosen[id(profile)]
                tasks[key] = qeframe.read_tasks(profile, path, registry, runner=runner, shared=shared, chosen=choice)
    evaluations = []
    for profile, key in zip(rules, keys, strict=True):
        with common.working("drawing") as runner:
            evaluations.append(
                qeframe.evaluate(profile, tasks[key], seed=common.seed, registry=registry, runner=runner)
            )
    return evaluations


@contextmanager
def _reading(profile: qeframe.Profile, first: qeframe.Profile) -> Iterator[None]:
    """Say in a `DataError` which profile cannot read the files."""
    try:
        yield
    except SubmissionsError:
        raise
    except DataError as error:
        what = f"profile '{profile.name}' cannot read the files: {error.what}"
        remedy = error.remedy
        if first.reader != profile.reader:
            remedy = f"use the reader of '{first.name}' for all: --set 'reader={first.reader}'"
        raise DataError(what, path=error.path, line=error.line, remedy=remedy) from error

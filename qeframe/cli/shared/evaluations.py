"""Evaluate the tasks in a path and show the result: the common part of ``qeframe run`` and ``qeframe demo``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

import qeframe
from qeframe import report
from qeframe.cli.shared.progress import working
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import OutputError, QeframeError, counted

if TYPE_CHECKING:
    from qeframe.report.folders.result_folder import ResultFolder


def evaluate_path(
    profile: str | qeframe.Profile,
    path: Path,
    settings: Sequence[str],
    *,
    seed: int,
    workers: int,
    quiet: bool,
    executor: str = "threads",
    with_attacks: bool = False,
    exclude: Mapping[str, str] | None = None,
    skip_invalid: bool = False,
    enter: Mapping[str, str] | None = None,
    **options: Any,
) -> tuple[qeframe.Evaluation, Sequence[qeframe.Task]]:
    """Read the tasks in a path and evaluate them by a profile; show progress.

    `profile`: the name of a profile, the path of a TOML file, or what was read from them.
    `settings`: changed rules, ``key=value``.
    `quiet`: show no progress.
    `executor`: where draws are computed, as in `open_executor`.
    `with_attacks`: whether attacks take part.
    `exclude`, `skip_invalid`: as in `leave_out`; `enter`: as in `read_tasks`.
    `options`: what else is computed, as in `evaluate`.

    Returns the tasks that were evaluated, with the attacks. Raises QeframeError if the profile is not valid, or the
    files cannot be read.
    """
    from qeframe.api.evaluate import run_profile
    from qeframe.core.metric import Attack

    def stage(what: str) -> AbstractContextManager[qeframe.Runner]:
        if what == "drawing":
            return working(what, workers=workers, quiet=quiet, executor=executor)
        return working(what, quiet=quiet)

    registry = qeframe.load()
    return run_profile(
        profile,
        path,
        stage,
        settings=settings,
        attacks=registry.all(Attack) if with_attacks else (),
        seed=seed,
        registry=registry,
        exclude=exclude or {},
        skip_invalid=skip_invalid,
        enter=enter,
        **options,
    )


def show_evaluation(
    evaluation: qeframe.Evaluation,
    tasks: Sequence[qeframe.Task],
    *,
    out: Path | ResultFolder | None,
    as_json: bool,
    quiet: bool,
    explain: bool = False,
    figures: Literal["none", "svg", "png"] = "none",
    **written: Any,
) -> None:
    """Write the files of an evaluation, and print it as a leaderboard or as JSON.

    `tasks`: the tasks that were evaluated, for figures of their units.
    `out`: the folder for the files; None writes none.
    `quiet`: print no warnings and no hints.
    `explain`: also print the tables of the details of the primary metric.
    `figures`, `written`: as for `write_report`.

    Raises OutputError if a file cannot be made or written; the other files are there, and the evaluation is printed.
    """
    from qeframe.report.tables.task_columns import gathered_warnings

    failed: QeframeError | None = None
    said: list[str] = []
    if out is not None:
        try:
            with working("figures", quiet=quiet or figures == "none") as runner:
                files = report.write_report(evaluation, tasks, out, figures=figures, runner=runner, **written)
            said = [f"{counted(len(files.paths), 'file')} written to {out}", *files.notes]
        except QeframeError as error:
            failed = error
    if as_json:
        click.echo(evaluation.to_json(), nl=False)
    else:
        _print_tables(evaluation, explain=explain, quiet=quiet)
    gathered = gathered_warnings(evaluation.warnings, evaluation.tasks)
    say(*(f"warning: {warning}" for warning in gathered), quiet=quiet)
    if failed is not None:
        raise failed if isinstance(failed, OutputError) else OutputError(str(failed)) from failed.__cause__
    say(*said, quiet=quiet)


def audit_of_winner(
    profile: qeframe.Profile, tasks: Sequence[qeframe.Task], evaluation: qeframe.Evaluation, *, seed: int, quiet: bool
) -> dict[str, Any]:
    """Return what the winner of an evaluation could have gained without being better; show progress.

    Raises QeframeError if there is no winner, or the profile has parts.
    """
    from qeframe.gaming.winner import winner_audit

    registry = qeframe.load()
    with working("attacking", quiet=quiet):
        scored = partial(qeframe.evaluate, seed=seed, registry=registry)
        return winner_audit(profile, tasks, evaluation, scored, seed=seed, registry=registry)


def is_incomplete(evaluation: qeframe.Evaluation) -> bool:
    """Return whether a rule left out files of submissions that the user did not name."""
    return any(exclusion.by == "skip_invalid" for exclusion in evaluation.left_out)


def _print_tables(evaluation: qeframe.Evaluation, *, explain: bool, quiet: bool) -> None:
    import attrs

    shown = attrs.evolve(evaluation, warnings=())
    report.print_table(report.leaderboard(shown))
    tables, parts = list[report.Table](), report.parts_table(shown)
    if parts is not None and len(evaluation.parts) <= report.MOST_PARTS:
        tables.append(parts)
    elif parts is not None:
        say(f"with --out, parts.tsv has the table of {len(evaluation.parts)} parts", quiet=quiet)
    tables += report.explanations(evaluation) if explain else []
    if any(pair.equivalence for pair in evaluation.comparisons):
        tables.append(report.comparison_list(evaluation))
    for table in [*tables, *report.supplement_tables(evaluation)]:
        click.echo()
        report.print_table(table)

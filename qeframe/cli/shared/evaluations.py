"""Evaluate the tasks in a path and show the result: the common part of ``qeframe run`` and ``qeframe demo``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from qeframe.evaluation.result import Evaluation
    from qeframe.report.folders.result_folder import ResultFolder
    from qeframe.tasks.task import Task

__all__ = ["evaluate_path", "show_evaluation"]


def evaluate_path(
    profile: str,
    path: Path,
    settings: Sequence[str],
    *,
    seed: int,
    workers: int,
    quiet: bool,
    with_attacks: bool = False,
) -> tuple[Evaluation, Sequence[Task]]:
    """Read the tasks in a path and evaluate them by a profile; show progress.

    Parameters
    ----------
    profile : str
        The name of a profile, or the path of a TOML file.
    path : Path
    settings : sequence of str
        Changed rules, ``key=value``.
    seed, workers : int
    quiet : bool
        Show no progress.
    with_attacks : bool
        Whether attacks take part.

    Returns
    -------
    Evaluation
    sequence of Task
        The tasks that were evaluated, with the attacks.

    Raises
    ------
    QeframeError
        If the profile is not valid, or the files cannot be read.
    """
    from qeframe import choose_profile, enter_attacks, evaluate, load, read_tasks
    from qeframe.cli.shared.progress import working
    from qeframe.components.attack import Attack

    registry = load()
    chosen = choose_profile(profile, settings, registry)
    with working("computing", quiet=quiet) as runner:
        tasks = read_tasks(chosen, path, registry, runner=runner)
    if with_attacks:
        tasks = enter_attacks(tasks, registry.all(Attack), seed=seed)
    with working("drawing", workers=workers, quiet=quiet) as runner:
        return evaluate(chosen, tasks, seed=seed, registry=registry, runner=runner), tasks


def show_evaluation(
    evaluation: Evaluation,
    tasks: Sequence[Task],
    *,
    out: Path | ResultFolder | None,
    as_json: bool,
    quiet: bool,
    explain: bool = False,
    others: Mapping[str, bytes] | None = None,
) -> None:
    """Print an evaluation as a leaderboard or as JSON, and write its files.

    Parameters
    ----------
    evaluation : Evaluation
    tasks : sequence of Task
        The tasks that were evaluated, for figures of their units.
    out : Path, ResultFolder or None
        The folder for the files; None writes none.
    as_json : bool
    quiet : bool
        Print no warnings and no hints.
    explain : bool
        Also print the tables that explain the primary metric.
    others : mapping of str to bytes, optional
        More files for the folder, by name.

    Raises
    ------
    DataError
        If the folder cannot be written to.
    """
    import attrs

    from qeframe.errors import counted, one_line
    from qeframe.report import explanations, leaderboard, print_table, write_report

    if as_json:
        click.echo(evaluation.to_json(), nl=False)
    else:
        print_table(leaderboard(attrs.evolve(evaluation, warnings=())))
        for table in explanations(evaluation) if explain else ():
            click.echo()
            print_table(table)
    if not quiet:
        for warning in evaluation.warnings:
            click.echo(f"qeframe: warning: {one_line(warning)}", err=True)
    if out is None:
        return
    report = write_report(evaluation, tasks, out, others=others)
    if not quiet:
        click.echo(f"qeframe: {counted(len(report.paths), 'file')} written to {one_line(str(out))}", err=True)
        for note in report.notes:
            click.echo(f"qeframe: {note}", err=True)

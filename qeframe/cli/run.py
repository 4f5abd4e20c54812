"""``qeframe run``: evaluate the submissions found in a place by a profile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qeframe.cli.options import (
    confirm_writable,
    json_option,
    out_option,
    path_type,
    quiet_option,
    seed_option,
    set_option,
    workers_option,
)

if TYPE_CHECKING:
    from qeframe.evaluation.result import Evaluation
    from qeframe.tasks.task import Task

__all__ = ["evaluate_place", "present", "run"]


@click.command()
@click.argument("profile")
@click.argument("path", type=path_type)
@out_option
@set_option
@seed_option
@workers_option
@click.option(
    "--with-attacks",
    is_flag=True,
    help="Enter every blind or informed attack on this kind of task, with the rank that it would have taken.",
)
@click.option("--explain", is_flag=True, help="Print scores by group, the units that cost most, and counts.")
@json_option
@quiet_option
def run(
    profile: str,
    path: Path,
    out: Path | None,
    settings: tuple[str, ...],
    seed: int,
    workers: int,
    with_attacks: bool,
    explain: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Evaluate the submissions in PATH by the rules of PROFILE.

    PROFILE is a name that 'qeframe profiles' lists, or a TOML file. PATH is what the profile's reader expects: a table,
    a folder with gold and submissions, or a folder of such folders, one for each language pair.
    """
    confirm_writable(out)
    evaluation, tasks = evaluate_place(
        profile, path, settings, seed=seed, workers=workers, quiet=quiet, with_attacks=with_attacks
    )
    present(evaluation, tasks, out=out, as_json=as_json, quiet=quiet, explain=explain)


def evaluate_place(
    profile: str,
    path: Path,
    settings: Sequence[str],
    *,
    seed: int,
    workers: int,
    quiet: bool,
    with_attacks: bool = False,
) -> tuple[Evaluation, Sequence[Task]]:
    """Read the tasks in a place and evaluate them."""
    from qeframe import choose_profile, enter_attacks, evaluate, load, read_tasks
    from qeframe.cli.progress import working
    from qeframe.components.attack import Attack

    registry = load()
    chosen = choose_profile(profile, settings, registry)
    with working("computing", quiet=quiet) as runner:
        tasks = read_tasks(chosen, path, registry, runner=runner)
    if with_attacks:
        tasks = enter_attacks(tasks, registry.all(Attack), seed=seed)
    with working("drawing", workers=workers, quiet=quiet) as runner:
        return evaluate(chosen, tasks, seed=seed, registry=registry, runner=runner), tasks


def present(
    evaluation: Evaluation,
    tasks: Sequence[Task],
    *,
    out: Path | None,
    as_json: bool,
    quiet: bool,
    explain: bool = False,
) -> None:
    """Print the leaderboard or JSON, write the files, and say where they are."""
    import attrs

    from qeframe.errors import counted
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
            click.echo(f"qeframe: warning: {warning}", err=True)
    if out is None:
        return
    report = write_report(evaluation, tasks, out)
    if not quiet:
        click.echo(f"qeframe: {counted(len(report.paths), 'file')} written to {out}", err=True)
        for note in report.notes:
            click.echo(f"qeframe: {note}", err=True)

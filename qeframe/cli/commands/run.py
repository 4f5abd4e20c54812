"""``qeframe run``: the evaluation of submissions by a profile."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

import qeframe
from qeframe.cli.shared import evaluations, options
from qeframe.cli.shared.command_line import made_again_by
from qeframe.cli.shared.pages import take_out
from qeframe.core.errors import QeframeError


@click.command()
@options.profile_argument
@click.argument("path", type=options.path_type)
@options.out_option
@options.set_option
@options.seed_option
@options.workers_option
@click.option(
    "--executor",
    default="threads",
    show_default=True,
    metavar="NAME",
    help="Where draws are computed: threads, processes (as many as --workers), or dask:ADDRESS of a scheduler.",
)
@click.option(
    "--with-attacks",
    is_flag=True,
    help="Enter every blind or informed attack on this kind of task, with the rank that it would take.",
)
@click.option(
    "--audit",
    is_flag=True,
    help="Also show on the page of --out whether the winner could have gained without being better.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Also compute and print scores by group, the units that lower each score most, and counts.",
)
@options.figures_option
@click.option(
    "--equivalence",
    type=options.DecimalNumber(min=0, min_open=True),
    metavar="DELTA",
    help="Also test for every pair whether the difference is smaller than DELTA; print the comparisons.",
)
@click.option(
    "--detectable",
    is_flag=True,
    help="Also show the smallest difference from the leader that could have been detected with 80 %.",
)
@click.option(
    "--influence",
    type=options.WholeNumber(min=1),
    is_flag=False,
    flag_value=5,
    default=None,
    metavar="[K]",
    help="Also print the K units (5 by default) that change the winner or move each score most. Write it after PATH.",
)
@options.leaving_out_options
@click.option(
    "--enter",
    multiple=True,
    metavar="NAME=FILE",
    help="Also enter a submission of your own, alone: no other rank changes; repeatable. FILE may be a folder.",
)
@options.json_option
@options.quiet_option
def run(
    profile: str,
    path: Path,
    out: Path | None,
    settings: tuple[str, ...],
    seed: int,
    workers: int,
    executor: str,
    with_attacks: bool,
    audit: bool,
    explain: bool,
    equivalence: float | None,
    detectable: bool,
    influence: int | None,
    leaving: options.LeavingOut,
    enter: tuple[str, ...],
    figures: Literal["none", "svg", "png"],
    as_json: bool,
    quiet: bool,
) -> None:
    """Evaluate the submissions in PATH by the rules of PROFILE.

    PROFILE is a name that 'qeframe profiles' lists, or a TOML file. PATH holds what the profile's reader expects: a
    table, a folder with gold and submissions, or a folder of such folders, one for each language pair.
    """
    options.check_figures(out, figures)
    if audit and out is None:
        raise click.UsageError("--audit is a section of the page: give --out")
    result_folder, command = take_out(out, path), ""
    if out is not None:
        from qeframe.report.result_files.evaluation_folder import RULES

        command = made_again_by(out / RULES, profile)
    rules = qeframe.choose_profile(profile, settings, qeframe.load())
    if audit:
        from qeframe.gaming.winner import check_audited

        check_audited(rules)
    evaluation, tasks = evaluations.evaluate_path(
        rules,
        path,
        (),
        seed=seed,
        workers=workers,
        quiet=quiet,
        executor=executor,
        with_attacks=with_attacks,
        exclude=leaving.exclude,
        skip_invalid=leaving.skip_invalid,
        enter=_files(enter),
        explain=explain,
        equivalence=equivalence,
        detectable=detectable,
        influence=influence or 0,
    )
    result, failed = None, None
    try:
        result = evaluations.audit_of_winner(rules, tasks, evaluation, seed=seed, quiet=quiet) if audit else None
    except QeframeError as error:  # what was computed is written first
        failed = error
    evaluations.show_evaluation(
        evaluation,
        tasks,
        audit=result,
        out=result_folder,
        as_json=as_json,
        quiet=quiet,
        explain=explain,
        figures=figures,
        profile=rules,
        command=command,
    )
    if failed is not None:
        raise failed
    if evaluations.is_incomplete(evaluation):
        sys.exit(1)


def _files(entered: tuple[str, ...]) -> dict[str, str]:
    """Return the file of each NAME=FILE."""
    files: dict[str, str] = {}
    for place in entered:
        name, given, file = (part.strip() for part in place.partition("="))
        if not (name and given and file):
            raise click.BadParameter(f"'{place}' is not NAME=FILE", param_hint="--enter")
        if name in files:
            raise click.BadParameter(f"'{name}' is entered twice", param_hint="--enter")
        files[name] = file
    return files

"""``qeframe run``: evaluate the submissions in a folder or file by a profile."""

from __future__ import annotations

from pathlib import Path

import click

from qeframe.cli.shared.options import (
    json_option,
    out_option,
    path_type,
    quiet_option,
    seed_option,
    set_option,
    workers_option,
)
from qeframe.cli.shared.result_folder import take_out

__all__ = ["run"]


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
    help="Enter every blind or informed attack on this kind of task, with the rank that it would take.",
)
@click.option(
    "--explain", is_flag=True, help="Also print scores by group, the units that lower each score most, and counts."
)
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

    PROFILE is a name that 'qeframe profiles' lists, or a TOML file. PATH holds what the profile's reader expects: a
    table, a folder with gold and submissions, or a folder of such folders, one for each language pair.
    """
    from qeframe.cli.shared.evaluations import evaluate_path, show_evaluation

    held = take_out(out, path)
    evaluation, tasks = evaluate_path(
        profile, path, settings, seed=seed, workers=workers, quiet=quiet, with_attacks=with_attacks
    )
    show_evaluation(evaluation, tasks, out=held, as_json=as_json, quiet=quiet, explain=explain)

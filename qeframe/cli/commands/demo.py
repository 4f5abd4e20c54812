"""``qeframe demo``: a complete evaluation of generated files."""

from __future__ import annotations

from pathlib import Path

import click

from qeframe.cli.shared.options import (
    WholeNumber,
    confirm_writable,
    json_option,
    path_type,
    quiet_option,
    workers_option,
)

__all__ = ["demo"]


@click.command()
@click.argument("task", type=click.Choice(["sentence", "word"]), default="sentence")
@click.option(
    "--out",
    type=path_type,
    default=Path("qeframe-demo"),
    show_default=True,
    help="Folder for the generated task and the results.",
)
@click.option("--seed", type=WholeNumber(min=0), default=2015, show_default=True, help="Seed of the generated files.")
@workers_option
@json_option
@quiet_option
def demo(task: str, out: Path, seed: int, workers: int, as_json: bool, quiet: bool) -> None:
    """Generate a small shared task and evaluate it.

    TASK is the kind of task: quality estimation of sentences or of words. Nothing is downloaded. Equal seeds give equal
    files.
    """
    from qeframe.cli.shared.demo_files import write_demo
    from qeframe.cli.shared.evaluations import evaluate_path, show_evaluation

    confirm_writable(out)
    profile, folder = write_demo(task, out, seed)
    evaluation, tasks = evaluate_path(profile, folder, (), seed=seed, workers=workers, quiet=quiet)
    show_evaluation(evaluation, tasks, out=out, as_json=as_json, quiet=quiet)
    if not quiet:
        click.echo(
            f"qeframe: the generated task is in {folder}; to repeat: qeframe run {profile} {folder} --seed {seed}",
            err=True,
        )

"""``qeframe demo``: a complete run on generated files."""

from __future__ import annotations

from pathlib import Path

import click

from qeframe.cli.options import confirm_writable, json_option, path_type, quiet_option, workers_option

__all__ = ["demo"]


@click.command()
@click.argument("task", type=click.Choice(["sentence", "word"]), default="sentence")
@click.option(
    "--out",
    type=path_type,
    default=Path("qeframe-demo"),
    show_default=True,
    help="Where the generated task and the results go.",
)
@click.option("--seed", type=click.IntRange(min=0), default=2015, show_default=True, help="Of the generated files.")
@workers_option
@json_option
@quiet_option
def demo(task: str, out: Path, seed: int, workers: int, as_json: bool, quiet: bool) -> None:
    """Generate a plausible shared task, evaluate it, print the leaderboard.

    TASK is the kind of task: quality estimation of sentences, or of words. Nothing is downloaded; equal seeds give
    equal files.
    """
    from qeframe.cli.demo_task import write_demo
    from qeframe.cli.run import evaluate_place, present

    confirm_writable(out)
    profile, place = write_demo(task, out, seed)
    evaluation, tasks = evaluate_place(profile, place, (), seed=seed, workers=workers, quiet=quiet)
    present(evaluation, tasks, out=out, as_json=as_json, quiet=quiet)
    if not quiet:
        click.echo(
            f"qeframe: the generated task is in {place}; again: qeframe run {profile} {place} --seed {seed}", err=True
        )

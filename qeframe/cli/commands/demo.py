"""``qeframe demo``: a complete evaluation of generated files."""

from __future__ import annotations

from pathlib import Path

import click

from qeframe.cli.shared.options import WholeNumber, json_option, path_type, quiet_option, workers_option
from qeframe.cli.shared.result_folder import take_out

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
    from tempfile import TemporaryDirectory

    from qeframe.cli.shared.demo_files import write_demo
    from qeframe.cli.shared.evaluations import evaluate_path, show_evaluation

    held = take_out(out)
    with TemporaryDirectory(prefix="qeframe-") as made:
        profile, folder = write_demo(task, Path(made), seed)
        evaluation, tasks = evaluate_path(profile, folder, (), seed=seed, workers=workers, quiet=quiet)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        others = {path.relative_to(made).as_posix(): path.read_bytes() for path in paths}
    show_evaluation(evaluation, tasks, out=held, as_json=as_json, quiet=quiet, others=others)
    if not quiet:
        kept = out / folder.name
        click.echo(
            f"qeframe: the generated task is in {kept}; to repeat: qeframe run {profile} {kept} --seed {seed}", err=True
        )

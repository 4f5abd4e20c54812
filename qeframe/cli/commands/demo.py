"""``qeframe demo``: a complete evaluation of generated files."""

from pathlib import Path
from typing import Literal

import click

import qeframe
from qeframe.cli.shared import options
from qeframe.cli.shared.demo_files import DEMOS, write_demo
from qeframe.cli.shared.pages import take_out
from qeframe.cli.shared.standard_streams import say


@click.command()
@click.argument("task", type=click.Choice(list(DEMOS)), default="sentence")
@click.option(
    "--out",
    type=options.path_type,
    default="qeframe-demo",
    show_default=True,
    help="Folder for the generated task and the results.",
)
@options.number_option("--seed", "Seed of the generated files.", default=2015, least=0)
@options.workers_option
@options.figures_option
@options.json_option
@options.quiet_option
def demo(
    task: str, out: Path, seed: int, workers: int, figures: Literal["none", "svg", "png"], as_json: bool, quiet: bool
) -> None:
    """Generate a small shared task and evaluate it.

    TASK is the kind of task: quality estimation of sentences or of words, or one of the three tasks of WMT26. Nothing
    is downloaded. Equal seeds give equal files.
    """
    import shlex
    from tempfile import TemporaryDirectory

    from qeframe.cli.shared.command_line import install_line
    from qeframe.cli.shared.evaluations import evaluate_path, show_evaluation
    from qeframe.report.result_files.evaluation_folder import RULES

    result_folder = take_out(out)
    with TemporaryDirectory(prefix="qeframe-", ignore_cleanup_errors=True) as name:
        temporary = Path(name)
        profile, folder = write_demo(task, temporary, seed)
        rules = qeframe.choose_profile(profile, (), qeframe.load())
        evaluation, tasks = evaluate_path(rules, folder, (), seed=seed, workers=workers, quiet=quiet)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        others = {path.relative_to(temporary).as_posix(): path.read_bytes() for path in paths}
    kept = out / folder.name
    run = ["qeframe", "run", str(out / RULES), str(kept), "--seed", str(seed)]
    show_evaluation(
        evaluation,
        tasks,
        out=result_folder,
        as_json=as_json,
        quiet=quiet,
        others=others,
        figures=figures,
        profile=rules,
        command=f"{install_line()}\n{shlex.join([*run, '--out', 'again'])}",
    )
    say(f"the generated task is in {kept}; to repeat: qeframe run {profile} {kept} --seed {seed}", quiet=quiet)
    say(f"open {out / 'report.html'}", quiet=quiet)

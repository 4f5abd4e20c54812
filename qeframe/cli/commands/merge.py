"""``qeframe merge``: the result of all shards of an evaluation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

import qeframe
from qeframe.cli.shared import options
from qeframe.cli.shared.evaluations import given
from qeframe.cli.shared.pages import take_out
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import counted

if TYPE_CHECKING:
    from qeframe.execution.shards import Merged


@click.command()
@click.argument("folders", type=options.path_type, nargs=-1, required=True)
@options.out_option
@options.workers_option
@options.executor_option
@options.figures_option
@options.figures_of_option
@options.json_option
@options.quiet_option
def merge(
    folders: tuple[Path, ...],
    out: Path | None,
    workers: int,
    executor: str,
    figures: Literal["none", "svg", "png"],
    figures_of: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Join the shards in FOLDERS to the result of one run.

    The shards were written by 'qeframe run --shard I/N --out FOLDER', or by 'qeframe stream'. The data are read
    again, of a stream only the first units: run it where they ran.
    """
    from qeframe.cli.shared.command_line import command_line, install_line
    from qeframe.cli.shared.evaluations import evaluate_path, is_incomplete, show_evaluation, shows_details
    from qeframe.execution.shards import Merged

    options.check_figures(out, figures, figures_of)
    portion = Merged(folders)
    if "stream" in portion.request:
        _merge_stream(portion, out, as_json=as_json, quiet=quiet)
        return
    request = given(portion.request)
    result_folder = take_out(out, request["path"], *folders)
    rules = qeframe.choose_profile(request["profile"], request["settings"], qeframe.load())
    request |= {"profile": rules, "settings": ()}
    evaluation, tasks = evaluate_path(**request, workers=workers, quiet=quiet, executor=executor, portion=portion)
    if portion.kept is not None and portion.kept.computed:
        what = counted(portion.kept.computed, "block")
        say(f"{what} could not be taken from the shards: computed here", quiet=quiet)
    show_evaluation(
        evaluation,
        tasks,
        out=result_folder,
        as_json=as_json,
        quiet=quiet,
        explain=shows_details(request),
        figures=figures,
        figures_of=figures_of,
        profile=rules,
        command=f"{install_line()}\n{command_line()} --out again",
    )
    if is_incomplete(evaluation):
        sys.exit(1)


def _merge_stream(portion: Merged, out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Print the result of the shards of a stream."""
    from qeframe.cli.shared.evaluations import show_stream
    from qeframe.streaming.stream_shards import merge_streams

    if out is not None:
        raise click.UsageError("the result of a stream has no folder: leave --out out, and redirect --json")
    show_stream(merge_streams(portion), as_json=as_json, quiet=quiet)

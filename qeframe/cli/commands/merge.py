"""``qeframe merge``: the result of all shards of an evaluation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import click

from qeframe.cli.shared.evaluations import given
from qeframe.cli.shared.options import (
    check_figures,
    executor_option,
    figures_of_option,
    figures_option,
    json_option,
    out_option,
    path_type,
    quiet_option,
    workers_option,
)
from qeframe.cli.shared.pages import take_out

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe.execution.shards import Merged


@click.command()
@click.argument("folders", type=path_type, nargs=-1, required=True)
@out_option
@workers_option
@executor_option
@figures_option
@figures_of_option
@json_option
@quiet_option
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
    from qeframe.api.read import choose_profile
    from qeframe.cli.shared.command_line import command_line, install_line
    from qeframe.cli.shared.evaluations import evaluate_path, is_incomplete, show_evaluation, shows_details
    from qeframe.core.components.loading.loader import load
    from qeframe.core.errors import counted
    from qeframe.execution.shards import Merged

    check_figures(out, figures, figures_of)
    portion = Merged(folders)
    if "stream" in portion.request:
        _merge_stream(portion, out, as_json=as_json, quiet=quiet)
        return
    request = given(portion.request)
    result_folder = take_out(out, request["path"], *folders)
    rules = choose_profile(request["profile"], request["settings"], load())
    request |= {"profile": rules, "settings": ()}
    evaluation, tasks = evaluate_path(**request, workers=workers, quiet=quiet, executor=executor, portion=portion)
    if not quiet and portion.kept is not None and portion.kept.computed:
        what = counted(portion.kept.computed, "block")
        click.echo(f"qeframe: {what} could not be taken from the shards: computed here", err=True)
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
        raise click.UsageError(
            "the result of a stream has no folder: leave --out out, and redirect --json", click.get_current_context()
        )
    show_stream(merge_streams(portion), as_json=as_json, quiet=quiet)

"""``qeframe run`` and ``qeframe merge``: the evaluation of submissions by a profile, as a whole or from its shards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

import qeframe
from qeframe.cli.shared import evaluations, options
from qeframe.cli.shared.command_line import command_line, install_line, made_again_by
from qeframe.cli.shared.json_lines import EvaluationLines
from qeframe.cli.shared.pages import take_out
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import QeframeError, counted


@click.command()
@options.profile_argument
@click.argument("path", type=options.path_type)
@options.out_option
@options.set_option
@options.seed_option
@options.workers_option
@options.executor_option
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
@options.names_option(
    "--supplement",
    "supplements",
    "NAME",
    "Also compute and print a supplement that a plugin brings, with its parameters. Give it again for another.",
)
@options.leaving_out_options
@click.option(
    "--enter",
    multiple=True,
    metavar="NAME=FILE",
    help="Also enter a submission of your own, alone: no other rank changes; repeatable. FILE may be a folder.",
)
@click.option(
    "--shard",
    type=options.ShardNumber(),
    metavar="I/N",
    help="Compute only part I of N of the blocks of draws into the folder of --out; 'qeframe merge' joins the parts.",
)
@click.option(
    "--fresh", is_flag=True, help="Compute all blocks again, also those that a run that was stopped has kept."
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Print how long the run would take on this machine, from a short probe, and what would make it shorter.",
)
@options.json_option
@options.jsonl_option
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
    supplements: tuple[str, ...],
    leaving: options.LeavingOut,
    enter: tuple[str, ...],
    shard: tuple[int, int] | None,
    fresh: bool,
    dry_run: bool,
    figures: Literal["none", "svg", "png"],
    as_json: bool,
    as_lines: bool,
    quiet: bool,
) -> None:
    """Evaluate the submissions in PATH by the rules of PROFILE.

    PROFILE is a name that 'qeframe profiles' lists, or a TOML file. PATH holds what the profile's reader expects: a
    table, a folder with gold and submissions, or a folder of such folders, one for each language pair.
    """
    options.check_figures(out, figures)
    if audit and (out is None or shard is not None):
        raise click.UsageError("--audit is a section of the page: give --out, without --shard")
    request = {
        "profile": profile,
        "path": str(path),
        "settings": list(settings),
        "seed": seed,
        "with_attacks": with_attacks,
        "explain": explain,
        "equivalence": equivalence,
        "detectable": detectable,
        "influence": influence or 0,
        **({"supplements": list(supplements)} if supplements else {}),
        **({"exclude": leaving.exclude} if leaving.exclude else {}),
        **({"skip_invalid": True} if leaving.skip_invalid else {}),
        **({"enter": _files(enter)} if enter else {}),
    }
    if dry_run:
        shards = 1 if shard is None else shard[1]
        layout = {"as_json": as_json, "as_lines": as_lines}
        evaluations.estimate_path(evaluations.given(request), workers=workers, shards=shards, **layout, quiet=quiet)
        return
    if shard is not None:
        evaluations.compute_shard(
            request,
            out,
            shard,
            fresh=fresh,
            workers=workers,
            executor=executor,
            as_json=as_json or as_lines,
            quiet=quiet,
        )
        return
    from qeframe.execution.resumable import Resumed

    result_folder, command = take_out(out, path), ""
    if out is not None:
        from qeframe.report.result_files.evaluation_folder import RULES

        command = made_again_by(out / RULES, profile)
    rules = qeframe.choose_profile(profile, settings, qeframe.load())
    if audit:
        from qeframe.gaming.winner import check_audited

        check_audited(rules)
    lines = EvaluationLines(rules.name) if as_lines else None
    evaluation, tasks = evaluations.evaluate_path(
        **{**evaluations.given(request), "profile": rules, "settings": ()},
        workers=workers,
        quiet=quiet,
        executor=executor,
        portion=Resumed(request, fresh),
        lines=lines,
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
        explain=evaluations.shows_details(request),
        figures=figures,
        profile=rules,
        command=command,
        lines=lines,
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


@click.command()
@click.argument("folders", type=options.path_type, nargs=-1, required=True)
@options.out_option
@options.workers_option
@options.executor_option
@options.figures_option
@options.json_option
@options.quiet_option
def merge(
    folders: tuple[Path, ...],
    out: Path | None,
    workers: int,
    executor: str,
    figures: Literal["none", "svg", "png"],
    as_json: bool,
    quiet: bool,
) -> None:
    """Join the shards in FOLDERS to the result of one run.

    The shards were written by 'qeframe run --shard I/N --out FOLDER', or by 'qeframe stream'. The data are read
    again, of a stream only the first units: run it where they ran.
    """
    from qeframe.execution.shards import Merged

    options.check_figures(out, figures)
    portion = Merged(folders)
    if "stream" in portion.request:
        from qeframe.streaming.stream_shards import merge_streams

        if out is not None:
            raise click.UsageError("the result of a stream has no folder: leave --out out, and redirect --json")
        evaluations.show_stream(merge_streams(portion), as_json=as_json, quiet=quiet)
        return
    request = evaluations.given(portion.request)
    result_folder = take_out(out, request["path"], *folders)
    rules = qeframe.choose_profile(request["profile"], request["settings"], qeframe.load())
    request |= {"profile": rules, "settings": ()}
    evaluation, tasks = evaluations.evaluate_path(
        **request, workers=workers, quiet=quiet, executor=executor, portion=portion
    )
    if portion.kept is not None and portion.kept.computed:
        what = counted(portion.kept.computed, "block")
        say(f"{what} could not be taken from the shards: computed here", quiet=quiet)
    evaluations.show_evaluation(
        evaluation,
        tasks,
        out=result_folder,
        as_json=as_json,
        quiet=quiet,
        explain=evaluations.shows_details(request),
        figures=figures,
        profile=rules,
        command=f"{install_line()}\n{command_line()} --out again",
    )
    if evaluations.is_incomplete(evaluation):
        sys.exit(1)

"""``qeframe diff``: what changed between two results, and why; a gate against results that become worse."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qeframe.cli.shared import options
from qeframe.cli.shared.pages import take_out
from qeframe.cli.shared.progress import working
from qeframe.cli.shared.standard_streams import print_tables, say
from qeframe.core.errors import DataError

if TYPE_CHECKING:
    from qeframe.core.result import Evaluation
    from qeframe.studies.changes.regression_gate import Judgment


@click.command()
@click.argument("old", type=options.path_type)
@click.argument("new", type=options.path_type)
@click.option(
    "--fail-if-worse-than",
    "allowed",
    type=options.DecimalNumber(0),
    metavar="LOSS",
    help="Exit with status 1 if a submission lost more than LOSS under the primary metric.",
)
@click.option("--submission", "names", multiple=True, help="Judge only this submission; repeatable.")
@click.option(
    "--data",
    nargs=2,
    type=options.path_type,
    metavar="OLD NEW",
    help="The data of both results, for a paired test. Without them the intervals are compared.",
)
@click.option(
    "--profile",
    default="",
    shell_complete=options.complete_profile,
    help="The profile by which the data are read: a name, or a TOML file.  [default: that of the new result]",
)
@click.option(
    "--alpha",
    type=options.DecimalNumber(0, 0.5, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The chance to fail a submission whose true loss is not above LOSS.",
)
@options.out_option_with("Write diff.md and diff.json into this folder.")
@options.json_option
@options.quiet_option
def diff(
    old: Path,
    new: Path,
    allowed: float | None,
    names: tuple[str, ...],
    data: tuple[Path, Path] | None,
    profile: str,
    alpha: float,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show what changed from the result OLD to NEW, and why.

    OLD and NEW are folders that 'qeframe run --out' wrote. Submissions, metrics and tasks are compared by name;
    results without one of them in common are refused.

    With --fail-if-worse-than the command is a gate: a submission fails if its loss is shown to be larger than LOSS. The
    table says which loss would have been found: a small test set does not find small losses.
    """
    from qeframe.api.saved import read_evaluation
    from qeframe.core.display import canonical_json, plain_values
    from qeframe.report.layouts.markdown import as_markdown
    from qeframe.report.result_files.files import write_files
    from qeframe.studies.changes.evaluation_changes import check_related, find_changes
    from qeframe.studies.changes.tables import change_tables, judgment_table

    if allowed is None and (names or data or profile):
        raise DataError("--submission, --data and --profile belong to the gate", remedy="add --fail-if-worse-than LOSS")
    result_folder = take_out(out, old, new)
    was, now = read_evaluation(old), read_evaluation(new)
    check_related(was, now)
    changes = find_changes(was, now)
    tables = change_tables(changes, f"{old.name} -> {new.name}")
    record = plain_values(changes)
    judged: list[Judgment] = []
    if allowed is not None:
        judged = _judged(was, now, names, data, profile, allowed, alpha, quiet=quiet)
        tables.append(judgment_table(judged, alpha))
        record["judgments"] = judged
    text = canonical_json(record)
    if as_json:
        click.echo(text, nl=False)
    else:
        print_tables(tables)
    if result_folder is not None:
        page = "\n".join(map(as_markdown, tables))
        write_files(result_folder, {"diff.md": page, "diff.json": text})
        say(f"2 files written to {out}", quiet=quiet)
    if worse := [judgment.submission for judgment in judged if judgment.worse]:
        say(f"worse than before: {', '.join(worse)}", quiet=quiet)
        sys.exit(1)


def _judged(
    was: Evaluation,
    now: Evaluation,
    names: tuple[str, ...],
    data: tuple[Path, Path] | None,
    profile: str,
    allowed: float,
    alpha: float,
    *,
    quiet: bool,
) -> list[Judgment]:
    from qeframe.api.read import choose_profile, names_profile, read_readings
    from qeframe.core.loader import load
    from qeframe.core.resolve import resolve
    from qeframe.studies.changes.regression_gate import (
        check_inputs,
        judge_by_data,
        judge_by_intervals,
        submissions_to_judge,
    )

    chosen = submissions_to_judge(was, now, names)
    if data is None:
        return judge_by_intervals(was, now, chosen, allowed, alpha=alpha)
    registry = load()
    if not profile and not names_profile(now.profile, registry):
        what = f"the profile of the new result, '{now.profile}', is not registered"
        raise DataError(what, remedy="name its file: --profile FILE.toml")
    settings = [f"{key}={value}" for key, value in now.signature.changed.items()]
    rules = choose_profile(profile or now.profile, settings, registry)
    with working("computing", quiet=quiet) as runner:
        before, after = (read_readings(rules, path, registry, runner=runner) for path in data)
        for evaluation, readings, which, path in ((was, before, "old", data[0]), (now, after, "new", data[1])):
            check_inputs(evaluation, readings, which, path)
        return judge_by_data(
            resolve(rules, registry),
            before,
            after,
            chosen,
            allowed,
            alpha=alpha,
            seed=now.signature.seed,
            runner=runner,
        )

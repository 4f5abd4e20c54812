"""``qeframe validate``: a submission before it is handed in, without the gold; or everything that came in."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import qeframe
from qeframe import report
from qeframe.cli.shared import options
from qeframe.cli.shared.standard_streams import say, write_json


@click.command()
@options.profile_argument
@click.argument("submission", type=options.path_type, metavar="PATH")
@click.option("--like", type=options.path_type, metavar="INPUT", help="The public input of the task.")
@click.option("--level", default="", metavar="LEVEL", help="What FILE is for, where parts have readers of their own.")
@options.set_option
@options.json_option
@options.html_option
@options.quiet_option
def validate(
    profile: str,
    submission: Path,
    like: Path | None,
    level: str,
    settings: tuple[str, ...],
    as_json: bool,
    html: Path | None,
    quiet: bool,
) -> None:
    """Check the submission PATH, or all in the folder PATH.

    They are checked as PROFILE reads them. A file is checked without the gold, by the parser of 'qeframe run'. With
    --like, the segments must be those of INPUT: a text with one source segment a line, a file in the format of the
    submission such as a baseline, or the task's input as JSON lines. The first mistake is an error, with exit status 2.
    So are answers that can have no score, such as a constant under a correlation.

    A folder is read as 'qeframe run' reads it, against the gold where it has one, otherwise file by file. All
    submissions are read in one pass, and their mistakes are listed: exit status 1 if there is any. A file that holds
    the gold too, such as a table, is read likewise; its mistakes are listed, with exit status 2.
    """
    from qeframe.api.submissions import check_submission, reader_of_file, readers_of
    from qeframe.core.errors import DataError
    from qeframe.core.resolve import resolve
    from qeframe.report.tables.records import found_in, submitted_table

    registry = qeframe.load()
    rules = qeframe.choose_profile(profile, settings, registry)
    resolved = resolve(rules, registry)
    none_alone = all(reader.submission is None for reader in readers_of(resolved, submission).values())
    is_task = submission.is_dir() or (none_alone and like is None)
    wrong = {
        "--level is of one FILE": is_task and level,
        "--html is the page of a folder of submissions": not is_task and html is not None,
    }
    options.check_usage(wrong)
    if is_task:
        _validate_task(rules, submission, like, registry, as_json=as_json, html=html, quiet=quiet)
        return
    reader = reader_of_file(resolved, submission, level)
    try:
        parts = check_submission(resolved, reader, submission, like)
    except DataError as error:  # to its author: without what an organizer can do
        raise DataError(error.what, path=error.path, line=error.line, remedy=error.remedy) from None
    if as_json:
        record = [
            {
                "part": part.part,
                "submission": part.answers.name,
                "found": found_in(part.answers),
                "stated": dict(part.answers.stated),
            }
            for part in parts
        ]
        compared = None if like is None else str(like)
        write_json({"profile": rules.name, "input": compared, "parts": record})
        return
    assert reader.submission is not None
    checked = "segments not compared: give the input of the task with --like"
    if like is not None:
        checked = f"segments are those of {like}"
    title = f"{submission.name} is valid for {rules.name}"
    report.print_table(submitted_table(parts, title, heading=reader.submission.parts, checked=checked))


def _validate_task(
    rules: qeframe.Profile,
    path: Path,
    like: Path | None,
    registry: qeframe.Registry,
    *,
    as_json: bool,
    html: Path | None,
    quiet: bool,
) -> None:
    """Print the mistakes of all submissions to a task; end with status 1 if there are any."""
    from qeframe.api.submissions import validate_folder
    from qeframe.cli.shared.pages import page_bytes, write_page
    from qeframe.data.notices import notices
    from qeframe.report.tables.checked import checked_lines, checked_tables, task_of

    checked = validate_folder(rules, path, registry, like=like)
    remarkable = list(notices(checked.tasks))
    order = dict.fromkeys([*rules.task_order, *rules.weights, *checked.valid])
    valid = {task: list(checked.valid[task]) for task in order if task in checked.valid} or {"": []}
    title = f"{path.resolve().name} for {rules.name}"
    if html is not None:
        page = page_bytes(f"Check of {title}", checked_tables(checked.mistakes, valid), warnings=remarkable)
        write_page(html, page, quiet=quiet or as_json)
    if as_json:
        mistakes = [
            {
                "submission": mistake.submission,
                "path": str(mistake.error.path or mistake.place),
                **{name: getattr(mistake.error, name) for name in ("line", "what", "remedy", "setting")},
                "task": task_of(mistake, list(valid)),
            }
            for mistake in checked.mistakes
        ]
        record = {"profile": rules.name, "path": str(path), "mistakes": mistakes, "valid": valid}
        write_json({**record, "remarkable": remarkable})
    else:
        click.echo("\n".join(checked_lines(checked.mistakes, valid, title)))
        say(*(f"warning: {notice}" for notice in remarkable), quiet=quiet)
    if checked.mistakes:
        sys.exit(1)

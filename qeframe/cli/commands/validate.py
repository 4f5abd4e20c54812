"""``qeframe validate``: a submission checked before it is handed in, without the gold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.options import json_option, path_type, set_option

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("profile", shell_complete=complete_name("profiles"))
@click.argument("submission", type=path_type)
@click.option("--like", type=path_type, default=None, metavar="INPUT", help="The public input of the task.")
@set_option
@json_option
def validate(profile: str, submission: Path, like: Path | None, settings: tuple[str, ...], as_json: bool) -> None:
    """Check the file SUBMISSION as PROFILE reads it, without the gold.

    The format is checked by the parser of 'qeframe run'. With --like, the segments must be those of INPUT: a text with
    one source segment a line, a file in the format of the submission such as a baseline, or the task's input as JSON
    lines. The first mistake gives one line and exit status 2.
    """
    from qeframe.api.read import choose_profile
    from qeframe.core.components.loading.loader import load
    from qeframe.core.evaluation.canonical_json import canonical_json
    from qeframe.core.profiles.resolved import resolve
    from qeframe.data.validate import validate_submission
    from qeframe.report import print_table
    from qeframe.report.tables.records import found_in, submitted_table

    registry = load()
    rules = choose_profile(profile, settings, registry)
    reader = resolve(rules, registry).reader
    assert reader is not None
    parts = validate_submission(reader, submission, like)
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
        click.echo(canonical_json({"profile": rules.name, "input": compared, "parts": record}), nl=False)
        return
    assert reader.submission is not None
    checked = "segments not compared: give the input of the task with --like"
    if like is not None:
        checked = f"segments are those of {like}"
    title = f"{submission.name} is valid for {rules.name}"
    print_table(submitted_table(parts, title, heading=reader.submission.parts, checked=checked))

"""``qeframe bundle``: a shared task made ready for a platform on which participants hand in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from qeframe.plugin.commands import (
    LeavingOut,
    WholeNumber,
    complete_profile,
    leaving_out_options,
    path_type,
    quiet_option,
    set_option,
)

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe_competitions.prepare import Prepared

_TIMES = ["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"]
_RULES = ["Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last", "Force_Latest_Multiple", "Force_Best"]

_OF_PLATFORM = (
    "description", "phase", "start", "end", "max_submissions", "max_per_day", "time_limit", "rule", "every_column",
    "contact",
)  # fmt: skip
_OF_COMPETITION = ("title", "precision", "pseudo_gold", "like", "largest")
"""The options whose values are arguments of the same names."""


@click.group(no_args_is_help=False)
def bundle() -> None:
    """Prepare a shared task for a platform that scores submissions."""


@bundle.command()
@click.argument("profile", shell_complete=complete_profile)
@click.argument("gold", type=path_type)
@click.option("--out", type=path_type, required=True, metavar="FILE", help="The zip archive to write.")
@set_option
@click.option("--title", default="", help="The title of the competition.  [default: that of the profile]")
@click.option("--description", default="", help="A sentence about it.")
@click.option("--terms", type=path_type, metavar="FILE", help="The terms of participation, in Markdown.")
@click.option("--logo", type=path_type, metavar="FILE", help="A picture, PNG or JPEG.")
@click.option("--contact", default="", metavar="ADDRESS", help="The e-mail address of the organizers.")
@click.option("--auto-approve", is_flag=True, help="Let everybody take part without an approval.")
@click.option("--phase", default="Evaluation", show_default=True, help="The name of the phase.")
@click.option("--start", type=click.DateTime(_TIMES), help="Start of the phase, UTC.  [default: at once]")
@click.option("--end", type=click.DateTime(_TIMES), help="End of the phase, UTC.  [default: none]")
@click.option("--max-submissions", type=WholeNumber(min=1), default=100, show_default=True, help="For a participant.")
@click.option("--max-per-day", type=WholeNumber(min=1), default=5, show_default=True, help="For a participant.")
@click.option("--time-limit", type=WholeNumber(min=1), default=600, show_default=True, help="Seconds for a submission.")
@click.option("--largest", type=WholeNumber(min=1), default=100, show_default=True, help="MiB for a submission.")
@click.option("--rule", type=click.Choice(_RULES), default="Force_Last", show_default=True, help="The leaderboard's.")
@click.option("--precision", type=WholeNumber(min=0, max=12), default=4, show_default=True, help="Decimals of scores.")
@click.option("--every-column", is_flag=True, help="Also show the secondary metrics in each task.")
@click.option("--hide-scores", is_flag=True, help="Show participants that a submission is complete, and no score.")
@click.option(
    "--pseudo-gold",
    default="",
    metavar="SUBMISSION",
    help="Score against the answers of a submission beside the gold. The gold does not enter the bundle.",
)
@click.option("--like", type=path_type, metavar="INPUT", help="The public input, a file for each task.")
@click.option("--image", default="", help="The image of Docker.  [default: python:3.N-slim, N as it runs here]")
@click.option(
    "--dependencies",
    type=click.Choice(["inside", "image"]),
    default="inside",
    show_default=True,
    help="Whether numpy, scipy and the others are in the bundle, as installed here, or in the image.",
)
@click.option("--wheels", type=path_type, metavar="FOLDER", help="Take dependencies from these wheels.")
@leaving_out_options
@quiet_option
def codabench(profile: str, gold: Path, out: Path, quiet: bool, leaving: LeavingOut, **given: Any) -> None:
    """Write a bundle for Codabench: settings, pages, leaderboard, gold and scoring program.

    PROFILE is a name that 'qeframe profiles' lists, or a TOML file. GOLD is what 'qeframe run' reads. Submissions in it
    do not enter the bundle; the first that is accepted is scored, to try the scoring program. qeframe and its plugins
    are in the bundle, made from what is installed here.
    """
    from qeframe.plugin.calls import counted, one_line
    from qeframe.plugin.commands import written_to
    from qeframe.plugin.competitions import write_file
    from qeframe.plugin.results import load
    from qeframe_competitions.codabench import IMAGE, Options, codabench_bundle, wheel_files
    from qeframe_competitions.prepare import prepare
    from qeframe_competitions.submission_files import MEBIBYTE

    if given["wheels"] is not None and given["dependencies"] == "image":
        raise click.UsageError("--wheels puts dependencies into the bundle: leave out --dependencies image")
    if not given["image"] and given["dependencies"] == "image":
        raise click.UsageError("--dependencies image needs an image that has numpy and scipy: give --image")
    registry = load()
    options = Options(
        **{name: given[name] for name in _OF_PLATFORM},
        image=given["image"] or IMAGE,
        approve=given["auto_approve"],
        logo=_picture(given["logo"]),
        terms="" if given["terms"] is None else _terms(given["terms"]),
    )
    prepared = prepare(
        profile,
        gold,
        registry,
        **{name: given[name] for name in _OF_COMPETITION},
        changed=given["settings"],
        hidden=given["hide_scores"],
        leaving=leaving,
    )
    wheels = wheel_files(registry, inside=given["dependencies"] == "inside", wheels=given["wheels"])
    content = codabench_bundle(prepared, options, wheels)
    written = written_to(out)
    write_file(out, content)
    if quiet:
        return
    for note in _notes(prepared):
        click.echo(one_line(f"qeframe: {note}"), err=True)
    size = f"{len(content) / MEBIBYTE:.1f} MiB, {counted(len(prepared.competition.tasks), 'task')}"
    click.echo(f"qeframe: {written} ({size}, image {options.image})", err=True)


@bundle.command()
@click.argument("kit", type=path_type)
@click.argument("submission", type=path_type)
def validate(kit: Path, submission: Path) -> None:
    """Check the zip archive or folder SUBMISSION by the starting kit of a competition, as the platform does.

    The files of all tasks are there, each has the format of the task and its units, and the answers can have a score.
    The first mistake gives the line that the platform would give, and exit status 2.
    """
    from qeframe.plugin.competitions import submitted_table
    from qeframe.plugin.report import print_table
    from qeframe.plugin.results import load
    from qeframe_competitions.kit_check import check_handed_in

    parts = check_handed_in(kit, submission, load())
    checked = "the platform takes it, if the answers are those of the task"
    print_table(submitted_table(parts, f"{submission.name} is valid", heading="part", checked=checked))


def _terms(path: Path) -> str:
    """Return the terms of the organizers; raise a `DataError` if the file is empty or not in UTF-8."""
    from qeframe.plugin.readers import read_text_lines

    lines = read_text_lines(path, holds="the terms in Markdown", texts=True, pipe=True).lines
    return "".join(f"{line}\n" for line in lines)


def _picture(path: Path | None) -> bytes:
    """Return the picture of the organizers; raise a `DataError` if it is neither PNG nor JPEG."""
    from qeframe.plugin import DataError

    if path is None:
        return b""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=path, remedy="name a picture") from error
    if not content.startswith((b"\x89PNG", b"\xff\xd8")):
        raise DataError("this is neither PNG nor JPEG", path=path, remedy="give such a picture")
    return content


def _notes(prepared: Prepared) -> list[str]:
    """Return what organizers should know of the bundle."""
    competition = prepared.competition
    name = competition.pseudo_gold
    answers = f", the answers of '{name}' in place of the gold" if name else ""
    notes = [f"in the bundle as reference data{answers}: {', '.join(sorted(prepared.reference))}"]
    if prepared.left_out:
        notes.append(f"not in the bundle, since a platform scores each alone: {', '.join(prepared.left_out)}")
    if competition.columns[0].task and len(competition.tasks) > 1:
        notes.append("no score over all tasks: it depends on the other submissions, and a platform scores each alone")
    if prepared.scored is None:
        unread = "" if prepared.gold_read else ", and the gold was not read"
        remedy = "put a baseline there, it does not enter the bundle"
        notes.append(f"not tried: no submission is beside the gold{unread}; {remedy}")
    else:
        column = competition.columns[0]
        value = f"{column.title} {prepared.scored.scores[column.key]:.{competition.precision}f}"
        notes.append(f"tried with {prepared.trial}: {value}")
    return notes

"""``qeframe bundle``: a shared task made ready for Codabench, where participants hand in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from qeframe.plugin.commands import WholeNumber, complete_profile, path_type, quiet_option, set_option

_TIMES = ["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"]


@click.command()
@click.argument("profile", shell_complete=complete_profile)
@click.argument("gold", type=path_type)
@click.option("--out", type=path_type, required=True, metavar="FILE", help="The zip archive to write.")
@set_option
@click.option("--title", default="", help="The title of the competition.  [default: that of the profile]")
@click.option("--terms", type=path_type, metavar="FILE", help="The terms of participation, in Markdown.")
@click.option("--logo", type=path_type, metavar="FILE", help="A picture, PNG.")
@click.option("--start", type=click.DateTime(_TIMES), help="Start of the phase, UTC.  [default: at once]")
@click.option("--end", type=click.DateTime(_TIMES), help="End of the phase, UTC.  [default: none]")
@click.option("--max-submissions", type=WholeNumber(min=1), default=100, show_default=True, help="For a participant.")
@click.option("--max-per-day", type=WholeNumber(min=1), default=5, show_default=True, help="For a participant.")
@click.option("--time-limit", type=WholeNumber(min=1), default=600, show_default=True, help="Seconds for a submission.")
@click.option("--largest", type=WholeNumber(min=1), default=100, show_default=True, help="MiB for a submission.")
@click.option("--precision", type=WholeNumber(min=0, max=12), default=4, show_default=True, help="Decimals of scores.")
@click.option("--hide-scores", is_flag=True, help="Show participants that a submission is complete, and no score.")
@click.option("--like", type=path_type, metavar="INPUT", help="The public input, a file or a folder, for participants.")
@click.option("--packages", type=path_type, metavar="FOLDER", help="Take the dependencies from here.")
@click.option("--image", default="", help="An image of Docker that has the dependencies: they stay out of the bundle.")
@quiet_option
def bundle(profile: str, gold: Path, out: Path, quiet: bool, **given: Any) -> None:
    """Write a bundle for Codabench: settings, pages, leaderboard, gold and scoring program.

    PROFILE is a name that 'qeframe profiles' lists, or a TOML file. GOLD is what 'qeframe run' reads. Submissions in it
    do not enter the bundle; the first that is accepted is scored by the scoring program. qeframe and its plugins are
    in the bundle, as they are installed here.
    """
    from qeframe.plugin import DataError
    from qeframe.plugin.calls import counted, one_line
    from qeframe_codabench.bundle import IMAGE, PYTHON, Options, bundle_files, packages, prepare
    from qeframe_codabench.packages import zip_bytes

    own = {name: given[name] for name in ("start", "end", "max_submissions", "max_per_day", "time_limit")}
    options = Options(image=given["image"] or IMAGE, **own, **_files(given["terms"], given["logo"]))
    prepared = prepare(
        profile,
        gold,
        changed=given["settings"],
        like=given["like"],
        title=given["title"],
        precision=given["precision"],
        hidden=given["hide_scores"],
        largest=given["largest"],
        python="" if given["image"] else PYTHON,
    )
    packed = packages(given["packages"], inside=not given["image"])
    content = zip_bytes(bundle_files(prepared, options, packed))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(content)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", path=out, remedy="name another file") from error
    column, tasks = prepared.scored.columns[0], counted(len(prepared.competition.tasks), "task")
    notes = [f"in the bundle as reference data: {', '.join(sorted(prepared.reference))}"]
    notes += [f"not in the bundle, since it names submissions: {name}" for name in prepared.left_out]
    notes += [f"tried with {prepared.trial}: {column.title} {column.value:.{prepared.competition.precision}f}"]
    notes += [f"written to {out} ({len(content) / 2**20:.1f} MiB, {tasks}, image {options.image})"]
    for note in () if quiet else notes:
        click.echo(one_line(f"qeframe: {note}"), err=True)


def _files(terms: Path | None, logo: Path | None) -> dict[str, Any]:
    """Return the content of the files of the organizers; raise a `DataError` if it cannot be used."""
    from qeframe.plugin import DataError
    from qeframe.plugin.readers import read_text_lines

    found: dict[str, Any] = {}
    if terms is not None:
        lines = read_text_lines(terms, holds="the terms in Markdown", texts=True).lines
        found["terms"] = "".join(f"{line}\n" for line in lines)
    if logo is not None:
        found["logo"] = logo.read_bytes() if logo.is_file() else b""
        if not found["logo"].startswith(b"\x89PNG"):
            raise DataError("this is no picture in PNG", path=logo, remedy="give such a file")
    return found

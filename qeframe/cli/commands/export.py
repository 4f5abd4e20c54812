"""``qeframe export``: write the tasks that a profile reads in another layout."""

from typing import TYPE_CHECKING

import click

from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.options import LeavingOut, leaving_out_options, path_type, quiet_option, set_option
from qeframe.cli.shared.pages import take_out

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from qeframe.core.tasks.task import Dropped


@click.command()
@click.argument("profile", shell_complete=complete_name("profiles"))
@click.argument("path", type=path_type)
@click.option("--out", type=path_type, required=True, help="The folder for the files.")
@click.option(
    "--format",
    "layout",
    shell_complete=complete_name("writers"),
    required=True,
    metavar="FORMAT",
    help="The layout, such as 'mtme(gold=mqm)'.",
)
@set_option
@leaving_out_options
@quiet_option
def export(
    profile: str, path: "Path", out: "Path", layout: str, settings: tuple[str, ...], leaving: LeavingOut, quiet: bool
) -> None:
    """Write the tasks in PATH, as PROFILE reads them, in another layout.

    PROFILE and PATH are those of 'qeframe run'; --set changes rules, such as those that select systems. FORMAT is a
    writer that 'qeframe plugins' lists, with parameters if needed. Metrics that the profile computes from texts are
    written too. What the reader left out, and what the layout cannot hold, is counted on standard error.
    """
    from qeframe.api.read import choose_profile
    from qeframe.cli.shared.progress import working
    from qeframe.core.components.loading.loader import load
    from qeframe.core.errors import counted, one_line
    from qeframe.extensions.writer import Writer, write
    from qeframe.report import write_files

    result_folder = take_out(out, path)
    registry = load()
    writer = registry.get(Writer, layout)
    chosen = choose_profile(profile, settings, registry)
    with working("computing", quiet=quiet) as runner:
        readings, _ = leaving.readings(chosen, path, registry, runner)
    written = write(writer, readings)
    assert result_folder is not None
    write_files(result_folder, written.files)
    if not quiet:
        _print_notes([*(note for reading in readings for note in reading.dropped), *written.dropped])
        click.echo(f"qeframe: {counted(len(written.files), 'file')} written to {one_line(str(out))}", err=True)


def _print_notes(notes: "Iterable[Dropped]") -> None:
    """Print each note once: several readings of a task may leave out the same."""
    from qeframe.core.errors import counted, one_line

    for note in dict.fromkeys(notes):
        where = f"{note.task}: " if note.task else ""
        click.echo(one_line(f"qeframe: {where}{counted(note.count, note.what)}: {note.reason}"), err=True)

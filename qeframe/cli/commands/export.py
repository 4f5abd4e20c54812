"""``qeframe export``: write the tasks that a profile reads in another layout."""

from pathlib import Path

import click

import qeframe
from qeframe import report
from qeframe.cli.shared import options
from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.pages import take_out
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import counted


@click.command()
@click.argument("profile", shell_complete=complete_name("profiles"))
@click.argument("path", type=options.path_type)
@click.option("--out", type=options.path_type, required=True, help="The folder for the files.")
@click.option(
    "--format",
    "layout",
    shell_complete=complete_name("writers"),
    required=True,
    metavar="FORMAT",
    help="The layout, such as 'mtme(gold=mqm)'.",
)
@options.set_option
@options.leaving_out_options
@options.quiet_option
def export(
    profile: str,
    path: Path,
    out: Path,
    layout: str,
    settings: tuple[str, ...],
    leaving: options.LeavingOut,
    quiet: bool,
) -> None:
    """Write the tasks in PATH, as PROFILE reads them, in another layout.

    PROFILE and PATH are those of 'qeframe run'; --set changes rules, such as those that select systems. FORMAT is a
    writer that 'qeframe plugins' lists, with parameters if needed. Metrics that the profile computes from texts are
    written too. What the reader left out, and what the layout cannot hold, is counted on standard error.
    """
    from qeframe.cli.shared.progress import working
    from qeframe.extensions.writer import Writer, write

    result_folder = take_out(out, path)
    registry = qeframe.load()
    writer = registry.get(Writer, layout)
    chosen = qeframe.choose_profile(profile, settings, registry)
    with working("computing", quiet=quiet) as runner:
        readings, _ = leaving.readings(chosen, path, registry, runner)
    written = write(writer, readings)
    assert result_folder is not None
    report.write_files(result_folder, written.files)
    dropped = [*(note for reading in readings for note in reading.dropped), *written.dropped]
    for note in dict.fromkeys(dropped):  # several readings of a task may leave out the same
        where = f"{note.task}: " if note.task else ""
        say(f"{where}{counted(note.count, note.what)}: {note.reason}", quiet=quiet)
    say(f"{counted(len(written.files), 'file')} written to {out}", quiet=quiet)

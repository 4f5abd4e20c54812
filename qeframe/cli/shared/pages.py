"""What commands write: the page of tables that ``--html`` names, and the folder of ``--out``, taken beforehand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe.report.folders.result_folder import ResultFolder
    from qeframe.report.html.tables_page import PageFigure
    from qeframe.report.layouts.table import Table


def page_bytes(
    title: str,
    tables: Sequence[Table],
    *,
    introduction: str = "",
    figures: Sequence[PageFigure] = (),
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
    listed: Sequence[str] = (),
) -> bytes:
    """Return the page of a command's tables, with the command line that makes it again: see `tables_page`."""
    from qeframe.cli.shared.command_line import command_line
    from qeframe.report.html.tables_page import tables_page

    page = tables_page(
        title,
        tables,
        introduction=introduction,
        figures=figures,
        notes=notes,
        warnings=warnings,
        listed=listed,
        command=command_line(),
    )
    return page.encode("utf-8", "backslashreplace")


def write_page(path: Path | None, page: bytes, *, quiet: bool) -> None:
    """Write a page into the file that ``--html`` names; nothing without the option.

    Raises
    ------
    DataError
        If the file cannot be written.
    """
    if path is None:
        return
    from qeframe.report.result_files.files import write_file

    note = written_to(path)
    write_file(path, page)
    if not quiet:
        click.echo(f"qeframe: {note}", err=True)


def written_to(path: Path) -> str:
    """Return what is said of a file that is about to be written, also that it replaces one or makes its folder."""
    from qeframe.core.errors import one_line

    change = ", in place of an earlier file" if path.exists() else "" if path.parent.is_dir() else ", in a new folder"
    return one_line(f"written to {path}{change}")


def take_out(out: Path | None, *inputs: Path) -> ResultFolder | None:
    """Take the folder that results are written into; None takes none.

    Parameters
    ----------
    out : Path or None
    *inputs : Path
        Files and folders that the command reads: the results would replace what is inside `out`.

    Raises
    ------
    DataError
        If results cannot be written to `out`, if another run writes them there, or if the input is in it.
    """
    if out is None:
        return None
    from pathlib import Path

    from qeframe.core.errors import DataError
    from qeframe.core.process_signals import undisturbed
    from qeframe.report.folders.result_folder import ResultFolder

    with undisturbed():
        folder = ResultFolder.take(out)
        if context := click.get_current_context(silent=True):
            context.call_on_close(folder.close)
    for path in inputs:
        real = Path(os.path.realpath(path))  # a link that leads back to itself is refused when it is read
        if real.is_relative_to(folder.target):
            folder.close()
            what = f"holds the input {path}, which the results would replace"
            raise DataError(what, path=out, remedy="name another folder for --out")
    return folder

"""What commands write: the page of tables that ``--html`` names, and the folder of ``--out``, taken beforehand."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import DataError, one_line

if TYPE_CHECKING:
    from qeframe.report.folders.result_folder import ResultFolder
    from qeframe.report.layouts.table import Table


def page_bytes(title: str, tables: Sequence[Table], **more: Any) -> bytes:
    """Return the page of a command's tables, with the command line that makes it again: see `tables_page`."""
    from qeframe.cli.shared.command_line import command_line
    from qeframe.report.html.tables_page import tables_page
    from qeframe.report.result_files.files import encoded

    return encoded(tables_page(title, tables, **more, command=command_line()))


def write_page(path: Path | None, page: str | bytes, *, quiet: bool) -> None:
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
    say(note, quiet=quiet)


def write_out(
    folder: ResultFolder | None, files: Mapping[str, str | bytes], *, quiet: bool, notes: Sequence[str] = ()
) -> None:
    """Write the files of a result into the folder of ``--out``, say how many, and what they lack."""
    if folder is None:
        return
    from qeframe.report.result_files.files import write_files

    write_files(folder, files)
    say(f"{len(files)} files written to {folder}", *notes, quiet=quiet)


def written_to(path: Path) -> str:
    """Return what is said of a file that is about to be written, also that it replaces one or makes its folder."""
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
    from qeframe.core.processes import undisturbed
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

"""Pages of HTML of commands whose result is tables: the option ``--html`` and the file that it names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

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

"""Columns that the first line of a file names, in any order."""

from __future__ import annotations

from collections.abc import Sequence

from qeframe.plugin.readers import TextFile, refuse_marks, split_columns


def columns_by_name(
    file: TextFile, needed: Sequence[str], *, separator: str | None, remedy: str
) -> dict[str, list[str]]:
    r"""Return the columns of a file by the names in its first line; entry i of each is from line i + 2.

    A comment after the names, which begins with # and has no column below it, is no name.

    Parameters
    ----------
    needed : sequence of str
        The columns that the file must have. It may have others.
    separator : str, optional
        ``"\t"``, or None for any run of blanks and tabs.
    remedy : str
        What to do about a wrong first line.

    Raises
    ------
    DataError
        If a needed column is missing, a column is named twice, a later line names the columns again, or a line has
        another number of columns.
    """
    refuse_marks(file, file.lines[:1], "the names of columns")
    header = _names(file, separator)
    missing = [name for name in needed if name not in header]
    if missing:
        word = "column is" if len(missing) == 1 else "columns are"
        raise file.error(f"the {word} missing: {', '.join(missing)}", line=1, remedy=remedy)
    if len(set(header)) < len(header):
        raise file.error("a column is named twice", line=1, remedy=remedy)
    if file.lines[0] in file.lines[1:]:
        what = "the names of the columns again, as on line 1: two tables were joined"
        line = file.lines.index(file.lines[0], 1) + 1
        raise file.error(what, line=line, remedy="give one table, or remove the line if all records are of one task")
    return dict(zip(header, split_columns(file, header, separator=separator, skip=1), strict=True))


def _names(file: TextFile, separator: str | None) -> list[str]:
    names = [name.strip() for name in file.lines[0].split(separator)]
    comment = separator and names[-1].startswith("#") and len(file.lines) > 1
    return names[:-1] if comment and len(file.lines[1].split(separator)) == len(names) - 1 else names

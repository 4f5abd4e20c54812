"""Header lines: one column each, before the columns of a submission since 2021."""

from __future__ import annotations

from collections.abc import Sequence

from qeframe.plugin import TextFile, counted

__all__ = ["check_header"]


def check_header(file: TextFile, header: int, *, names: Sequence[str], reader: str) -> None:
    """Raise a `DataError` unless exactly the first `header` lines have one column: a number, or a word such as "-".

    Parameters
    ----------
    names : sequence of str
        What the columns after the header are called.
    reader : str
        The reader, which takes `header_lines`.
    """
    found = next((number for number, line in enumerate(file.lines) if "\t" in line), None)
    if found is None:
        remedy = f"put a tab between {' '.join(names)}"
        raise file.error("no line has columns by tabs", line=min(header + 1, len(file.lines)), remedy=remedy)
    if found != header:
        what = f"{counted(found, 'header line')} of one column instead of {header}"
        remedy = f"repair the header, or set reader={reader}(header_lines={found})"
        raise file.error(what, line=min(found, header) + 1, remedy=remedy)
    for number, line in enumerate(file.lines[:header], 1):
        if not line.strip():
            raise file.error("an empty header line", line=number, remedy="write 0 for what is not known")
        if len(line.split()) > 1 and not any(map(str.isdigit, line)):
            what = f"'{line.strip()[:40]}' is no header line: it has no number"
            remedy = "give bytes on disk, number of parameters, size of the ensemble; 0 for what is not known"
            raise file.error(what, line=number, remedy=remedy)

"""Tables as tab-separated values."""

from __future__ import annotations

from qeframe.report.layouts.table import Table

__all__ = ["as_tsv"]

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def as_tsv(table: Table) -> str:
    r"""Return a line of titles and a line for each row, without the title and notes of the table.

    A backslash, tab, line feed or carriage return in a text is written as ``\\``, ``\t``, ``\n``, ``\r``.
    """
    escaped = table.worded(lambda text: text.translate(_ESCAPES))
    lines = [[column.title for column in escaped.columns], *([cell.text for cell in row] for row in escaped.rows)]
    return "".join("\t".join(line) + "\n" for line in lines)

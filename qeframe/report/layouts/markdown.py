"""Tables as GitHub-flavored Markdown."""

import re

from qeframe.core.errors import one_line
from qeframe.report.layouts.table import Align, Cell, Table

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!$&])")
_RULES: dict[Align, str] = {"left": ":---", "right": "---:", "center": ":---:"}


def as_markdown(table: Table) -> str:
    """Return a heading, the table and its notes as a list; special characters in texts are escaped.

    Parameters
    ----------
    table : Table

    Returns
    -------
    str
        Ends with a line feed.
    """
    escaped = table.worded(_escape)
    heading = [column.title for column in escaped.columns]
    rules = [_RULES[column.align] for column in escaped.columns]
    lines = [heading, rules, *escaped.heads, *([_cell(cell) for cell in row] for row in escaped.rows)]
    notes = [f"**bold**: {escaped.strong_means}"] if escaped.strong_means else []
    return "\n".join(
        [
            f"# {escaped.title}",
            "",
            *("| " + " | ".join(line) + " |" for line in lines),
            "",
            *(f"- {note}" for note in [*notes, *escaped.notes]),
            "",
        ]
    )


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", one_line(text).strip())


def _cell(cell: Cell) -> str:
    return f"**{cell.text}**" if cell.strong and cell.text else cell.text

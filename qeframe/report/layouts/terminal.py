"""Tables for a terminal, and as plain text for a pipe or a file."""

import os
import re
import sys
from typing import TYPE_CHECKING, TextIO

from rich.cells import cell_len  # the width in columns of the terminal: a Chinese character takes two

from qeframe.core.errors import one_line
from qeframe.report.layouts.table import Align, Column, Table

if TYPE_CHECKING:
    from rich.console import Console

_GAP = 2
_NAME_WIDTH = 16
"""The least width of a folded name."""

_FORCING = ("FORCE_COLOR", "TTY_COMPATIBLE")
"""Environment variables by which rich takes a pipe for a terminal."""

_PARTS = re.compile(r"[^\s_/.,:;=()-]*[\s_/.,:;=()-]+|[^\s_/.,:;=()-]+")

_PLAIN_SIGNS = str.maketrans(
    {"•": "*", "†": "+", "‡": "#", "↑": "(high)", "↓": "(low)", "→": "->", "–": "-", "±": "+-", "≀": "~", "°": "^"}
)


def print_table(table: Table, *, file: TextIO | None = None, width: int | None = None) -> None:
    """Print a table: with rules and bold text on a terminal, otherwise as plain text of any width.

    A table that is wider than the terminal is cut into blocks of columns. Each block repeats the key columns. Long
    names are folded, numbers are not.

    Parameters
    ----------
    table : Table
    file : text stream, optional
        Default: standard output.
    width : int, optional
        Default: the width of the terminal.
    """
    stream = sys.stdout if file is None else file
    encodable = _encodable(table.worded(one_line), getattr(stream, "encoding", None) or "utf-8")
    console = None
    if stream.isatty() or any(name in os.environ for name in _FORCING):
        from rich.console import Console

        console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    if console is None or not console.is_terminal:
        stream.write(as_text(encodable))
        return
    console.print(encodable.title, style="bold")
    for block in _blocks(encodable, console.width):
        _print_block(block, console)
    console.print()
    for note in ([f"bold: {encodable.strong_means}"] if encodable.strong_means else []) + list(encodable.notes):
        console.print(note, style="dim", soft_wrap=False, overflow="fold")


def as_text(table: Table) -> str:
    """Return a table as aligned plain text, with a star after emphasized cells."""
    escaped = table.worded(one_line)
    starred = [any(row[i].strong for row in escaped.rows) for i in range(len(escaped.columns))]
    lines = [
        *(
            [text + " " * star for text, star in zip(head, starred, strict=True)]
            for head in [tuple(column.title for column in escaped.columns), *escaped.heads]
        ),
        *(
            [f"{c.text}*" if c.strong else c.text + " " * star for c, star in zip(row, starred, strict=True)]
            for row in escaped.rows
        ),
    ]
    widths = [max(map(cell_len, texts)) for texts in zip(*lines, strict=True)]
    gap = " " * _GAP
    rows = [
        gap.join(_padded(t, w, c.align) for t, w, c in zip(line, widths, escaped.columns, strict=True)).rstrip()
        for line in lines
    ]
    heads, rows = rows[: 1 + len(escaped.heads)], rows[1 + len(escaped.heads) :]
    notes = [*([f"* {escaped.strong_means}"] if escaped.strong_means else []), *escaped.notes]
    return "\n".join([escaped.title, "", *heads, gap.join("-" * w for w in widths), *rows, "", *notes]) + "\n"


def _padded(text: str, width: int, align: Align) -> str:
    room = width - cell_len(text)
    left = {"left": 0, "center": room // 2, "right": room}[align]
    return " " * left + text + " " * (room - left)


def _encodable(table: Table, encoding: str) -> Table:
    """Return the table without characters that the encoding of the stream lacks."""
    try:
        as_text(table).encode(encoding)
    except UnicodeEncodeError:
        return table.worded(lambda text: text.translate(_PLAIN_SIGNS).encode(encoding, "replace").decode(encoding))
    return table


def _blocks(table: Table, width: int) -> list[Table]:
    """Cut the columns other than the key columns into blocks that fit beside the key columns."""
    wide = [_width(table, i) + _GAP for i in range(len(table.columns))]
    folded = [min(w, _key_width(c, width) + _GAP) if c.key else w for w, c in zip(wide, table.columns, strict=True)]
    return table.cut(folded, width)


def _width(table: Table, position: int) -> int:
    texts = [
        table.columns[position].title,
        *(head[position] for head in table.heads),
        *(row[position].text for row in table.rows),
    ]
    return max(map(cell_len, texts))


def _key_width(column: Column, width: int) -> int:
    """Return the largest width of a key column; two names leave 40 % of the line for numbers."""
    return max(_NAME_WIDTH, width * 3 // 10) if column.align == "left" else width


def _folded(name: str, width: int) -> str:
    """Return a name in lines that end after a space or punctuation; a part that is wider than a line stays whole."""
    lines = [""]
    for part in _PARTS.findall(name) if cell_len(name) > width else [name]:
        if lines[-1] and cell_len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _print_block(table: Table, console: "Console") -> None:
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, _GAP, 0, 0), show_edge=False, pad_edge=False, header_style="bold")
    folding: list[int] = []
    for i, column in enumerate(table.columns):
        folds = column.key and column.align == "left"
        heading = Text("\n".join([column.title, *(head[i] for head in table.heads)]))
        folding.append(_key_width(column, console.width) if folds else 0)
        grid.add_column(heading, justify=column.align, no_wrap=not folds, overflow="fold")
    for row in table.rows:
        texts = [_folded(cell.text, room) if room else cell.text for cell, room in zip(row, folding, strict=True)]
        grid.add_row(*(Text(text, style="bold" if c.strong else "") for text, c in zip(texts, row, strict=True)))
    console.print()
    console.print(grid)

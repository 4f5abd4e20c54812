"""A table as a value: the text of its cells, independent of any layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import attrs
from attrs import frozen

from qeframe.core.display import Shown

Align = Literal["left", "right", "center"]


@frozen
class Cell:
    """The text of a cell, and whether it is emphasized.

    Parameters
    ----------
    text : str
    strong : bool
        Whether it is emphasized: bold, or in color.
    """

    text: str
    strong: bool = False


@frozen
class Column:
    """A column's heading and alignment.

    Parameters
    ----------
    title : str
    align : {"left", "right", "center"}
        Numbers are aligned on the right, with the same number of decimals in one column.
    key : bool
        Whether the column identifies the row. A table that is wider than the terminal is cut into blocks of columns,
        and every block repeats the key columns.
    written : str
        What a page or a paper has in place of the title, such as the name of a metric as papers write it; empty for the
        title itself.
    """

    title: str
    align: Align = "right"
    key: bool = False
    written: str = ""


Strip = tuple[Column, Sequence[Cell]]
"""A column with its cells from top to bottom."""


@frozen(kw_only=True, repr=False)
class Table(Shown):
    """Rows of cells under columns.

    Parameters
    ----------
    title : str
    columns : tuple of Column
    rows : tuple of tuple of Cell
        As many cells in each as there are columns.
    heads : tuple of tuple of str
        More rows of the heading, below the titles of the columns, with one text for each column.
    notes : tuple of str
        Lines below the table.
    strong_means : str
        The meaning of emphasized cells, for a note below the table; empty if no cell is emphasized.
    borders : tuple of int
        The positions of the rows that end a cluster: a table on paper has a rule below them.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    heads: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    strong_means: str = ""
    borders: tuple[int, ...] = ()

    @classmethod
    def from_columns(
        cls,
        title: str,
        columns: Sequence[Strip],
        *,
        heads: Sequence[Sequence[str]] = (),
        notes: Sequence[str] = (),
        strong_means: str = "",
        borders: Sequence[int] = (),
    ) -> Table:
        """Make a table from columns, each with its cells from top to bottom."""
        return cls(
            title=title,
            columns=tuple(column for column, _ in columns),
            rows=tuple(zip(*(cells for _, cells in columns), strict=True)),
            heads=tuple(map(tuple, heads)),
            notes=tuple(notes),
            strong_means=strong_means,
            borders=tuple(borders),
        )

    @classmethod
    def of_texts(cls, title: str, names: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
        """Make a table for programs: columns of texts, row by row."""
        columns = tuple(Column(name, "left") for name in names)
        return cls(title=title, columns=columns, rows=tuple(tuple(map(Cell, row)) for row in rows))

    def worded(self, change: Callable[[str], str]) -> Table:
        """Return the table with a function applied to every text, such as the escapes of a layout."""
        return attrs.evolve(
            self,
            title=change(self.title),
            columns=tuple(
                attrs.evolve(column, title=change(column.title), written=change(column.written))
                for column in self.columns
            ),
            rows=tuple(tuple(attrs.evolve(cell, text=change(cell.text)) for cell in row) for row in self.rows),
            heads=tuple(tuple(map(change, head)) for head in self.heads),
            notes=tuple(map(change, self.notes)),
            strong_means=change(self.strong_means),
        )

    def narrowed(self, positions: Sequence[int]) -> Table:
        """Return the table with only the columns at the given positions, without heads that are empty there."""
        return attrs.evolve(
            self,
            columns=tuple(self.columns[i] for i in positions),
            rows=tuple(tuple(row[i] for i in positions) for row in self.rows),
            heads=tuple(
                tuple(head[i] for i in positions)
                for head in self.heads
                if any(head[i] for i in positions if not self.columns[i].key)
            ),
        )

    def cut(self, widths: Sequence[float], room: float) -> list[Table]:
        """Cut the columns other than the key columns into blocks that fit beside the key columns.

        A column that is too wide for any block has a block of its own.

        Parameters
        ----------
        widths : sequence of float
            The width of every column, with the gap beside it.
        room : float
            The width of a block.
        """
        keys = [i for i, column in enumerate(self.columns) if column.key]
        left = room - sum(widths[i] for i in keys)
        blocks: list[list[int]] = [[]]
        for i in (i for i, column in enumerate(self.columns) if not column.key):
            if blocks[-1] and sum(widths[j] for j in [*blocks[-1], i]) > left:
                blocks.append([])
            blocks[-1].append(i)
        return [self.narrowed(sorted([*keys, *block])) for block in blocks]

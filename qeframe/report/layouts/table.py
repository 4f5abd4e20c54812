"""A table as a value: what its cells say, before anybody lays it out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import attrs
from attrs import frozen

__all__ = ["Align", "Cell", "Column", "Table"]

Align = Literal["left", "right", "center"]


@frozen
class Cell:
    """The text of a cell, and whether it is set off from the others of its column."""

    text: str
    strong: bool = False


@frozen
class Column:
    """A column's heading and alignment.

    Parameters
    ----------
    title : str
    align : {"left", "right", "center"}
        Numbers go right: they all have the same number of decimals in one column.
    key : bool
        Whether it says which row this is. Where a narrow terminal cuts a table into blocks, every block repeats it.
    """

    title: str
    align: Align = "right"
    key: bool = False


@frozen(kw_only=True)
class Table:
    """Rows of cells under columns.

    Parameters
    ----------
    title : str
    columns : tuple of Column
    rows : tuple of tuple of Cell
        As many cells in each as there are columns.
    heads : tuple of tuple of str
        Further rows of the head, below the columns' titles: counts, as many cells in each as there are columns.
    notes : tuple of str
        One line each, to stand below the table.
    strong_means : str
        What it means that a cell is strong; every layout says it in its own way. Empty: no cell is.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    heads: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    strong_means: str = ""

    @classmethod
    def from_columns(
        cls,
        title: str,
        columns: Sequence[tuple[Column, Sequence[Cell]]],
        *,
        heads: Sequence[Sequence[str]] = (),
        notes: Sequence[str] = (),
        strong_means: str = "",
    ) -> Table:
        """Make a table from columns, each with its cells from top to bottom."""
        return cls(
            title=title,
            columns=tuple(column for column, _ in columns),
            rows=tuple(zip(*(cells for _, cells in columns), strict=True)),
            heads=tuple(map(tuple, heads)),
            notes=tuple(notes),
            strong_means=strong_means,
        )

    def worded(self, change: Callable[[str], str]) -> Table:
        """Return the table with every text changed, such as escaped for the language of a layout."""
        return attrs.evolve(
            self,
            title=change(self.title),
            columns=tuple(attrs.evolve(column, title=change(column.title)) for column in self.columns),
            rows=tuple(tuple(attrs.evolve(cell, text=change(cell.text)) for cell in row) for row in self.rows),
            heads=tuple(tuple(map(change, head)) for head in self.heads),
            notes=tuple(map(change, self.notes)),
            strong_means=change(self.strong_means),
        )

    def narrowed(self, positions: Sequence[int]) -> Table:
        """Return the table with the columns at the given positions only, without heads that say nothing of them."""
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

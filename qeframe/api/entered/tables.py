"""Tables and plain files as values with labels: a first line that names columns, or one value a line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.api.frames.cells import coded
from qeframe.api.frames.labeled import Labeled, of_columns, spelled
from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.batches.ragged import Ragged
from qeframe.core.components.batch_kind import PlainFormat
from qeframe.core.errors import DataError, counted
from qeframe.core.tasks.reading import TextFile
from qeframe.data.text_lines import parse_numbers, read_text_lines

_MISSING = ("", "None", "NaN", "nan")


@frozen(eq=False)
class TextColumns:
    """The columns of a table in a file, as `FrameColumns` has those of a data frame.

    `columns` (rows,). `lines` (rows,): the line of every row.
    """

    file: TextFile
    columns: Mapping[str, Any]
    lines: IntArray
    index: None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    def is_numeric(self, name: str) -> bool:
        """Return True: a column that has no numbers is refused at its line."""
        return True

    def labels(self, name: str) -> Any:
        """Return a column of labels."""
        empty = np.flatnonzero(self.columns[name] == "")
        if len(empty):
            raise self.error(f"the {name} is empty", int(empty[0]), "give every row a label")
        return self.columns[name]

    def numbers(self, name: str) -> FloatArray:
        """Return a column of numbers, NaN where one is missing."""
        texts = self.columns[name]
        present = ~np.isin(texts, _MISSING)
        numbers = np.full(len(texts), np.nan)
        try:
            numbers[present] = parse_numbers(texts[present].tolist(), self.file)
        except DataError as error:
            row = int(np.flatnonzero(present)[(error.line or 1) - 1])
            raise self.error(f"the {name} {error.what}", row, error.remedy) from None
        return numbers

    def values(self, name: str) -> list[Any]:
        """Return a column as it is."""
        return list(self.columns[name].tolist())

    def take(self, rows: IntArray) -> TextColumns:
        """Return some rows."""
        return attrs.evolve(
            self, columns={name: column[rows] for name, column in self.columns.items()}, lines=self.lines[rows]
        )

    def error(self, what: str, row: int | None = None, remedy: str = "") -> DataError:
        """Return an error at the line of a row."""
        return self.file.error(what, line=None if row is None else int(self.lines[row]), remedy=remedy)


def table_in(file: TextFile) -> TextColumns | None:
    """Return the columns of a file whose first line names them, by tabs or commas; None if it does not.

    The first line has a column of segments or of systems, and a column ``score`` or further ones.

    Raises DataError if a line has another number of columns than the first, or two columns have one name.
    """
    separator = "\t" if "\t" in file.lines[0] else ","
    names = [name.strip() for name in file.lines[0].split(separator)]
    words = spelled(names)
    if len(names) < 2 or not (("score" in words and "system" in words) or "unit" in words):
        return None
    rows = [line.split(separator) for line in file.lines[1:]]
    for line, row in enumerate(rows, 2):
        if len(row) != len(names):
            what = f"{counted(len(row), 'column')}, {len(names)} expected"
            raise file.error(what, line=line, remedy="give every line the columns of the first")
    if len(set(names)) < len(names) or not rows:
        what, remedy = ("two columns have one name", "rename one") if rows else ("there is no row", "give some")
        raise file.error(what, line=1, remedy=remedy)
    cells = np.array([[cell.strip() for cell in row] for row in rows], dtype=np.str_)
    columns = {name: cells[:, nth] for nth, name in enumerate(names)}
    return TextColumns(file, columns, np.arange(2, len(rows) + 2))


def by_pair(name: str, columns: Any) -> dict[str, Labeled]:
    """Return the values of a table for each of its language pairs; of a table without a column of pairs under ""."""
    pair = spelled(columns.names).get("pair")
    if pair is None:
        return {"": of_columns(name, columns)}
    labels, _, of_row = coded(columns.labels(pair))
    return {
        str(label): of_columns(name, columns.take(np.flatnonzero(of_row == nth))) for nth, label in enumerate(labels)
    }


def plain_values(name: str, file: TextFile, form: PlainFormat) -> Labeled:
    """Return the values of a plain file of a kind of batch: one unit a line, with ids where the file states them."""
    ids, values = form.parse(file)
    values = [row.tolist() for row in values] if isinstance(values, Ragged) else values
    return Labeled(name, values, tuple(ids.tolist()) if form.has_ids(file) else None, named=True)


def text_at(path: Path) -> TextFile:
    """Read a file, which may be compressed with gzip."""
    return read_text_lines(path, packed=True, texts=True)

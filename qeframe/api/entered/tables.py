"""Tables and plain files as values with labels: a first line that names columns, or one value a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from qeframe.api.frames.labeled import Labeled, of_columns
from qeframe.core.batch import Batch
from qeframe.core.ragged import Ragged
from qeframe.core.reading import TextFile
from qeframe.data.columns import coded, spelled
from qeframe.data.tables import Layout, TableColumns, columns_in, names_in
from qeframe.data.text_lines import read_text_lines
from qeframe.kinds.plain_files import parse_plain


def table_in(file: TextFile) -> TableColumns | None:
    """Return the columns of a file whose first line names them; None if it does not.

    The first line has a column of segments or of systems, and a column ``score`` or further ones.

    Raises DataError if the file is such a table and has a mistake.
    """
    names = names_in(file, Layout())
    words = spelled(names)
    if len(names) < 2 or not (("score" in words and "system" in words) or "unit" in words):
        return None
    return columns_in(file, Layout())


def by_pair(name: str, columns: Any) -> dict[str, Labeled]:
    """Return the values of a table for each of its language pairs; of a table without a column of pairs under ""."""
    pairs = spelled(columns.names).get("pair")
    if pairs is None:
        return {"": of_columns(name, columns)}
    labels, _, of_row = coded(columns.labels(pairs[0]))
    return {
        str(label): of_columns(name, columns.take(np.flatnonzero(of_row == nth))) for nth, label in enumerate(labels)
    }


def plain_values(name: str, file: TextFile, kind: type[Batch]) -> Labeled:
    """Return the values of a plain file of a kind of batch: one unit a line, with ids where the file states them."""
    side = parse_plain(kind, file, name=name)
    values = [row.tolist() for row in side.values] if isinstance(side.values, Ragged) else side.values
    labels = tuple(side.names.get(unit, unit) for unit in side.ids.tolist())
    return Labeled(name, values, labels if side.known_by == "id" else None, named=True)


def text_at(path: Path) -> TextFile:
    """Read a file, which may be compressed with gzip."""
    return read_text_lines(path, packed=True, texts=True)

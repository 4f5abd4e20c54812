"""Values with the labels of what they are about, and the one way in which they are put into the order of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batch import IntArray
from qeframe.core.errors import DataError
from qeframe.data.columns import SPELLINGS, Columns, FrameColumns, coded, grid_of, spelled
from qeframe.data.numbers import unmasked

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_LIBRARIES = frozenset({"pandas", "polars", "pyarrow", "modin", "cudf", "narwhals"})
OF_SYSTEMS = "tasks of a long frame by tasks_from_frame(..., systems=[...])"


@frozen(eq=False)
class Labeled:
    """Values, and what each is about.

    `name`: whose values they are, for messages.
    `values` (n,) or (n, systems).
    `rows`: the label of each of n units. None: they are known by their position alone.
    `named`: whether the labels have a name, that of a column or of an index: they are then labels even if they count
      the rows.
    `columns`: the systems of a grid. None: values are no grid, or their columns are known by position alone.
    """

    name: str
    values: Any
    rows: tuple[Any, ...] | None = None
    named: bool = False
    columns: tuple[str, ...] | None = None

    @property
    def counts(self) -> bool:
        """Whether the labels are 0, 1, 2, ...: those of a column that was given none."""
        return self.rows is not None and self.rows == tuple(range(len(self.rows)))

    def only_column(self) -> Labeled:
        """Return the values as one value for each row.

        Raises DataError if they are those of a frame with several columns.
        """
        if self.columns is None:
            return self
        if len(self.columns) > 1:
            raise DataError(f"{self.name} is a data frame", remedy=f"give one of its columns: {_some(self.columns)}")
        values = self.values[:, 0] if isinstance(self.values, np.ndarray) else [row[0] for row in self.values]
        return attrs.evolve(self, values=values, columns=None)

    def take(self, rows: Sequence[int]) -> Labeled:
        """Return the rows at some positions, in this order."""
        chosen = self.values[rows] if isinstance(self.values, np.ndarray) else [self.values[i] for i in rows]
        return attrs.evolve(self, values=chosen, rows=None if self.rows is None else tuple(self.rows[i] for i in rows))


def is_frame(value: Any) -> bool:
    """Return whether a value is a data frame, of whatever library."""
    return any(hasattr(type(value), name) for name in ("columns", "column_names", "collect_schema"))


def label_key(label: Any) -> Any:
    """Return what a label is compared by: 1, 1.0 and "1" are one label, as they are after reading a file."""
    if isinstance(label, (int, np.integer)) and not isinstance(label, bool):
        return str(int(label))
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return label


def labeled(name: str, value: Any) -> Labeled:
    """Return values with their labels.

    `name`: for messages. `value`: a column, with the labels of its index; a frame; or anything else, which has no
    labels. A frame is long, with the columns system, segment and score; or it has a row for each segment, whose label
    is in a column ``segment`` or the index, and a column for each system, or a single column of values. Raises
    DataError if a frame is none of these, a label is missing, or a cell is there twice.
    """
    if isinstance(value, Labeled):
        return attrs.evolve(value, name=name)
    if type(value).__module__.partition(".")[0] not in _LIBRARIES:
        return Labeled(name, unmasked(value, name))
    import narwhals.stable.v2 as nw

    if is_frame(value):
        return of_columns(name, FrameColumns.of(value))
    native = nw.from_native(value, allow_series=True, pass_through=True)
    if not isinstance(native, nw.Series):
        return Labeled(name, np.asarray(value))
    index = nw.maybe_get_index(native)
    if index is None:
        return Labeled(name, _plain(native))
    names = [str(level).lower() for level in index.names]
    if set(names) & set(SPELLINGS["system"]) and len(names) > 1:
        return of_columns(name, FrameColumns.of(value.to_frame("score")))
    return Labeled(name, _plain(native), tuple(index.tolist()), named=index.name is not None)


def of_columns(name: str, columns: Columns) -> Labeled:
    """Return the values of a frame or a table in one of the forms that `labeled` takes."""
    words = {what: names[0] for what, names in spelled(columns.names).items()}
    if "system" in words and "score" in words:
        return _long(name, columns, words)
    unit = words.get("unit")
    others = [column for column in columns.names if column not in (unit, words.get("pair"))]
    others = [words["score"]] if unit is not None and "score" in words else others
    texts = [column for column in others if not columns.is_numeric(column)]
    if not others or (texts and len(others) > 1):
        what = f"{name} is a data frame with the columns {_some(columns.names)}"
        remedy = "name them system, segment and score, or give segment and a column for each system"
        raise DataError(what, remedy=remedy)
    labels = columns.index if unit is None else columns.labels(unit)
    rows = None if labels is None else tuple(labels if isinstance(labels, tuple) else labels.tolist())
    if texts:
        return Labeled(name, [[value] for value in columns.values(texts[0])], rows, unit is not None, tuple(others))
    cells = np.stack([columns.numbers(column) for column in others], axis=1)
    return Labeled(name, cells, rows, named=unit is not None, columns=tuple(others))


def _long(name: str, columns: Columns, words: Mapping[str, str]) -> Labeled:
    """Return the cells of a table with a row for each score; NaN where it has no row."""
    scores = columns.numbers(words["score"])
    of_rows = columns.labels(words["unit"]) if "unit" in words else np.zeros(len(scores), dtype=np.int64)
    (rows, _, unit), (systems, _, system) = coded(of_rows), coded(columns.labels(words["system"]))
    cells = grid_of((unit, rows), (system, systems), scores, columns, name)
    return Labeled(name, cells, tuple(rows) if "unit" in words else None, named=True, columns=tuple(map(str, systems)))


def _plain(column: nw.Series[Any]) -> Any:
    """Return a column of numbers as an array with NaN for missing ones, any other column as a list."""
    if column.dtype.is_numeric():
        return np.asarray(column.to_numpy(), dtype=np.float64 if column.null_count() else None)
    return column.to_list()


def put_in_order(side: Labeled, first: Labeled) -> Any:
    """Return the values of a side in the order of another, by the labels of rows and of columns.

    Raises DataError if the labels of both sides are not the same, one is there twice, or only one side has labels of
    its own.
    """
    ordered = side if side.rows == first.rows or side is first else side.take(_rows_in_order(side, first))
    if side.columns == first.columns:
        return ordered.values
    if side.columns is None or first.columns is None:
        of_frame, other = (side, first) if side.columns is not None else (first, side)
        what = f"{of_frame.name} is a data frame with names of systems, and {other.name} has none"
        raise DataError(what, remedy="give both as data frames, or both as rows of numbers")
    columns = in_order_of(side.columns, first.columns)
    absent = [first.columns[i] for i in np.flatnonzero(columns < 0)]
    if absent:
        remedy = f"complete it, or leave the system out for all: {first.name} without it, or {OF_SYSTEMS}"
        raise DataError(f"{side.name} has no scores of system '{absent[0]}'{_more(len(absent))}", remedy=remedy)
    extra = [column for column in side.columns if column not in first.columns]
    if extra:
        remedy = f"select the same systems for both: frame.drop(columns={extra})"
        raise DataError(f"{first.name} has no system '{extra[0]}'{_more(len(extra))}, {side.name} has", remedy=remedy)
    return ordered.values[:, columns]


def in_order_of(labels: Sequence[Any], wanted: Sequence[Any]) -> IntArray:
    """Return the position of each wanted label among labels, -1 where it is not there."""
    position = {label_key(label): i for i, label in enumerate(labels)}
    return np.array([position.get(label_key(label), -1) for label in wanted], dtype=np.int64)


def repeated(labels: Sequence[Any]) -> list[Any]:
    """Return the labels that are there twice."""
    seen = set[Any]()
    return [label for label in labels if label_key(label) in seen or seen.add(label_key(label))]  # type: ignore[func-returns-value]


def _rows_in_order(side: Labeled, first: Labeled) -> Sequence[int]:
    if side.rows is None or first.rows is None:
        with_labels, lacking_rows = (side, first) if side.rows is not None else (first, side)
        if with_labels.counts:
            return range(len(side.values))
        what = f"{with_labels.name} has an index of its own, and {lacking_rows.name} has none"
        raise DataError(what, remedy="give both as columns with the same index, or both as plain lists")
    for having, lacking_rows in ((first, side), (side, first)):
        lacking = np.flatnonzero(in_order_of(lacking_rows.rows or (), having.rows or ()) < 0)
        if len(lacking):
            label = (having.rows or ())[lacking[0]]
            what = f"the index of {having.name} has the label {label!r}, that of {lacking_rows.name} has not"
            raise DataError(what, remedy="select the same rows for both")
    twice = repeated(side.rows) or (repeated(first.rows) if len(side.rows) != len(first.rows) else [])
    if twice:
        raise DataError(f"the index of {side.name} has the label {twice[0]!r} twice", remedy="make every label unique")
    order: list[int] = in_order_of(side.rows, first.rows).tolist()
    return order


def _more(count: int) -> str:
    return f" (and {count - 1} more)" if count > 1 else ""


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")

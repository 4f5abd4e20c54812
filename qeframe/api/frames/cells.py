"""The columns of a frame, or of a table in a file, as arrays: labels, numbers, and units that occur once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import Batch, FloatArray, IntArray
from qeframe.core.components.batch_kind import PlainFormat
from qeframe.core.errors import DataError
from qeframe.core.tasks.reading import TextFile
from qeframe.data.numbers import LARGEST
from qeframe.kinds.registered import kind_of

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

PLACE = "the data frame"
"""Where messages say that a mistake is."""


def check_columns(frame: Any, *, texts: bool = False) -> None:
    """Raise a `DataError` if two columns of a data frame have one name; anything without columns is passed over.

    `texts`: whether every name must be a text too.
    """
    names = _names(frame)
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise DataError(f"two columns are named '{twice}'", path=PLACE, remedy="give every column a name of its own")
    other = next((name for name in names if not isinstance(name, str)), None)
    if texts and other is not None:
        what = f"a column is named {other!r}, which is no text"
        raise DataError(what, path=PLACE, remedy="make the names texts: frame.columns = [str(name) for name in frame]")


def _names(frame: Any) -> list[Any]:
    """Return the names of the columns, by the attributes of the class: those of pandas may be columns too."""
    of = type(frame)
    if hasattr(of, "collect"):  # the names of a lazy frame cannot repeat, and asking for them computes it
        return []
    return list(next((getattr(frame, name) for name in ("column_names", "columns") if hasattr(of, name)), []))


def as_table(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Return a frame with the levels of its index that have names as columns."""
    import narwhals.stable.v2 as nw

    index = nw.maybe_get_index(frame)
    named = [] if index is None else [name for name in index.names if name is not None and name not in frame.columns]
    return nw.from_native(frame.to_native().reset_index(level=named), eager_only=True) if named else frame


class Columns(Protocol):
    """Columns that have names, of a data frame or of a file."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""

    @property
    def index(self) -> tuple[Any, ...] | None:
        """The labels of the rows that are in no column; None if there are none."""

    def is_numeric(self, name: str) -> bool:
        """Return whether a column has numbers."""

    def labels(self, name: str) -> Any:
        """Return a column of labels as an array."""

    def numbers(self, name: str) -> FloatArray:
        """Return a column of numbers, NaN where one is missing."""

    def values(self, name: str) -> list[Any]:
        """Return a column as it is."""

    def take(self, rows: IntArray) -> Columns:
        """Return some rows."""

    def error(self, what: str, row: int | None = None, remedy: str = "") -> DataError:
        """Return an error at a row."""


@frozen(eq=False)
class FrameColumns:
    """The columns of a data frame; a level of its index that has a name is a column."""

    table: nw.DataFrame[Any]

    @classmethod
    def of(cls, frame: Any) -> FrameColumns:
        """Return the columns of a frame of any library; a lazy one is computed."""
        import narwhals.stable.v2 as nw

        check_columns(frame, texts=True)
        native = nw.from_native(frame)
        return cls(as_table(native.collect() if isinstance(native, nw.LazyFrame) else native))

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns."""
        return self.table.columns

    @property
    def index(self) -> tuple[Any, ...] | None:
        """The labels of an index without a name."""
        import narwhals.stable.v2 as nw

        index = nw.maybe_get_index(self.table)
        return None if index is None else tuple(index.tolist())

    def is_numeric(self, name: str) -> bool:
        """Return whether a column has numbers."""
        return self.table[name].dtype.is_numeric()

    def labels(self, name: str) -> Any:
        """Return a column of labels: all whole numbers, or all texts."""
        return labels_of(self.table, name)

    def numbers(self, name: str) -> FloatArray:
        """Return a column of numbers, NaN where one is missing."""
        return numbers_of(self.table, name)

    def values(self, name: str) -> list[Any]:
        """Return a column as it is."""
        return self.table[name].to_list()

    def take(self, rows: IntArray) -> FrameColumns:
        """Return some rows."""
        return FrameColumns(self.table[rows.tolist()])

    def error(self, what: str, row: int | None = None, remedy: str = "") -> DataError:
        """Return an error in the frame."""
        return frame_error(what, row, remedy)


def frame_error(what: str, row: int | None, remedy: str) -> DataError:
    """Return an error in a data frame, whose rows have no numbers for a user."""
    return DataError(what, path=PLACE, remedy=remedy)


def grid_of(
    units: tuple[IntArray, Sequence[Any]],
    systems: tuple[IntArray, Sequence[Any]],
    values: FloatArray,
    whose: str = "",
    error: Callable[[str, int | None, str], DataError] = frame_error,
) -> FloatArray:
    """Return a row for each unit and a column for each system, NaN where there is no score.

    `units`, `systems` ((n,) int, labels): the position of the label of every score, and the labels. `whose`, `error`:
    as for `once`.
    """
    (of_unit, unit_labels), (of_system, system_labels) = units, systems
    names = [f"{unit} of system {system}" for unit in unit_labels for system in system_labels]
    cells = of_unit * len(system_labels) + of_system
    first = once(cells, values, names, whose, error)
    grid = np.full((len(unit_labels), len(system_labels)), np.nan)
    grid.ravel()[cells[first]] = values[first]
    return grid


def coded(labels: Any) -> tuple[Sequence[Any], IntArray, IntArray]:
    """Return the distinct labels in the order of their first row, these rows, and the position of every row's label."""
    values, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return values[order].tolist(), first[order], place[codes.ravel()]


def parts(labels: Any, rows: IntArray) -> Iterable[tuple[str, IntArray]]:
    """Yield every label with its rows, in the order of the first row."""
    distinct, _, codes = coded(labels)
    order = np.argsort(codes, kind="stable")
    borders = np.cumsum(np.bincount(codes, minlength=len(distinct)))[:-1]
    for label, members in zip(distinct, np.split(rows[order], borders), strict=True):
        yield str(label), members


def labels_of(table: nw.DataFrame[Any], name: str) -> Any:
    """Return a column of labels: all whole numbers, or all texts."""
    column = table[name]
    if column.null_count():
        raise DataError(f"column '{name}' has a missing label", path=PLACE, remedy="give every row a label")
    if column.dtype.is_integer():
        return np.asarray(column.to_numpy())
    labels = column.to_list()
    if not all(isinstance(label, str) for label in labels):
        what = f"column '{name}' has labels that are neither texts nor whole numbers"
        raise DataError(what, path=PLACE, remedy="convert it to texts")
    if not all(map(str.strip, labels)):
        raise DataError(f"column '{name}' has an empty label", path=PLACE, remedy="give every row a label")
    return np.array(labels, dtype=np.str_)


def numbers_of(table: nw.DataFrame[Any], name: str) -> FloatArray:
    """Return a column of numbers; NaN where it is missing."""
    column = table[name]
    if not column.dtype.is_numeric():
        raise DataError(f"column '{name}' is not of numbers", path=PLACE, remedy="name the columns of scores")
    values = np.asarray(column.to_numpy(), dtype=np.float64)
    if (np.abs(values) > LARGEST).any():  # infinite ones too
        largest = float(np.nanmax(np.abs(values)))
        what = (
            "an infinite number" if np.isinf(largest) else f"the number {largest:g}, which is too large to compute with"
        )
        remedy = f"give finite numbers of magnitudes up to {LARGEST:g}"
        raise DataError(f"column '{name}' has {what}", path=PLACE, remedy=remedy)
    return values


@frozen(eq=False)
class Cells:
    """The cells of a column of gold or answers.

    `codes` (rows,): NaN where a cell is missing; equal where cells are equal. Numbers are their own codes. `values_of`:
    from rows whose cells are not missing, (n,) int64, to their values, as a `UnitValues` has them.
    """

    codes: FloatArray
    values_of: Callable[[IntArray], Any]


def cells_of(table: nw.DataFrame[Any], name: str, kind: type[Batch], *, numbers: bool) -> Cells:
    """Return a column of one side of a kind of batch: of numbers, or of what lines of its plain file hold.

    `numbers`: whether only numbers are accepted. Raises DataError if the kind has no plain file, or a cell is not what
    a line of it may hold.
    """
    plain = kind_of(kind).plain_format
    if numbers or kind.crossed or (plain is not None and plain.one_number and table[name].dtype.is_numeric()):
        values = numbers_of(table, name)
        return Cells(values, values.__getitem__)
    if plain is None:
        what = f"a column cannot hold units of {kind.__name__}, which has no plain file of lines"
        raise DataError(what, path=PLACE, remedy="read files by a profile whose reader yields it")
    place = f"the cell of column '{name}' in row"
    lines = [_line(f"{place} {row}", cell, plain) for row, cell in enumerate(table[name].to_list(), 1)]
    present = dict.fromkeys(line for line in lines if line is not None)
    codes: dict[str | None, float] = {line: float(code) for code, line in enumerate(present)}
    parse = partial(_parsed, plain, name, lines)
    return Cells(np.array([codes.get(line, np.nan) for line in lines], dtype=np.float64), parse)


def _line(place: str, cell: Any, plain: PlainFormat) -> str | None:
    """Return a cell as a line of a plain file: a text, or the parts of a list with blanks between; None if missing."""
    if cell is None or (isinstance(cell, float) and np.isnan(cell)):
        return None
    is_list = isinstance(cell, (list, tuple, np.ndarray))
    line = " ".join(map(str, cell)) if is_list else str(cell)
    if "\n" in line or (is_list and plain.holds_texts):
        what = "has a line end" if "\n" in line else "is a list of texts"
        raise DataError(f"{place} {what}", path=PLACE, remedy="give a text of one line")
    return line


def _parsed(plain: PlainFormat, name: str, lines: Sequence[str | None], rows: IntArray) -> Any:
    file = _ColumnOfLines(Path(PLACE), tuple(lines[row] or "" for row in rows.tolist()), "", column=name, rows=rows)
    ids, values = plain.parse(file)
    if plain.has_ids(file) or len(ids) != len(rows):
        what = f"the cells of column '{name}' are not one unit each"
        raise DataError(what, path=PLACE, remedy="give what one line of a plain file without ids has")
    return values


@frozen(eq=False)
class _ColumnOfLines(TextFile):
    """The cells of a column as the lines of a file; its errors name the column and the row."""

    column: str = field(kw_only=True)
    rows: IntArray = field(kw_only=True)

    def error(self, what: str, *, line: int | None = None, remedy: str = "") -> DataError:
        row = "" if line is None else f" row {self.rows[line - 1] + 1},"
        return DataError(f"column '{self.column}',{row} {what}", path=PLACE, remedy=remedy)


def once(
    units: IntArray,
    values: FloatArray,
    labels: Sequence[Any],
    whose: str,
    error: Callable[[str, int | None, str], DataError] = frame_error,
) -> IntArray:
    """Return the position of the first row of each unit, in ascending order.

    `whose`: what messages call the owner of the values, such as "submission 'A'". Empty: the gold of a long frame,
    which may be repeated if it is the same. `error`: from what is wrong, the row and the remedy to the error.
    """
    order = np.argsort(units, kind="stable")
    sorted_units, sorted_values = units[order], values[order]
    before, after = sorted_values[:-1], sorted_values[1:]
    same = (before == after) | (np.isnan(before) & np.isnan(after))
    wrong = np.flatnonzero((sorted_units[1:] == sorted_units[:-1]) & (True if whose else ~same))
    if len(wrong):
        unit = labels[int(sorted_units[wrong[0]])]
        if whose:
            what, remedy = f"{whose} has unit {unit} twice", "keep one row for each score"
        else:
            what, remedy = f"the gold scores of unit {unit} differ", "give one gold score for each unit"
        raise error(what, int(order[wrong[0] + 1]), remedy)
    return np.sort(order[np.concatenate([[True], sorted_units[1:] != sorted_units[:-1]])])

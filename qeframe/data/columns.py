"""Columns that have names, of a data frame or of a file: labels, numbers, and cells that occur once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.errors import DataError
from qeframe.data.numbers import LARGEST
from qeframe.data.tables import TableColumns

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

PLACE = "the data frame"
"""Where messages say that a mistake of a frame is."""

SPELLINGS = {
    "pair": ("pair", "lp", "language_pair", "task"),
    "system": ("system", "sys"),
    "unit": ("segment", "seg", "unit", "segid", "seg_id", "segment_id", "sid", "id"),
    "score": ("score",),
    "gold": ("gold", "human", "human_score", "gold_score", "label"),
    "submission": ("submission", "metric", "method"),
    "document": ("document", "doc", "doc_id", "docid", "document_id"),
}
"""The names of columns that say what a row is about, in small letters and with underscores."""


@frozen(eq=False)
class FrameColumns:
    """The columns of a data frame; a level of its index that has a name is a column.

    `place`: "the data frame", or the path of the file that it was read from.
    """

    table: nw.DataFrame[Any]
    place: str = PLACE
    lines: None = None

    @classmethod
    def of(cls, frame: Any, place: str = PLACE) -> FrameColumns:
        """Return the columns of a frame of any library; a lazy one is computed.

        Raises DataError for what is no data frame, for two columns of one name, and for a name that is no text.
        """
        import narwhals.stable.v2 as nw

        check_columns(frame, texts=True)
        try:
            native = nw.from_native(frame)
        except TypeError:
            what = f"{type(frame).__name__} is not a data frame"
            raise DataError(what, remedy="give one of pandas, Polars or PyArrow") from None
        table = _collected(native) if isinstance(native, nw.LazyFrame) else native
        index = nw.maybe_get_index(table)
        levels = [] if index is None else [n for n in index.names if n is not None and n not in table.columns]
        if levels:
            table = nw.from_native(table.to_native().reset_index(level=levels), eager_only=True)
        return cls(table, place)

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

    def __len__(self) -> int:
        return len(self.table)

    def is_numeric(self, name: str) -> bool:
        """Return whether a column has numbers."""
        return self.table[name].dtype.is_numeric()

    def labels(self, name: str) -> Any:
        """Return a column of labels: all whole numbers, or all texts."""
        column = self.table[name]
        if column.null_count():
            raise self.error(f"column '{name}' has a missing label", remedy="give every row a label")
        if column.dtype.is_integer():
            return np.asarray(column.to_numpy())
        labels = column.to_list()
        if not all(isinstance(label, str) for label in labels):
            what = f"column '{name}' has labels that are neither texts nor whole numbers"
            raise self.error(what, remedy="convert it to texts")
        if not all(map(str.strip, labels)):
            raise self.error(f"column '{name}' has an empty label", remedy="give every row a label")
        return np.array(labels, dtype=np.str_)

    def numbers(self, name: str) -> FloatArray:
        """Return a column of numbers, NaN where one is missing."""
        column = self.table[name]
        if not column.dtype.is_numeric():
            raise self.error(f"column '{name}' is not of numbers", remedy="name the columns of scores")
        values = np.asarray(column.to_numpy(), dtype=np.float64)
        if (np.abs(values) > LARGEST).any():  # infinite ones too
            largest = float(np.nanmax(np.abs(values)))
            infinite = np.isinf(largest)
            number = "an infinite number" if infinite else f"the number {largest:g}, which is too large to compute with"
            remedy = f"give finite numbers of magnitudes up to {LARGEST:g}"
            raise self.error(f"column '{name}' has {number}", remedy=remedy)
        return values

    def values(self, name: str) -> list[Any]:
        """Return a column as it is."""
        return self.table[name].to_list()

    def refuse_wrong(self, labels: Iterable[str] = (), numbers: Iterable[str] = ()) -> None:
        """Do nothing: a column of a frame has cells of one type, which is refused as a whole."""

    def take(self, rows: IntArray) -> FrameColumns:
        """Return some rows."""
        return attrs.evolve(self, table=self.table[rows.tolist()])

    def having(self, name: str, labels: Sequence[str]) -> FrameColumns:
        """Return the columns with one more, of labels."""
        import narwhals.stable.v2 as nw

        column = nw.new_series(name, list(labels), nw.String(), backend=self.table.implementation)
        return attrs.evolve(self, table=self.table.with_columns(column))

    def error(self, what: str, row: int | None = None, remedy: str = "") -> DataError:
        """Return an error in the frame, whose rows have no numbers for a user."""
        return DataError(what, path=self.place, remedy=remedy)


Columns = FrameColumns | TableColumns
"""Columns that have names: both classes have the same properties and methods."""


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


def _collected(table: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """Return the rows of a lazy frame, whose mistakes show only here, as errors of its library."""
    try:
        return table.collect()
    except Exception as error:
        reason = (str(error).splitlines() or [""])[0]
        what = f"the lazy frame cannot be computed: {type(error).__name__}: {reason}"
        raise DataError(what, path=PLACE, remedy="make frame.collect() work first") from error


def spelled(columns: Iterable[str]) -> dict[str, list[str]]:
    """Return which columns say what a row is about, by the words of `SPELLINGS` and in their order.

    Blanks and hyphens in the name of a column are underscores: "Doc-ID" is "doc_id".
    """
    by_lower = {re.sub(r"[ -]+", "_", column.lower()): column for column in reversed(list(columns))}
    spellings = {what: [by_lower[n] for n in names if n in by_lower] for what, names in SPELLINGS.items()}
    return {what: names for what, names in spellings.items() if names}


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


def grid_of(
    units: tuple[IntArray, Sequence[Any]],
    systems: tuple[IntArray, Sequence[Any]],
    values: FloatArray,
    columns: Columns,
    whose: str = "",
    rows: IntArray | None = None,
) -> FloatArray:
    """Return a row for each unit and a column for each system, NaN where there is no score.

    `units`, `systems` ((n,) int, labels): the position of the label of every score, and the labels. `columns`, `whose`,
    `rows`: as for `once`.
    """
    (of_unit, unit_labels), (of_system, system_labels) = units, systems
    cells = of_unit * len(system_labels) + of_system
    first = once(cells, values, unit_labels, columns, whose, rows, system_labels)
    grid = np.full((len(unit_labels), len(system_labels)), np.nan)
    grid.ravel()[cells[first]] = values[first]
    return grid


def once(
    units: IntArray,
    values: FloatArray,
    labels: Sequence[Any],
    columns: Columns,
    whose: str = "",
    rows: IntArray | None = None,
    systems: Sequence[Any] = (),
) -> IntArray:
    """Return the position of the first row of each unit, in ascending order.

    `columns`, `rows` (n,): where the values are, for messages; by default all rows.
    `whose`: what messages call the owner of the values, such as "submission 'A'". Empty: the gold of a long frame,
    which may be repeated if it is the same.
    `systems`: the systems of each unit, one after the other, where values are cells.
    """
    order = np.argsort(units, kind="stable")
    sorted_units, sorted_values = units[order], values[order]
    before, after = sorted_values[:-1], sorted_values[1:]
    same = (before == after) | (np.isnan(before) & np.isnan(after))
    wrong = np.flatnonzero((sorted_units[1:] == sorted_units[:-1]) & (True if whose else ~same))
    if len(wrong):
        cell, system = divmod(int(sorted_units[wrong[0]]), len(systems) or 1)
        unit = f"{labels[cell]} of system {systems[system]}" if systems else labels[cell]
        if whose:
            what, remedy = f"{whose} has unit {unit} twice", "keep one row for each score"
        else:
            what, remedy = f"the gold scores of unit {unit} differ", "give one gold score for each unit"
        position = int(order[wrong[0] + 1])
        raise columns.error(what, position if rows is None else int(rows[position]), remedy)
    return np.sort(order[np.concatenate([[True], sorted_units[1:] != sorted_units[:-1]])])

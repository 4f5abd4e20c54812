"""Values with the labels of what they are about, and the one way in which they are put into the order of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batch import IntArray
from qeframe.core.errors import DataError, did_you_mean
from qeframe.data.align import and_more
from qeframe.data.columns import SPELLINGS, Columns, FrameColumns, check_columns, coded, grid_of, spelled
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
        raise DataError(f"{side.name} has no scores of system '{absent[0]}'{and_more(len(absent))}", remedy=remedy)
    extra = [column for column in side.columns if column not in first.columns]
    if extra:
        remedy = f"select the same systems for both: frame.drop(columns={extra})"
        raise DataError(
            f"{first.name} has no system '{extra[0]}'{and_more(len(extra))}, {side.name} has", remedy=remedy
        )
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


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def by_name(submissions: Any) -> dict[str, Any]:
    """Return submissions by their names: a mapping, or the columns of a data frame of pandas.

    Raises DataError for any other value, which has no names, and for two columns of one name.
    """
    check_columns(submissions)
    items = getattr(submissions, "items", None)
    if not callable(items):
        what = f"the submissions have no names: they are of type {type(submissions).__name__}"
        remedy = "{name: frame[name] for name in [...]}" if is_frame(submissions) else '{"A": [...], "B": [...]}'
        raise DataError(what, remedy=f"give a dict from name to scores: {remedy}")
    return dict(items())


def in_one_order(gold: Any, submissions: Mapping[str, Any], *, crossed: bool = False) -> tuple[Any, dict[str, Any]]:
    """Return the gold and the submissions as plain values, in the order of the gold.

    `gold`: a column of a data frame, a frame as `labeled` takes it, or anything else, which is returned as it is. None:
      there is no gold, and the first submission gives the order.
    `submissions`: the same.
    `crossed`: whether a unit has a value for each of several systems, which are the columns of a frame. Otherwise a
      frame has a single column of values.

    Returns numbers as arrays, missing ones as NaN; other columns as lists. Raises DataError if the labels (the index of
    pandas, or a column of segments, and systems) of two sides are not the same, if labels occur twice in different
    orders, or if a side with labels of its own meets values without any.

    Notes
    -----
    Columns of Polars and PyArrow have no labels; they are in the order of the rows, like lists. The labels 0, 1, 2, ...
    in this order say no more than positions, and such a column fits values without labels.
    """
    sides = {name: _side(f"submission '{name}'", values, crossed) for name, values in submissions.items()}
    truth = _side("the gold", gold, crossed)
    first = truth if gold is not None else next(iter(sides.values()), truth)
    ordered = {name: put_in_order(side, first) for name, side in sides.items()}
    for name, values in ordered.items() if truth.columns is not None else ():
        _check_systems(truth, sides[name].name, values)
    return truth.values, ordered


def _side(name: str, values: Any, crossed: bool) -> Labeled:
    side = labeled(name, values)
    return side if crossed else side.only_column()


def _check_systems(gold: Labeled, name: str, values: Any) -> None:
    """Raise a `DataError` if a submission has no score of a system that the gold has scores of."""
    lacking = np.isnan(values).all(axis=0) & ~np.isnan(gold.values).all(axis=0)
    for column in np.flatnonzero(lacking):
        system = (gold.columns or ())[column]
        remedy = f"complete it, or leave the system out for all: {gold.name} without it, or {OF_SYSTEMS}"
        raise DataError(f"{name} has no scores of system '{system}'", remedy=remedy)


def with_named_groups(gold: Any, groups: Any) -> tuple[Any, Any]:
    """Return the gold without the column that `groups` names, and its labels; both as they are if none is named.

    Raises DataError if the frame has no such column, or a unit has two labels in it.
    """
    if not (isinstance(groups, str) and is_frame(gold)):
        return gold, groups
    columns = FrameColumns.of(gold)
    if groups not in columns.names:
        raise DataError(f"the gold has no column '{groups}'", remedy=did_you_mean(groups, columns.names))
    rest, labels = columns.table.drop(groups).to_native(), columns.labels(groups)
    rows, words = labeled("the gold", rest).rows, spelled(columns.names)
    if rows is not None and "system" in words and "score" in words:
        units, first, of_unit = coded(columns.labels(words["unit"][0]))
        different = np.flatnonzero(labels != labels[first][of_unit])
        if len(different):
            what = f"unit {units[of_unit[different[0]]]} of the gold has two labels in '{groups}'"
            raise DataError(what, remedy="give each unit one label")
        labels = labels[first]
    return rest, Labeled("'groups'", labels.tolist(), rows)


def groups_in_order(first: Any, groups: Any) -> list[str]:
    """Return the group of every unit as a text, in the order of the side that gives the order.

    `first`: the gold, or without gold the first submission: a column of a data frame, or anything else. `groups`: a
    label for each unit: a text or a number. Raises DataError if a label is missing, or the labels (the index of pandas)
    of the columns are not the same.
    """
    if isinstance(groups, str):
        what = f"'groups' is the text '{groups}', and neither a task nor a data frame is given that has this column"
        raise DataError(what, remedy="give a list with the group of every unit, such as frame['document']")
    side = labeled("'groups'", groups).only_column()
    ordered = put_in_order(side, attrs.evolve(labeled("the gold", first), columns=None))
    labels = ordered.tolist() if isinstance(ordered, np.ndarray) else list(ordered)
    if any(map(_is_missing, labels)):
        raise DataError("'groups' has a missing label", remedy="give the group of every unit")
    return [str(label) for label in labels]


def _is_missing(label: Any) -> bool:
    """Return whether a label is None, NaN, or the missing value of pandas, which compares with nothing."""
    try:
        return label is None or bool(label != label)
    except TypeError:
        return True

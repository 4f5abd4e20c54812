"""Columns of data frames as plain values, in one order: by label where they have labels, never by position alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from qeframe.api.frames.cells import check_columns
from qeframe.core.errors import DataError
from qeframe.data.numbers import unmasked

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

_LIBRARIES = frozenset({"pandas", "polars", "pyarrow", "modin", "cudf", "narwhals"})


@frozen(eq=False)
class _Column:
    """One side: its name for messages, its values, and its labels, None where it has none."""

    name: str
    values: Any
    labels: tuple[Any, ...] | None = None

    @property
    def counts(self) -> bool:
        """Whether the labels are 0, 1, 2, ...: those of a column that was given none."""
        return self.labels is not None and self.labels == tuple(range(len(self.labels)))


def by_name(submissions: Any) -> dict[str, Any]:
    """Return submissions by their names: a mapping, or the columns of a data frame of pandas.

    Raises
    ------
    DataError
        For any other value, which has no names, and for two columns of one name.
    """
    check_columns(submissions)
    items = getattr(submissions, "items", None)
    if not callable(items):
        what = f"the submissions have no names: they are of type {type(submissions).__name__}"
        columns = hasattr(submissions, "columns") or hasattr(submissions, "column_names")
        remedy = "{name: frame[name] for name in [...]}" if columns else '{"A": [...], "B": [...]}'
        raise DataError(what, remedy=f"give a dict from name to scores: {remedy}")
    return dict(items())


def in_one_order(gold: Any, submissions: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the gold and the submissions as plain values, in the order of the gold.

    Parameters
    ----------
    gold : object
        A column of a data frame, or anything else, which is returned as it is. None: there is no gold, and the first
        submission gives the order.
    submissions : mapping of str to object
        The same.

    Returns
    -------
    (object, dict)
        Numbers as arrays, missing ones as NaN; other columns as lists.

    Raises
    ------
    DataError
        If the labels (the index of pandas) of two columns are not the same, if labels occur twice in different orders,
        if a column with labels of its own meets values without any, or if a whole data frame is given.

    Notes
    -----
    Columns of Polars and PyArrow have no labels; they are in the order of the rows, like lists. The labels 0, 1, 2, ...
    in this order say no more than positions, and such a column fits values without labels.
    """
    named = {name: (f"submission '{name}'", values) for name, values in submissions.items()}
    sides = {name: _column(what, unmasked(values, what)) for name, (what, values) in named.items()}
    truth = _column("the gold", unmasked(gold, "the gold"))
    first = truth if gold is not None else next(iter(sides.values()), truth)
    return truth.values, {name: _ordered(side, first) for name, side in sides.items()}


def groups_in_order(first: Any, groups: Any) -> list[str]:
    """Return the group of every unit as a text, in the order of the side that gives the order.

    Parameters
    ----------
    first : object
        The gold, or without gold the first submission: a column of a data frame, or anything else.
    groups : sequence or column
        A label for each unit: a text or a number.

    Raises
    ------
    DataError
        If a label is missing, or the labels (the index of pandas) of the columns are not the same.
    """
    ordered = _ordered(_column("'groups'", groups), _column("the gold", first))
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


def _column(name: str, values: Any) -> _Column:
    """Return a side, with labels if it is a column of a data frame."""
    if type(values).__module__.partition(".")[0] not in _LIBRARIES:
        return _Column(name, values)
    import narwhals.stable.v2 as nw

    check_columns(values)
    column = nw.from_native(values, allow_series=True, pass_through=True)
    if isinstance(column, (nw.DataFrame, nw.LazyFrame)):
        raise DataError(f"{name} is a data frame", remedy="give one of its columns")
    if not isinstance(column, nw.Series):
        return _Column(name, np.asarray(values))
    index = nw.maybe_get_index(column)
    return _Column(name, _plain(column), None if index is None else tuple(index.tolist()))


def _plain(column: nw.Series[Any]) -> Any:
    """Return a column of numbers as an array with NaN for missing ones, any other column as a list."""
    if column.dtype.is_numeric():
        return np.asarray(column.to_numpy(), dtype=np.float64 if column.null_count() else None)
    return column.to_list()


def _ordered(side: _Column, first: _Column) -> Any:
    """Return the values of a side in the order of another."""
    if side.labels == first.labels or side is first:
        return side.values
    if side.labels is None or first.labels is None:
        labeled, other = (side, first) if side.labels is not None else (first, side)
        if labeled.counts:
            return side.values
        what = f"{labeled.name} has an index of its own, and {other.name} has none"
        raise DataError(what, remedy="give both as columns with the same index, or both as plain lists")
    position = {label: i for i, label in enumerate(side.labels)}
    for one, other, labels, others in (
        (first, side, first.labels, side.labels),
        (side, first, side.labels, first.labels),
    ):
        known = set(others)
        for label in (label for label in labels if label not in known):
            what = f"the index of {one.name} has the label {label!r}, that of {other.name} has not"
            raise DataError(what, remedy="select the same rows for both")
    if len(position) < len(side.labels) or len(side.labels) != len(first.labels):
        twice = next(label for label in side.labels if side.labels.count(label) > 1 or first.labels.count(label) > 1)
        raise DataError(f"the index of {side.name} has the label {twice!r} twice", remedy="make every label unique")
    order = [position[label] for label in first.labels]
    values = side.values
    return values[order] if isinstance(values, np.ndarray) else [values[i] for i in order]

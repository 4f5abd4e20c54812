"""The columns of a frame as arrays: labels, numbers, groups of rows, and units that occur once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.errors import DataError
from qeframe.data.numbers import LARGEST

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

PLACE = "the data frame"
"""Where messages say that a mistake is."""


def check_columns(frame: Any, *, texts: bool = False) -> None:
    """Raise a `DataError` if two columns of a data frame have one name; anything without columns is passed over.

    Parameters
    ----------
    texts : bool
        Whether every name must be a text too.
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


def coded(labels: Any) -> tuple[Sequence[Any], IntArray, IntArray]:
    """Return the distinct labels in the order of their first row, these rows, and the position of every row's label."""
    values, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return values[order].tolist(), first[order], place[codes.ravel()]


def parts(labels: Any, rows: IntArray) -> Iterable[tuple[str, IntArray]]:
    """Yield every label with its rows, in the order of the first row."""
    found, _, codes = coded(labels)
    order = np.argsort(codes, kind="stable")
    borders = np.cumsum(np.bincount(codes, minlength=len(found)))[:-1]
    for label, members in zip(found, np.split(rows[order], borders), strict=True):
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


def once(units: IntArray, values: FloatArray, labels: Sequence[Any], submission: str) -> tuple[IntArray, FloatArray]:
    """Return each unit once, in the order of its first row.

    A gold, which has no name, may be repeated if it is the same; the score of a submission may not.
    """
    order = np.argsort(units, kind="stable")
    sorted_units, sorted_values = units[order], values[order]
    before, after = sorted_values[:-1], sorted_values[1:]
    same = (before == after) | (np.isnan(before) & np.isnan(after))
    wrong = np.flatnonzero((sorted_units[1:] == sorted_units[:-1]) & (~same if not submission else True))
    if len(wrong):
        unit = labels[int(sorted_units[wrong[0]])]
        if submission:
            what, remedy = f"submission '{submission}' has unit {unit} twice", "keep one row for each score"
        else:
            what, remedy = f"the gold scores of unit {unit} differ", "give one gold score for each unit"
        raise DataError(what, path=PLACE, remedy=remedy)
    first = np.sort(order[np.concatenate([[True], sorted_units[1:] != sorted_units[:-1]])])
    return units[first], values[first]

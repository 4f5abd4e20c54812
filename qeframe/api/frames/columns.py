"""Gold, submissions and groups in one order: by label where they have labels, never by position alone."""

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from qeframe.api.frames.labeled import OF_SYSTEMS, Labeled, is_frame, labeled, put_in_order
from qeframe.core.errors import DataError, did_you_mean
from qeframe.data.columns import FrameColumns, check_columns, coded, spelled


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

"""What a submission answers, read without the gold, and whether these are the units that the task asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import BoolArray, IntArray
from qeframe.core.errors import DataError, counted
from qeframe.core.tasks.reading import UnitValues
from qeframe.core.tasks.task import Dropped


@frozen(kw_only=True, eq=False)
class Submitted:
    """The answers of a submission in one part of its file.

    Parameters
    ----------
    answers : UnitValues
    part : str
        The language pair, or the system, whose units these are. Empty: the file does not name it.
    dropped : tuple of Dropped
        What the reader leaves out of the file, with counts.
    content : object, optional
        More of the file, for `SubmissionFormat.check` alone: the words of the tags, say.
    """

    answers: UnitValues
    part: str = ""
    dropped: tuple[Dropped, ...] = ()
    content: Any = None


def check_units(given: UnitValues, expected: UnitValues) -> None:
    """Check that a submission answers the expected units, each of them and no other.

    Units with names are compared by their names, since files number them on their own. The order does not matter.

    Raises
    ------
    DataError
        For the first unit that is not expected, else for the first expected one that is missing.
    """
    theirs, ours = _keys(given, expected)
    extra = np.flatnonzero(~_is_in(theirs, ours))
    if len(extra):
        raise DataError(
            f"segment {given.unit_name(given.ids[extra[0]])} is not in {expected.path}{_more(len(extra))}",
            path=given.path or None,
            line=given.line(int(extra[0])),
            remedy="answer the segments of the input alone, numbered as the format says",
        )
    absent = np.flatnonzero(~_is_in(ours, theirs))
    if len(absent):
        at = expected.line(int(absent[0]))
        where = f"{expected.path}:{at}" if at else expected.path
        raise DataError(
            f"segment {expected.unit_name(expected.ids[absent[0]])} of {where} is missing{_more(len(absent))}: "
            f"{len(given.ids)} of {counted(len(expected.ids), 'segment')} are there",
            path=given.path or None,
            remedy="answer every segment of the input",
        )


def _keys(given: UnitValues, expected: UnitValues) -> tuple[Any, Any]:
    """Return what identifies the units of both sides: ids, (n,) int64, or lists of names."""
    if not (given.names or expected.names):
        return given.ids, expected.ids
    theirs, ours = ([side.unit_name(unit) for unit in side.ids.tolist()] for side in (given, expected))
    return theirs, ours


def _is_in(keys: IntArray | list[str], others: IntArray | list[str]) -> BoolArray:
    if isinstance(keys, np.ndarray):
        return np.isin(keys, others)
    known = set(others)
    return np.fromiter((key in known for key in keys), np.bool_, len(keys))


def _more(count: int) -> str:
    return f" (and {count - 1} more)" if count > 1 else ""

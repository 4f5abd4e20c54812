"""Annotation from lists: what a person writes in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qeframe.core.batches.base import IntArray
from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import DataError, counted
from qeframe.kinds.spans.annotation import CATEGORY, END, NO_CODE, SEVERITIES, START, AnnotatedSegments

_CODES: Mapping[Any, int] = {name: code for code, name in enumerate(SEVERITIES)} | {code: code for code in range(3)}
_SHAPE = "give a list of segments, each a list of (start, end, severity) or (start, end, severity, category)"
_SIDES = ("gold", "predicted")
_UNBOUNDED = 2**31

PlainSpan = tuple[int, int, int, str | None]


def plain_sides(
    gold: Any,
    predicted: Any,
    faults: Mapping[str, Sequence[Any] | None],
    categories: Sequence[str] | None,
    errors: Sequence[Any] | None = None,
) -> list[AnnotatedSegments]:
    """Return gold and submission as annotation.

    Parameters
    ----------
    gold, predicted : sequence of sequence of spans
    faults : mapping of str to (sequence, sequence) or None
        By fault, the severities of the translations of gold and submission.
    categories : sequence of str, optional
        By default those that occur, in alphabetical order.
    errors : (sequence, sequence), optional
        For gold and submission, by segment, the number of the error of each span.

    Raises
    ------
    DataError
        For the first value that is no span, no fault or no category, or if a span has no number of its error.
    """
    rows = [_rows(side, what) for side, what in zip((gold, predicted), _SIDES, strict=True)]
    found = {span[3] for side in rows for row in side for span in row} - {None}
    names = tuple(sorted(map(str, found))) if categories is None else tuple(categories)
    if unknown := sorted(map(str, found - set(names))):
        raise DataError(f"'{unknown[0]}' is not one of the categories {', '.join(names)}", remedy="name all categories")
    return [
        _annotation(
            side,
            names,
            {fault: _severities(of, number, fault) for fault, of in faults.items() if of}
            | ({"error": _numbers(errors, number, side)} if errors else {}),
        )
        for number, side in enumerate(rows)
    ]


def plain_texts(text: Sequence[str] | Sequence[int] | None, segments: int) -> tuple[IntArray, NDArray[Any]]:
    """Return the number of characters of each segment, and its text, "" where only the number is given."""
    if text is None:
        return np.full(segments, _UNBOUNDED, dtype=np.int64), np.full(segments, "", dtype=object)
    content = np.empty(len(text), dtype=object)
    content[:] = [each if isinstance(each, str) else "" for each in text]
    lengths = [len(each) if isinstance(each, str) else each for each in text]
    return np.array(lengths, dtype=np.int64), content


def check_within(side: Ragged, lengths: IntArray, what: str) -> None:
    """Raise a `DataError` for the first span that ends beyond its text."""
    segment = side.row_of_value
    far = np.flatnonzero(side.values[:, END] > lengths[segment])
    if len(far):
        start, end = side.values[far[0], :2].tolist()
        where = f"segment {segment[far[0]]} of {what}, whose text has {counted(lengths[segment[far[0]]], 'character')}"
        remedy = "mark characters of the text, or set beyond='clip'"
        raise DataError(f"a span from {start} to {end} in {where}", remedy=remedy)


def _annotation(
    rows: Sequence[Sequence[PlainSpan]], names: Sequence[str], faults: Mapping[str, Any]
) -> AnnotatedSegments:
    code: dict[str | None, int] = {None: NO_CODE, **{name: i for i, name in enumerate(names)}}
    flat = [(*span[:CATEGORY], code[span[3]]) for row in rows for span in row]
    values = np.array(flat, dtype=np.int64).reshape(-1, CATEGORY + 1)
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    return AnnotatedSegments(values if names else values[:, :CATEGORY], offsets, categories=tuple(names), **faults)


def _rows(side: Any, what: str) -> list[list[PlainSpan]]:
    """Return the spans of a side; raise a `DataError` for the first value that is not a span."""
    if side is None or isinstance(side, str):
        raise DataError(f"{what} spans are {'missing' if side is None else 'text'}", remedy=_SHAPE)
    return [[_span(span, f"segment {i} of {what}") for span in segment] for i, segment in enumerate(side)]


def _span(span: Any, where: str) -> PlainSpan:
    try:
        start, end, severity, *rest = span
        (category,) = rest or (None,)
        values = int(start), int(end), _CODES[severity]
    except (TypeError, ValueError, KeyError):
        remedy = f"write (start, end, severity), severities are {', '.join(SEVERITIES)}"
        raise DataError(f"{span!r} in {where} is not a span", remedy=remedy) from None
    if not 0 <= values[START] <= values[END]:
        raise DataError(f"span {span!r} in {where} must have 0 <= start <= end", remedy="repair the span")
    if category is not None and (not isinstance(category, str) or not category):
        raise DataError(f"the category of span {span!r} in {where} is no name", remedy="write a name, or None")
    return (*values, category)


def _severities(sides: Sequence[Any], number: int, fault: str) -> IntArray:
    """Return the codes of a fault of one side; raise a `DataError` for the first value that is no severity."""
    try:
        gold, predicted = sides
        given = list((gold, predicted)[number])
        return np.array([NO_CODE if each is None else _CODES[each] for each in given], dtype=np.int64)
    except (TypeError, ValueError, KeyError):
        remedy = f"give gold and submission a list each, of {', '.join(SEVERITIES)} or None"
        raise DataError(f"{fault} of {_SIDES[number]} is not a severity of each translation", remedy=remedy) from None


def _numbers(sides: Sequence[Any], number: int, rows: Sequence[Sequence[PlainSpan]]) -> IntArray:
    """Return the number of the error of each span of one side."""
    try:
        given = [list(row) for row in tuple(sides)[number]]
        numbers = np.array([each for row in given for each in row], dtype=np.int64)
    except (TypeError, ValueError, IndexError):
        given, numbers = [], np.empty(0, dtype=np.int64)
    if list(map(len, given)) != list(map(len, rows)):
        raise DataError(f"errors of {_SIDES[number]} are not a number for each span", remedy="give one number a span")
    return numbers

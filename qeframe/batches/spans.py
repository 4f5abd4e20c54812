"""Batches of error spans: character ranges with a severity, any number per segment, on both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import attrs
import numpy as np
from attrs import frozen

from qeframe.batches.base import Batch, Best, BoolArray, IntArray, unit_field
from qeframe.batches.ragged import Ragged
from qeframe.batches.tags import exchange_rows_of
from qeframe.errors import DataError, counted

__all__ = ["END", "SEVERITIES", "SEVERITY", "START", "SegmentSpans", "Spans"]

SEVERITIES = ("minor", "major", "critical")
"""The severities of error annotation by code, the mildest first."""

START, END, SEVERITY = range(3)
"""The columns of a span."""

_CODES: Mapping[Any, int] = {name: code for code, name in enumerate(SEVERITIES)} | {code: code for code in range(3)}
_SHAPE = "give a list of segments, each a list of (start, end, severity)"
_UNBOUNDED = 2**31


@frozen(eq=False)
class SegmentSpans(Ragged):
    """One side of a corpus: the spans of every segment.

    Parameters
    ----------
    values : (spans, 3) int64
        Start, end (exclusive) and severity of every span, segment after segment.
    offsets : (segments + 1,) int64
        The offset of the spans of each segment, then the number of spans. A segment may have no span.
    text : (segments,) int64
        The number of characters of each segment.
    """

    text: IntArray

    def take(self, rows: IntArray) -> SegmentSpans:
        """Return the given segments, in the given order."""
        cut = super().take(rows)
        return SegmentSpans(cut.values, cut.offsets, self.text[rows])


@frozen(kw_only=True, eq=False)
class Spans(Batch):
    """Gold and predicted spans, segment by segment: error span detection.

    Parameters
    ----------
    gold, predicted : Ragged of (spans, 3) int64
        Start, end (exclusive), severity; one row per segment. Spans may overlap, repeat, be empty (start = end) or end
        beyond the text; the metric defines how such spans count.
    text : (n,) int64
        The number of characters of each segment.
    """

    unit: ClassVar[str] = "segment"
    gold: Ragged = unit_field()
    predicted: Ragged = unit_field()
    text: IntArray = unit_field()

    @classmethod
    def from_plain(
        cls,
        gold: Any,
        predicted: Any,
        *,
        text: Sequence[str] | Sequence[int] | None = None,
        beyond: Literal["error", "clip"] = "error",
        **declared: Any,
    ) -> Self:
        """Make a batch from two lists of segments, each a list of (start, end, severity).

        Parameters
        ----------
        gold, predicted : sequence of sequence of (int, int, str or int)
            The severity is one of `SEVERITIES`, or its code.
        text : sequence of str or int, optional
            The segments, or their numbers of characters. Without it, spans may end anywhere.
        beyond : {"error", "clip"}
            Whether a span that ends beyond its text is an error, or its part within the text counts.

        Raises
        ------
        DataError
            If the sides differ in the number of segments, a value is not a span, or a span ends beyond its text.
        """
        truth, answers = _ragged(gold, "gold"), _ragged(predicted, "predicted")
        unbounded = np.full(len(truth), _UNBOUNDED)
        lengths = unbounded if text is None else np.array([_characters(segment) for segment in text])
        if len({len(truth), len(answers), len(lengths)}) > 1:
            texts = "" if text is None else f", {len(text)} texts"
            what = f"number of segments differs: {len(truth)} gold and {len(answers)} predicted ones{texts}"
            raise DataError(what, remedy="give both sides the same segments in the same order")
        for side, what in ((truth, "gold"), (answers, "predicted")) if beyond == "error" else ():
            _check_within(side, lengths, what)
        return cls(ids=np.arange(len(truth)), gold=truth, predicted=answers, text=lengths.astype(np.int64))

    @classmethod
    def pair(cls, *, ids: IntArray, gold: SegmentSpans, predicted: Ragged, best: Best = "low") -> Self:
        """Make a batch from two aligned sides.

        Raises
        ------
        DataError
            If both sides have the lengths of the texts and a length differs.
        """
        wrong = np.flatnonzero(gold.text != getattr(predicted, "text", gold.text))
        if len(wrong):
            raise DataError(
                f"the number of characters of segment {ids[wrong[0]]} differs between gold and submission",
                remedy="give spans of the same text",
            )
        return cls(ids=ids, gold=gold, predicted=predicted, text=gold.text)

    def gold_warning(self) -> str:
        """Return a warning if the gold has no span."""
        empty = len(self) > 0 and not len(self.gold.values)
        return "the gold has no span: every span of a submission is wrong" if empty else ""

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the spans of the segments where `mask`, (n,), is true."""
        mine, theirs = exchange_rows_of(self.predicted, other.predicted, mask)
        return attrs.evolve(self, predicted=mine), attrs.evolve(other, predicted=theirs)


def _characters(text: str | int) -> int:
    return len(text) if isinstance(text, str) else text


def _check_within(side: Ragged, lengths: IntArray, what: str) -> None:
    """Raise a `DataError` for the first span that ends beyond its text."""
    segment = side.row_of_value
    far = np.flatnonzero(side.values[:, END] > lengths[segment])
    if len(far):
        start, end, _ = side.values[far[0]].tolist()
        where = f"segment {segment[far[0]]} of {what}, whose text has {counted(lengths[segment[far[0]]], 'character')}"
        remedy = "mark characters of the text, or set beyond='clip'"
        raise DataError(f"a span from {start} to {end} in {where}", remedy=remedy)


def _ragged(side: Any, what: str) -> Ragged:
    """Return the spans of a side; raise a `DataError` for the first value that is not a span."""
    if side is None or isinstance(side, str):
        raise DataError(f"{what} spans are {'missing' if side is None else 'text'}", remedy=_SHAPE)
    rows = [[_span(span, f"segment {i} of {what}") for span in segment] for i, segment in enumerate(side)]
    flat = np.array([span for row in rows for span in row], dtype=np.int64).reshape(-1, 3)
    return Ragged.from_lengths(flat, np.array([len(row) for row in rows], dtype=np.int64))


def _span(span: Any, where: str) -> tuple[int, int, int]:
    try:
        start, end, severity = span
        values = int(start), int(end), _CODES[severity]
    except (TypeError, ValueError, KeyError):
        remedy = f"write (start, end, severity), severities are {', '.join(SEVERITIES)}"
        raise DataError(f"{span!r} in {where} is not a span", remedy=remedy) from None
    if not 0 <= values[START] <= values[END]:
        raise DataError(f"span {span!r} in {where} must have 0 <= start <= end", remedy="repair the span")
    return values

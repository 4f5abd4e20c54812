"""Batches of error spans: character ranges with a severity, any number per segment, on both sides."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core.batch import Batch, Best, BoolArray, IntArray, unit_field
from qeframe.core.errors import DataError, counted
from qeframe.core.ragged import Ragged
from qeframe.kinds.spans.annotation import (
    ABSENT,
    CATEGORY,
    END,
    NO_CODE,
    SEVERITIES,
    START,
    AnnotatedSegments,
    SegmentSpans,
    annotated,
    exchanged,
    known_texts,
)
from qeframe.kinds.unit_numbers import UnitNumbers, error_shares

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

    `faults` (sequence, sequence): by fault, the severities of the translations of gold and submission.
    `categories`: by default those that occur, in alphabetical order.
    `errors` (sequence, sequence): for gold and submission, by segment, the number of the error of each span.

    Raises DataError for the first value that is no span, no fault or no category, or if a span has no number of its
    error.
    """
    rows = [_rows(side, what) for side, what in zip((gold, predicted), _SIDES, strict=True)]
    named = {span[3] for side in rows for row in side for span in row} - {None}
    names = tuple(sorted(map(str, named))) if categories is None else tuple(categories)
    if unknown := sorted(map(str, named - set(names))):
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
    content[:] = [item if isinstance(item, str) else "" for item in text]
    lengths = [len(item) if isinstance(item, str) else item for item in text]
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
        return np.array([NO_CODE if severity is None else _CODES[severity] for severity in given], dtype=np.int64)
    except (TypeError, ValueError, KeyError):
        remedy = f"give gold and submission a list each, of {', '.join(SEVERITIES)} or None"
        raise DataError(f"{fault} of {_SIDES[number]} is not a severity of each translation", remedy=remedy) from None


def _numbers(sides: Sequence[Any], number: int, rows: Sequence[Sequence[PlainSpan]]) -> IntArray:
    """Return the number of the error of each span of one side."""
    try:
        given = [list(row) for row in tuple(sides)[number]]
        numbers = np.array([end for row in given for end in row], dtype=np.int64)
    except (TypeError, ValueError, IndexError):
        given, numbers = [], np.empty(0, dtype=np.int64)
    if list(map(len, given)) != list(map(len, rows)):
        raise DataError(f"errors of {_SIDES[number]} are not a number for each span", remedy="give one number a span")
    return numbers


_OF_UNITS = {"unit_field": True}


@frozen(kw_only=True, eq=False, repr=False)
class Spans(Batch):
    """Gold and predicted spans, segment by segment: error span detection.

    Parameters
    ----------
    gold, predicted : AnnotatedSegments
        Start, end (exclusive), severity and category of spans, and the faults of each translation. Spans may overlap,
        repeat, be empty (start = end) or end beyond the text; the metric defines how such spans count. A `Ragged` of
        spans is annotation without categories and faults.
    text : (n,) int64
        The number of characters of each segment.
    content : (n,) object, optional
        The text of each segment, a str, for pictures; "" where it is not known.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Spans
    >>> spans = Spans.from_plain([[(0, 3, "major")]], [[(0, 3, "minor")]], lengths=[10])
    >>> len(spans)
    1
    """

    unit: ClassVar[str] = "segment"
    gold: AnnotatedSegments = field(converter=annotated, metadata=_OF_UNITS)  # mypy reads converters of field alone
    predicted: AnnotatedSegments = field(converter=annotated, metadata=_OF_UNITS)
    text: IntArray = unit_field()
    content: NDArray[Any] = unit_field(default=ABSENT)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "content", known_texts(self.content, len(self.text)))
        super().__attrs_post_init__()
        names = self.gold.categories or self.predicted.categories
        for side in ("gold", "predicted"):
            annotation: AnnotatedSegments = getattr(self, side)
            if annotation.categories not in ((), names):
                listed = f"{', '.join(names)}, and the predicted ones {', '.join(annotation.categories)}"
                raise DataError(f"the gold spans have the categories {listed}", remedy="give both sides the same names")
            object.__setattr__(self, side, annotation.with_categories(names))

    @property
    def categories(self) -> tuple[str, ...]:
        """The names of the categories of spans; empty if they have none."""
        return self.gold.categories

    @classmethod
    def from_plain(
        cls,
        gold: Any,
        predicted: Any,
        *,
        text: Sequence[str] | Sequence[int] | None = None,
        beyond: Literal["error", "clip"] = "error",
        omission: tuple[Any, Any] | None = None,
        instruction_fault: tuple[Any, Any] | None = None,
        categories: Sequence[str] | None = None,
        errors: tuple[Any, Any] | None = None,
        **declared: Any,
    ) -> Self:
        """Make a batch from two lists of segments, each a list of spans.

        Parameters
        ----------
        gold, predicted : sequence of sequence of (int, int, str or int) or (int, int, str or int, str or None)
            Start, end, severity, and possibly a category. The severity is one of `SEVERITIES`, or its code.
        text : sequence of str or int, optional
            The segments, or their numbers of characters. Without it, spans may end anywhere.
        beyond : {"error", "clip"}
            Whether a span that ends beyond its text is an error, or its part within the text counts.
        omission, instruction_fault : (sequence, sequence), optional
            For gold and submission, the severity of the fault of each translation, or None without a fault.
        categories : sequence of str, optional
            The names of the categories; by default those that occur, in alphabetical order.
        errors : (sequence, sequence), optional
            For gold and submission, by segment, a number for each span: spans with equal numbers are parts of one
            error. By default each span is an error of its own.

        Raises
        ------
        DataError
            If the sides differ in the number of segments, a value is not a span, or a span ends beyond its text.
        """
        faults = {"omission": omission, "instruction_fault": instruction_fault}
        truth, answers = plain_sides(gold, predicted, faults, categories, errors)
        lengths, content = plain_texts(text, len(truth))
        if len({len(truth), len(answers), len(lengths)}) > 1:
            texts = "" if text is None else f", {len(text)} texts"
            what = f"number of segments differs: {len(truth)} gold and {len(answers)} predicted ones{texts}"
            raise DataError(what, remedy="give both sides the same segments in the same order")
        for side, what in ((truth, "gold"), (answers, "predicted")) if beyond == "error" else ():
            check_within(side, lengths, what)
        return cls(ids=np.arange(len(truth)), gold=truth, predicted=answers, text=lengths, content=content)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: SegmentSpans, predicted: Ragged, best: Best = "low") -> Self:
        """Make a batch from two aligned sides.

        Raises
        ------
        DataError
            If both sides have the lengths of the texts and a length differs, or both have categories of other names.
        """
        wrong = np.flatnonzero(gold.text != getattr(predicted, "text", gold.text))
        if len(wrong):
            raise DataError(
                f"the number of characters of segment {ids[wrong[0]]} differs between gold and submission",
                remedy="give spans of the same text",
            )
        return cls(ids=ids, gold=gold, predicted=annotated(predicted), text=gold.text, content=gold.content)

    def gold_warning(self) -> str:
        """Return a warning if the gold has no span."""
        empty = len(self) > 0 and not len(self.gold.values) and not self.gold.has_faults
        return "the gold has no span: every span of a submission is wrong" if empty else ""

    def contents(self, position: int) -> dict[str, str]:
        """Return the text of the segment, where it is known."""
        return {"text": str(self.content[position])} if self.content[position] else {}

    def unit_numbers(self) -> UnitNumbers | None:
        """Return shares of the characters in any span; None where the lengths of the texts are not known."""
        if (self.text >= _UNBOUNDED).any():
            return None
        offsets = np.concatenate([[0], np.cumsum(self.text)]).astype(np.int64)
        gold, predicted = (side.in_any_span(offsets) for side in (self.gold, self.predicted))
        return error_shares(gold, predicted, offsets, part="characters", text="text")

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the spans and faults of the segments where `mask`, (n,), is true."""
        mine, theirs = exchanged(self.predicted, other.predicted, mask)
        return attrs.evolve(self, predicted=mine), attrs.evolve(other, predicted=theirs)

"""Batches of error spans: character ranges with a severity, any number per segment, on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core.batches.base import Batch, Best, BoolArray, IntArray, unit_field
from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import DataError
from qeframe.kinds.spans.annotation import ABSENT, AnnotatedSegments, SegmentSpans, annotated, exchanged, known_texts
from qeframe.kinds.spans.plain import check_within, plain_sides, plain_texts

_OF_UNITS = {"unit_field": True}


@frozen(kw_only=True, eq=False)
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

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the spans and faults of the segments where `mask`, (n,), is true."""
        mine, theirs = exchanged(self.predicted, other.predicted, mask)
        return attrs.evolve(self, predicted=mine), attrs.evolve(other, predicted=theirs)

"""Which part of an annotation counts: spans of a severity or category, within the text, and faults of translations."""

from collections.abc import Callable
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray, IntArray, Spans
from qeframe.plugin.kinds import CATEGORY, END, FAULTS, NO_CODE, SEVERITIES, SEVERITY, START, AnnotatedSegments

OfSeverity = Literal["all", "minor", "major", "critical"]  # the severity of the spans that count
Faults = Literal["ignored", "counted"]  # whether omissions and faults against the instructions count
CreditOf = Callable[[IntArray, IntArray], FloatArray]  # from severities of both sides, (m,), to the credit of a pair
Ends = tuple[IntArray, IntArray]  # where spans start and end


@frozen
class Selection:
    """The spans and faults that count, on both sides."""

    severity: OfSeverity = "all"
    category: str = ""  # a name, or the first part of names such as ``accuracy/addition``; "" for all
    faults: Faults = "ignored"

    def __call__(self, batch: Spans) -> Spans:
        """Return the batch with the selected spans and faults only."""
        faultless = not (batch.gold.has_faults or batch.predicted.has_faults)
        if self.severity == "all" and not self.category and (faultless or self.faults == "counted"):
            return batch
        codes = _codes(batch, self.category)
        return attrs.evolve(batch, gold=self._side(batch.gold, codes), predicted=self._side(batch.predicted, codes))

    def _side(self, side: AnnotatedSegments, codes: IntArray | None) -> AnnotatedSegments:
        kept = np.ones(len(side.values), dtype=np.bool_)
        if self.severity != "all":
            kept &= side.values[:, SEVERITY] == SEVERITIES.index(self.severity)
        if codes is not None:
            kept &= np.isin(side.values[:, CATEGORY], codes)
        offsets = np.concatenate([[0], np.cumsum(kept)])[side.offsets]
        faults = {name: self._fault(getattr(side, name)) for name in FAULTS}
        error = side.error[kept] if side.has_parts else side.error
        return AnnotatedSegments(side.values[kept], offsets, categories=side.categories, error=error, **faults)

    def _fault(self, severity: IntArray) -> IntArray:
        if self.faults == "ignored" or self.category:
            return np.full_like(severity, NO_CODE)
        if self.severity == "all":
            return severity
        return np.where(severity == SEVERITIES.index(self.severity), severity, NO_CODE)


def _codes(batch: Spans, category: str) -> IntArray | None:
    """Return the codes of the categories of a name; None for all spans."""
    if not category:
        return None
    codes = [i for i, name in enumerate(batch.categories) if name == category or name.startswith(f"{category}/")]
    if not codes:
        has = f"the categories are {', '.join(batch.categories)}" if batch.categories else "spans have no category"
        raise DataError(f"there is no category '{category}': {has}", remedy="choose another category, or all")
    return np.array(codes, dtype=np.int64)


def clipped(side: AnnotatedSegments, text: IntArray) -> tuple[IntArray, IntArray]:
    """Return starts and ends of all spans within the text, (spans,) each; a span beyond the text is empty."""
    end = np.minimum(side.values[:, END], text[side.row_of_value])
    return np.minimum(side.values[:, START], end), end


def positions(batch: Spans) -> tuple[Ends, Ends]:
    """Return where gold and predicted spans start and end within the text, in one sequence of all characters."""
    begins = first_positions(batch)
    (gold_start, gold_end), (start, end) = clipped(batch.gold, batch.text), clipped(batch.predicted, batch.text)
    gold_shift, shift = begins[batch.gold.row_of_value], begins[batch.predicted.row_of_value]
    return (gold_start + gold_shift, gold_end + gold_shift), (start + shift, end + shift)


def first_positions(batch: Spans) -> IntArray:
    """Return where each segment begins in one sequence of all characters, (n + 1,).

    The text after the last end of any mark is left out. Two positions lie between segments, so that marks of different
    segments do not touch.
    """
    furthest = np.zeros(len(batch), dtype=np.int64)
    for side in (batch.gold, batch.predicted):
        np.maximum.at(furthest, side.row_of_value, side.values[:, END])
    return np.concatenate([[0], np.cumsum(np.minimum(batch.text, furthest) + 2)])


def fault_sums(batch: Spans, credit: CreditOf, weight: Callable[[IntArray], FloatArray]) -> FloatArray:
    """Return what the faults of each translation add: credit, weight in the gold, weight in the submission, (n, 3).

    Both faults are compared by themselves: an omission is not matched by a fault against the instructions.
    """
    sums = np.zeros((len(batch), 3))
    for name in FAULTS:
        gold, predicted = getattr(batch.gold, name), getattr(batch.predicted, name)
        both = (gold != NO_CODE) & (predicted != NO_CODE)
        sums[both, 0] += credit(gold[both], predicted[both])
        for column, side in ((1, gold), (2, predicted)):
            faulty = side != NO_CODE
            sums[faulty, column] += weight(side[faulty])
    return sums

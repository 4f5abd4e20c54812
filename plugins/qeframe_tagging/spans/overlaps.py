"""Pairs of a gold and a predicted span that overlap, and what each pair would add to precision and recall."""

from typing import Any, Literal

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, DataError, FloatArray, IntArray, Spans
from qeframe.plugin.kinds import SEVERITIES, SEVERITY
from qeframe_tagging.confusion_counts import chunks
from qeframe_tagging.spans.selection import Ends, positions

Measure = Literal["overlap", "exact", "any"]
"""What a pair of spans is worth: its overlap as a share of either span, 1 for equal offsets, or 1 for any overlap."""

_CANDIDATES_AT_ONCE = 2**20


def _penalty(_instance: Any, _attribute: Any, value: float) -> None:
    if not 0 <= value <= 1:
        raise DataError(f"severity_penalty is {value}", remedy="give a number from 0 to 1")


def _weights(_instance: Any, _attribute: Any, values: tuple[float, ...]) -> None:
    if not all(0 <= value < np.inf for value in values) or not any(values):
        listed = ", ".join(f"{name}_weight={value}" for name, value in zip(SEVERITIES, values, strict=True))
        raise DataError(f"weights of severities are {listed}", remedy="give numbers of at least 0, not all of them 0")


@frozen
class Credit:
    """What pairs of spans are worth."""

    measure: Measure = "overlap"
    # what a pair of different severities loses, from 0 to 1
    severity_penalty: float = field(default=0.0, validator=_penalty)
    # of each severity; a pair is worth no more than the smaller of its two weights
    weights: tuple[float, ...] = field(default=(1.0,) * len(SEVERITIES), validator=_weights)

    def weight(self, severity: IntArray) -> FloatArray:
        """Return the weight of each severity, (m,)."""
        return np.asarray(self.weights, dtype=np.float64)[severity]

    def of_severities(self, gold: IntArray, predicted: IntArray) -> FloatArray:
        """Return what pairs of these severities are worth at most, (m,)."""
        kept = np.where(gold == predicted, 1.0, 1.0 - self.severity_penalty)
        return kept * np.minimum(self.weight(gold), self.weight(predicted))


@frozen(eq=False)
class Overlaps:
    """Pairs of a gold and a predicted span that earn credit, by predicted span and then by gold span; arrays (e,)."""

    segment: IntArray
    gold: IntArray  # spans are numbered through all segments
    predicted: IntArray
    precision: FloatArray  # what the pair adds to the numerators
    recall: FloatArray
    start: IntArray  # where the overlap begins, in one sequence of all characters
    # credit of a pair with an overlap as long as both spans, times the harmonic mean of its shares of the spans
    harmonic: FloatArray

    def __len__(self) -> int:
        return len(self.segment)

    def take(self, kept: NDArray[Any]) -> "Overlaps":
        """Return the given pairs: positions, or a mask (e,)."""
        columns = (self.segment, self.gold, self.predicted, self.precision, self.recall, self.start, self.harmonic)
        return Overlaps(*(column[kept] for column in columns))


def find_overlaps(batch: Spans, credit: Credit) -> Overlaps:
    """Return all pairs of spans that have characters in common and earn credit.

    Gold spans are sorted by their starts. Those that may overlap a predicted span are adjacent: they begin before it
    ends, and they or one before them reach beyond its start.
    """
    gold_ends, ends = positions(batch)
    return _credited(batch, credit, *overlapping_spans(gold_ends, ends), gold_ends, ends)


def overlapping_spans(gold: Ends, predicted: Ends, *, touching: bool = False) -> tuple[IntArray, IntArray]:
    """Return the pairs of spans that have characters in common; with `touching`, empty spans too that touch another."""
    order = np.argsort(gold[0], kind="stable")
    # how far all spans up to here reach: it rises, so that it can be searched, where ends need not
    reach = np.maximum.accumulate(gold[1][order])
    low = np.searchsorted(reach, predicted[0], side="left" if touching else "right")
    high = np.searchsorted(gold[0][order], predicted[1], side="right" if touching else "left")
    count = np.maximum(high - low, 0)
    parts = [slice(*part) for part in chunks(np.concatenate([[0], np.cumsum(count)]), _CANDIDATES_AT_ONCE)]
    pairs = [_overlapping(order, low, count, part, gold, predicted, touching) for part in parts]
    of_gold, of_predicted = map(np.concatenate, zip((order[:0], order[:0]), *pairs, strict=True))
    return of_gold, of_predicted


def _overlapping(
    order: IntArray, low: IntArray, count: IntArray, part: slice, gold: Ends, spans: Ends, touching: bool
) -> tuple[IntArray, IntArray]:
    """Return the gold and the predicted spans of the pairs of a part that overlap."""
    predicted = np.repeat(np.arange(part.start, part.stop), count[part])
    within = np.arange(len(predicted)) - np.repeat(np.cumsum(count[part]) - count[part], count[part])
    candidate = order[np.repeat(low[part], count[part]) + within]
    (first, last), (start, end) = (bound[candidate] for bound in gold), (bound[predicted] for bound in spans)
    both = (last > start) & (first < last) & (start < end)
    if touching:
        empty = (first == last) | (start == end)
        both = np.where(empty, (last >= start) & (first <= end), both & (first < end))
    return candidate[both], predicted[both]


def _credited(batch: Spans, credit: Credit, gold: IntArray, predicted: IntArray, ends: Ends, spans: Ends) -> Overlaps:
    order = np.lexsort((gold, predicted))
    gold, predicted = gold[order], predicted[order]
    (gold_start, gold_end), (start, end) = (bound[gold] for bound in ends), (bound[predicted] for bound in spans)
    first = np.maximum(gold_start, start)
    overlap = np.minimum(gold_end, end) - first
    severities = batch.gold.values[gold, SEVERITY], batch.predicted.values[predicted, SEVERITY]
    worth = credit.of_severities(*severities)
    if credit.measure == "exact":
        worth = np.where((gold_start == start) & (gold_end == end), worth, 0.0)
    shares = (overlap / (end - start), overlap / (gold_end - gold_start)) if credit.measure == "overlap" else (1.0, 1.0)
    harmonic = worth * 2.0 * overlap / (end - start + gold_end - gold_start)
    segment = batch.predicted.row_of_value[predicted]
    return Overlaps(segment, gold, predicted, worth * shares[0], worth * shares[1], first, harmonic).take(worth > 0)


def without_dominated(pairs: Overlaps) -> IntArray:
    """Return the positions of the pairs that a best matching may need.

    Of the spans that overlap one span of the other side and no other, at most one can be matched. One that adds no more
    to precision and no more to recall than another one need not be.
    """
    kept = np.arange(len(pairs))
    for of_gold in (False, True):
        left = pairs.take(kept)
        spans, partner = (left.gold, left.predicted) if of_gold else (left.predicted, left.gold)
        rows = np.flatnonzero(times(spans) == 1)
        rows = rows[np.lexsort((rows, -left.recall[rows], -left.precision[rows], partner[rows]))]
        needed = np.ones(len(left), dtype=np.bool_)
        needed[rows[~rises(partner[rows], left.recall[rows])]] = False
        kept = kept[needed]
    return kept


def times(spans: IntArray) -> IntArray:
    """Return for each pair how many pairs its span is in, (e,)."""
    return np.bincount(spans)[spans] if len(spans) else np.empty(0, dtype=np.int64)


def rises(group: IntArray, values: FloatArray) -> BoolArray:
    """Return where a value is larger than all before it in its group, (m,); groups are adjacent, values at least 0."""
    if not len(group):
        return np.empty(0, dtype=np.bool_)
    number = np.cumsum(np.concatenate([[0], group[1:] != group[:-1]]))
    rank = np.unique(values, return_inverse=True)[1] + 1
    # each group above the one before, so that one running maximum begins anew in each
    level = number * (rank.max() + 1) + rank
    before = np.concatenate([[0], np.maximum.accumulate(level)[:-1]])
    return np.asarray(level > before)

"""One-to-one matching of spans that makes the F score of each segment as large as possible.

F is no sum over pairs, so the best matching is no linear assignment. Most spans overlap one span of the other side
and no other; these pairs are always matched. In a segment with few other pairs, all subsets of them are tried, for many
segments at once. The rest is searched segment by segment.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray, Spans
from qeframe.plugin.kinds import SEVERITIES, SEVERITY, AnnotatedSegments
from qeframe_tagging.confusion_counts import f_score, fraction, sum_by
from qeframe_tagging.spans.overlaps import Credit, Overlaps, find_overlaps, times, without_dominated
from qeframe_tagging.spans.search import TOLERANCE, CompetingPairs, best_subset
from qeframe_tagging.spans.selection import Ends, Selection, fault_sums, positions

_SUBSETS_UP_TO = 10
_CELLS_AT_ONCE = 2**20


@frozen(eq=False)
class Fixed:
    """What does not depend on the matching, for each segment: arrays (n,)."""

    precision: FloatArray  # what is added to the numerators in any case
    recall: FloatArray
    predicted: FloatArray  # the denominators of precision and recall
    gold: FloatArray


@frozen(eq=False)
class Matching:
    """The pairs that are matched, (e,)."""

    matched: BoolArray
    # by segment, how far below the best F this may be at most; only where it is not known to be the best
    gap: dict[int, float]


def match_one_to_one(pairs: Overlaps, fixed: Fixed) -> Matching:
    """Match the spans of each segment so that its F is largest.

    Of matchings with the same F, to 1e-12, the one with the larger P + R is taken, then the larger P, the larger R, the
    larger number of pairs, the smaller list of pairs. The result is exact, except where both sides of a segment have
    more than 12 spans that compete and the search becomes too large. There the best of several linear assignments is
    taken, and `Matching.gap` bounds what is lost.
    """
    needed = without_dominated(pairs)
    left = pairs.take(needed)
    contested = (times(left.gold) > 1) | (times(left.predicted) > 1)
    matched = np.zeros(len(pairs), dtype=np.bool_)
    matched[needed[~contested]] = True
    settled = pairs.take(matched)
    segments = len(fixed.precision)
    base = Fixed(
        fixed.precision + sum_by(settled.segment, settled.precision, segments),
        fixed.recall + sum_by(settled.segment, settled.recall, segments),
        fixed.predicted,
        fixed.gold,
    )
    positions, gap = needed[contested], dict[int, float]()
    first, count = _segments_of(pairs.segment[positions])
    for size in np.unique(count).tolist():
        starts = first[count == size]
        if size <= _SUBSETS_UP_TO:
            step = max(1, _CELLS_AT_ONCE >> size)
            for part in range(0, len(starts), step):
                rows = positions[starts[part : part + step, None] + np.arange(size)]
                matched[rows] = _best_subsets(pairs, rows, base)
        else:
            for start in starts.tolist():
                _search(pairs, positions[start : start + size], base, matched, gap)
    return Matching(matched, gap)


def _segments_of(segment: IntArray) -> tuple[IntArray, IntArray]:
    """Return where the pairs of each segment begin, and how many there are."""
    first = np.flatnonzero(np.diff(segment, prepend=-1))
    return first, np.diff(first, append=len(segment))


def _best_subsets(pairs: Overlaps, rows: NDArray[np.int64], base: Fixed) -> BoolArray:
    """Return which of the pairs of each segment, (segments, m), are in its best matching."""
    size = rows.shape[1]
    # from all pairs to none, the first pair as the highest bit: of equally good subsets the first is taken
    codes = np.arange(2**size)[::-1]
    chosen = (codes[:, None] >> np.arange(size)[::-1]) & 1 == 1
    segment = pairs.segment[rows[:, 0]]
    precision = base.precision[segment, None] + pairs.precision[rows] @ chosen.T
    recall = base.recall[segment, None] + pairs.recall[rows] @ chosen.T
    p, r = precision / base.predicted[segment, None], recall / base.gold[segment, None]
    possible = _without_conflict(pairs.gold[rows], pairs.predicted[rows], chosen)
    for key in (f_score(p, r), p + r, p, r, np.broadcast_to(chosen.sum(axis=1).astype(np.float64), p.shape)):
        best = np.max(key, axis=1, where=possible, initial=-1.0, keepdims=True)
        possible &= key >= best - TOLERANCE
    return chosen[possible.argmax(axis=1)]


def _without_conflict(gold: IntArray, predicted: IntArray, chosen: BoolArray) -> BoolArray:
    """Return which subsets, (segments, subsets), use no span twice."""
    possible = np.ones((len(gold), len(chosen)), dtype=np.bool_)
    for i in range(gold.shape[1]):
        for j in range(i):
            conflict = (gold[:, i] == gold[:, j]) | (predicted[:, i] == predicted[:, j])
            possible &= ~(conflict[:, None] & (chosen[:, i] & chosen[:, j]))
    return possible


def _search(pairs: Overlaps, rows: IntArray, base: Fixed, matched: BoolArray, gap: dict[int, float]) -> None:
    """Match one segment, and note the gap if the matching may not be the best."""
    of = pairs.take(rows)
    segment = int(of.segment[0])
    competing = CompetingPairs(
        gold=of.gold,
        predicted=of.predicted,
        start=of.start,
        gains=np.stack([of.precision / base.predicted[segment], of.recall / base.gold[segment]]),
        base=(base.precision[segment] / base.predicted[segment], base.recall[segment] / base.gold[segment]),
    )
    chosen, lost = best_subset(competing)
    matched[rows[chosen]] = True
    if lost > TOLERANCE:
        gap[segment] = lost


def match_greedily(pairs: Overlaps, worth: FloatArray) -> Matching:
    """Repeatedly match the pair that is worth most, (e,); among equal ones the first.

    A pair that is the best of both its spans is taken whatever happens elsewhere. So all such pairs are taken at once,
    what competes with them is removed, and again.
    """
    matched = np.zeros(len(pairs), dtype=np.bool_)
    order = np.lexsort((np.arange(len(pairs)), -worth))
    rank = np.empty(len(pairs), dtype=np.int64)
    rank[order] = np.arange(len(pairs))
    left = np.arange(len(pairs))
    while len(left):
        of_gold, of_predicted = (_best(spans[left], rank[left]) for spans in (pairs.gold, pairs.predicted))
        taken = (rank[left] == of_gold) & (rank[left] == of_predicted)
        matched[left[taken]] = True
        used = np.isin(pairs.gold[left], pairs.gold[left[taken]])
        used |= np.isin(pairs.predicted[left], pairs.predicted[left[taken]])
        left = left[~used]
    return Matching(matched, {})


def _best(spans: IntArray, rank: IntArray) -> IntArray:
    """Return for each pair the smallest rank of a pair of its span, (e,)."""
    names, number = np.unique(spans, return_inverse=True)
    smallest = np.full(len(names), len(rank) + rank.max(), dtype=np.int64)
    np.minimum.at(smallest, number, rank)
    return smallest[number]


def coverage_sums(batch: Spans, credit: Credit) -> FloatArray:
    """Return the numerators of precision and recall of every segment, (n, 2), if spans are not matched.

    On each character the marks of both sides are paired: first marks of the same severity, then the others, which lose
    the penalty. What the marks of a severity earn is divided equally among them. A span earns the mean of its
    characters.
    """
    gold_ends, predicted_ends = positions(batch)
    cuts = np.unique(np.concatenate([*gold_ends, *predicted_ends]))
    length = np.diff(cuts, append=cuts[-1:])
    sides = ((batch.predicted, predicted_ends), (batch.gold, gold_ends))
    masses = [_masses(side, *ends, cuts, credit) for side, ends in sides]
    sums = []
    for (side, ends), mine, other in zip(sides, masses, masses[::-1], strict=True):
        share = fraction(_earned(mine, other, credit.severity_penalty), mine)
        sums.append(_mean_over_spans(side, ends, cuts, share * length, credit))
    return np.stack(sums, axis=1)


def _masses(side: AnnotatedSegments, start: IntArray, end: IntArray, cuts: IntArray, credit: Credit) -> FloatArray:
    """Return the weight of the marks of each severity between cuts, (severities, cuts)."""
    severity = side.values[:, SEVERITY]
    counts = np.zeros((len(SEVERITIES), len(cuts)))
    np.add.at(counts, (severity, np.searchsorted(cuts, start)), 1.0)
    np.add.at(counts, (severity, np.searchsorted(cuts, end)), -1.0)
    return counts.cumsum(axis=1) * np.array(credit.weights)[:, None]


def _earned(mine: FloatArray, other: FloatArray, penalty: float) -> FloatArray:
    """Return what the marks of each severity of one side earn, (severities, cuts)."""
    same = np.minimum(mine, other)
    left = mine - same
    paired = np.minimum(left.sum(axis=0), (other - same).sum(axis=0))
    return same + (1.0 - penalty) * fraction(left, left.sum(axis=0)) * paired


def _mean_over_spans(
    side: AnnotatedSegments, ends: Ends, cuts: IntArray, earned: FloatArray, credit: Credit
) -> FloatArray:
    """Return the sum over the spans of each segment, (n,), of the mean of what their characters earn."""
    filled = np.flatnonzero(ends[1] > ends[0])
    sums = np.zeros(len(side.values))
    if len(filled):
        start, end = (np.searchsorted(cuts, bound[filled]) for bound in ends)
        severity = side.values[filled, SEVERITY]
        # a column of zeros, so that the end of a span is an index also at the end of a row
        flat = np.concatenate([earned, np.zeros((len(earned), 1))], axis=1)
        step = flat.shape[1]
        stretches = np.stack([severity * step + start, severity * step + end], axis=1).ravel()
        # every second sum is of what lies between two spans
        total = np.add.reduceat(flat.ravel(), stretches)[::2]
        sums[filled] = credit.weight(severity) * total / (ends[1] - ends[0])[filled]
    return side.sum_rows(sums)


def best_pair_sums(batch: Spans, pairs: Overlaps) -> FloatArray:
    """Return the numerators of precision and recall, (n, 2), if every span earns the best of its pairs."""
    sums = []
    for side, spans, worth in (
        (batch.predicted, pairs.predicted, pairs.precision),
        (batch.gold, pairs.gold, pairs.recall),
    ):
        best = np.zeros(len(side.values))
        np.maximum.at(best, spans, worth)
        sums.append(side.sum_rows(best))
    return np.stack(sums, axis=1)


MatchingRule = Literal["best", "greedy", "many_to_many"]  # how the spans of a segment are matched

COLUMNS = ("precision credit", "predicted weight", "recall credit", "gold weight", "possible loss of F")
"""What is summed over segments. The last column is 0 where the matching is known to be the best."""

_SEGMENTS_AT_ONCE = 2**16


@frozen
class PartialCredit:
    """The sums of every segment, (n, 5): see `COLUMNS`."""

    credit: Credit
    matching: MatchingRule
    selection: Selection

    def __call__(self, batch: Spans) -> FloatArray:
        """Return the sums, computed for a bounded number of segments at once."""
        rows = np.zeros((len(batch), len(COLUMNS)))
        for first in range(0, len(batch), _SEGMENTS_AT_ONCE):
            part = slice(first, min(first + _SEGMENTS_AT_ONCE, len(batch)))
            rows[part] = self._rows(self.selection(batch.take(np.arange(part.start, part.stop))))
        return rows

    def _rows(self, batch: Spans) -> FloatArray:
        fixed, loss = self._fixed(batch), np.zeros(len(batch))
        if self.matching == "many_to_many":
            earned = self._shared(batch)
        else:
            pairs = find_overlaps(batch, self.credit)
            matched = self._match(pairs, fixed)
            chosen = pairs.take(matched.matched)
            earned = np.stack([sum_by(chosen.segment, of, len(batch)) for of in (chosen.precision, chosen.recall)], 1)
            loss[list(matched.gap)] = list(matched.gap.values())
        columns = (earned[:, 0] + fixed.precision, fixed.predicted, earned[:, 1] + fixed.recall, fixed.gold, loss)
        return np.stack(columns, axis=1)

    def _fixed(self, batch: Spans) -> Fixed:
        faults = fault_sums(batch, self.credit.of_severities, self.credit.weight)
        predicted, gold = (self._weights(side) for side in (batch.predicted, batch.gold))
        return Fixed(faults[:, 0], faults[:, 0], predicted + faults[:, 2], gold + faults[:, 1])

    def _weights(self, side: AnnotatedSegments) -> FloatArray:
        return side.sum_rows(self.credit.weight(side.values[:, SEVERITY]))

    def _shared(self, batch: Spans) -> FloatArray:
        if self.credit.measure == "overlap":
            return coverage_sums(batch, self.credit)
        return best_pair_sums(batch, find_overlaps(batch, self.credit))

    def _match(self, pairs: Overlaps, fixed: Fixed) -> Matching:
        return match_one_to_one(pairs, fixed) if self.matching == "best" else match_greedily(pairs, pairs.harmonic)

    def matched_pairs(self, batch: Spans) -> Sequence[tuple[int, int]]:
        """Return the matched pairs (gold, predicted), numbered through all spans that are selected."""
        selected = self.selection(batch)
        pairs = find_overlaps(selected, self.credit)
        chosen = pairs.take(self._match(pairs, self._fixed(selected)).matched)
        return list(zip(chosen.gold.tolist(), chosen.predicted.tolist(), strict=True))

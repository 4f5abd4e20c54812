"""One-to-one matching of spans that makes the F score of each segment as large as possible.

F is no sum over pairs, so the best matching is no linear assignment. Most spans overlap one span of the other side
and no other; these pairs are always matched. In a segment with few other pairs, all subsets of them are tried, for many
segments at once. The rest is searched segment by segment.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray
from qeframe_tagging.runs import sum_by
from qeframe_tagging.spans.overlaps import Overlaps, times, without_dominated
from qeframe_tagging.spans.search import TOLERANCE, CompetingPairs, best_subset, f_score

_SUBSETS_UP_TO = 10
_CELLS_AT_ONCE = 2**20


@frozen(eq=False)
class Fixed:
    """What does not depend on the matching, for each segment.

    Parameters
    ----------
    precision, recall : (n,) float64
        What is added to the numerators in any case.
    predicted, gold : (n,) float64
        The denominators of precision and recall.
    """

    precision: FloatArray
    recall: FloatArray
    predicted: FloatArray
    gold: FloatArray


@frozen(eq=False)
class Matching:
    """The pairs that are matched.

    Parameters
    ----------
    matched : (e,) bool
    gap : mapping of int to float
        By segment, how far below the best F this matching may be at most; only where it is not known to be the best.
    """

    matched: BoolArray
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

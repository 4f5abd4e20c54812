"""Tie calibration: the threshold of ties at which a metric scores best, found with one sort for all resamples.

As the threshold grows, pairs become ties one after another, in the order of their absolute differences. A pair changes
the score once, when the threshold reaches its difference. The score at every threshold is a cumulative sum of changes,
and under unit weights a weighted one. The maximum can only be at the difference of a pair that raises the score: other
thresholds are not kept.

Outcomes are the pairs that one metric gets right and another one wrong. Under the exchange of outcomes, each pair of
systems on which exactly one of two metrics is right is credited to either of them with equal chance. The number
credited to the first is binomial: the test `sign` needs no draws.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, DataError, FloatArray, Grid, IntArray, TiePolicy, ratio
from qeframe.plugin.resampling import bounded_slices, flatten_draws
from qeframe_agreement.grids import ACC23, ItemPairs, item_pairs

_SLACK = 1e-12  # sums of coefficients that differ by less are equal; the smallest of equally good thresholds is chosen

_BINS = 4096


def first_best(curves: FloatArray) -> IntArray:
    """Return the first threshold of equally good ones, (draws,), for curves (k, draws)."""
    slack = _SLACK * np.maximum(1.0, np.abs(curves).max(axis=0))
    return np.argmax(curves >= curves.max(axis=0) - slack, axis=0)


def best_threshold(pairs: ItemPairs, predicted: FloatArray) -> tuple[float, float]:
    """Return the smallest of the best thresholds, 0 where ties gain nothing, and the sum of all scores at it."""
    difference = pairs.differences(predicted)
    before = pairs.outcome(difference, 0.0)
    change = pairs.table[pairs.middle] - before
    share = 1.0 / pairs.size
    start = float(before.sum(axis=0, dtype=np.float64) @ share)
    moves = np.flatnonzero(change != 0)  # of truth values: ten times as fast
    size, gain = np.abs(difference.ravel().take(moves)), (change * share).ravel().take(moves)
    if not len(moves):
        return 0.0, start
    positions, offsets = _pairs_of_best_bins(size, gain)
    size, gain = size[positions], gain[positions]
    order = np.argsort(size)
    size, gain, offsets = size[order], gain[order], offsets[order]
    curve = np.cumsum(gain) + offsets
    last = np.append(size[1:] != size[:-1], True)  # pairs at one threshold become ties together
    totals = start + np.append(0.0, curve[last])
    best = int(first_best(totals[:, None])[0])
    return float(np.append(0.0, size[last])[best]), float(totals[best])


def _pairs_of_best_bins(size: FloatArray, gain: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the pairs in bins that could hold the maximum, and the gain of the omitted bins before each pair."""
    bins = np.minimum((size / size.max() * _BINS).astype(np.int64), _BINS - 1)
    of_bin = np.bincount(bins, weights=gain, minlength=_BINS)
    most = np.bincount(bins, weights=np.maximum(gain, 0.0), minlength=_BINS)
    after = np.cumsum(of_bin)
    reached = max(0.0, float(after.max()))
    slack = 1e-9 * max(1.0, float(np.abs(gain).sum()))
    # the curve begins a bin at `after - of_bin`, and rises within it by no more than its gains above 0
    kept = after - of_bin + most >= reached - slack
    skipped = np.cumsum(np.where(kept, 0.0, of_bin))
    positions = np.flatnonzero(kept[bins])
    return positions, skipped[bins[positions]]


_ARRAYS = 2  # how many arrays of one number a draw and threshold live at once: changes and their sums, or two halves


@frozen(kw_only=True, eq=False)
class Changes:
    """The score of a grid as a function of the threshold of ties; changes are by absolute difference."""

    start: FloatArray  # the score of every item at threshold 0, (n,)
    defined: FloatArray  # 1 for items with a pair, (n,)
    item: IntArray  # the item of each pair that changes, (changes,)
    change: FloatArray  # of the item's score, (changes,)
    stop: IntArray  # at which of the thresholds it is in effect, (changes,)
    thresholds: FloatArray  # 0 and the differences at which a maximum can be, rising, (k,)

    @cached_property
    def _by_stop(self) -> Any:
        from scipy.sparse import csr_array

        shape = (len(self.thresholds), len(self.start))
        return csr_array((self.change, (self.stop, self.item)), shape=shape)

    def curves(self, weights: FloatArray) -> FloatArray:
        """Return the sums over items at every threshold, (k, draws), for weights (n, draws)."""
        if weights.shape[1] == 1:  # one draw is summed up before the changes are sorted into a matrix
            passed = np.append(0.0, np.cumsum(self.change * weights[self.item, 0]))
            ends = np.searchsorted(self.stop, np.arange(len(self.thresholds)), side="right")
            return np.asarray(self.start @ weights + passed[ends, None])
        gained = self._by_stop @ weights
        gained[0] += self.start @ weights
        return np.cumsum(gained, axis=0, out=gained)


def find_changes(pairs: ItemPairs, predicted: FloatArray, *, every: bool = False) -> Changes:
    """Return the changes of a metric's scores; `every` keeps all differences as thresholds, for curves."""
    difference = pairs.differences(predicted)
    change = pairs.table[pairs.middle] - pairs.outcome(difference, 0.0)
    moves = np.flatnonzero(pairs.counted & (difference != 0) if every else change != 0)
    size, change, item = np.abs(difference.ravel()[moves]), change.ravel()[moves], moves % len(predicted)
    order = np.argsort(size)  # changes at one threshold take effect together: their order does not matter
    item, size, change = item[order], size[order], change[order] / pairs.size[item[order]]
    ends = np.flatnonzero(np.append(size[1:] != size[:-1], True)) if len(size) else np.empty(0, dtype=np.int64)
    if not every and len(ends):
        # weights are not negative: a threshold without a gain is under no weights better than the one before it
        ends = ends[np.maximum.reduceat(change, np.append(0, ends[:-1] + 1)) > 0]
    last = ends[-1] + 1 if len(ends) else 0
    return Changes(
        start=pairs.values(predicted, 0.0),
        defined=pairs.defined,
        item=item[:last],
        change=change[:last],
        stop=1 + np.searchsorted(ends, np.arange(last)),
        thresholds=np.concatenate([[0.0], size[ends]]),
    )


@frozen(kw_only=True, eq=False)
class Calibrated:
    """Agreement with calibrated ties as a statistic: the threshold is chosen again under every weight vector."""

    batch: Grid
    ties: TiePolicy
    # each half of the items, (n,), is scored at the best threshold of the other one; None: all at their own best one
    half: BoolArray | None

    @property
    def units(self) -> int:
        """The number of items."""
        return len(self.batch)

    @property
    def unit(self) -> str:
        """What an item is called."""
        return self.batch.unit

    @cached_property
    def changes(self) -> Changes:
        """The changes at every threshold, sorted when weights differ for the first time."""
        return find_changes(item_pairs(self.batch, self.ties), self.batch.predicted)

    def __call__(self, weights: FloatArray) -> FloatArray:
        if self.half is None and weights.size and (weights == 1).all():
            return np.full(weights.shape[:-1], calibrate(self.batch, self.ties)[1])
        flat = np.ascontiguousarray(flatten_draws(weights).T)
        scores = np.empty(flat.shape[1])
        for part in bounded_slices(len(scores), _ARRAYS * len(self.changes.thresholds)):
            scores[part] = self._score(flat[:, part])
        return scores.reshape(weights.shape[:-1])

    def _score(self, weights: FloatArray) -> FloatArray:
        if self.half is None:
            return ratio(self.changes.curves(weights).max(axis=0), self.changes.defined @ weights)
        parts = [weights * half[:, None] for half in (self.half, ~self.half)]
        curves = [self.changes.curves(part) for part in parts]
        totals = [self.changes.defined @ part for part in parts]
        draws = np.arange(weights.shape[1])
        # each half at the threshold of the other one
        best = [curve[first_best(other), draws] for curve, other in zip(curves, curves[::-1], strict=True)]
        both = (totals[0] > 0) & (totals[1] > 0)
        return ratio(best[0] + best[1], np.where(both, totals[0] + totals[1], 0.0))


def calibrate(batch: Grid, ties: TiePolicy) -> tuple[float, float]:
    """Return the smallest of the best thresholds and the score at it; NaN twice without any pair."""
    threshold, score = batch.rows(_Calibration(ties))
    return float(threshold), float(score)


@frozen
class _Calibration:
    """The threshold and the score of a batch as numbers that the batch keeps, (2,)."""

    ties: TiePolicy

    def __call__(self, batch: Grid) -> FloatArray:
        pairs = item_pairs(batch, self.ties)
        defined = float(pairs.defined.sum())
        if not defined:
            return np.array([np.nan, np.nan])
        threshold, total = best_threshold(pairs, batch.predicted)
        return np.array([threshold, total / defined])


def calibration_curve(batch: Grid, ties: TiePolicy) -> tuple[FloatArray, FloatArray]:
    """Return the mean score over items at every threshold that changes it.

    Returns
    -------
    thresholds : (k,) float64
        0 and all absolute differences of the metric within items, rising; empty without any pair.
    scores : (k,) float64
    """
    pairs = item_pairs(batch, ties)
    changes = find_changes(pairs, batch.predicted, every=True)
    if not pairs.counted.any():
        return np.empty(0), np.empty(0)
    scores = changes.curves(np.ones((len(batch), 1)))[:, 0] / changes.defined.sum()
    return changes.thresholds, scores


def count_outcomes(
    batches: Sequence[Grid], *, epsilon: float | Literal["calibrated"] | Sequence[float] = "calibrated"
) -> FloatArray:
    """Count the pairs of systems within items that one metric gets right and another one wrong.

    Parameters
    ----------
    batches : sequence of Grid
        With the same gold and the same cells.
    epsilon : float, sequence of float or "calibrated"
        The threshold of ties, one for all metrics or one for each; calibrated: each at its own best one.

    Returns
    -------
    (metrics, metrics) float64
        Row right, column wrong; 0 on the diagonal. Every pair counts alike: the difference of two entries is that of
        `acc_eq` times the number of pairs if all items have as many pairs.

    Raises
    ------
    DataError
        If the grids differ in gold or cells.
    """
    pairs = item_pairs(batches[0], ACC23)
    counted, right = pairs.counted, []
    for nth, batch in enumerate(batches):
        same_gold = np.array_equal(batch.gold, batches[0].gold, equal_nan=True)
        if not same_gold or (batch.present != batches[0].present).any():
            raise DataError(f"metric {nth} is on another gold, or lacks other cells, than metric 0")
        if isinstance(epsilon, str):
            threshold = calibrate(batch, ACC23)[0]
        else:
            threshold = float(np.broadcast_to(np.asarray(epsilon, dtype=np.float64), len(batches))[nth])
        right.append(pairs.outcome(pairs.differences(batch.predicted), threshold)[counted])
    matrix = np.stack(right).astype(np.float32)  # counts below 2**24 are exact
    return np.asarray(matrix @ (1 - matrix).T, dtype=np.float64)

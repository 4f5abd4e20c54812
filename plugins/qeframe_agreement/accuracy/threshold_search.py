"""The best threshold of ties on whole items; pairs that cannot hold it are not sorted.

The score at a threshold is a sum over all pairs whose difference is at most the threshold. Pairs are put into bins by
difference. Sums bound the gain within a bin, so that only pairs in bins that could hold the maximum are sorted.
"""

from __future__ import annotations

import numpy as np

from qeframe.plugin import FloatArray, IntArray
from qeframe_agreement.grids.pairing import ItemPairs

_SLACK = 1e-12
"""Sums of coefficients that differ by less are equal; the smallest of equally good thresholds is chosen."""

_BINS = 4096


def first_best(curves: FloatArray) -> IntArray:
    """Return the first threshold of equally good ones, (draws,), for curves (k, draws)."""
    slack = _SLACK * np.maximum(1.0, np.abs(curves).max(axis=0))
    return np.argmax(curves >= curves.max(axis=0) - slack, axis=0)


def best_threshold(pairs: ItemPairs, predicted: FloatArray) -> tuple[float, float]:
    """Return the smallest of the best thresholds and the sum of the scores of all items at it.

    Parameters
    ----------
    pairs : ItemPairs
    predicted : (n, systems) float64

    Returns
    -------
    threshold, total : float
        0 and the sum at 0 where nothing is gained by ties.
    """
    difference = pairs.differences(predicted)
    before = pairs.outcome(difference, 0.0)
    change = pairs.table[pairs.middle] - before
    share = 1.0 / pairs.size
    start = float(before.sum(axis=0, dtype=np.float64) @ share)
    moves = np.flatnonzero(change)
    size, gain = np.abs(difference.ravel()[moves]), (change * share).ravel()[moves]
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
    kept = after - of_bin + most >= reached - slack
    skipped = np.cumsum(np.where(kept, 0.0, of_bin))
    positions = np.flatnonzero(kept[bins])
    return positions, skipped[bins[positions]]

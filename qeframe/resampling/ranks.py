"""Ranks of sorted values, where equal neighbours share their places."""

from __future__ import annotations

import numpy as np

from qeframe.batches.base import BoolArray, FloatArray, IntArray

__all__ = ["mid_ranks", "shared_places"]


def shared_places(fresh: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the first and the last place of the values that each sorted value is equal to.

    Parameters
    ----------
    fresh : (..., n) bool
        Where a value differs from the one before it; the first place of every row counts as such.

    Returns
    -------
    first, last : (..., n) int64
        From 1.
    """
    places = np.arange(1, fresh.shape[-1] + 1)
    starts = fresh | (places == 1)
    ends = np.concatenate([starts[..., 1:], np.ones_like(starts[..., :1])], axis=-1)
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, places, places.size)[..., ::-1], axis=-1)[..., ::-1]
    return first, last


def mid_ranks(values: FloatArray, *, slack: float = 0.0) -> FloatArray:
    """Rank along the last axis: 1 is the smallest, equal values share their mean rank, NaN stays NaN.

    Sorted neighbours are equal if they differ by no more than `slack` times the larger magnitude of the two, at least
    1.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    fresh = np.ones(ordered.shape, dtype=np.bool_)
    fresh[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    if slack:
        low, high = ordered[..., :-1], ordered[..., 1:]
        larger = np.maximum(1.0, np.maximum(np.abs(low), np.abs(high)))
        with np.errstate(invalid="ignore"):  # infinities are level with their like alone
            fresh[..., 1:] &= ~(high - low <= np.where(np.isfinite(larger), slack * larger, 0.0))
    first, last = shared_places(fresh)
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, np.where(np.isnan(ordered), np.nan, (first + last) / 2), axis=-1)
    return ranks

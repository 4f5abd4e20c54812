"""Ranks by score, and how certain they are: the share of bootstrap draws at each rank."""

from __future__ import annotations

import numpy as np

from qeframe.batch import FloatArray, IntArray

__all__ = ["competition_ranks", "rank_interval", "rank_shares"]


def competition_ranks(goodness: FloatArray) -> IntArray:
    """Rank by score, the highest first.

    Parameters
    ----------
    goodness : (..., S) float64
        Higher is better; NaN where undefined.

    Returns
    -------
    (..., S) int64
        From 1; equal scores share the smaller rank (1, 2, 2, 4); undefined ones share the rank after all others.
    """
    filled = np.where(np.isnan(goodness), -np.inf, goodness)
    order = np.argsort(-filled, axis=-1, kind="stable")
    ordered = np.take_along_axis(filled, order, axis=-1)
    places = np.broadcast_to(np.arange(1, filled.shape[-1] + 1), filled.shape)
    fresh = np.concatenate([np.ones_like(ordered[..., :1], dtype=np.bool_), ordered[..., 1:] < ordered[..., :-1]], -1)
    shared = np.maximum.accumulate(np.where(fresh, places, 0), axis=-1)
    ranks = np.empty(filled.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, shared, axis=-1)
    return ranks


def rank_shares(draws: FloatArray) -> FloatArray:
    """Return the share of draws in which each submission took each rank.

    Parameters
    ----------
    draws : (B, S) float64
        Goodness in every draw.

    Returns
    -------
    (S, S) float64
        Row: submission, column: rank from 1. Every row sums to 1; without draws all NaN.
    """
    number, size = draws.shape
    if not number:
        return np.full((size, size), np.nan)
    cells = competition_ranks(draws) - 1 + np.arange(size) * size
    return np.bincount(cells.ravel(), minlength=size * size).reshape(size, size) / number


def rank_interval(shares: FloatArray, confidence: float = 0.95) -> tuple[IntArray, IntArray]:
    """Return the lowest and highest rank of the central interval of each row of shares, (S,) twice."""
    tail = (1 - confidence) / 2
    cumulated = shares.cumsum(axis=-1)
    low = (cumulated <= tail + 1e-12).sum(axis=-1) + 1
    high = (cumulated < 1 - tail - 1e-12).sum(axis=-1) + 1
    return low, high

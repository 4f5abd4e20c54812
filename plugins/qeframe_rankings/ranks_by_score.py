"""Ranks by score, and their uncertainty: the share of bootstrap draws in which a submission has each rank."""

from __future__ import annotations

import numpy as np

from qeframe.plugin import FloatArray, IntArray
from qeframe.plugin.resampling import shared_positions


def competition_ranks(oriented: FloatArray) -> IntArray:
    """Rank by score, the highest first.

    Parameters
    ----------
    oriented : (..., S) float64
        Higher is better; NaN where undefined.

    Returns
    -------
    (..., S) int64
        From 1; equal scores share the smaller rank (1, 2, 2, 4); undefined ones share the rank after all others.
    """
    filled = np.where(np.isnan(oriented), -np.inf, oriented)
    order = np.argsort(-filled, axis=-1, kind="stable")
    ordered = np.take_along_axis(filled, order, axis=-1)
    fresh = np.concatenate([np.ones_like(ordered[..., :1], dtype=np.bool_), ordered[..., 1:] < ordered[..., :-1]], -1)
    ranks = np.empty(filled.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, shared_positions(fresh)[0], axis=-1)
    return ranks


def rank_shares(draws: FloatArray) -> FloatArray:
    """Return the share of draws in which each submission has each rank.

    Parameters
    ----------
    draws : (B, S) float64
        The oriented scores in every draw: higher is better.

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

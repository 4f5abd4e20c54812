"""Pseudo-documents: sentences drawn with replacement, as vectors of counts, and what is computed from many of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qeframe.batches.base import FloatArray, IntArray

__all__ = ["documents", "means", "spearman_of_rows"]

_CELLS_AT_ONCE = 2**22


def documents(groups: IntArray, size: int, draws: int, key: Sequence[int]) -> list[tuple[slice, FloatArray]]:
    """Draw documents as counts of rows, (draws, rows) in blocks: first a group for each sentence, then a row of it.

    Parameters
    ----------
    groups : (rows,) int64
        The segment of every look, or of every pair of looks.
    """
    rng = np.random.default_rng(key)
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    chosen = rng.integers(len(starts), size=(draws, size))
    rows = order[starts[chosen] + np.floor(rng.random((draws, size)) * sizes[chosen]).astype(np.int64)]
    block = max(1, _CELLS_AT_ONCE // max(1, len(groups)))
    return [(slice(at, at + block), _counts(rows[at : at + block], len(groups))) for at in range(0, draws, block)]


def _counts(rows: IntArray, width: int) -> FloatArray:
    flat = (rows + width * np.arange(len(rows))[:, None]).ravel()
    return np.bincount(flat, minlength=len(rows) * width).reshape(len(rows), width).astype(np.float64)


def means(counts: FloatArray, values: FloatArray) -> FloatArray:
    """Return the mean of values (rows, systems) in each document, (draws, systems); NaN without a value."""
    total, known = counts @ np.nan_to_num(values), counts @ np.isfinite(values)
    return np.divide(total, known, out=np.full(total.shape, np.nan), where=known > 0)


def spearman_of_rows(human: FloatArray, scores: FloatArray) -> FloatArray:
    """Return Spearman's correlation in each row of two tables, over the columns that the first one knows.

    Parameters
    ----------
    human, scores : (rows, columns) float64
        NaN in `human`: left out on both sides.

    Returns
    -------
    (rows,) float64
        With mid-ranks for ties. NaN where the first has fewer than two different values; otherwise 0 where the second
        has fewer than two, or is undefined.
    """
    known = np.isfinite(human)
    x, y = (_centered_ranks(np.where(known, side, np.nan)) for side in (human, scores))
    product, own, other = (x * y).sum(axis=1), (x * x).sum(axis=1), (y * y).sum(axis=1)
    told = (other > 0) & (np.isfinite(scores) | ~known).all(axis=1)
    r = np.divide(product, np.sqrt(own * other), out=np.zeros_like(product), where=told & (own > 0))
    return np.where(own > 0, np.clip(r, -1, 1), np.nan)


def _centered_ranks(values: FloatArray) -> FloatArray:
    """Return mid-ranks of the finite values in each row, less their mean; 0 for the others."""
    known = np.isfinite(values)
    less = (values[:, None, :] < values[:, :, None]).sum(axis=2)
    equal = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    ranks = np.where(known, less + (equal - 1) / 2, 0)
    mean = ranks.sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    return np.where(known, ranks - mean[:, None], 0)

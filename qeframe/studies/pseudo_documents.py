"""Pseudo-documents: sentences drawn with replacement, stored as vectors of counts, and means over them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.resampling.memory import bounded_slices

_ARRAYS_OF_COUNTS = 2
"""The number of arrays (draws, rows) in memory at once: counts as whole numbers, and as weights."""


def draw_documents(groups: IntArray, size: int, draws: int, key: Sequence[int]) -> list[tuple[slice, FloatArray]]:
    """Draw documents as counts of rows. Each sentence is drawn as a group first, then as a row of that group.

    Parameters
    ----------
    groups : (rows,) int64
        The group of every row: the segment of a judgment, or of a pair of judgments.
    size : int
        Number of sentences in a document.
    draws : int
        Number of documents.
    key : sequence of int
        Seeds the generator.

    Returns
    -------
    list of (slice, (block, rows) float64)
        For each block of documents: which draws they are, and how often each row occurs; every row of counts sums to
        `size`.
    """
    rng = np.random.default_rng(key)
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    chosen = rng.integers(len(starts), size=(draws, size))
    rows = order[starts[chosen] + np.floor(rng.random((draws, size)) * sizes[chosen]).astype(np.int64)]
    parts = bounded_slices(draws, _ARRAYS_OF_COUNTS * len(groups))
    return [(part, _counts(rows[part], len(groups))) for part in parts]


def _counts(rows: IntArray, width: int) -> FloatArray:
    flat = (rows + width * np.arange(len(rows))[:, None]).ravel()
    return np.bincount(flat, minlength=len(rows) * width).reshape(len(rows), width).astype(np.float64)


def document_means(counts: FloatArray, values: FloatArray) -> FloatArray:
    """Return the mean of `values`, (rows, systems), in each document, (draws, systems); NaN if there is no value."""
    total, known = counts @ np.nan_to_num(values), counts @ np.isfinite(values)
    return np.divide(total, known, out=np.full(total.shape, np.nan), where=known > 0)

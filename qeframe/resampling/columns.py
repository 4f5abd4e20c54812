"""The columns of many additive statistics side by side, each kept once, dense or sparse."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from qeframe.batches.base import FloatArray, IntArray, is_sparse

__all__ = ["distinct_columns"]


def distinct_columns(blocks: Sequence[Any]) -> tuple[Any, list[IntArray]]:
    """Return the distinct columns of all blocks as rows, (C, n), and where each block's columns are among them.

    A single block is taken as it stands: there is nothing to share, and a large corpus is not copied.

    Parameters
    ----------
    blocks : sequence of (n, k) array or sparse array

    Returns
    -------
    columns : (C, n) float64 array, or csr_array if a block is sparse
    places : list of (k,) int64
    """
    if len(blocks) == 1:
        return blocks[0].T.tocsr() if is_sparse(blocks[0]) else blocks[0].T, [np.arange(blocks[0].shape[1])]
    if any(is_sparse(block) for block in blocks):
        return _sparse(blocks)
    found: dict[bytes, int] = {}
    columns: list[FloatArray] = []
    places: list[IntArray] = []
    for block in blocks:
        place = np.empty(block.shape[1], dtype=np.int64)
        for j in range(block.shape[1]):
            column = np.ascontiguousarray(block[:, j])
            place[j] = found.setdefault(_digest(column), len(columns))
            if place[j] == len(columns):
                columns.append(column)
        places.append(place)
    return (np.stack(columns) if columns else np.empty((0, 0))), places


def _sparse(blocks: Sequence[Any]) -> tuple[Any, list[IntArray]]:
    """Return the distinct columns as a sparse array, of blocks one of which at least is sparse."""
    from scipy.sparse import csc_array, csr_array

    found: dict[bytes, int] = {}
    kept: list[tuple[IntArray, FloatArray]] = []
    places: list[IntArray] = []
    for block in map(csc_array, blocks):
        place = np.empty(block.shape[1], dtype=np.int64)
        for j, (start, stop) in enumerate(zip(block.indptr[:-1], block.indptr[1:], strict=True)):
            units, values = block.indices[start:stop].astype(np.int64), block.data[start:stop]
            place[j] = found.setdefault(_digest(units) + _digest(values), len(kept))
            if place[j] == len(kept):
                kept.append((units, values))
        places.append(place)
    ends = np.cumsum([0, *(len(units) for units, _ in kept)])
    units, values = (np.concatenate(side) for side in zip(*kept, strict=True))
    return csr_array((values, units, ends), shape=(len(kept), blocks[0].shape[0])), places


def _digest(values: Any) -> bytes:
    return hashlib.blake2b(values.data, digest_size=16).digest()

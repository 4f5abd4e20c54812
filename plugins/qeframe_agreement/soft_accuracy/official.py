"""Soft pairwise accuracy with the arithmetic of the official program: its signs, single precision, no tolerance.

In single precision whether a draw reaches the observed difference is partly a matter of rounding, where both are equal
in exact arithmetic. The same products in the same precision round alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from qeframe.plugin import DataError, FloatArray
from qeframe.plugin.resampling import CELLS_IN_CACHE, bounded_slices


@lru_cache(maxsize=8)
def official_signs(items: int, draws: int) -> NDArray[np.float32]:
    """Return the signs of the official program, (draws, items), which depend on the order of the items."""
    drawn = np.random.default_rng(4).random((draws, items), dtype=np.float32)
    signs = np.rint(drawn) * np.float32(2) - np.float32(1)
    signs.setflags(write=False)
    return signs


def official_p_values(scores: FloatArray, signs: NDArray[np.float32]) -> FloatArray:
    """Return one-sided p-values of all pairs of systems, the first one better, as the official program does.

    Parameters
    ----------
    scores : (metrics, systems, n) float64
        Rounded to single precision before they are summed.
    signs : (draws, n) float32
        One product of signs and scores for each metric, of the same shape as the program's.

    Returns
    -------
    (metrics, pairs) float64
        The share of draws whose difference is at least the observed one; identical systems 1.
    """
    single = np.ascontiguousarray(scores, dtype=np.float32)
    signs = np.ascontiguousarray(signs)
    metrics, systems, _ = single.shape
    first, second = np.triu_indices(systems, 1)
    observed = single.sum(axis=2)
    difference = observed[:, first] - observed[:, second]
    p = np.empty(difference.shape)
    for part in bounded_slices(metrics, len(first) * len(signs), most=CELLS_IN_CACHE):
        drawn = np.ascontiguousarray((signs @ single[part].swapaxes(1, 2)).swapaxes(1, 2))
        null = drawn[:, first] - drawn[:, second]
        p[part] = np.count_nonzero(null >= difference[part][..., None], axis=2) / len(signs)
    return p


def check_order(order: Sequence[int]) -> tuple[int, ...]:
    """Return an order of systems; raise a `DataError` unless it holds each of 1 to its length once."""
    if sorted(order) != list(range(1, len(order) + 1)):
        raise DataError(f"order {list(order)} does not name each system once", remedy="number the systems from 1")
    return tuple(order)


def ordered(scores: FloatArray, order: Sequence[int]) -> FloatArray:
    """Return scores (n, systems) with their columns in the given order; without an order, as they are.

    Raises
    ------
    DataError
        If there are more or fewer systems than the order names.
    """
    if not order:
        return scores
    if len(order) != scores.shape[1]:
        what = f"order names {len(order)} systems, but there are {scores.shape[1]}"
        raise DataError(what, remedy="give the order of one language pair to the task of this language pair alone")
    return scores[:, np.asarray(order) - 1]

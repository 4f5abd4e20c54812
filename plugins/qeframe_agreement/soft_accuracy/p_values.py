"""The test of systems inside soft pairwise accuracy: signs of segments, and p-values of all pairs of systems."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from qeframe.plugin import FloatArray
from qeframe.plugin.resampling import CELLS_IN_CACHE, bounded_slices, mix_bits

_SLACK = 1e-12
_STREAM = np.uint64(0x5350412D71656672)
_STEP = np.uint64(0x9E3779B97F4A7C15)


@lru_cache(maxsize=8)
def keyed_signs(ids: bytes, draws: int) -> FloatArray:
    """Return signs, (draws, n), that depend on the draw and on the id of the item alone; the second half negates."""
    half = (draws + 1) // 2
    keys = mix_bits(np.frombuffer(ids, dtype=np.int64).astype(np.uint64) ^ _STREAM)
    words = np.arange(1, half // 64 + 2, dtype=np.uint64)[:, None]
    with np.errstate(over="ignore"):
        bits = mix_bits(keys + words * _STEP)
    positions = np.arange(64, dtype=np.uint64)[:, None]
    drawn = ((bits[:, None, :] >> positions) & np.uint64(1)).reshape(-1, len(keys))[:half]
    signs = 1.0 - 2.0 * drawn.astype(np.float64)
    signs.setflags(write=False)
    return signs


def system_p_values(scores: FloatArray, signs: FloatArray) -> FloatArray:
    """Return one-sided p-values of all pairs of systems, the first one better, under exchanges of segments.

    Parameters
    ----------
    scores : (metrics, systems, n) float64
        Weighted segment scores.
    signs : (draws, n) float64
        +1 kept, -1 swapped. Every draw counts for its negation too. Draws equal to the observed difference count half,
        so that the p-values of both directions sum to 1.

    Returns
    -------
    (metrics, pairs) float64
        In [0, 1]; identical systems .5.
    """
    metrics, systems, items = scores.shape
    centered = scores - scores.mean(axis=1, keepdims=True) if systems else scores
    drawn = (centered.reshape(-1, items) @ signs.T).reshape(metrics, systems, len(signs))
    return p_of_sums(centered.sum(axis=2), drawn, np.abs(centered).sum(axis=2))


def p_of_sums(observed: FloatArray, drawn: FloatArray, size: FloatArray) -> FloatArray:
    """Return the p-values of all pairs, (metrics, pairs), of sums of systems.

    Parameters
    ----------
    observed : (metrics, systems) float64
    drawn : (metrics, systems, draws) float64
        Under signs.
    size : (metrics, systems) float64
        The sums of absolute scores; rounding errors are relative to them.
    """
    metrics, systems, draws = drawn.shape
    first, second = np.triu_indices(systems, 1)
    slack = _SLACK * np.maximum(size.max(axis=1, initial=0.0), 1e-300)[:, None]
    difference = observed[:, first] - observed[:, second]
    p = np.empty(difference.shape)
    for part in bounded_slices(metrics, len(first) * draws, most=CELLS_IN_CACHE):
        null = drawn[part, first] - drawn[part, second]
        np.abs(null, out=null)  # a draw counts for its negation too, and p of the other direction is 1 - p
        apart = np.abs(difference[part])
        above = np.count_nonzero(null > (apart + slack[part])[..., None], axis=2)
        reached = np.count_nonzero(null >= (apart - slack[part])[..., None], axis=2)
        larger = (above + reached) / (4 * draws)
        p[part] = np.where(apart <= slack[part], 0.5, np.where(difference[part] > 0, larger, 1 - larger))
    return p


def t_p_values(count: FloatArray, total: FloatArray, squares: FloatArray) -> FloatArray:
    """Return one-sided p-values of paired t-tests of systems, the first one better.

    Parameters
    ----------
    count : (..., 1) float64
        How many segments.
    total, squares : (..., pairs) float64
        Sums of the differences of segments and of their squares.

    Returns
    -------
    (..., pairs) float64
        Of differences that are all equal: .5 if they are 0, else 0 or 1. NaN below two segments.
    """
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        spread = squares - total**2 / count
        varied = spread > 1e-13 * squares
        t = total * np.sqrt((count - 1) / (count * np.where(varied, spread, 1.0)))
    p = np.where(varied, stdtr(np.maximum(count - 1, 1.0), -np.nan_to_num(t)), 0.5 - 0.5 * np.sign(total))
    return np.where(count > 1, p, np.nan)

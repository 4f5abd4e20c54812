"""The tests of systems inside soft pairwise accuracy: signs of segments, and p-values of all pairs of systems.

A test by exchange may use any statistic. The official p-values are those of 1,000 permutations, for each of which all
differences are computed again. Their normal limit follows from sums over segments: p = Phi(sum d / sqrt(sum d^2)), d
being the differences of two systems. So an exchange is a product of signs and rows.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import Additive, FloatArray, Grid, IntArray
from qeframe.plugin.resampling import CELLS_IN_CACHE, Exchange, additive_exchange, bounded_slices, mix_bits

_SLACK = 1e-12
_STREAM = np.uint64(0x5350412D71656672)
_STEP = np.uint64(0x9E3779B97F4A7C15)


@lru_cache(maxsize=8)
def keyed_signs(ids: bytes, draws: int) -> FloatArray:
    """Return signs, (draws, n), that depend on the draw and on the id of the item alone; the second half negates."""
    half = (draws + 1) // 2
    keys = mix_bits(np.frombuffer(ids, dtype=np.int64).astype(np.uint64) ^ _STREAM)
    # 64 draws of an item are the bits of one number
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

    Scores are weighted, (metrics, systems, n), signs (draws, n). Every draw counts for its negation too. Draws equal to
    the observed difference count half, so that the p-values of both directions sum to 1; identical systems have .5.
    """
    metrics, systems, items = scores.shape
    # differences of systems stay the same, and sums lose no digits to what all systems share
    centered = scores - scores.mean(axis=1, keepdims=True) if systems else scores
    drawn = (centered.reshape(-1, items) @ signs.T).reshape(metrics, systems, len(signs))
    return p_of_sums(centered.sum(axis=2), drawn, np.abs(centered).sum(axis=2))


def p_of_sums(observed: FloatArray, drawn: FloatArray, size: FloatArray) -> FloatArray:
    """Return the p-values of all pairs, (metrics, pairs), of sums of systems: observed, and drawn under signs.

    Rounding errors are relative to the sums of absolute scores, `size`.
    """
    metrics, systems, draws = drawn.shape
    first, second = np.triu_indices(systems, 1)
    slack = _SLACK * np.maximum(size.max(axis=1, initial=0.0), 1e-300)[:, None]
    difference = observed[:, first] - observed[:, second]
    p = np.empty(difference.shape)
    for part in bounded_slices(metrics, len(first) * draws, most=CELLS_IN_CACHE):
        p[part] = p_of_draws(difference[part], _differences(drawn[part], len(first)), slack[part])
    return p


def p_of_draws(difference: FloatArray, null: FloatArray, slack: FloatArray) -> FloatArray:
    """Return the p-values (metrics, pairs) of differences.

    `null` (metrics, pairs, draws): the drawn differences, which are changed. `slack`: their rounding errors.
    """
    np.abs(null, out=null)  # a draw counts for its negation too, and p of the other direction is 1 - p
    apart = np.abs(difference)
    above = np.count_nonzero(null > (apart + slack)[..., None], axis=2)
    reached = np.count_nonzero(null >= (apart - slack)[..., None], axis=2)
    # each draw and its negation, 2 * draws in all; the mean of both counts takes ties as one half
    larger = (above + reached) / (4 * null.shape[2])
    return np.where(apart <= slack, 0.5, np.where(difference > 0, larger, 1 - larger))


def _differences(drawn: FloatArray, pairs: int) -> FloatArray:
    """Return the differences of all pairs of systems, (metrics, pairs, draws), of (metrics, systems, draws)."""
    metrics, systems, draws = drawn.shape
    differences, begin = np.empty((metrics, pairs, draws)), 0
    for system in range(systems - 1):
        end = begin + systems - 1 - system
        np.subtract(drawn[:, system, None], drawn[:, system + 1 :], out=differences[:, begin:end])
        begin = end
    return differences


def t_p_values(count: FloatArray, total: FloatArray, squares: FloatArray) -> FloatArray:
    """Return one-sided p-values of paired t-tests of systems, (..., pairs), the first one better.

    They come from numbers of segments (..., 1), and sums of their differences and of their squares. Of differences that
    are all equal: .5 if they are 0, else 0 or 1. NaN below two segments.
    """
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        spread = squares - total**2 / count
        varied = spread > 1e-13 * squares
        t = total * np.sqrt((count - 1) / (count * np.where(varied, spread, 1.0)))
    p = np.where(varied, stdtr(np.maximum(count - 1, 1.0), -np.nan_to_num(t)), 0.5 - 0.5 * np.sign(total))
    return np.where(count > 1, p, np.nan)


@frozen(eq=False)
class OwnStatistic:
    """An exchange whose differences are those of a statistic of its own, not of the score."""

    own_statistic: ClassVar[bool] = True
    exchange: Exchange

    @property
    def cells(self) -> int:
        """The cells of the exchange."""
        return self.exchange.cells

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        return self.exchange(masks, first, second)


@frozen(eq=False)
class _Closed:
    """Soft accuracy from the sums of differences and of their squares, (..., 2 * pairs of systems)."""

    gold: FloatArray

    def __call__(self, sums: FloatArray) -> FloatArray:
        pairs = len(self.gold)
        if not pairs:
            return np.full(sums.shape[:-1], np.nan)
        return np.asarray(1 - np.abs(_normal_p(sums[..., :pairs], sums[..., pairs:]) - self.gold).mean(axis=-1))


def _normal_p(differences: FloatArray, squares: FloatArray) -> FloatArray:
    """Return the one-sided p-values of pairs of systems; .5 where they never differ."""
    from scipy.special import ndtr

    varied = squares > 0
    z = np.divide(differences, np.sqrt(np.where(varied, squares, 1.0)), out=np.zeros_like(differences), where=varied)
    return np.asarray(ndtr(-z))


def _rows(scores: FloatArray, counted: NDArray[np.bool_]) -> FloatArray:
    """Return the differences of all pairs of systems and their squares, (n, 2 * pairs); 0 in other items.

    `counted`: the items of each pair, (n, pairs), or of all of them, (n, 1).
    """
    first, second = np.triu_indices(scores.shape[1], 1)
    difference = np.where(counted, scores[:, first] - scores[:, second], 0.0)
    return np.hstack([difference, difference**2])


def closed_exchange(batches: Sequence[Grid], *, common: bool = False) -> Exchange:
    """Return the exchange of items of grids on one scale with the same cells; items that lack one have no effect.

    `common`: whether a pair of systems counts in the items that both have; otherwise items count that have all systems.
    """
    first, present = batches[0], batches[0].present
    a, b = np.triu_indices(first.systems, 1)
    counted = present[:, a] & present[:, b] if common else np.logical_and.reduce(present, axis=1)[:, None]
    sums = _rows(first.gold, counted).sum(axis=0)
    score = _Closed(_normal_p(*np.split(sums, 2)) if counted.any() else np.empty(0))
    return OwnStatistic(additive_exchange([Additive(_rows(b.predicted, counted), score, b.unit) for b in batches]))

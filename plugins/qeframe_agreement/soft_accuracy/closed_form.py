"""The exchange of soft pairwise accuracy by segments, with p-values of systems in closed form.

A test by exchange may use any statistic. The official p-values are those of 1,000 permutations, for each of which all
differences are computed again. Their normal limit follows from sums over segments: p = Phi(sum d / sqrt(sum d^2)), d
being the differences of two systems. So an exchange is a product of signs and rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import Additive, FloatArray, Grid, IntArray
from qeframe.plugin.resampling import Exchange, additive_exchange


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
        return np.asarray(1 - np.abs(_p(sums[..., :pairs], sums[..., pairs:]) - self.gold).mean(axis=-1))


def _p(differences: FloatArray, squares: FloatArray) -> FloatArray:
    """Return the one-sided p-values of pairs of systems; .5 where they never differ."""
    from scipy.special import ndtr

    varied = squares > 0
    z = np.divide(differences, np.sqrt(np.where(varied, squares, 1.0)), out=np.zeros_like(differences), where=varied)
    return np.asarray(ndtr(-z))


def _rows(scores: FloatArray, complete: NDArray[np.bool_]) -> FloatArray:
    """Return the differences of all pairs of systems and their squares, (n, 2 * pairs); 0 in other items."""
    first, second = np.triu_indices(scores.shape[1], 1)
    difference = np.where(complete[:, None], scores[:, first] - scores[:, second], 0.0)
    return np.hstack([difference, difference**2])


def closed_exchange(batches: Sequence[Grid]) -> Exchange:
    """Return the exchange of items of grids that have the same cells.

    Parameters
    ----------
    batches : sequence of Grid
        Already on one scale. Items that lack a cell have no effect.
    """
    one = batches[0]
    complete = np.logical_and.reduce(one.present, axis=1)
    sums = _rows(one.gold, complete).sum(axis=0)
    score = _Closed(_p(*np.split(sums, 2)) if complete.any() else np.empty(0))
    return OwnStatistic(additive_exchange([Additive(_rows(b.predicted, complete), score, b.unit) for b in batches]))

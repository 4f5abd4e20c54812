"""The scales on which errors are nearest to normal, and standard errors from what is left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batch import FloatArray, IntArray, is_sparse
from qeframe.core.statistic_stack import StatisticStack

WorkingScale = Literal["identity", "arctanh"]
"""identity: the score itself. arctanh: Fisher's z, on which the error of a correlation depends little on its size."""

IntervalScale = WorkingScale | Literal["logit", "log"]
"""As `WorkingScale`; logit: for shares, in (0, 1). log: for positive errors, negated as they are when oriented."""

RANGE_OF_SCALE: Mapping[IntervalScale, tuple[float, float]] = {
    "identity": (-math.inf, math.inf),
    "arctanh": (-1.0, 1.0),
    "logit": (0.0, 1.0),
    "log": (-math.inf, 0.0),
}
"""By scale, the oriented scores that it has values for; those at an end are infinite."""


@frozen(eq=False)
class GridLeftOut:
    """The scores of m statistics on a grid, with parts of the grid left out.

    `segments` (n, m): with each segment left out in turn.
    `systems` (systems, m): with each system left out in turn.
    `cells` (cells, m): with each cell that is present left out in turn, system after system.
    `cell_factor`: what the sum of the squared deviations of `cells` is multiplied by. It corrects for the number of
      systems.
    """

    segments: FloatArray
    systems: FloatArray
    cells: FloatArray
    cell_factor: float

    def changed(self, change: Callable[[FloatArray], FloatArray]) -> GridLeftOut:
        """Return the same with a function of the scores (k, m) applied, such as differences of statistics."""
        with np.errstate(invalid="ignore"):
            return GridLeftOut(change(self.segments), change(self.systems), change(self.cells), self.cell_factor)


_STEP = 1e-2
"""The step of the numerical derivatives, in units of what one typical unit adds to a sum."""

_STENCIL = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
"""Steps k and factors c_k of f'(x) = sum of c_k (f(x + k h) - f(x - k h)) / h, central differences of sixth order.

Their error is 1e-12 of the derivative at this step."""


def influence(stack: StatisticStack, weights: NDArray[Any]) -> FloatArray:
    """Return the derivative of each score by the weight of each unit.

    `stack`: of additive statistics whose scores are smooth functions of their sums. `weights` (draws, n). Result: NaN
    where a score is undefined near the weights.
    """
    assert stack.additive, "scores of sums"
    rows = stack.columns.toarray() if is_sparse(stack.columns) else np.asarray(stack.columns, dtype=np.float64)
    sums = stack.sums(weights)
    unit = np.exp2(
        np.ceil(np.log2(np.max(np.abs(rows), axis=1, initial=1e-300)))
    )  # squares of rows / unit do not vanish
    size = unit * np.sqrt(np.mean((rows / unit[:, None]) ** 2, axis=1))
    step = _STEP * np.where(size > 0, size, 1.0)
    slopes = np.empty((len(stack), len(weights), stack.units))
    for score, where, index in stack.additive_groups:
        at = np.moveaxis(sums[index], 0, -1)  # (m, draws, k)
        gradient = np.zeros_like(at)
        for column in range(at.shape[-1]):
            width = step[index[column]][:, None]
            for times, factor in _STENCIL:
                ends = np.empty((2, *at.shape[:-1]))
                for end, sign in zip(ends, (1, -1), strict=True):
                    moved = at.copy()
                    moved[..., column] += sign * times * width
                    end[...] = score(moved)
                gradient[..., column] += factor * (ends[0] - ends[1])
            gradient[..., column] /= width
        # the chain rule: a unit's weight moves the sums by its row, and the sums move the score
        slopes[where] = gradient @ np.moveaxis(rows[index], 1, 0)
    return np.moveaxis(slopes, 0, 1)


def covariance_by_influence(stack: StatisticStack, weights: NDArray[Any]) -> FloatArray:
    """Return the covariance of the scores of each draw by the infinitesimal jackknife.

    `stack`: as for `influence`. `weights` (draws, n): counts: a unit that was drawn twice counts twice. Returns the sum
    over units of weight x influence x influence, with influences less their weighted mean.

    References
    ----------
    Efron (1982), The jackknife, the bootstrap and other resampling plans, chapter 6.
    """
    counts = np.asarray(weights, dtype=np.float64)[:, None]
    slopes = influence(stack, weights)
    centered = slopes - (counts * slopes).sum(axis=2, keepdims=True) / counts.sum(axis=2, keepdims=True)
    return np.asarray((counts * centered) @ np.swapaxes(centered, 1, 2))


def without_groups(stack: StatisticStack, counts: IntArray) -> FloatArray:
    """Return the scores of each draw with each group of its units left out in turn.

    `counts` (draws, groups, n): how often each unit is in each group. Result: (draws, groups, S).
    """
    own = stack.without_groups
    return stack(counts.sum(axis=1, keepdims=True) - counts) if own is None else own(counts)

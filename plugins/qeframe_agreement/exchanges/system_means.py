"""Exchanges of segments, cells or systems under scores of system means, for all pairs of submissions at once.

The mean of a system after an exchange is what one submission keeps plus what the other one gives away. Both are known
for every submission, so that a draw costs one product of masks and cells, and a table of submissions by submissions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import FloatArray, Grid, IntArray
from qeframe.plugin.resampling import bounded_slices
from qeframe_agreement.exchanges.axes import Axis, standardized

OfMixtures = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]
"""From gold means and numbers of cells (systems,), kept and moved sums (draws, systems, S) to scores (draws, S, S).

The second axis of the scores is the submission that keeps, the third the one that gives.
"""

_SLACK = 1e-12
_ARRAYS = 6
"""How many tables of submissions by submissions a draw needs at once."""
_CANCELLED = 1e-9
"""A variance below this share of its terms has lost digits, and is computed again from deviations."""


@frozen(eq=False)
class MeansExchange:
    """The exchange of segments, cells or systems among submissions that have the same cells.

    Parameters
    ----------
    gold : (systems,) float64
        The mean gold of every system.
    count : (systems,) float64
        The number of cells of every system.
    values : (systems, n, S) float64
        The scores in every cell; 0 where it is missing.
    axis : "segment", "cell" or "system"
    score : callable
    among : (systems,) int64
        The positions of these systems in the grid.
    width : int
        The number of systems of the grid.
    """

    gold: FloatArray
    count: FloatArray
    values: FloatArray
    axis: Axis
    score: OfMixtures
    among: IntArray
    width: int

    @property
    def cells(self) -> int:
        """One cell for each segment, for each system, or for each cell of the grid."""
        segments = self.values.shape[1]
        return {"segment": segments, "cell": segments * self.width}.get(self.axis, self.width)

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        total = self.values.sum(axis=1)
        moved = self._moved(masks, total)
        differences = np.empty((len(masks), len(first)))
        for part in bounded_slices(len(masks), _ARRAYS * total.shape[1] ** 2):
            scores = self.score(self.gold, self.count, total - moved[part], moved[part])
            differences[part] = scores[:, first, second] - scores[:, second, first]
        return differences

    def _moved(self, masks: NDArray[Any], total: FloatArray) -> FloatArray:
        """Return what the swapped cells add to the means, (draws, systems, S)."""
        if self.axis == "segment":
            return np.tensordot(masks.astype(np.float64), self.values, axes=(1, 1))
        if self.axis == "system":
            return masks[:, self.among, None].astype(np.float64) * total
        by_system = masks.reshape(len(masks), -1, self.width).transpose(2, 0, 1)[self.among]
        return (by_system.astype(np.float64, order="C") @ self.values).transpose(1, 0, 2)


def agreement_of_mixtures(gold: FloatArray, count: FloatArray, kept: FloatArray, moved: FloatArray) -> FloatArray:
    """Return the shares of pairs of systems that mixtures of two submissions order as the gold does."""
    systems, submissions = kept.shape[1:]
    kept, moved = kept / count[:, None], moved / count[:, None]
    hits = np.zeros((len(kept), submissions, submissions), dtype=np.int32)
    slack = [_SLACK * np.abs(part).max(axis=1, initial=0.0) for part in (kept, moved)]
    level = _SLACK * np.abs(gold).max(initial=0.0)
    for i, j in combinations(range(systems), 2):
        if abs(gold[i] - gold[j]) <= level:
            hits += ~(_above(kept, moved, i, j, slack) | _above(kept, moved, j, i, slack))
        else:
            hits += _above(kept, moved, *((i, j) if gold[i] > gold[j] else (j, i)), slack)
    pairs = systems * (systems - 1) // 2
    return hits / pairs if pairs else np.full(hits.shape, np.nan)


def _above(kept: FloatArray, moved: FloatArray, i: int, j: int, slack: Sequence[FloatArray]) -> NDArray[np.bool_]:
    """Return whether the mean of system i is above that of system j by more than rounding, (draws, S, S)."""
    own, received = kept[:, i] - kept[:, j] - slack[0], moved[:, j] - moved[:, i] + slack[1]
    return np.asarray(own[:, :, None] > received[:, None, :])


@frozen
class CorrelationOfMixtures:
    """Pearson's correlation of mixtures.

    Parameters
    ----------
    correlate : callable
        From gold and means, (..., systems) each, and ones to correlations (...): for mixtures that are constant, or so
        nearly that moments have lost their digits.
    """

    correlate: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]

    def __call__(self, gold: FloatArray, count: FloatArray, kept: FloatArray, moved: FloatArray) -> FloatArray:
        parts = [part / count[:, None] for part in (kept, moved)]
        own, received = (part - part.mean(axis=1, keepdims=True) for part in parts)
        centered = gold - gold.mean()
        terms = (own**2).sum(axis=1)[:, :, None] + (received**2).sum(axis=1)[:, None, :]
        squared = terms + 2 * (own.transpose(0, 2, 1) @ received)
        size = (parts[0] ** 2).sum(axis=1)[:, :, None] + (parts[1] ** 2).sum(axis=1)[:, None, :]
        covariance = (centered @ own)[:, :, None] + (centered @ received)[:, None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            r = covariance / np.sqrt(squared * (centered @ centered))
        unsure = (squared <= _CANCELLED * terms) | (squared <= _CANCELLED**2 * size)
        if unsure.any():
            draw, a, b = np.nonzero(unsure)
            means = (kept[draw, :, a] + moved[draw, :, b]) / count
            r[unsure] = self.correlate(np.broadcast_to(gold, means.shape), means, np.ones_like(means))
        return np.asarray(np.clip(r, -1.0, 1.0))


def means_exchange(batches: Sequence[Grid], score: OfMixtures, axis: Axis, *, standardize: bool) -> MeansExchange:
    """Return the exchange of submissions that have the same cells."""
    chosen = standardized(batches) if standardize else batches
    there = batches[0].present
    count = there.sum(axis=0)
    among = np.flatnonzero(count)
    values = [np.where(there, batch.predicted, 0.0)[:, among] for batch in chosen]
    gold = np.where(there, batches[0].gold, 0.0)[:, among].sum(axis=0) / count[among]
    return MeansExchange(
        gold=gold,
        count=count[among].astype(np.float64),
        values=np.ascontiguousarray(np.stack(values, axis=-1).transpose(1, 0, 2)),
        axis=axis,
        score=score,
        among=among,
        width=len(count),
    )

"""Exchanges under Pearson's correlation of cells and under scores of system means, for all pairs of submissions.

The sums, or the mean of a system, after an exchange are what one submission keeps plus what the other one gives away.
Both are known for every submission, so that a draw costs one product of masks and cells, and a table of submissions by
submissions.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import FloatArray, Grid, IntArray
from qeframe.plugin.resampling import CELLS_IN_CACHE, bounded_slices
from qeframe_agreement.exchanges.axes import Axis, standardized

_NOISE = 1e-13  # a variance below this share of the second moment is rounding noise of a constant
_ARRAYS = 6  # how many tables of submissions by submissions a draw needs at once


@frozen(eq=False)
class PearsonExchange:
    """Sums of scores, of their squares and of their products with the gold move from one submission to the other.

    The gold is centered over the cells, so that the third sum is the covariance.
    """

    # of every unit that is swapped, a cell or a system: scores of all submissions, squares, products; (units, 3 * S)
    sums: FloatArray
    count: int  # the number of cells
    spread: float  # the sum of the squares of the centered gold; 0 if it is constant

    @property
    def cells(self) -> int:
        """How many units are swapped."""
        return len(self.sums)

    @cached_property
    def _totals(self) -> FloatArray:
        return np.asarray(self.sums.sum(axis=0)).reshape(3, -1)

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        moved = (masks.astype(np.float64) @ self.sums).reshape(len(masks), 3, -1)
        kept = self._totals - moved
        differences = np.empty((len(masks), len(first)))
        for part in bounded_slices(len(masks), _ARRAYS * moved.shape[-1] ** 2, most=CELLS_IN_CACHE):
            scores = self._scores(kept[part], moved[part])
            differences[part] = scores[:, first, second] - scores[:, second, first]
        return differences

    def _scores(self, kept: FloatArray, moved: FloatArray) -> FloatArray:
        """Return the correlations of mixtures, (draws, keeping, giving)."""
        total, squares, covariance = (kept[:, k, :, None] + moved[:, k, None, :] for k in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = squares - total**2 / self.count
            r = np.clip(covariance / (np.sqrt(variance) * np.sqrt(self.spread)), -1.0, 1.0)
        return np.where(variance > _NOISE * squares, r, np.nan)


def pearson_exchange(batches: Sequence[Grid], *, by_system: bool, standardize: bool) -> PearsonExchange:
    """Return the exchange of single cells, or of systems, of submissions that have the same cells."""
    present = batches[0].present
    middle = 0.0 if standardize else float(np.mean([batch.pivot[1] for batch in batches]))
    chosen = standardized(batches) if standardize else batches
    gold = np.where(present, batches[0].gold, 0.0)
    # about the pivot first, since the mean of large numbers loses digits
    shifted = gold - batches[0].pivot[0]
    centered = np.where(present, shifted - shifted[present].mean(), 0.0) if present.any() else gold
    scores = np.stack([np.where(present, batch.predicted - middle, 0.0) for batch in chosen], axis=-1)
    sums = np.concatenate([scores, scores**2, scores * centered[..., None]], axis=-1)
    spread = float((centered**2).sum())
    varied = spread > _NOISE * float((shifted[present] ** 2).sum())
    return PearsonExchange(
        np.ascontiguousarray(sums.sum(axis=0) if by_system else sums.reshape(-1, sums.shape[-1])),
        int(present.sum()),
        spread if varied else np.nan,
    )


OfMixtures = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]
"""From gold means and numbers of cells (systems,), kept and moved sums (draws, systems, S) to scores (draws, S, S).

The second axis of the scores is the submission that keeps, the third the one that gives.
"""

_SLACK = 1e-12
_MOST_IN_A_BYTE = 255
_CANCELLED = 1e-9  # a variance below this share of its terms has lost digits, and is computed again from deviations


@frozen(eq=False)
class MeansExchange:
    """The exchange of segments, cells or systems among submissions that have the same cells."""

    gold: FloatArray  # the mean of every system that has a cell
    count: FloatArray  # the number of its cells
    values: FloatArray  # the scores in every cell, (systems, n, S); 0 where it is missing
    axis: Axis
    score: OfMixtures
    among: IntArray  # the positions of these systems in the grid
    width: int  # the number of systems of the grid

    @property
    def cells(self) -> int:
        """One cell for each segment, for each system, or for each cell of the grid."""
        segments = self.values.shape[1]
        return {"segment": segments, "cell": segments * self.width}.get(self.axis, self.width)

    @cached_property
    def _totals(self) -> FloatArray:
        return np.asarray(self.values.sum(axis=1))

    @cached_property
    def _by_segment(self) -> FloatArray:
        """The scores in every cell, (n, systems * S)."""
        return np.ascontiguousarray(self.values.transpose(1, 0, 2)).reshape(self.values.shape[1], -1)

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        total = self._totals
        moved = self._moved(masks, total)
        differences = np.empty((len(masks), len(first)))
        for part in bounded_slices(len(masks), _ARRAYS * total.shape[1] ** 2):
            scores = self.score(self.gold, self.count, total - moved[part], moved[part])
            differences[part] = scores[:, first, second] - scores[:, second, first]
        return differences

    def _moved(self, masks: NDArray[Any], total: FloatArray) -> FloatArray:
        """Return what the swapped cells add to the means, (draws, systems, S)."""
        if self.axis == "segment":
            return (masks.astype(np.float64) @ self._by_segment).reshape(len(masks), *self.values.shape[::2])
        if self.axis == "system":
            return masks[:, self.among, None].astype(np.float64) * total
        by_system = masks.reshape(len(masks), -1, self.width).transpose(2, 0, 1)[self.among]
        return (by_system.astype(np.float64, order="C") @ self.values).transpose(1, 0, 2)


def agreement_of_mixtures(gold: FloatArray, count: FloatArray, kept: FloatArray, moved: FloatArray) -> FloatArray:
    """Return the shares of pairs of systems that mixtures of two submissions order as the gold does."""
    (draws, systems, submissions), pairs = kept.shape, len(gold) * (len(gold) - 1) // 2
    # draws are the last axis, so that every comparison runs along neighbors in memory
    sides = [np.ascontiguousarray((part / count[:, None]).transpose(1, 2, 0)) for part in (kept, moved)]
    slack = [_SLACK * np.abs(side).max(axis=0, initial=0.0) for side in sides]
    level = _SLACK * np.abs(gold).max(initial=0.0)
    hits = np.zeros((submissions, submissions, draws), dtype=np.int32)
    few = np.zeros(hits.shape, dtype=np.uint8)  # the hits of at most 255 pairs of systems, added in bytes
    for nth, (i, j) in enumerate(combinations(range(systems), 2), 1):
        if abs(gold[i] - gold[j]) <= level:
            few += (~(_above(sides, i, j, slack) | _above(sides, j, i, slack))).view(np.uint8)
        else:
            few += _above(sides, *((i, j) if gold[i] > gold[j] else (j, i)), slack).view(np.uint8)
        if nth % _MOST_IN_A_BYTE == 0 or nth == pairs:
            hits += few
            few[:] = 0
    return (hits / pairs if pairs else np.full(hits.shape, np.nan)).transpose(2, 0, 1)


def _above(sides: Sequence[FloatArray], i: int, j: int, slack: Sequence[FloatArray]) -> NDArray[np.bool_]:
    """Return whether the mean of system i is above that of system j by more than rounding, (S, S, draws)."""
    kept, moved = sides
    kept_apart, received = kept[i] - kept[j] - slack[0], moved[j] - moved[i] + slack[1]
    return np.asarray(kept_apart[:, None] > received[None])


@frozen
class CorrelationOfMixtures:
    """Pearson's correlation of mixtures.

    `correlate`, from both sides, (..., systems) each, and ones, is for mixtures that are constant, or so nearly that
    moments have lost their digits.
    """

    correlate: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]

    def __call__(self, gold: FloatArray, count: FloatArray, kept: FloatArray, moved: FloatArray) -> FloatArray:
        r = np.empty((len(kept), kept.shape[2], kept.shape[2]))
        for part in bounded_slices(len(kept), _ARRAYS * kept.shape[2] ** 2, most=CELLS_IN_CACHE):
            r[part] = self._of_draws(gold, count, kept[part], moved[part])
        return r

    def _of_draws(self, gold: FloatArray, count: FloatArray, kept: FloatArray, moved: FloatArray) -> FloatArray:
        parts = [part / count[:, None] for part in (kept, moved)]
        of_kept, received = (part - part.mean(axis=1, keepdims=True) for part in parts)
        centered = gold - gold.mean()
        terms = (of_kept**2).sum(axis=1)[:, :, None] + (received**2).sum(axis=1)[:, None, :]
        squared = terms + 2 * (of_kept.transpose(0, 2, 1) @ received)
        size = (parts[0] ** 2).sum(axis=1)[:, :, None] + (parts[1] ** 2).sum(axis=1)[:, None, :]
        covariance = (centered @ of_kept)[:, :, None] + (centered @ received)[:, None, :]
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
    present = batches[0].present
    count = present.sum(axis=0)
    among = np.flatnonzero(count)
    values = [np.where(present, batch.predicted, 0.0)[:, among] for batch in chosen]
    gold = np.where(present, batches[0].gold, 0.0)[:, among].sum(axis=0) / count[among]
    return MeansExchange(
        gold=gold,
        count=count[among].astype(np.float64),
        values=np.ascontiguousarray(np.stack(values, axis=-1).transpose(1, 0, 2)),
        axis=axis,
        score=score,
        among=among,
        width=len(count),
    )

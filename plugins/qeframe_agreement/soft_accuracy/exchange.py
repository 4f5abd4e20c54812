"""The exchange of soft pairwise accuracy: p-values of mixed scores, with no statistic bound again.

The sums of a mixed submission are those of the cells that it keeps, plus those of the cells that it receives. One
product in each draw serves all submissions, and for each pair of submissions only the counting remains.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import FloatArray, Grid, IntArray
from qeframe.plugin.resampling import Exchange
from qeframe_agreement.exchanges.axes import Axis, Bind, make_stacked, same_cells, standardized
from qeframe_agreement.soft_accuracy.permutation_counts import ReachedCounter

_SLACK = 1e-12
"""Sums that differ by less, relative to the sum of absolute scores, are equal; as in `p_of_sums`."""


@frozen(kw_only=True, eq=False)
class SoftExchange:
    """Swaps of the cells of complete items.

    Parameters
    ----------
    predicted : (S, systems, n) float64
        The scores of all submissions in the complete items.
    gold : (pairs of systems,) float64
        The p-values of the humans.
    signs : (draws, n) float64
        Those of the permutation of systems; each one counts for its opposite too.
    complete : (items,) bool
    axis : str
    """

    predicted: FloatArray
    gold: FloatArray
    signs: FloatArray
    complete: NDArray[np.bool_]
    axis: Axis

    @property
    def cells(self) -> int:
        """One cell for each item, for each system, or for each cell of the grid."""
        items, systems = len(self.complete), self.predicted.shape[1]
        return {"segment": items, "system": systems}.get(self.axis, items * systems)

    def _swapped(self, mask: NDArray[Any]) -> FloatArray:
        """Return a mask of cells as (systems, n) zeros and ones."""
        items, systems = len(self.complete), self.predicted.shape[1]
        if self.axis == "system":
            return np.broadcast_to(mask.astype(np.float64)[:, None], self.predicted.shape[1:])
        by_item = mask.reshape(items, -1)[self.complete].T.astype(np.float64)
        return np.broadcast_to(by_item, (systems, by_item.shape[1]))

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        if not self.gold.size or not self.complete.any():
            return np.full((len(masks), len(first)), np.nan)
        chosen, position = np.unique(np.concatenate([first, second]), return_inverse=True)
        a, b = position[: len(first)], position[len(first) :]
        mixed = _Mixed.of(self.predicted[chosen], self.signs)
        differences = np.empty((len(masks), len(first)))
        for draw, mask in enumerate(masks):
            apart = mixed.apart(self._swapped(mask), self.gold)
            differences[draw] = apart[b, a] - apart[a, b]
        return differences


@frozen(eq=False)
class _Mixed:
    """The scores of submissions, and their sums over the flipped items of every permutation.

    Parameters
    ----------
    scores : (systems, K, n) float64
    flipped : (n, draws) float64
        1 where a permutation swaps an item, else 0.
    observed : (systems, K) float64
        The sums over all items.
    sums : (systems, K, 2 * draws) float64
        Over the flipped items, then over those that the opposite permutation flips.
    size : (K, systems) float64
        The sums of absolute scores; rounding errors are relative to them.
    """

    scores: FloatArray
    flipped: FloatArray
    observed: FloatArray
    sums: FloatArray
    size: FloatArray
    count: ReachedCounter

    @classmethod
    def of(cls, scores: FloatArray, signs: FloatArray) -> _Mixed:
        """Return the scores (K, systems, n) with their sums, for signs (draws, n)."""
        flipped = np.ascontiguousarray((1.0 - signs.T) / 2)
        by_system = np.ascontiguousarray(scores.swapaxes(0, 1))
        counter = ReachedCounter(len(scores), 2 * flipped.shape[1])
        return cls(by_system, flipped, *_sums(by_system, flipped), np.abs(scores).sum(axis=2), counter)

    def apart(self, swapped: FloatArray, gold: FloatArray) -> FloatArray:
        """Return the mean absolute difference of the p-values from those of the humans, (K, K).

        A submission (row) receives the cells of another one (column) that are swapped, (systems, n). `p_of_sums` says
        which p-values these are.
        """
        observed, moved = _sums(self.scores * swapped[:, None], self.flipped)
        kept_observed, kept = self.observed - observed, self.sums - moved
        slack = _SLACK * np.maximum((self.size[:, None] + self.size).max(axis=2), 1e-300)
        first, second = np.triu_indices(len(self.scores), 1)
        total = np.zeros(slack.shape)
        own, other = np.empty((2, *moved.shape[1:]))
        for i, j, human in zip(first, second, gold, strict=True):
            np.subtract(kept[i], kept[j], out=own)
            np.subtract(moved[i], moved[j], out=other)
            p = self.count(own, other, slack / 2) / (2 * moved.shape[2])
            difference = (kept_observed[i] - kept_observed[j])[:, None] + (observed[i] - observed[j])
            p[np.abs(difference) <= slack] = 0.5
            total += np.abs(p - human)
        return total / len(gold)


def _sums(scores: FloatArray, flipped: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the sums over all items, (systems, K), and over flipped and other items, (systems, K, 2 * draws)."""
    systems, count, items = scores.shape
    draws = flipped.shape[1]
    observed, sums = scores.sum(axis=2), np.empty((systems, count, 2 * draws))
    sums[..., :draws] = (scores.reshape(-1, items) @ flipped).reshape(systems, count, draws)
    np.subtract(observed[..., None], sums[..., :draws], out=sums[..., draws:])
    return observed, sums


def soft_exchange(bind: Bind, batches: Sequence[Grid], axis: Axis, standardize: bool) -> Exchange:
    """Return the exchange along an axis; computed again if the submissions lack different cells."""
    if not same_cells(batches) or batches[0].systems < 2:
        return make_stacked(batches, bind, axis, standardize)
    bound: Any = [bind(batch) for batch in (standardized(batches) if standardize else batches)]
    one = bound[0]
    return SoftExchange(
        predicted=np.stack([each.predicted[:, one.complete] for each in bound]),
        gold=one.gold_p_values,
        signs=one.signs[:, one.complete],
        complete=one.complete,
        axis=axis,
    )

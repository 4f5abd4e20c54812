"""The exchange of soft pairwise accuracy: p-values of mixed scores, with no statistic bound again.

Under the signs of a permutation of systems, the sums of a mixed submission are the sums of its own scores, less those
of the scores given away, plus those of the scores received. One product in each draw serves all submissions, and for
each pair of submissions only the counting remains.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import CapabilityError, Exchange, FloatArray, Grid, IntArray, bounded_slices
from qeframe_agreement.exchanges.axes import Axis, Bind, make_stacked, same_cells, standardized
from qeframe_agreement.soft_accuracy.p_values import p_of_sums

__all__ = ["SoftExchange", "soft_exchange"]

_ARRAYS = 16
"""How many arrays of one number a system and permutation live at once: of systems, and of the pairs of systems."""


@frozen(kw_only=True, eq=False)
class SoftExchange:
    """Swaps of the cells of complete items.

    Parameters
    ----------
    predicted : (S, systems, n) float64
        The scores of all submissions in the complete items.
    gold : (pairs of systems,) float64
        The p-values of the humans.
    signs : (1 + draws, n) float64
        Ones, then those of the permutation of systems.
    complete : (items,) bool
    axis : str
    official : bool
        How draws are counted, as in `p_of_sums`.
    """

    predicted: FloatArray
    gold: FloatArray
    signs: FloatArray
    complete: NDArray[np.bool_]
    axis: Axis
    official: bool

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
        differences = np.empty((len(masks), len(first)))
        total, size = self._sums(self.predicted), np.abs(self.predicted).sum(axis=2)
        parts = bounded_slices(len(first), _ARRAYS * total[0].size)
        for draw, mask in enumerate(masks):
            moved = self._sums(self.predicted * self._swapped(mask))
            kept = total - moved
            for part in parts:
                a, b = first[part], second[part]
                roundings = size[a] + size[b]
                mine = self._apart(kept[a] + moved[b], roundings)
                differences[draw, part] = self._apart(kept[b] + moved[a], roundings) - mine
        return differences

    def _sums(self, scores: FloatArray) -> FloatArray:
        """Return the sums over items under all signs, (S, systems, 1 + draws)."""
        submissions, systems, items = scores.shape
        return (scores.reshape(-1, items) @ self.signs.T).reshape(submissions, systems, -1)

    def _apart(self, sums: FloatArray, size: FloatArray) -> FloatArray:
        """Return the mean absolute difference of the p-values from those of the humans."""
        p = p_of_sums(sums[:, :, 0], sums[:, :, 1:], size, official=self.official)
        return np.abs(p - self.gold).mean(axis=1)


def soft_exchange(bind: Bind, batches: Sequence[Grid], axis: Axis, standardize: bool) -> Exchange:
    """Return the exchange along an axis; computed again if the submissions lack different cells.

    Raises
    ------
    CapabilityError
        If they do and the official signs are used, which belong to positions among the complete items.
    """
    first: Any = bind(batches[0])
    if first.official and not same_cells(batches):
        raise CapabilityError(
            "metrics that lack different cells have no items in common whose official signs could be exchanged: "
            "use spa without 'replicate', or 'bootstrap'"
        )
    if not same_cells(batches) or batches[0].systems < 2:
        return make_stacked(batches, bind, axis, standardize)
    bound: Any = [bind(batch) for batch in (standardized(batches) if standardize else batches)]
    one = bound[0]
    signs = one.signs[:, one.complete]
    return SoftExchange(
        predicted=np.stack([each.predicted[:, one.complete] for each in bound]),
        gold=one.gold_p_values,
        signs=np.concatenate([np.ones((1, signs.shape[1])), signs]),
        complete=one.complete,
        axis=axis,
        official=one.official,
    )

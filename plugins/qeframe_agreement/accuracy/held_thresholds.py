"""Exchanges of pairwise agreement at fixed thresholds: they are linear, and all draws are one matrix product.

Let s be +1 for a kept and -1 for a swapped cell. The difference after an exchange is half the sum of s times g, where g
is the effect of a cell. A pair of cells contributes D + E to g of its first and D - E to g of its second cell: D is the
difference of the outcomes with all scores from one metric, E that with mixed scores.

Every score keeps the threshold of its metric: two scores of one metric tie at the threshold of that metric, two scores
of different metrics at the mean of both thresholds. Standardized scores have standardized thresholds. Scores of one
metric are compared unstandardized, so that no rounding moves a pair across a threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import Additive, CapabilityError, FloatArray, Grid, IntArray, TiePolicy, mean_of_sums
from qeframe.plugin.resampling import Exchange, OutcomeExchange, additive_exchange
from qeframe_agreement.exchanges.axes import Axis, location_and_scale, same_cells
from qeframe_agreement.grids.pairing import ItemPairs, item_pairs

_EXACT_IN_FLOAT32 = 2**24


@frozen(eq=False)
class LinearExchange:
    """Agreement at held thresholds, by cells or systems: the product of signs and effects.

    Parameters
    ----------
    effects : (pairs of submissions, cells) float32 or float64
        What each cell contributes to the difference of a pair, up to `scale`; the first submission has the lower
        position.
    scale : float
    submissions : int
    """

    effects: FloatArray
    scale: float
    submissions: int

    @property
    def cells(self) -> int:
        """How many cells there are to swap."""
        return self.effects.shape[1]

    def __call__(self, masks: NDArray[np.uint8], first: IntArray, second: IntArray) -> FloatArray:
        low, high = np.minimum(first, second), np.maximum(first, second)
        position = low * self.submissions - low * (low + 1) // 2 + high - low - 1
        kept = 1 - 2 * masks.astype(self.effects.dtype).T
        most = 2 * len(position) > len(self.effects)  # choosing effects would copy most of them
        sums = (self.effects @ kept)[position] if most else self.effects[position] @ kept
        return sums.T.astype(np.float64) * np.where(first < second, self.scale, -self.scale)


@frozen(eq=False)
class _Held:
    """The scores of a metric on both sides of all pairs, its threshold, and both on a common scale.

    Parameters
    ----------
    own : (pairs, n) float32 or float64
        The outcomes of pairs of its own scores.
    left, right : (pairs, n) float64
    threshold : float
    """

    own: FloatArray
    left: FloatArray
    right: FloatArray
    threshold: float


def _held(pairs: ItemPairs, batch: Grid, epsilon: float, standardize: bool) -> _Held:
    mean, scale = location_and_scale(batch) if standardize else (0.0, 1.0)
    columns = (np.ascontiguousarray(batch.predicted.T) - mean) / scale
    own = pairs.outcome(pairs.differences(batch.predicted), epsilon)
    return _Held(own, columns[pairs.first], columns[pairs.second], epsilon / scale)


def _effects(pairs: ItemPairs, held: Sequence[_Held], systems: int) -> FloatArray:
    """Return the effects of all cells on twice the difference of a pair, (pairs of submissions, n, systems)."""
    begins, ends = (np.eye(systems, dtype=pairs.table.dtype)[side].T for side in (pairs.first, pairs.second))
    count, items = len(held), pairs.middle.shape[1]
    effects = np.empty((count * (count - 1) // 2, items, systems), dtype=pairs.table.dtype)
    for position, (a, b) in enumerate(combinations(held, 2)):
        between = (a.threshold + b.threshold) / 2
        same = a.own - b.own
        mixed = pairs.outcome(a.left - b.right, between) - pairs.outcome(b.left - a.right, between)
        effects[position] = (begins @ (same + mixed) + ends @ (same - mixed)).T
    return effects


def _weights(pairs: ItemPairs) -> FloatArray:
    """Return the weight of a pair of each item in the mean over items, (n,)."""
    return pairs.defined / (pairs.size * (pairs.defined.sum() or np.nan))


def _by_cells(batches: Sequence[Grid], pairs: ItemPairs, held: Sequence[_Held], axis: Axis) -> LinearExchange:
    effects = _effects(pairs, held, batches[0].systems)
    weights = _weights(pairs)
    level = weights[weights > 0]
    exact = effects.dtype == np.float32 and bool((level == level[:1]).all())
    scale = (float(level[0]) / 2 if exact else 0.5) if len(level) else np.nan
    if not exact:
        effects = effects * weights[:, None]
    cells = effects.sum(axis=1) if axis == "system" else effects.reshape(len(effects), -1)
    if cells.dtype == np.float32 and 4 * np.abs(cells).sum(axis=1).max(initial=0.0) >= _EXACT_IN_FLOAT32:
        cells = cells.astype(np.float64)
    return LinearExchange(cells, scale, len(batches))


def linear_exchange(
    batches: Sequence[Grid], ties: TiePolicy, epsilons: Sequence[float], axis: Axis, standardize: bool
) -> Exchange:
    """Return the exchange along an axis; the threshold of each metric does not change.

    Raises
    ------
    CapabilityError
        By cells, systems or pairs, if the metrics do not have the same cells: the number of pairs of an item would
        change with the exchange.
    """
    if axis == "segment":
        return additive_exchange([_by_items(batch, ties, each) for batch, each in zip(batches, epsilons, strict=True)])
    if not same_cells(batches):
        raise CapabilityError(
            f"metrics that lack different cells cannot exchange by {axis}: exchange whole segments (unit=segment)"
        )
    pairs = item_pairs(batches[0], ties)
    held = [_held(pairs, batch, epsilon, standardize) for batch, epsilon in zip(batches, epsilons, strict=True)]
    if axis == "pair":
        counted = pairs.counted
        outcomes = np.stack([each.own[counted] for each in held]).astype(np.float64)
        return OutcomeExchange(outcomes, np.broadcast_to(_weights(pairs), counted.shape)[counted])
    return _by_cells(batches, pairs, held, axis)


def _by_items(batch: Grid, ties: TiePolicy, epsilon: float) -> Additive:
    pairs = item_pairs(batch, ties)
    return Additive(np.stack([pairs.defined, pairs.values(batch.predicted, epsilon)], axis=1), mean_of_sums, batch.unit)

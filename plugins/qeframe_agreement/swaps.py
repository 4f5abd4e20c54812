"""Exchanges of grids: by items, by single cells, by whole systems.

Swapping items is weighing: the exchanged grid of a pair consists of some items of one and the other items of the other,
so that it is the stack of both under weights 0 and 1, and any statistic is bound once for all draws.

Swapping cells or systems is linear for agreement with a fixed threshold: with s = +1 for a kept and -1 for a swapped
cell, the difference after an exchange is half the sum of s times g. A pair of cells contributes D + E to g of its first
and D - E to g of its second cell, where D is the difference of the outcomes with all scores from one metric, and E of
those with mixed scores. All draws of all pairs of metrics are then one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.batch import FloatArray, IntArray
from qeframe.components import TiePolicy
from qeframe.errors import DataError
from qeframe.exchange import Exchange, exchange_rows
from qeframe.grid import Grid
from qeframe.statistic import Statistic
from qeframe_agreement.pairing import item_pairs

__all__ = ["Axis", "GridExchange", "agreement_exchange", "row_exchange", "stacked_exchange"]

Axis = Literal["segment", "cell", "system"]
Bind = Callable[[Grid], Statistic]


@frozen(eq=False)
class GridExchange:
    """An exchange along an axis of the grid, which can be had along the others.

    Parameters
    ----------
    exchange : Exchange
        What does the work.
    make : callable
        From an axis to the exchange along it.
    """

    exchange: Exchange
    make: Callable[[Axis], Exchange]

    @property
    def cells(self) -> int:
        """How many segments, cells or systems there are."""
        return self.exchange.cells

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        return self.exchange(masks, first, second)

    def along(self, axis: Axis) -> GridExchange:
        """Return the exchange of segments, of single cells (item after item), or of systems."""
        if axis not in ("segment", "cell", "system"):
            raise DataError(f"there is no axis '{axis}' to exchange along", remedy="use segment, cell or system")
        return GridExchange(self.make(axis), self.make)


@frozen(eq=False)
class StackedExchange:
    """Any statistic, by segments: bound once to the items of both, weights 0 and 1 say whose count."""

    batches: Sequence[Grid]
    bind: Bind

    @property
    def cells(self) -> int:
        """One cell a segment."""
        return len(self.batches[0])

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        swapped = masks.astype(np.float64)
        weights = np.stack([np.hstack([1 - swapped, swapped]), np.hstack([swapped, 1 - swapped])])
        differences = np.empty((len(masks), len(first)))
        for column, (a, b) in enumerate(zip(first, second, strict=True)):
            mine, theirs = self.bind(self.batches[a].stacked(self.batches[b]))(weights)
            differences[:, column] = mine - theirs
        return differences


@frozen(eq=False)
class ComputedAgain:
    """Any statistic, by cells or systems: swap, bind and score again, one draw after the other."""

    batches: Sequence[Grid]
    bind: Bind
    axis: Axis

    @property
    def cells(self) -> int:
        """One cell a system, or a cell of the grid."""
        items, systems = self.batches[0].gold.shape
        return systems if self.axis == "system" else items * systems

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        shape = self.batches[0].gold.shape
        ones = np.ones(shape[0])
        differences = np.empty((len(masks), len(first)))
        for row, mask in enumerate(masks.astype(np.bool_)):
            cells = np.broadcast_to(mask, shape) if self.axis == "system" else mask.reshape(shape)
            for column, (a, b) in enumerate(zip(first, second, strict=True)):
                mine, theirs = self.batches[a].exchanged(self.batches[b], cells)
                differences[row, column] = float(self.bind(mine)(ones)) - float(self.bind(theirs)(ones))
        return differences


@frozen(eq=False)
class LinearExchange:
    """Agreement with a fixed threshold: half the product of signs and effects.

    Parameters
    ----------
    effects : (pairs of submissions, cells) float64
        What each cell contributes to twice the difference of a pair: the first below the second.
    submissions : int
    """

    effects: FloatArray
    submissions: int

    @property
    def cells(self) -> int:
        """How many cells there are to swap."""
        return self.effects.shape[1]

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        low, high = np.minimum(first, second), np.maximum(first, second)
        place = low * self.submissions - low * (low + 1) // 2 + high - low - 1
        halved = np.where(first < second, 0.5, -0.5)
        kept = 1.0 - 2.0 * masks.astype(np.float64)
        return (kept @ self.effects[place].T) * halved


def _effects(batches: Sequence[Grid], ties: TiePolicy, epsilon: float) -> FloatArray:
    """Return the effects of all cells, (pairs of submissions, n, systems)."""
    pairs = item_pairs(batches[0], ties)
    begins, ends = (np.eye(batches[0].systems, dtype=pairs.table.dtype)[side].T for side in (pairs.first, pairs.second))
    columns = [np.ascontiguousarray(batch.predicted.T) for batch in batches]
    left, right = ([each[side] for each in columns] for side in (pairs.first, pairs.second))
    pure = [pairs.outcome(a - b, epsilon) for a, b in zip(left, right, strict=True)]
    effects = np.empty((len(batches) * (len(batches) - 1) // 2, *batches[0].gold.shape))
    count = pairs.size * (pairs.defined.sum() or np.nan)
    for place, (x, y) in enumerate(zip(*np.triu_indices(len(batches), 1), strict=True)):
        same = pure[x] - pure[y]
        mixed = pairs.outcome(left[x] - right[y], epsilon) - pairs.outcome(left[y] - right[x], epsilon)
        effects[place] = ((begins @ (same + mixed) + ends @ (same - mixed)) / count).T
    return effects


def _same_cells(batches: Sequence[Grid]) -> bool:
    there = batches[0].present
    return all(np.array_equal(batch.present, there) for batch in batches[1:])


def _agreement(batches: Sequence[Grid], bind: Bind, ties: TiePolicy, epsilon: float, axis: Axis) -> Exchange:
    if axis == "segment":
        return exchange_rows(batches, bind)  # type: ignore[arg-type]  # the batches are grids
    if not _same_cells(batches):  # an item's number of pairs changes with the exchange
        return ComputedAgain(batches, bind, axis)
    effects = _effects(batches, ties, epsilon)
    cells = effects.sum(axis=1) if axis == "system" else effects.reshape(len(effects), -1)
    return LinearExchange(cells, len(batches))


def _stacked(batches: Sequence[Grid], bind: Bind, axis: Axis) -> Exchange:
    return StackedExchange(batches, bind) if axis == "segment" else ComputedAgain(batches, bind, axis)


def _rows(batches: Sequence[Grid], bind: Bind, axis: Axis) -> Exchange:
    if axis == "segment":
        return exchange_rows(batches, bind)  # type: ignore[arg-type]  # the batches are grids
    return ComputedAgain(batches, bind, axis)


def agreement_exchange(bind: Bind, ties: TiePolicy, epsilon: float, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange of agreement with a fixed threshold: through rows by segments, linear by cells, systems."""
    make = partial(_agreement, batches, bind, ties, epsilon)
    return GridExchange(make("segment"), make)


def stacked_exchange(bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange of any statistic: on the stacked items by segments, computed again otherwise."""
    make = partial(_stacked, batches, bind)
    return GridExchange(make("segment"), make)


def row_exchange(bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange of a metric with rows in common terms: through rows by segments, else computed again."""
    make = partial(_rows, batches, bind)
    return GridExchange(make("segment"), make)

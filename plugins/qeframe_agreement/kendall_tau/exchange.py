"""The exchanges of tau-b and tau-c: counts of mixed scores, with no statistic bound again where that is possible."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, Grid, IntArray, ratio
from qeframe.plugin.resampling import Exchange, bounded_slices
from qeframe_agreement.exchanges.axes import (
    Axis,
    Bind,
    GridExchange,
    StackedExchange,
    make_stacked,
    same_cells,
    standardized,
)
from qeframe_agreement.grids.groups import Grouping, cells_of
from qeframe_agreement.kendall_tau.concordance import Variant
from qeframe_agreement.kendall_tau.flat_exchange import merge
from qeframe_agreement.kendall_tau.item_exchange import ItemTauExchange

_CELLS = 2**20
"""How many chosen and other scores a block of draws holds: what is made of them stays in the cache."""


@frozen(kw_only=True, eq=False)
class GroupTauExchange:
    """The exchange of cells or systems for tau over all cells, or for its mean over systems.

    Parameters
    ----------
    gold, predicted : (n, systems), (S, n, systems) float64
        NaN where a cell is missing; all submissions have the same cells.
    axis : str
        cell or system.
    by_system : bool
    variant : {"b", "c"}
    zero : bool
        Whether an undefined system that has a cell counts 0; else it is dropped.
    """

    gold: FloatArray
    predicted: FloatArray
    axis: Axis
    by_system: bool
    variant: Variant
    zero: bool

    @property
    def cells(self) -> int:
        """One cell for each system, or for each cell of the grid."""
        return self.gold.shape[1] if self.axis == "system" else self.gold.size

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        items, systems = self.gold.shape
        rows = 1 if self.axis == "system" else items
        swapped = masks.astype(np.bool_).reshape(len(masks), rows, systems)
        swapped = np.broadcast_to(swapped, (len(masks), items, systems))
        differences = np.empty((len(masks), len(first)))
        for column, (a, b) in enumerate(zip(first, second, strict=True)):
            taus = [self._taus(group, a, b, swapped) for group in self._groups()]
            mine, theirs = self._means(np.array(taus).reshape(len(taus), 2, len(masks)))
            differences[:, column] = mine - theirs
        return differences

    def _groups(self) -> list[BoolArray]:
        """Return the cells of each group that has any, (n, systems) bool each."""
        there = ~np.isnan(self.gold)
        if not self.by_system:
            return [there] if there.any() else []
        columns = np.eye(there.shape[1], dtype=np.bool_)
        return [there & column for column in columns if (there & column).any()]

    def _taus(self, group: BoolArray, a: int, b: int, swapped: BoolArray) -> FloatArray:
        """Return the taus of a group of cells, (2, draws)."""
        merged = merge(self.gold[group], self.predicted[a][group], self.predicted[b][group])
        parts = bounded_slices(len(swapped), 2 * int(group.sum()), most=_CELLS)
        empty = np.empty((2, 0))
        return np.concatenate([empty, *(merged.taus(swapped[part][:, group], self.variant) for part in parts)], axis=1)

    def _means(self, taus: FloatArray) -> FloatArray:
        """Return the means over groups, (2, draws), of taus (groups, 2, draws)."""
        defined = ~np.isnan(taus)
        counted = np.ones_like(defined) if self.zero else defined
        return ratio(np.where(defined, taus, 0.0).sum(axis=0), counted.sum(axis=0).astype(np.float64))


def tau_exchange(variant: Variant, grouping: Grouping, zero: bool, bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange: on the stacked items by segments, through counts by cells and systems.

    Submissions that lack different cells, and tau-c by item, are bound and scored again by cells and systems.
    """
    make = partial(_along, bind, variant, grouping, zero, batches)
    return GridExchange(StackedExchange(batches, bind), make)


def _along(
    bind: Bind,
    variant: Variant,
    grouping: Grouping,
    zero: bool,
    batches: Sequence[Grid],
    axis: Axis,
    standardize: bool,
) -> Exchange:
    counted = variant == "b" or grouping != "item"
    if axis == "segment" or not counted or not same_cells(batches):
        return make_stacked(batches, bind, axis, standardize)
    sides = [cells_of(batch) for batch in (standardized(batches) if standardize else batches)]
    gold, predicted = sides[0][0], np.stack([side for _, side in sides])
    if grouping == "item":
        return ItemTauExchange(gold=gold, predicted=predicted, axis=axis, zero=zero)
    return GroupTauExchange(
        gold=gold, predicted=predicted, axis=axis, by_system=grouping == "system", variant=variant, zero=zero
    )

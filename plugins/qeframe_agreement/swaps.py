"""Exchanges of grids: by items, by single cells, by whole systems.

Swapping items is weighing: the exchanged grid of a pair consists of some items of one and the other items of the other,
so that it is the stack of both under weights 0 and 1, and any statistic is bound once for all draws. Swapping cells or
systems is computed again unless a metric knows better: see `qeframe_agreement.linear` and `column_sums`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Literal

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import CapabilityError, Exchange, FloatArray, Grid, IntArray, Statistic

__all__ = ["Axis", "ComputedAgain", "GridExchange", "StackedExchange", "make_stacked", "stacked_exchange"]

Axis = Literal["segment", "cell", "system", "pair"]
Bind = Callable[[Grid], Statistic]
Make = Callable[[Axis, bool], Exchange]
_AXES: tuple[Axis, ...] = ("segment", "cell", "system")


@frozen(eq=False)
class GridExchange:
    """An exchange of items, which can be had along the other axes of the grid.

    Parameters
    ----------
    exchange : Exchange
        What does the work.
    make : callable
        From an axis, and whether scores are standardised, to the exchange along it.
    axes : tuple of str
        Which axes there are.
    """

    exchange: Exchange
    make: Make
    axes: tuple[Axis, ...] = _AXES

    @property
    def cells(self) -> int:
        """One cell an item."""
        return self.exchange.cells

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        return self.exchange(masks, first, second)

    def along(self, axis: str, *, standardise: bool = False) -> Exchange:
        """Return the exchange of segments, of single cells (item after item), of systems, of the outcomes of pairs."""
        for known in self.axes:
            if axis == known:
                return self.make(known, standardise)
        why = "its score is no sum over pairs; " if axis == "pair" else ""
        raise CapabilityError(f"this metric has no exchange of '{axis}': {why}there are {', '.join(self.axes)}")


@frozen(eq=False)
class StackedExchange:
    """Any statistic, by segments: bound once to the items of both, weights 0 and 1 say whose count."""

    recomputes: ClassVar[bool] = True
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

    recomputes: ClassVar[bool] = True
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


def standardised(batches: Sequence[Grid]) -> list[Grid]:
    """Return the grids with scores of mean 0 and standard deviation 1 (n cells) over the cells of each."""
    return [attrs.evolve(each, predicted=(each.predicted - mean) / scale) for each, mean, scale in _scaled(batches)]


def _scaled(batches: Sequence[Grid]) -> list[tuple[Grid, float, float]]:
    return [(batch, *location_and_scale(batch)) for batch in batches]


def location_and_scale(batch: Grid) -> tuple[float, float]:
    """Return the mean and the standard deviation of a metric's scores in the cells of both sides; (0, 1) for none.

    A constant metric has scale 1.
    """
    there = batch.predicted[batch.present]
    if not len(there):
        return 0.0, 1.0
    mean = float(there[0] + np.mean(there - there[0]))
    scale = float(np.sqrt(np.mean((there - mean) ** 2)))
    return mean, scale if scale > 1e-13 * max(abs(mean), 1e-300) else 1.0


def make_stacked(batches: Sequence[Grid], bind: Bind, axis: Axis, standardise: bool) -> Exchange:
    """Return the exchange of any statistic along an axis."""
    chosen = standardised(batches) if standardise else batches
    return StackedExchange(chosen, bind) if axis == "segment" else ComputedAgain(chosen, bind, axis)


def stacked_exchange(bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange of any statistic: on the stacked items by segments, computed again otherwise."""
    return GridExchange(StackedExchange(batches, bind), partial(make_stacked, batches, bind))

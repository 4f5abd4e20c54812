"""Exchanges of grids: by items, by single cells, by whole systems.

A swap of items is a change of weights: the exchanged grid is the stack of both grids under weights 0 and 1, so that any
statistic is bound once for all draws. After a swap of cells or systems a statistic is bound and scored again, unless
the metric has a faster exchange (`column_sums`, `qeframe_agreement.accuracy.within_items`).
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, Literal

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import CapabilityError, FloatArray, Grid, IntArray, Statistic
from qeframe.plugin.resampling import Exchange, ExchangeByWeights, Standardize, exchange_rows

Axis = Literal["segment", "cell", "system", "pair"]
Bind = Callable[[Grid], Statistic]
Make = Callable[[Axis, Standardize], Exchange]
_AXES: tuple[Axis, ...] = ("segment", "cell", "system")


@frozen(eq=False)
class GridExchange:
    """An exchange of items that offers the other axes of the grid too: each is made when it is asked for."""

    cells: int  # one for each item
    of_items: Callable[[], Exchange]
    make: Make  # from an axis, and whether scores are standardized, to the exchange along it
    axes: tuple[Axis, ...] = _AXES

    @cached_property
    def exchange(self) -> Exchange:
        """The exchange of items."""
        return self.of_items()

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        return self.exchange(masks, first, second)

    def along(self, axis: str, *, standardize: Standardize = False) -> Exchange:
        """Return the exchange of segments, of single cells (item after item), of systems, of the outcomes of pairs."""
        for offered in self.axes:
            if axis == offered:
                return self.make(offered, standardize)
        why = "its score is not a sum over pairs; " if axis == "pair" else ""
        raise CapabilityError(f"this metric has no exchange of '{axis}': {why}use one of {', '.join(self.axes)}")


def by_segments(batches: Sequence[Grid], bind: Bind) -> Exchange:
    """Return the exchange of any statistic by segments: bound once to the items of both, which weights choose."""
    return ExchangeByWeights(bind, recomputes=True)(batches)


@frozen(eq=False)
class ComputedAgain:
    """The exchange of any statistic by cells or systems: swapped, bound and scored again, draw by draw."""

    recomputes: ClassVar[bool] = True
    batches: Sequence[Grid]
    bind: Bind
    axis: Axis

    @property
    def cells(self) -> int:
        """One cell for each system, or for each cell of the grid."""
        items, systems = self.batches[0].gold.shape
        return systems if self.axis == "system" else items * systems

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        shape = self.batches[0].gold.shape
        ones = np.ones(shape[0])
        differences = np.empty((len(masks), len(first)))
        for row, mask in enumerate(masks.astype(np.bool_)):
            cells = np.broadcast_to(mask, shape) if self.axis == "system" else mask.reshape(shape)
            for column, (a, b) in enumerate(zip(first, second, strict=True)):
                mine, theirs = self.batches[a].swap_answers(self.batches[b], cells)
                differences[row, column] = float(self.bind(mine)(ones)) - float(self.bind(theirs)(ones))
        return differences


@frozen(kw_only=True, eq=False)
class CellExchange:
    """An exchange of cells or systems of submissions that have the same cells, whose scores are (n, systems)."""

    gold: FloatArray
    predicted: FloatArray
    axis: Axis

    @property
    def cells(self) -> int:
        """One cell for each system, or for each cell of the grid."""
        return self.gold.shape[1] if self.axis == "system" else self.gold.size

    def swapped(self, masks: NDArray[Any]) -> NDArray[Any]:
        """Return masks as (draws, n, systems)."""
        rows = 1 if self.axis == "system" else len(self.gold)
        by_row = masks.reshape(len(masks), rows, self.gold.shape[1])
        return np.broadcast_to(by_row, (len(masks), *self.gold.shape))


def standardized(batches: Sequence[Grid]) -> list[Grid]:
    """Return the grids with scores of mean 0 and standard deviation 1 (n cells) over the cells of each."""
    scaled = [(batch, *location_and_scale(batch)) for batch in batches]
    return [attrs.evolve(batch, predicted=(batch.predicted - mean) / scale) for batch, mean, scale in scaled]


def location_and_scale(batch: Grid) -> tuple[float, float]:
    """Return the mean and the standard deviation of a metric's scores in the cells of both sides; (0, 1) without any.

    A constant metric has scale 1.
    """
    scores = batch.predicted[batch.present]
    if not len(scores):
        return 0.0, 1.0
    mean = float(scores[0] + np.mean(scores - scores[0]))
    scale = float(np.sqrt(np.mean((scores - mean) ** 2)))
    return mean, scale if scale > 1e-13 * max(abs(mean), 1e-300) else 1.0


def same_cells(batches: Sequence[Grid]) -> bool:
    """Return whether all grids have the same cells."""
    return all(batches[0].answers_same_cells(batch) for batch in batches[1:])


def make_stacked(batches: Sequence[Grid], bind: Bind, axis: Axis, standardize: Standardize) -> Exchange:
    """Return the exchange of any statistic along an axis."""
    chosen = standardized(batches) if standardize else batches
    return by_segments(chosen, bind) if axis == "segment" else ComputedAgain(chosen, bind, axis)


def stacked_exchange(bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange of any statistic: on the stacked items by segments, computed again otherwise."""
    return GridExchange(len(batches[0]), partial(by_segments, batches, bind), partial(make_stacked, batches, bind))


def rows_exchange(bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange of a statistic of sums of rows: through the rows by segments, computed again otherwise."""
    make = partial(_along_rows, bind, batches)
    return GridExchange(len(batches[0]), partial(make, "segment", False), make)


def _along_rows(bind: Bind, batches: Sequence[Grid], axis: Axis, standardize: Standardize) -> Exchange:
    if axis != "segment":
        return make_stacked(batches, bind, axis, standardize)
    chosen = standardized(batches) if standardize else batches
    return exchange_rows(chosen, bind)  # type: ignore[arg-type]  # the batches are grids

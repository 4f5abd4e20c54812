"""The exchange of Pearson's correlation over all cells: moments of cells move from sums to sums."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from qeframe.plugin import Additive, FloatArray, Grid
from qeframe.plugin.resampling import Exchange, additive_exchange, moments, pearson_of_moments
from qeframe_agreement.exchanges.axes import Axis, Bind, GridExchange, StackedExchange, same_cells, standardized
from qeframe_agreement.exchanges.cell_sums import pearson_exchange


def moments_of_cells(batch: Grid, pivot: tuple[float, float]) -> FloatArray:
    """Return the moments of every cell about a pivot, (n, systems, 6), 0 where a side is missing."""
    there = batch.present
    x, y = (np.where(there, side - at, 0.0) for side, at in zip((batch.gold, batch.predicted), pivot, strict=True))
    return moments(x, y, count=there.astype(np.float64))


def _along(bind: Bind, batches: Sequence[Grid], axis: Axis, standardize: bool) -> Exchange:
    if axis == "segment" and not standardize:
        return StackedExchange(batches, bind)
    if axis != "segment" and same_cells(batches):
        return pearson_exchange(batches, by_system=axis == "system", standardize=standardize)
    chosen = standardized(batches) if standardize else batches
    middle = 0.0 if standardize else float(np.mean([batch.pivot[1] for batch in batches]))
    cells = [moments_of_cells(batch, (batch.pivot[0], middle)) for batch in chosen]
    summed: dict[Axis, int] = {"segment": 1, "system": 0}
    rows = [each.sum(axis=summed[axis]) if axis in summed else each.reshape(-1, 6) for each in cells]
    return additive_exchange([Additive(each, pearson_of_moments, axis) for each in rows])


def moments_exchange(bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange: on the stacked items by segments, through moments of cells along the axes.

    Scores that are not standardized are measured from the mean of all submissions. Submissions of very different
    location lose digits there; a mixture of their scores is hardly meaningful. Standardized scores lose no digits.
    """
    return GridExchange(StackedExchange(batches, bind), partial(_along, bind, batches))

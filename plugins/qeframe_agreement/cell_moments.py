"""Exchanges of Pearson's correlation over all cells: moments of cells, moved from sums to sums."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from qeframe.plugin import Additive, Exchange, FloatArray, Grid, RowExchange, StatisticStack
from qeframe_agreement.swaps import Axis, Bind, GridExchange, StackedExchange, standardised

__all__ = ["NOISE", "moments_exchange", "pearson_of_moments"]

NOISE = 1e-13
"""A variance below this share of the second moment is rounding noise of a constant."""


def pearson_of_moments(sums: FloatArray) -> FloatArray:
    """Return correlations, (...), from sums of 1, x, y, x^2, y^2 and xy, (..., 6); NaN where a side is constant."""
    n, sx, sy, sxx, syy, sxy = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = sxx - sx * sx / n, syy - sy * sy / n
        varied = (a > NOISE * sxx) & (b > NOISE * syy)
        r = (sxy - sx * sy / n) / (np.sqrt(a) * np.sqrt(b))
    return np.where(varied, np.clip(r, -1.0, 1.0), np.nan)


def _moments(batch: Grid, pivot: tuple[float, float]) -> FloatArray:
    """Return the moments of every cell about a pivot, (n, systems, 6), 0 where a side is missing."""
    there = batch.present
    x, y = (np.where(there, side - at, 0.0) for side, at in zip((batch.gold, batch.predicted), pivot, strict=True))
    return np.stack([there.astype(np.float64), x, y, x * x, y * y, x * y], axis=-1)


def _along(bind: Bind, batches: Sequence[Grid], axis: Axis, standardise: bool) -> Exchange:
    if axis == "segment" and not standardise:
        return StackedExchange(batches, bind)
    chosen = standardised(batches) if standardise else batches
    middle = 0.0 if standardise else float(np.mean([batch.pivot[1] for batch in batches]))
    cells = [_moments(batch, (batch.pivot[0], middle)) for batch in chosen]
    summed: dict[Axis, int] = {"segment": 1, "system": 0}
    rows = [each.sum(axis=summed[axis]) if axis in summed else each.reshape(-1, 6) for each in cells]
    stack = StatisticStack([Additive(each, pearson_of_moments, axis) for each in rows])
    together = stack.exchangeable
    assert together is not None, "additive, with one score"
    return RowExchange(stack, *together)


def moments_exchange(bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange: on the stacked items by segments, through moments of cells along the axes.

    Scores as they were given are measured from the middle of all submissions: those of very different location lose
    digits, and the comparison of their mixtures says little anyhow. Standardised scores lose none.
    """
    return GridExchange(StackedExchange(batches, bind), partial(_along, bind, batches))

"""Pearson's and Spearman's correlation of segment scores on grids."""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, Grid, IntArray, Metric
from qeframe_agreement.cell_moments import NOISE, moments_exchange, pearson_of_moments
from qeframe_agreement.groups import Grouping, Undefined, bind_groups, claims_of, flatten
from qeframe_agreement.swaps import stacked_exchange

__all__ = ["correlate", "segment_pearson", "segment_spearman"]


def correlate(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Return weighted Pearson correlations over the last axis, NaN where a side is constant or nothing has weight."""
    total = weights.sum(axis=-1, keepdims=True)
    total = np.where(total > 0, total, 1.0)
    a, b = (side - (weights * side).sum(axis=-1, keepdims=True) / total for side in (x, y))
    spread_a, spread_b = ((weights * side * side).sum(axis=-1) for side in (a, b))
    scale_a, scale_b = ((weights * side * side).sum(axis=-1) for side in (x, y))
    varied = (spread_a > NOISE * scale_a) & (spread_b > NOISE * scale_b)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (weights * a * b).sum(axis=-1) / (np.sqrt(spread_a) * np.sqrt(spread_b))
    return np.where(varied, np.clip(r, -1.0, 1.0), np.nan)


def _centred(x: FloatArray) -> FloatArray:
    """Return numbers about the middle of their range, so that an offset costs no digits."""
    return x - (np.nanmin(x) + np.nanmax(x)) / 2 if not np.isnan(x).all() else x


@frozen(eq=False)
class _Linear:
    """Pearson's correlation of a group of cells."""

    x: FloatArray
    y: FloatArray

    def __call__(self, weights: FloatArray) -> FloatArray:
        return pearson_of_moments(weights @ self._moments)

    @cached_property
    def _moments(self) -> FloatArray:
        x, y, item = flatten(_centred(self.x), _centred(self.y))
        moments = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)
        rows = np.zeros((len(self.x), 6))
        np.add.at(rows, item, moments)
        return rows


@frozen(eq=False)
class _Ranked:
    """Spearman's correlation of a group of cells: mid-ranks follow the weights."""

    x: FloatArray
    y: FloatArray

    def __call__(self, weights: FloatArray) -> FloatArray:
        x, y, item = flatten(self.x, self.y)
        if not len(x):
            return np.full(len(weights), np.nan)
        cells = weights[:, item]
        centre = cells.sum(axis=1, keepdims=True) / 2
        a, b = (_mid_ranks(side, cells) - centre for side in (x, y))
        return correlate(a, b, cells)


def _mid_ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted mid-rank of every value, (draws, n): the weight below it and half of that level with it."""
    _, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts: IntArray = np.searchsorted(group[order], np.arange(group.max() + 1))
    level = np.add.reduceat(weights[:, order], starts, axis=1)
    return np.asarray((level.cumsum(axis=1) - level / 2)[:, group])


def _linear_items(x: FloatArray, y: FloatArray) -> FloatArray:
    there = ~np.isnan(x)
    a, b = (np.where(there, side - _first(side, there), 0.0) for side in (x, y))
    return correlate(a, b, there.astype(np.float64))


def _first(side: FloatArray, there: FloatArray) -> FloatArray:
    """Return the first value of every row, (n, 1): rows are measured from it, so that constants are exactly 0."""
    if not side.shape[1]:
        return np.zeros((len(side), 1))
    return np.nan_to_num(np.take_along_axis(side, there.argmax(axis=1)[:, None], axis=1))


def _ranked_items(x: FloatArray, y: FloatArray) -> FloatArray:
    there = ~np.isnan(x)
    a, b = (np.where(there, _ranks_in_rows(side) - there.sum(axis=1, keepdims=True) / 2, 0.0) for side in (x, y))
    return correlate(a, b, there.astype(np.float64))


def _ranks_in_rows(side: FloatArray) -> FloatArray:
    """Return how many values of its row each value is above, those level with it counted half."""
    mine, others = side[:, :, None], side[:, None, :]
    return (others < mine).sum(axis=2) + (others == mine).sum(axis=2) / 2


def _flat(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return both sides of all cells, flat."""
    return batch.gold[batch.present], batch.predicted[batch.present]


def _flat_ranks(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return the mid-ranks of both sides of all cells, flat."""
    x, y = _flat(batch)
    ones = np.ones((1, len(x)))
    return (_mid_ranks(x, ones)[0], _mid_ranks(y, ones)[0]) if len(x) else (x, y)


def segment_pearson(*, grouping: Grouping = "none", undefined: Undefined = "drop") -> Metric:
    """Pearson's correlation of segment scores.

    Parameters
    ----------
    grouping : {"none", "item", "system"}
        none: over all cells. item: the mean over items of the correlation over systems. system: the mean over systems
        of the correlation over items.
    undefined : {"drop", "zero"}
        What a group with a constant side does: it is left out of the mean, or counts 0.

    Returns
    -------
    Metric
        On `Grid`, in [-1, 1]. A group is undefined if a side is constant; a group without any cell is left out in any
        case. NaN if no group is left. Over all cells it is a correlation of two vectors, and Williams' test can be
        run on it: it takes cells for independent, which those of one item or system are not.

    References
    ----------
    Metrics tasks 2016-23, segment level.
    """
    bind = partial(bind_groups, _Linear, _linear_items, grouping, undefined == "zero")
    whole = grouping == "none" and undefined == "drop"
    return Metric(
        name="segment_pearson",
        summary="Pearson's correlation of segment scores over all cells, by item or by system",
        source="Metrics tasks 2016-23, segment level",
        kind=Grid,
        bind=bind,
        exchange=partial(moments_exchange if whole else stacked_exchange, bind),
        vectors=_flat if whole else None,
        bounds=(-1.0, 1.0),
        claims=claims_of(grouping, undefined),
    )


def segment_spearman(*, grouping: Grouping = "none", undefined: Undefined = "drop") -> Metric:
    """Spearman's correlation of segment scores, ties at their mean rank.

    Parameters
    ----------
    grouping, undefined
        As for `segment_pearson`.

    Returns
    -------
    Metric
        On `Grid`, in [-1, 1]. Undefined groups as for `segment_pearson`.

    References
    ----------
    Metrics tasks 2022-, as a secondary measure.
    """
    bind = partial(bind_groups, _Ranked, _ranked_items, grouping, undefined == "zero")
    whole = grouping == "none" and undefined == "drop"
    return Metric(
        name="segment_spearman",
        summary="Spearman's correlation of segment scores over all cells, by item or by system",
        source="Metrics tasks 2022-",
        kind=Grid,
        bind=bind,
        exchange=partial(stacked_exchange, bind),
        vectors=_flat_ranks if whole else None,
        bounds=(-1.0, 1.0),
        claims=claims_of(grouping, undefined),
    )

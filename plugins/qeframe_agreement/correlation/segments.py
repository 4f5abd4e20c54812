"""Pearson's and Spearman's correlation of segment scores on grids, and Pearson's correlations without their sign.

The tasks of 2017 to 2019 reported them without it; they are here for replication. Without the sign, error rates need
not be reversed. But a metric that contradicts the humans scores as high as one that agrees with them, and under
resampling the absolute value of a correlation near 0 is never below 0.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, FloatArray, Grid, Metric, Statistic
from qeframe.plugin.resampling import (
    Exchange,
    additive_exchange,
    from_first,
    mid_ranks,
    moments,
    pearson_of_moments,
    pearson_of_rows,
    weighted_mid_ranks,
)
from qeframe_agreement.exchanges.axes import (
    Axis,
    Bind,
    GridExchange,
    by_segments,
    same_cells,
    stacked_exchange,
    standardized,
)
from qeframe_agreement.exchanges.column_sums import column_exchange
from qeframe_agreement.exchanges.mixtures import pearson_exchange
from qeframe_agreement.grids import Average, Grouping, Undefined, bind_groups, claims_of, flatten
from qeframe_agreement.systems.means import system_pearson


def moments_of_cells(batch: Grid, pivot: tuple[float, float]) -> FloatArray:
    """Return the moments of every cell about a pivot, (n, systems, 6), 0 where a side is missing."""
    present = batch.present
    x, y = (np.where(present, side - at, 0.0) for side, at in zip((batch.gold, batch.predicted), pivot, strict=True))
    return moments(x, y, count=present.astype(np.float64))


def _along(bind: Bind, batches: Sequence[Grid], axis: Axis, standardize: bool) -> Exchange:
    if axis == "segment" and not standardize:
        return by_segments(batches, bind)
    if axis != "segment" and same_cells(batches):
        return pearson_exchange(batches, by_system=axis == "system", standardize=standardize)
    chosen = standardized(batches) if standardize else batches
    middle = 0.0 if standardize else float(np.mean([batch.pivot[1] for batch in batches]))
    cells = [moments_of_cells(batch, (batch.pivot[0], middle)) for batch in chosen]
    summed: dict[Axis, int] = {"segment": 1, "system": 0}
    rows = [moments.sum(axis=summed[axis]) if axis in summed else moments.reshape(-1, 6) for moments in cells]
    return additive_exchange([Additive(moments, pearson_of_moments, axis) for moments in rows])


def moments_exchange(bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange: on the stacked items by segments, through moments of cells along the axes.

    Scores that are not standardized are measured from the mean of all submissions. Submissions of very different
    location lose digits there; a mixture of their scores is hardly meaningful. Standardized scores lose no digits.
    """
    return GridExchange(len(batches[0]), partial(by_segments, batches, bind), partial(_along, bind, batches))


def _bind_whole(batch: Grid) -> Additive:
    """Bind the correlation of all cells as sums about the pivot, which parts of a grid and fewer cells have too."""
    return Additive(moments_of_cells(batch, batch.pivot).sum(axis=1), pearson_of_moments, batch.unit)


def _centered(x: FloatArray) -> FloatArray:
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
        present = ~np.isnan(self.x)
        x, y = (np.where(present, _centered(side), 0.0) for side in (self.x, self.y))
        cells = moments(x, y, count=present.astype(np.float64))
        rows = np.zeros((len(x), 6))
        # system after system, so that a sum has the bits of one over the cells in turn
        for column in range(x.shape[1]):
            rows += cells[:, column]
        return rows


@frozen(eq=False)
class _Ranked:
    """Spearman's correlation of a group of cells: mid-ranks depend on the weights."""

    x: FloatArray
    y: FloatArray

    def __call__(self, weights: FloatArray) -> FloatArray:
        x, y, item = flatten(self.x, self.y)
        if not len(x):
            return np.full(len(weights), np.nan)
        cells = weights[:, item]
        # the weighted mean of all mid-ranks
        center = cells.sum(axis=1, keepdims=True) / 2
        a, b = (weighted_mid_ranks(side, cells) - center for side in (x, y))
        return pearson_of_rows(a, b, cells)


def _linear_items(x: FloatArray, y: FloatArray) -> FloatArray:
    present = ~np.isnan(x)
    return pearson_of_rows(from_first(x, present), from_first(y, present), present.astype(np.float64))


def _ranked_items(x: FloatArray, y: FloatArray) -> FloatArray:
    present = ~np.isnan(x)
    mean = (present.sum(axis=1, keepdims=True) + 1) / 2
    a, b = (np.where(present, mid_ranks(side) - mean, 0.0) for side in (x, y))
    return pearson_of_rows(a, b, present.astype(np.float64))


def _flat(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return both sides of all cells, flat."""
    return batch.gold[batch.present], batch.predicted[batch.present]


def _flat_ranks(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return the mid-ranks of both sides of all cells, flat."""
    x, y = _flat(batch)
    return mid_ranks(x), mid_ranks(y)


def segment_pearson(
    *, grouping: Grouping = "none", undefined: Undefined = "drop", average: Average = "macro"
) -> Metric:
    """Pearson's correlation of segment scores.

    Parameters
    ----------
    grouping : {"none", "item", "system"}
        none: over all cells. item: the mean over items of the correlation over systems. system: the mean over systems
        of the correlation over items.
    undefined : {"drop", "zero", "propagate"}
        How a group without a correlation counts. drop: it is left out, as in mt-metrics-eval. zero: it is left out if
        it has fewer than two cells, else it counts 0, as in mt-metrics-eval with ``replace_nans_with_zeros``.
        propagate: the mean is undefined, as that of numpy over scipy's correlations.
    average : {"macro", "micro"}
        macro: all groups count alike. micro: each counts as often as it has cells, as in the micro average of
        mt-metrics-eval.

    Returns
    -------
    Metric
        On `Grid`, in [-1, 1]. A group is undefined if a side is constant; a group without any cell is left out in any
        case. NaN if no group is left. Over all cells it is a correlation of two vectors, and Williams' test can be
        run on it; the test assumes independent cells, but the cells of one item or system are not independent.

    References
    ----------
    Metrics tasks 2016-23, segment level.
    """
    whole = grouping == "none" and undefined == "drop"
    bind = _bind_whole if whole else partial(bind_groups, _Linear, _linear_items, grouping, undefined, average)
    return Metric(
        name="segment_pearson",
        summary="Pearson's correlation of segment scores over all cells, by item or by system",
        source="Metrics tasks 2016-23, segment level",
        formula=r"r = \frac{\sum_{i, s} (x_{is} - \bar{x})(y_{is} - \bar{y})}{\sqrt{\sum_{i, s} (x_{is} - \bar{x})^2} "
        r"\sqrt{\sum_{i, s} (y_{is} - \bar{y})^2}}",
        symbols=r"$y_{is}$ is the human score of system $s$ on item $i$, $x_{is}$ that of the metric, and $\bar{y}$ "
        r"and $\bar{x}$ are the means over all cells. With `grouping` it is the mean over items, or over systems, of "
        r"the correlation within each.",
        kind=Grid,
        bind=bind,
        smooth=True,
        exchange=partial(moments_exchange if whole else stacked_exchange, bind),
        vectors=_flat if whole else None,
        bounds=(-1.0, 1.0),
        working_scale="arctanh",
        claims=claims_of(grouping, undefined),
        known_weaknesses={"cosmetic": 0.3},
    )


def segment_spearman(
    *, grouping: Grouping = "none", undefined: Undefined = "drop", average: Average = "macro"
) -> Metric:
    """Spearman's correlation of segment scores, ties at their mean rank.

    Parameters
    ----------
    grouping, undefined, average
        As for `segment_pearson`.

    Returns
    -------
    Metric
        On `Grid`, in [-1, 1]. Undefined groups as for `segment_pearson`.

    References
    ----------
    Metrics tasks 2022-, as a secondary measure.
    """
    bind = partial(bind_groups, _Ranked, _ranked_items, grouping, undefined, average)
    whole = grouping == "none" and undefined == "drop"
    return Metric(
        name="segment_spearman",
        summary="Spearman's correlation of segment scores over all cells, by item or by system",
        source="Metrics tasks 2022-",
        formula=r"\rho = \frac{\sum_{i, s} (u_{is} - \bar{u})(v_{is} - \bar{v})}{\sqrt{\sum_{i, s} (u_{is} - "
        r"\bar{u})^2} \sqrt{\sum_{i, s} (v_{is} - \bar{v})^2}}",
        symbols=r"$v_{is}$ is the rank of the human score of system $s$ on item $i$ among all cells, $u_{is}$ that of "
        r"the metric score; ties share their mean rank, and $\bar{v}$ and $\bar{u}$ are the mean ranks. With "
        r"`grouping` it is the mean over items, or over systems, of the correlation within each.",
        kind=Grid,
        bind=bind,
        smooth=True,
        exchange=partial(stacked_exchange, bind),
        vectors=_flat_ranks if whole else None,
        bounds=(-1.0, 1.0),
        working_scale="arctanh",
        claims=claims_of(grouping, undefined),
        known_weaknesses={"cosmetic": 0.28},
    )


Vectors = Callable[[Grid], tuple[FloatArray, FloatArray]]


@frozen
class _Absolute:
    """A score without its sign, from sums."""

    score: Callable[[FloatArray], FloatArray]

    def __call__(self, sums: FloatArray) -> FloatArray:
        return np.abs(self.score(sums))


@frozen(eq=False)
class _AbsoluteStatistic:
    """A statistic without its sign."""

    signed: Statistic

    @property
    def units(self) -> int:
        return self.signed.units

    @property
    def unit(self) -> str:
        return self.signed.unit

    def __call__(self, weights: FloatArray) -> FloatArray:
        return np.abs(self.signed(weights))


def _bind(signed: Bind, batch: Grid) -> Statistic:
    statistic = signed(batch)
    if isinstance(statistic, Additive):
        return attrs.evolve(statistic, score=_Absolute(statistic.score))
    return _AbsoluteStatistic(statistic)


def _vectors(signed: Vectors, batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return both sides; that of the metric is negated where the correlation is negative."""
    gold, predicted = signed(batch)
    against = len(gold) > 1 and ((gold - gold.mean()) * (predicted - predicted.mean())).sum() < 0
    return gold, -predicted if against else predicted


def _absolute(metric: Metric, exchange: Callable[[Any, Sequence[Grid]], Exchange], source: str) -> Metric:
    bind = partial(_bind, metric.bind)
    return attrs.evolve(
        metric,
        name=f"{metric.name}_absolute",
        summary=f"The absolute value of {metric.name}, for replication: contradicting the humans is no loss",
        source=source,
        bind=bind,
        exchange=partial(exchange, bind),
        vectors=None if metric.vectors is None else partial(_vectors, metric.vectors),
        bounds=(0.0, 1.0),
        claims=(),
        known_weaknesses={"blind": 0.06, **metric.known_weaknesses},
        formula=rf"\left| {metric.formula} \right|",
    )


system_pearson_absolute = _absolute(system_pearson, column_exchange, "Metrics tasks 2017-19, system level")
segment_pearson_absolute = _absolute(segment_pearson(), stacked_exchange, "Metrics task 2017, segment level")

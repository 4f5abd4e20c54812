"""System level: the mean scores of systems, compared in pairs or correlated.

The means of a system are over the cells that both sides have, weighted by the weights of the items. A system without
such a cell is left out.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, BoolArray, FloatArray, Grid, Metric, ratio
from qeframe.plugin.resampling import (
    Exchange,
    Standardize,
    bounded_slices,
    from_first,
    mid_ranks_by_pairs,
    pearson_of_rows,
)
from qeframe_agreement.accuracy.within_items import linear_exchange
from qeframe_agreement.exchanges.axes import Axis, GridExchange, Make, same_cells, standardized
from qeframe_agreement.exchanges.column_sums import column_exchange
from qeframe_agreement.exchanges.mixtures import (
    CorrelationOfMixtures,
    OfMixtures,
    agreement_of_mixtures,
    means_exchange,
)
from qeframe_agreement.grids import ACC23

_SLACK = 1e-12
"""Means that differ by less, relative to the largest, are equal: sums in another order differ by rounding errors."""

Compared = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def _rows(batch: Grid) -> FloatArray:
    present = batch.present
    sides = (np.where(present, side, 0.0) for side in (batch.gold, batch.predicted))
    return np.hstack([present.astype(np.float64), *sides])


@frozen
class _OfMeans:
    """A comparison of system means as a score of sums."""

    compare: Compared

    def __call__(self, sums: FloatArray) -> FloatArray:
        count, gold, predicted = np.split(sums, 3, axis=-1)
        present = count > 0
        divisor = np.where(present, count, 1.0)
        return self.compare(gold / divisor, predicted / divisor, present.astype(np.float64))


def _bind(compare: Compared, batch: Grid) -> Additive:
    return Additive(batch.rows(_rows), _OfMeans(compare), batch.unit)


def system_means(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return the mean gold and the mean metric score of every system that has a cell on both sides."""
    gold, predicted = _means(batch)
    present = ~np.isnan(gold)
    return gold[present], predicted[present]


def _means(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return the mean gold and the mean metric score of every system, NaN for one without a cell."""
    count, *totals = np.split(batch.rows(_rows).sum(axis=0), 3)
    gold, predicted = (np.divide(total, count, out=np.full_like(count, np.nan), where=count > 0) for total in totals)
    return gold, predicted


def _levels(means: FloatArray) -> FloatArray:
    """Return the ranks of means, from 1; means that differ by rounding share one; NaN stays."""
    order = np.argsort(means)
    levels = np.empty_like(means)
    rises = np.diff(means[order], prepend=-np.inf) > _SLACK * np.nanmax(np.abs(means), initial=0.0)
    levels[order] = np.cumsum(rises)
    return np.where(np.isnan(means), np.nan, levels)


def _order_of_pairs(means: FloatArray) -> tuple[BoolArray, BoolArray]:
    """Return for all pairs whether the first is higher, and whether it is lower; neither within rounding errors."""
    first, second = np.triu_indices(means.shape[-1], 1)
    difference = means[..., first] - means[..., second]
    # by the largest mean, since the sums behind a mean near 0 need not be small
    slack = _SLACK * np.abs(means).max(axis=-1, keepdims=True, initial=0.0)
    return difference > slack, difference < -slack


def _agreeing(gold: FloatArray, predicted: FloatArray) -> BoolArray:
    """Return which pairs have the same order on both sides."""
    (higher, lower), (higher_here, lower_here) = _order_of_pairs(gold), _order_of_pairs(predicted)
    return (higher == higher_here) & (lower == lower_here)


_AT_ONCE = 1 << 18
"""The number of pairs of systems, over all draws, that are compared at once: their arrays stay in the cache."""


def _pairs_by_part(
    gold: FloatArray, predicted: FloatArray, present: FloatArray
) -> Iterator[tuple[slice, BoolArray, FloatArray, FloatArray]]:
    """Yield slices of flat draws, which pairs are present in each, and both sides, (draws, systems)."""
    first, second = np.triu_indices(gold.shape[-1], 1)
    draws = math.prod(gold.shape[:-1])
    gold, predicted, present = (side.reshape(draws, side.shape[-1]) for side in (gold, predicted, present))
    for part in bounded_slices(draws, len(first), most=_AT_ONCE):
        both = present[part] > 0
        yield part, both[:, first] & both[:, second], gold[part], predicted[part]


def _agreement(gold: FloatArray, predicted: FloatArray, present: FloatArray) -> FloatArray:
    right, pairs = np.empty((2, math.prod(gold.shape[:-1])))
    for part, both, human, metric in _pairs_by_part(gold, predicted, present):
        right[part] = np.count_nonzero(both & _agreeing(human, metric), axis=-1)
        pairs[part] = np.count_nonzero(both, axis=-1)
    return ratio(right, pairs).reshape(gold.shape[:-1])


def correlation(gold: FloatArray, predicted: FloatArray, present: FloatArray) -> FloatArray:
    """Return Pearson's correlations of the systems that are there, (...), of sides (..., systems)."""
    return pearson_of_rows(from_first(gold, present), from_first(predicted, present), present)


def ranks(means: FloatArray, present: FloatArray) -> FloatArray:
    """Return mid-ranks less 1/2 among the systems that are there; means that differ by rounding share a rank."""
    return mid_ranks_by_pairs(means, present, slack=_SLACK)


def rank_correlation(gold: FloatArray, predicted: FloatArray, present: FloatArray) -> FloatArray:
    """Return Spearman's correlations of the systems that are there, (...), of sides (..., systems)."""
    return correlation(ranks(gold, present), ranks(predicted, present), present)


def _rank_vectors(batch: Grid) -> tuple[FloatArray, FloatArray]:
    gold, predicted = system_means(batch)
    ones = np.ones_like(gold)
    return ranks(gold, ones), ranks(predicted, ones)


def _details(batch: Grid) -> Mapping[str, Any]:
    gold, predicted = system_means(batch)
    pairs = len(gold) * (len(gold) - 1) / 2
    right = float(_agreeing(gold, predicted).sum())
    return {"right": right, "pairs": pairs, "systems": float(len(gold)), "unanswered": float(batch.unanswered)}


def _outcomes(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return whether each pair of systems is ordered as the human does, and whether both systems are there."""
    count, gold, predicted = np.split(batch.rows(_rows).sum(axis=0), 3)
    present = count > 0
    divisor = np.where(present, count, 1.0)
    first, second = np.triu_indices(batch.systems, 1)
    right = _agreeing(gold / divisor, predicted / divisor)
    return right.astype(np.float64), (present[first] & present[second]).astype(np.float64)


def _outcomes_of_pairs(batch: Grid) -> FloatArray:
    right, counted = _outcomes(batch)
    return right[counted > 0]


def _metric(name: str, compare: Compared, **declared: Any) -> Metric:
    bind = partial(_bind, compare)
    return Metric(name=name, kind=Grid, bind=bind, exchange=partial(_exchange, compare, bind), **declared)


def _tau_b(gold: FloatArray, predicted: FloatArray, present: FloatArray) -> FloatArray:
    """Return Kendall's tau-b of the means of the systems that are present, (...), of sides (..., systems)."""
    excess, *untied = np.empty((3, math.prod(gold.shape[:-1])))
    for part, both, human, metric in _pairs_by_part(gold, predicted, present):
        (higher, lower), (higher_here, lower_here) = _order_of_pairs(human), _order_of_pairs(metric)
        right = both & ((higher & higher_here) | (lower & lower_here))
        wrong = both & ((higher & lower_here) | (lower & higher_here))
        excess[part] = np.count_nonzero(right, axis=-1) - np.count_nonzero(wrong, axis=-1)
        untied[0][part] = np.count_nonzero(both & (higher | lower), axis=-1)
        untied[1][part] = np.count_nonzero(both & (higher_here | lower_here), axis=-1)
    return ratio(excess, np.sqrt(untied[0] * untied[1])).reshape(gold.shape[:-1])


def _means_by_system(batch: Grid) -> Mapping[str, Any]:
    """Return the mean metric score of each system, also of those without a gold; NaN for one without a score."""
    present = ~np.isnan(batch.predicted)
    count, total = present.sum(axis=0), np.where(present, batch.predicted, 0.0).sum(axis=0)
    return {"means": np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)}


def _exchange(compare: Compared, bind: Callable[[Grid], Additive], batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange: of all pairs of submissions at once where they have the same cells."""
    general = column_exchange(bind, batches, outcomes=_outcomes if compare is _agreement else None)
    of_correlation = CorrelationOfMixtures(correlation)
    fast: dict[Compared, OfMixtures] = {_agreement: agreement_of_mixtures, correlation: of_correlation}
    score = fast.get(compare)
    if score is None or not same_cells(batches):
        return general
    make = partial(_along, general.make, score, batches)
    return attrs.evolve(general, of_items=partial(make, "segment", False), make=make)


def _along(make: Make, score: OfMixtures, batches: Sequence[Grid], axis: Axis, standardize: Standardize) -> Exchange:
    if axis == "pair":
        return make(axis, standardize)
    if axis == "system" and score is agreement_of_mixtures:
        # linear in signs that say which systems are swapped, as if the means were scores of one item
        sides = [_means(batch) for batch in (standardized(batches) if standardize else batches)]
        of_one = [Grid(ids=np.zeros(1, np.int64), gold=_levels(gold)[None], predicted=of[None]) for gold, of in sides]
        thresholds = [_SLACK * float(np.nanmax(np.abs(of), initial=0.0)) for _, of in sides]
        return linear_exchange(of_one, ACC23, thresholds, axis, False)
    return means_exchange(batches, score, axis, standardize=bool(standardize))


pairwise_accuracy = _metric(
    "pairwise_accuracy",
    _agreement,
    summary="The share of pairs of systems that the metric orders as the human does; undefined below two systems",
    source="Metrics tasks 2021-23; Kocmi et al. (2021)",
    formula=r"\frac{1}{P} \sum_{s < t} [h_{st} = m_{st}]",
    symbols="$h_{st}$ is the relation of the mean human scores $y$ of systems $s$ and $t$: better, worse or equal; "
    "$m_{st}$ is that of their mean metric scores $x$, and $P$ the number of pairs of systems. A bracket is 1 where "
    "its condition holds, else 0. Means are over the items that have both scores.",
    outcomes=_outcomes_of_pairs,
    details=_details,
    bounds=(0.0, 1.0),
    smooth=False,
    known_weaknesses={"blind": 0.05, "cosmetic": 0.05},
)

system_pearson = _metric(
    "system_pearson",
    correlation,
    summary="Pearson's correlation of the mean scores of systems; undefined for constants",
    source="Metrics tasks 2014-23, system level",
    formula=r"r = \frac{\sum_{s} (x_{s} - \bar{x})(y_{s} - \bar{y})}{\sqrt{\sum_{s} (x_{s} - \bar{x})^2} "
    r"\sqrt{\sum_{s} (y_{s} - \bar{y})^2}}",
    symbols=r"$x_s$ is the mean of the metric scores of system $s$ over the items that have both scores, $y_s$ that "
    r"of the human scores; $\bar{x}$ and $\bar{y}$ are the means over systems.",
    vectors=system_means,
    bounds=(-1.0, 1.0),
    smooth=True,
    working_scale="arctanh",
    known_weaknesses={"blind": 0.05, "cosmetic": 0.05},
)

system_tau_b = _metric(
    "system_tau_b",
    _tau_b,
    summary="Kendall's tau-b of the mean scores of systems; undefined for a constant side",
    source="Challenge sets with systems from low to high quality: MSLC, WMT23-25",
    formula=r"\tau_b = \frac{C - D}{\sqrt{(P - T_y)(P - T_x)}}",
    symbols="$C$ and $D$ are the numbers of pairs of systems that the means of both sides order in the same way and in "
    "opposite ways, $P$ is the number of pairs, $T_y$ and $T_x$ are the numbers of pairs that are tied in the means of "
    "the gold and of the metric. Means are over the items that have both scores; `means` in the details has the mean "
    "metric score of each system over all items that have one.",
    details=_means_by_system,
    bounds=(-1.0, 1.0),
    smooth=False,
    known_weaknesses={"blind": 0.05, "cosmetic": 0.05},
)

system_spearman = _metric(
    "system_spearman",
    rank_correlation,
    summary="Spearman's correlation of the mean scores of systems; undefined for constants",
    source="Metrics tasks 2008-13, system level",
    formula=r"\rho = \frac{\sum_{s} (u_{s} - \bar{u})(v_{s} - \bar{v})}{\sqrt{\sum_{s} (u_{s} - \bar{u})^2} "
    r"\sqrt{\sum_{s} (v_{s} - \bar{v})^2}}",
    symbols=r"$u_s$ is the rank of system $s$ by the mean of its metric scores, $v_s$ that by the mean of its human "
    r"scores, both over the items that have both scores; ties share their mean rank, and $\bar{u}$ and $\bar{v}$ are "
    r"the mean ranks.",
    vectors=_rank_vectors,
    bounds=(-1.0, 1.0),
    smooth=False,
    working_scale="arctanh",
    known_weaknesses={"blind": 0.05, "cosmetic": 0.05},
)

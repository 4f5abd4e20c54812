"""System level: the mean scores of systems, compared in pairs or correlated.

The means of a system are over the cells that both sides have, weighted by the weights of the items. A system without
such a cell is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, FloatArray, Grid, Metric, from_first, mid_ranks_by_pairs, pearson_of_rows, ratio
from qeframe_agreement.exchanges.column_sums import column_exchange

__all__ = [
    "Compared",
    "correlation",
    "pairwise_accuracy",
    "rank_correlation",
    "ranks",
    "system_means",
    "system_pearson",
    "system_spearman",
]

_SLACK = 1e-12
"""Means that differ by less, relative to the largest, are equal: sums in another order differ by rounding errors."""

Compared = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def _rows(batch: Grid) -> FloatArray:
    there = batch.present
    sides = (np.where(there, side, 0.0) for side in (batch.gold, batch.predicted))
    return np.hstack([there.astype(np.float64), *sides])


@frozen
class _OfMeans:
    """A comparison of system means as a score of sums."""

    compare: Compared

    def __call__(self, sums: FloatArray) -> FloatArray:
        count, gold, predicted = np.split(sums, 3, axis=-1)
        there = count > 0
        divisor = np.where(there, count, 1.0)
        return self.compare(gold / divisor, predicted / divisor, there.astype(np.float64))


def _bind(compare: Compared, batch: Grid) -> Additive:
    return Additive(batch.rows(_rows), _OfMeans(compare), batch.unit)


def system_means(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return the mean gold and the mean metric score of every system that has a cell on both sides."""
    count, gold, predicted = np.split(batch.rows(_rows).sum(axis=0), 3)
    there = count > 0
    return gold[there] / count[there], predicted[there] / count[there]


def _signs_of_pairs(means: FloatArray) -> FloatArray:
    """Return the signs of the differences of all pairs; 0 for differences within rounding errors."""
    first, second = np.triu_indices(means.shape[-1], 1)
    difference = means[..., first] - means[..., second]
    slack = _SLACK * np.abs(means).max(axis=-1, keepdims=True, initial=0.0)
    return np.where(np.abs(difference) > slack, np.sign(difference), 0.0)


def _agreement(gold: FloatArray, predicted: FloatArray, there: FloatArray) -> FloatArray:
    first, second = np.triu_indices(gold.shape[-1], 1)
    both = there[..., first] * there[..., second]
    pairs = both.sum(axis=-1)
    right = (both * (_signs_of_pairs(gold) == _signs_of_pairs(predicted))).sum(axis=-1)
    return ratio(right, pairs)


def correlation(gold: FloatArray, predicted: FloatArray, there: FloatArray) -> FloatArray:
    """Return Pearson's correlations of the systems that are there, (...), of sides (..., systems)."""
    return pearson_of_rows(from_first(gold, there), from_first(predicted, there), there)


def ranks(means: FloatArray, there: FloatArray) -> FloatArray:
    """Return mid-ranks less 1/2 among the systems that are there; means that differ by rounding share a rank."""
    return mid_ranks_by_pairs(means, there, slack=_SLACK)


def rank_correlation(gold: FloatArray, predicted: FloatArray, there: FloatArray) -> FloatArray:
    """Return Spearman's correlations of the systems that are there, (...), of sides (..., systems)."""
    return correlation(ranks(gold, there), ranks(predicted, there), there)


def _rank_vectors(batch: Grid) -> tuple[FloatArray, FloatArray]:
    gold, predicted = system_means(batch)
    ones = np.ones_like(gold)
    return ranks(gold, ones), ranks(predicted, ones)


def _details(batch: Grid) -> Mapping[str, Any]:
    gold, predicted = system_means(batch)
    pairs = len(gold) * (len(gold) - 1) / 2
    right = float((_signs_of_pairs(gold) == _signs_of_pairs(predicted)).sum())
    return {"right": right, "pairs": pairs, "systems": float(len(gold)), "unanswered": float(batch.unanswered)}


def _outcomes(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return whether each pair of systems is ordered as the human does, and whether both systems are there."""
    count, gold, predicted = np.split(batch.rows(_rows).sum(axis=0), 3)
    there = count > 0
    divisor = np.where(there, count, 1.0)
    first, second = np.triu_indices(batch.systems, 1)
    right = _signs_of_pairs(gold / divisor) == _signs_of_pairs(predicted / divisor)
    return right.astype(np.float64), (there[first] & there[second]).astype(np.float64)


def _outcomes_of_pairs(batch: Grid) -> FloatArray:
    right, counted = _outcomes(batch)
    return right[counted > 0]


def _metric(name: str, compare: Compared, **declared: Any) -> Metric:
    bind = partial(_bind, compare)
    outcomes = _outcomes if compare is _agreement else None
    return Metric(
        name=name, kind=Grid, bind=bind, exchange=partial(column_exchange, bind, outcomes=outcomes), **declared
    )


pairwise_accuracy = _metric(
    "pairwise_accuracy",
    _agreement,
    summary="The share of pairs of systems that the metric orders as the human does; undefined below two systems",
    source="Metrics tasks 2021-23; Kocmi et al. (2021)",
    outcomes=_outcomes_of_pairs,
    details=_details,
    bounds=(0.0, 1.0),
)

system_pearson = _metric(
    "system_pearson",
    correlation,
    summary="Pearson's correlation of the mean scores of systems; undefined for constants",
    source="Metrics tasks 2014-23, system level",
    vectors=system_means,
    bounds=(-1.0, 1.0),
)

system_spearman = _metric(
    "system_spearman",
    rank_correlation,
    summary="Spearman's correlation of the mean scores of systems; undefined for constants",
    source="Metrics tasks 2008-13, system level",
    vectors=_rank_vectors,
    bounds=(-1.0, 1.0),
)

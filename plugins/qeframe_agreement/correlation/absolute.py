"""Pearson's correlations without their sign, as the tasks of 2017 to 2019 reported them, for replication.

Without the sign, error rates need not be reversed. But a metric that contradicts the humans scores as high as one that
agrees with them, and under resampling the absolute value of a correlation near 0 is never below 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, FloatArray, Grid, Metric, Statistic
from qeframe.plugin.resampling import Exchange
from qeframe_agreement.correlation.segments import segment_pearson
from qeframe_agreement.exchanges.axes import stacked_exchange
from qeframe_agreement.exchanges.column_sums import column_exchange
from qeframe_agreement.systems.means import system_pearson

Bind = Callable[[Grid], Statistic]
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
        formula=rf"\left| {metric.formula} \right|",
    )


system_pearson_absolute = _absolute(system_pearson, column_exchange, "Metrics tasks 2017-19, system level")
segment_pearson_absolute = _absolute(segment_pearson(), stacked_exchange, "Metrics task 2017, segment level")

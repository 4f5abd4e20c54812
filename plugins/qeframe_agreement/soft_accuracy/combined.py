"""Two levels in one score: the mean of soft pairwise accuracy and of pairwise accuracy with ties."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import FloatArray, Grid, IntArray, Metric, Statistic
from qeframe.plugin.resampling import Exchange, Standardize, StatisticStack
from qeframe_agreement.accuracy.within_items import acc_eq
from qeframe_agreement.exchanges.axes import Axis, Bind, GridExchange, stacked_exchange
from qeframe_agreement.soft_accuracy.statistic import spa


@frozen(eq=False)
class _Mean:
    """The plain mean of statistics on the same units."""

    parts: tuple[Statistic, ...]

    @property
    def units(self) -> int:
        return self.parts[0].units

    @property
    def unit(self) -> str:
        return self.parts[0].unit

    def __call__(self, weights: FloatArray) -> FloatArray:
        return np.mean([part(weights) for part in self.parts], axis=0)

    @staticmethod
    def jointly(statistics: "Sequence[_Mean]") -> Callable[[FloatArray], FloatArray]:
        """Return all statistics as one function, (..., n) -> (..., m): each part for all statistics at once."""
        return _Together(tuple(map(StatisticStack, zip(*(statistic.parts for statistic in statistics), strict=True))))


@frozen(eq=False)
class _Together:
    """The means of many statistics: each part of all of them at once."""

    parts: tuple[StatisticStack, ...]

    def __call__(self, weights: FloatArray) -> FloatArray:
        return np.mean([part(weights) for part in self.parts], axis=0)


def _bind(metrics: tuple[Metric, ...], batch: Grid) -> _Mean:
    return _Mean(tuple(metric.bind(batch) for metric in metrics))


def _details(metrics: tuple[Metric, ...], batch: Grid) -> Mapping[str, Any]:
    ones = np.ones(len(batch))
    return {metric.name: float(metric.bind(batch)(ones)) for metric in metrics}


@frozen(eq=False)
class _MeanOfExchanges:
    """The mean of the differences of several exchanges of the same items."""

    own_statistic: ClassVar[bool] = True
    parts: tuple[Exchange, ...]

    @property
    def cells(self) -> int:
        """One cell for each item."""
        return self.parts[0].cells

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        return np.mean([part(masks, first, second) for part in self.parts], axis=0)


def _along(
    stacked: GridExchange, metrics: tuple[Metric, ...], batches: Sequence[Grid], axis: Axis, standardize: Standardize
) -> Exchange:
    """Return the exchange of the mean; as needed by segments, the mean of the exchanges of the metrics."""
    if standardize != "as_needed" or axis != "segment":
        return stacked.make(axis, standardize)
    exchanges: list[Any] = [metric.exchange(batches) for metric in metrics if metric.exchange]
    return _MeanOfExchanges(tuple(exchange.along(axis, standardize=standardize) for exchange in exchanges))


def _exchange(bind: Bind, metrics: tuple[Metric, ...], batches: Sequence[Grid]) -> GridExchange:
    """Return the exchange of the mean on stacked items, and along axes."""
    stacked = stacked_exchange(bind, batches)
    return attrs.evolve(stacked, make=partial(_along, stacked, metrics, batches))


def _combined(name: str, metrics: tuple[Metric, ...], **declared: Any) -> Metric:
    bind = partial(_bind, metrics)
    return Metric(
        name=name,
        kind=Grid,
        bind=bind,
        exchange=partial(_exchange, bind, metrics),
        details=partial(_details, metrics),
        smooth=False,
        **declared,
    )


spa_acc_eq = _combined(
    "spa_acc_eq",
    (spa(), acc_eq()),
    known_weaknesses={"blind": 0.05, "cosmetic": 0.08},
    summary="Mean of spa (system level) and acc_eq (segment level); undefined where one of them is",
    source="Metrics tasks 2024-25, the official score",
    formula=r"\frac{1}{2} \left( \text{spa} + \text{acc}_{\text{eq}} \right)",
    symbols="The two terms are the scores of `spa` and of `acc_eq` with their default parameters.",
    bounds=(0.0, 1.0),
)

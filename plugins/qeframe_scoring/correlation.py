"""Pearson's and Spearman's correlation under weights."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import CapabilityError, FloatArray, IntArray, Metric, Scores
from qeframe.plugin.resampling import (
    Exchange,
    ExchangeByWeights,
    Standardize,
    TieGroups,
    exchange_rows,
    spearman_of_submissions,
    spearman_without_each,
    tie_groups,
)
from qeframe_scoring.pearson_exchange import bind_pearson, pearson_exchange


def _both(batch: Scores) -> tuple[FloatArray, FloatArray]:
    return batch.gold, batch.predicted


pearson = Metric(
    name="pearson",
    summary="Pearson's correlation; blind to location and positive scale, undefined for constants",
    source="WMT16-21 QE sentence level (primary); metrics tasks 2014-; proposed for QE by Graham (2015)",
    formula=r"r = \frac{\sum_{i=1}^{n} (x_i - \bar{x})(y_i - \bar{y})}{\sqrt{\sum_{i=1}^{n} (x_i - \bar{x})^2} "
    r"\sqrt{\sum_{i=1}^{n} (y_i - \bar{y})^2}}",
    symbols=r"$x_i$ is the prediction for unit $i$, $y_i$ its gold value, $n$ the number of units; $\bar{x}$ and "
    r"$\bar{y}$ are the means of both sides.",
    kind=Scores,
    bind=bind_pearson,
    smooth=True,
    exchange=pearson_exchange,
    vectors=_both,
    bounds=(-1.0, 1.0),
    working_scale="arctanh",
    claims=("constant_proof", "blind_proof", "location_scale_invariant"),
    known_weaknesses={"cosmetic": 0.05},
)


@frozen(eq=False)
class RankCorrelation:
    """Spearman's correlation as a statistic: tie groups are found once, mid-ranks depend on the weights.

    A unit of whole weight w counts as w units that are tied with each other.
    """

    gold: TieGroups
    predicted: TieGroups
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        return RankCorrelation.jointly([self])(weights)[..., 0]

    def jackknife(self) -> FloatArray:
        """Return the correlation with each unit left out in turn, (n,)."""
        return spearman_without_each(self.gold, self.predicted)

    @staticmethod
    def jointly(statistics: "Sequence[RankCorrelation]") -> Callable[[FloatArray], FloatArray]:
        """Return all correlations as one function, the gold ranked once for all that share it."""
        return _Together(tuple(statistics))


@frozen(eq=False)
class _Together:
    """Many rank correlations as one function. Units are the first axis: ordering them then moves whole rows."""

    statistics: tuple[RankCorrelation, ...]

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = np.ascontiguousarray(weights.reshape(-1, weights.shape[-1]).T)
        scores = np.empty((len(self.statistics), flat.shape[1]))
        with_gold: dict[bytes, list[int]] = {}
        for i, statistic in enumerate(self.statistics):
            with_gold.setdefault(statistic.gold.key, []).append(i)
        for chosen in with_gold.values():
            gold, predicted = self.statistics[chosen[0]].gold, [self.statistics[i].predicted for i in chosen]
            scores[chosen] = spearman_of_submissions(gold, predicted, flat)
        return np.moveaxis(scores, 0, -1).reshape(*weights.shape[:-1], len(self.statistics))


def _bind_ranks(batch: Scores, *, apart: bool) -> RankCorrelation:
    gold, predicted = (tie_groups(side, apart=apart) for side in (batch.gold, batch.predicted))
    return RankCorrelation(gold, predicted, len(batch), batch.unit)


def _ranked(batch: Scores, *, apart: bool) -> tuple[FloatArray, FloatArray]:
    gold, predicted = (tie_groups(side, apart=apart).mid_ranks() for side in (batch.gold, batch.predicted))
    return gold, predicted


@frozen(eq=False)
class _ExchangeOfRanks:
    """The exchange of answers, which are ranked again; on one scale that of their ranks, which are not."""

    batches: Sequence[Scores]
    exchange: Exchange
    apart: bool

    @property
    def cells(self) -> int:
        """One cell for each unit."""
        return self.exchange.cells

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        return self.exchange(masks, first, second)

    def along(self, axis: str, *, standardize: Standardize = False) -> Exchange:
        """Return the exchange of segments, the only one; standardized, that of ranks."""
        if axis != Scores.unit:
            raise CapabilityError(
                f"metric 'spearman' has no exchange of '{axis}'; what can be exchanged: {Scores.unit}"
            )
        if not standardize:
            return self
        ranked = (_ranked(batch, apart=self.apart) for batch in self.batches)
        ids = self.batches[0].ids
        return pearson_exchange([Scores(ids=ids, gold=gold, predicted=predicted) for gold, predicted in ranked])


def _exchange_ranks(batches: Sequence[Scores], *, apart: bool) -> Exchange:
    bind = partial(_bind_ranks, apart=apart)
    # weights choose among the units of both, one after the other: ties in the order of input would be in another order
    by_units = exchange_rows(batches, bind) if apart else ExchangeByWeights(bind)(batches)
    return _ExchangeOfRanks(batches, by_units, apart)


_IN_ORDER = "replicates scripts that rank ties in input order, so that copies of a unit are ranked apart"


def spearman(*, ties: Literal["average", "ordinal"] = "average") -> Metric:
    """Spearman's rank correlation: Pearson's correlation of mid-ranks.

    Parameters
    ----------
    ties : {"average", "ordinal"}
        average: tied values share their mean rank, the standard definition. ordinal: ties are ranked in input order,
        as the scripts of WMT12 to WMT18 did with their formula for data without ties; for replication only, since a
        constant prediction on sorted gold then looks perfect.

    Returns
    -------
    Metric
        On `Scores`, in [-1, 1]. Undefined (NaN) if either side is constant.

    References
    ----------
    WMT12-18 QE ranking (secondary, from 2016 primary), WMT22-24 QE sentence level (primary).
    """
    apart = ties == "ordinal"
    return Metric(
        name="spearman",
        summary="Spearman's rank correlation, ties at their mean rank; undefined for constants",
        source="WMT22-24 QE sentence level (primary); WMT12-18 QE ranking",
        formula=r"\rho = \frac{\sum_{i=1}^{n} (u_i - \bar{u})(v_i - \bar{v})}{\sqrt{\sum_{i=1}^{n} (u_i - \bar{u})^2} "
        r"\sqrt{\sum_{i=1}^{n} (v_i - \bar{v})^2}}",
        symbols=r"$u_i$ is the rank of the prediction $x_i$ among all predictions, $v_i$ the rank of the gold value "
        r"$y_i$ among all gold values, $n$ the number of units. Tied values share the mean of their ranks "
        r"(`ties=average`), so that $\bar{u} = \bar{v} = (n + 1) / 2$.",
        kind=Scores,
        bind=partial(_bind_ranks, apart=apart),
        smooth=True,
        exchange=partial(_exchange_ranks, apart=apart),
        vectors=partial(_ranked, apart=apart),
        bounds=(-1.0, 1.0),
        working_scale="arctanh",
        claims=() if apart else ("constant_proof", "blind_proof", "location_scale_invariant"),
        left_out=dict.fromkeys(("order", "repetition"), _IN_ORDER) if apart else {},
        known_weaknesses={"cosmetic": 0.05},
    )

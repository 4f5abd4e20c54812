"""DeltaAvg: how much better the top quantiles of a ranking are than the whole, over all quantiles; and quality gain.

For a fixed number of units DeltaAvg is linear in the gold values, sorted by the prediction: position j has a
coefficient that depends on the number of units alone. The units of a tied block share the mean of their coefficients,
which gives the exact expectation over all orders of the block.
"""

from functools import lru_cache, partial
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray, Metric, Scores, additive, mean_of_sums
from qeframe.plugin.resampling import (
    CELLS_IN_CACHE,
    ExchangeByWeights,
    TieGroups,
    bounded_slices,
    running_sums,
    tie_groups,
)
from qeframe_scoring.mean_errors import Counted


def cumulated_coefficients(units: int) -> FloatArray:
    """Return the sums of the coefficients of the first 0, 1, ... `units` positions, (units + 1,).

    DeltaAvg is the mean over n = 2 .. N // 2 of D_n, and D_n the mean over i = 1 .. n - 1 of the mean of the first
    i * (N // n) gold values, minus the mean of all N. With c_k the total weight of "mean of the first k values", the
    coefficient of position j is the sum of c_k / k over k >= j. Fewer than four units: all zero.

    The sums are cached for 512 sizes of small samples (draws by Poisson counts differ in size) and for four sizes of
    large ones, in some tens of megabytes at most.
    """
    return (_kept if units <= _SMALL else _kept_of_large)(units)


def _cumulated_coefficients(units: int) -> FloatArray:
    quantiles = np.arange(2, units // 2 + 1)
    weight = np.zeros(units + 1)
    for size in np.unique(units // quantiles):
        chosen = quantiles[units // quantiles == size]
        cuts = np.arange(1, chosen[-1])
        # a cut k belongs to all n > k: the sum of 1 / (n - 1) over them
        inverse = np.concatenate([np.cumsum((1.0 / (chosen - 1))[::-1])[::-1], [0.0]])
        weight[cuts * size] += inverse[np.searchsorted(chosen, cuts + 1)] / (cuts * size)
    coefficients = np.cumsum(weight[:0:-1])[::-1] / max(1, len(quantiles))
    cumulated = np.concatenate([[0.0], np.cumsum(coefficients)])
    cumulated.setflags(write=False)
    return cumulated


_SMALL = 2**13
_kept = lru_cache(maxsize=512)(_cumulated_coefficients)
_kept_of_large = lru_cache(maxsize=4)(_cumulated_coefficients)


@frozen(eq=False)
class DeltaAverage:
    """DeltaAvg as a statistic; see `delta_avg`."""

    groups: TieGroups
    gold: FloatArray
    units: int
    unit: str
    absolute: bool

    def __call__(self, weights: FloatArray) -> FloatArray:
        drawn = weights.reshape(-1, self.units)
        if (drawn != np.rint(drawn)).any() or (drawn < 0).any():
            raise DataError(
                "delta_avg is defined on whole units", remedy="weights must be whole numbers, none negative"
            )
        parts = bounded_slices(len(drawn), 2 * max(1, self.units), most=CELLS_IN_CACHE)
        scores = np.concatenate([np.empty(0), *(self._scores(np.ascontiguousarray(drawn[part].T)) for part in parts)])
        return (np.abs(scores) if self.absolute else scores).reshape(weights.shape[:-1])

    def _scores(self, weights: FloatArray) -> FloatArray:
        """Return the scores under weights (n, draws), (draws,)."""
        grouped, totals = self.groups.sum(weights), self.groups.sum(weights * self.gold[:, None])
        if not len(grouped):
            return np.full(weights.shape[1], np.nan)
        block_means = totals / np.maximum(grouped, 1.0)  # the total of a group that was not drawn is 0
        ends = running_sums(grouped).astype(np.int64)
        counts, which = np.unique(ends[-1], return_inverse=True)
        table = np.zeros((len(counts), counts[-1] + 1))
        for row, count in enumerate(counts):
            table[row, : count + 1] = cumulated_coefficients(int(count))
        cumulated = table.ravel().take(ends + which * table.shape[1])
        cumulated[1:] -= cumulated[:-1].copy()  # now the share of each group
        top, units = np.einsum("gb,gb->b", cumulated, block_means), ends[-1]
        mean = np.where(units >= 4, totals.sum(axis=0) / np.maximum(units, 1), 0.0)
        return np.where(units > 0, top - mean, np.nan)


def _bind_delta(
    batch: Scores, *, best: Literal["declared", "low", "high"], apart: bool, raw: bool, absolute: bool
) -> DeltaAverage:
    high = (batch.best if best == "declared" else best) == "high" and not raw
    gold = batch.gold - batch.pivot[0]
    groups = tie_groups(-batch.predicted if high else batch.predicted, apart=apart)
    return DeltaAverage(groups, gold if high or raw else -gold, len(batch), batch.unit, absolute)


def delta_avg(
    *,
    best: Literal["declared", "low", "high"] = "declared",
    ties: Literal["average", "input"] = "average",
    signed: Literal["good", "raw"] = "good",
    replicate: Literal["none", "perl"] = "none",
) -> Metric:
    """DeltaAvg, the measure of the ranking variant of sentence-level QE.

    The gold values are sorted by the prediction, best first. For n = 2 .. N // 2 quantiles of N // n units, D_n
    is the mean over i = 1 .. n - 1 of (mean of the first i quantiles - mean of all); DeltaAvg is the mean of D_n.

    Parameters
    ----------
    best : {"declared", "low", "high"}
        Which end of the scale is good; "declared": as the batch declares (low by default).
    ties : {"average", "input"}
        average: a tied block takes the exact expectation over its orders. input: ties keep the input order, as in the
        scripts; a constant prediction on sorted gold then looks perfect.
    signed : {"good", "raw"}
        good: positive when the ranking is good. raw: the plain difference in ascending order of the prediction,
        negative when the ranking is good, so that lower is better (but with ``replicate=perl``, which drops the sign).
    replicate : {"none", "perl"}
        perl: ties in input order and the absolute value, as the official script of 2013 and its ports printed. A
        reversed ranking may then score higher than the perfect one.

    Returns
    -------
    Metric
        On `Scores`, in units of the gold. A constant prediction scores 0; fewer than four units score 0, since there
        is no n; undefined (NaN) only without units. Weights must be whole numbers.

    References
    ----------
    Callison-Burch et al. (2012), Findings of WMT12; QE ranking 2012-2015 (primary), 2016-2018 (secondary).
    """
    perl = replicate == "perl"
    apart = perl or ties == "input"
    bind = partial(_bind_delta, best=best, apart=apart, raw=signed == "raw", absolute=perl)
    return Metric(
        name="delta_avg",
        summary="Mean gain of the top quantiles of a ranking over all units; ties averaged, positive when good",
        source="WMT12-15 QE ranking (primary); Callison-Burch et al. (2012)",
        formula=r"\frac{1}{\lfloor n/2 \rfloor - 1} \sum_{q=2}^{\lfloor n/2 \rfloor} \frac{1}{q-1} \sum_{k=1}^{q-1} "
        r"\left( \frac{1}{k m_q} \sum_{i=1}^{k m_q} y_{(i)} - \bar{y} \right)",
        symbols=r"$y_{(i)}$ is the gold value of the unit with the $i$-th best prediction, $\bar{y}$ the mean of all "
        r"$n$ gold values, $q$ a number of quantiles, and $m_q = \lfloor n/q \rfloor$ the units in each. Where low "
        r"values are good, all $y$ are negated. Units with tied predictions share the mean of their gold values.",
        kind=Scores,
        bind=bind,
        # units of two submissions together have no input order
        exchange=None if apart else ExchangeByWeights(bind, recomputes=True),
        higher_is_better=signed == "good" or perl,
        smooth=False,
        claims=() if apart else ("constant_proof", "blind_proof"),
        left_out={"order": "replicates scripts that rank ties in input order"} if apart else {},
        known_weaknesses={"blind": 1.27, "cosmetic": 0.05} if perl else {"cosmetic": 0.05},
    )


def _gains(batch: Scores) -> FloatArray:
    return batch.predicted - batch.gold


quality_gain = Metric(
    name="quality_gain",
    summary="Mean of the scores of corrected translations less those of the originals; 0 for doing nothing",
    source="WMT25 task 3, quality-informed correction",
    formula=r"\frac{1}{n} \sum_{i=1}^{n} (x_i - y_i)",
    symbols="$x_i$ is the score that a quality metric gives to corrected translation $i$, $y_i$ the score that it "
    "gives to the original one, and $n$ is the number of translations.",
    kind=Scores,
    bind=additive(columns=("units", "gain"), extract=Counted(_gains), score=mean_of_sums),
    smooth=True,
    per_unit=_gains,
    left_out={"resists": "it is no agreement: its gold is the original, so that an index has no scale"},
)
"""The gold is the original, before it was corrected. Higher is better, without a bound; n/a without units.

It is no agreement: nothing holds a correction to the original, and the best of many rewritings by the quality metric
itself has the highest gain. A submission that changes nothing has 0 and beats every editor that does harm.
"""

"""Kendall's tau-b and Stuart's tau-c of gold and predicted numbers, under weights.

The units are ordered by their gold, and by their prediction where the gold is tied. Pairs of units in falling order of
the prediction are then the discordant ones. They are counted by merging: in each of log n steps neighboring blocks are
joined, and every unit of the right block is counted with the units of the left one that are above it. The order of the
units in each step does not depend on the weights. It is found once, and all draws are counted together.

A unit of whole weight w counts as w units that are tied with each other.
"""

from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, IntArray, Metric, Scores
from qeframe.plugin.resampling import Exchange, ExchangeByWeights, TieGroups, bounded_slices, flatten_draws, tie_groups
from qeframe_scoring.kendall_exchange import MOST_UNITS, TauExchange, tau_b, tau_c

_ARRAYS = 4
"""How many arrays of one number a unit and draw live at once."""


@frozen(eq=False)
class _Step:
    """One step of merging.

    `left`, `right` (m,) and (k,): the units of all left and of all right halves, block by block, each from its lowest
      to its highest prediction.
    `below` (k,): for each unit of a right half, how many of `left` are in earlier blocks, or in its block and not above
      it.
    `end` (k,): the same, with all of `left` in its block.
    """

    left: IntArray
    right: IntArray
    below: IntArray
    end: IntArray

    def discordant(self, columns: FloatArray) -> FloatArray:
        """Return the weight of pairs of a unit of a right half and a higher one of its left half, (draws,)."""
        cumulated = np.zeros((len(self.left) + 1, columns.shape[1]))
        np.cumsum(columns[self.left], axis=0, out=cumulated[1:])
        above = cumulated[self.end]
        above -= cumulated[self.below]
        return np.einsum("ud,ud->d", columns[self.right], above)


@frozen(eq=False)
class TauStatistic:
    """Tau-b or tau-c as a statistic."""

    steps: tuple[_Step, ...]
    gold: TieGroups
    predicted: TieGroups
    both: TieGroups
    variant: Literal["b", "c"]
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.full(len(flat), np.nan)
        for part in bounded_slices(len(flat), _ARRAYS * self.units) if self.units else []:
            scores[part] = self._scores(np.ascontiguousarray(flat[part].T))
        return scores.reshape(weights.shape[:-1])

    def _scores(self, columns: FloatArray) -> FloatArray:
        total = columns.sum(axis=0)
        by_gold, by_predicted, by_both = (ties.sum(columns) for ties in (self.gold, self.predicted, self.both))
        untied_gold, untied_predicted = (_untied(total, groups) for groups in (by_gold, by_predicted))
        untied = untied_gold + untied_predicted - _untied(total, by_both)
        discordant = sum((step.discordant(columns) for step in self.steps), np.zeros(len(total)))
        surplus = untied - 2 * discordant
        if self.variant == "b":
            return tau_b(surplus, untied_gold, untied_predicted)
        fewer = np.minimum((by_gold > 0).sum(axis=0), (by_predicted > 0).sum(axis=0))
        return tau_c(surplus, untied_gold, untied_predicted, fewer, total)


def _untied(total: FloatArray, groups: FloatArray) -> FloatArray:
    """Return the weight of the pairs of units in different groups, (draws,)."""
    return np.asarray((groups * (total - groups)).sum(axis=0) / 2)


def _bind(batch: Scores, *, variant: Literal["b", "c"]) -> TauStatistic:
    gold, predicted = tie_groups(batch.gold), tie_groups(batch.predicted)
    both = tie_groups((gold.group_of_unit * (len(batch) + 1) + predicted.group_of_unit).astype(np.float64))
    steps = _steps(both.order, predicted.group_of_unit)
    return TauStatistic(tuple(steps), gold, predicted, both, variant, len(batch), batch.unit)


def _steps(order: IntArray, rank: IntArray) -> list[_Step]:
    """Return the steps that merge units in this order, whose predictions have these ranks."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    steps, half = [], 1
    while half < len(order):
        block, is_right = place // (2 * half), place // half % 2
        # of equal ranks those of the left half first: they are then not above those of the right half
        merged = np.lexsort((is_right, rank, block))
        of_left = is_right[merged] == 0
        counted = np.cumsum(of_left)
        last = np.minimum((block[merged] + 1) * 2 * half, len(order)) - 1
        steps.append(_Step(merged[of_left], merged[~of_left], counted[~of_left], counted[last[~of_left]]))
        half *= 2
    return steps


def _exchange(batches: Sequence[Scores], *, variant: Literal["b", "c"]) -> Exchange:
    """Return the exchange of units, by quadratic forms where there are not too many of one gold."""
    gold = batches[0].gold
    if 1 < len(gold) <= MOST_UNITS and all(np.array_equal(batch.gold, gold) for batch in batches):
        return TauExchange(batches, variant)
    return ExchangeByWeights(partial(_bind, variant=variant))(batches)


_PAIRS = (
    "$C$ is the number of pairs of units that the predictions $x$ order as the gold $y$ does, and $D$ the number of "
    "those that they order the other way."
)


def _tau(name: str, variant: Literal["b", "c"], summary: str, source: str, formula: str, more: str) -> Metric:
    bind = partial(_bind, variant=variant)
    return Metric(
        name=name,
        summary=summary,
        source=source,
        kind=Scores,
        bind=bind,
        smooth=True,
        exchange=partial(_exchange, variant=variant),
        bounds=(-1.0, 1.0),
        claims=("constant_proof", "blind_proof", "location_scale_invariant"),
        formula=formula,
        symbols=f"{_PAIRS} {more}",
    )


kendall_tau_b = _tau(
    "kendall_tau_b",
    "b",
    "Kendall's tau-b of gold and predicted numbers; undefined for a constant side",
    "WMT23-24 QE sentence level (secondary); Kendall (1945)",
    r"\tau_b = \frac{C - D}{\sqrt{(P - T_x)(P - T_y)}}",
    "$P = n(n-1)/2$ is the number of all pairs of $n$ units; $T_x$ and $T_y$ are those that a side ties.",
)

kendall_tau_c = _tau(
    "kendall_tau_c",
    "c",
    "Stuart's tau-c of gold and predicted numbers; undefined for a constant side",
    "Stuart (1953), for sides with different numbers of values",
    r"\tau_c = \frac{2 m (C - D)}{n^2 (m - 1)}",
    "$n$ is the number of units, and $m$ is the smaller one of the numbers of distinct values of both sides.",
)

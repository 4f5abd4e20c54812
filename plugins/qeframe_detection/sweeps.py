"""Sweeps: the units from the highest to the lowest prediction, as counts of the positive ones and of all.

The order is found once. Under weights each tied group has a weighted number of positive units and of all units; sums of
these from the highest group on are the counts of every threshold.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import frozen

from qeframe.plugin import Detections, FloatArray
from qeframe.plugin.resampling import TieGroups, bounded_slices, flatten_draws, tie_groups

SweepScore = Callable[[FloatArray, FloatArray], FloatArray]
"""From the weighted numbers of positive units and of all units in each tied group, (groups, draws) each, to scores."""

_ARRAYS = 8
"""How many arrays of one number a unit and draw live at once."""


@frozen(eq=False)
class Sweep:
    """A statistic of the counts of tied groups, the highest prediction first."""

    groups: TieGroups
    gold: FloatArray
    score: SweepScore
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.full(len(flat), np.nan)
        for part in bounded_slices(len(flat), _ARRAYS * self.units) if self.units else []:
            columns = np.ascontiguousarray(flat[part].T)
            scores[part] = self.score(self.groups.sum(columns * self.gold[:, None]), self.groups.sum(columns))
        return scores.reshape(weights.shape[:-1])


@frozen
class BindSweep:
    """The ``bind`` of a metric that is a score of sweeps."""

    score: SweepScore

    def __call__(self, batch: Detections) -> Sweep:
        return Sweep(tie_groups(-batch.predicted), batch.gold, self.score, len(batch), batch.unit)


def top_hits(hits: FloatArray, totals: FloatArray, count: FloatArray) -> FloatArray:
    """Return the weighted number of positive units among the `count` highest, (draws,).

    A tied group at the border counts in proportion: the exact expectation over all orders of the group.

    Parameters
    ----------
    hits, totals : (groups, draws) float64
    count : (draws,) float64
        At most the number of units.
    """
    room = count - (totals.cumsum(axis=0) - totals)
    share = np.divide(np.clip(room, 0.0, totals), totals, out=np.zeros_like(totals), where=totals > 0)
    return np.asarray((hits * share).sum(axis=0))

"""Counts of decisions, the measures of them, and sweeps over all thresholds.

Counts are (..., 4): true positives, false positives, false negatives, true negatives. Where the gold has only one class
there is nothing to be told apart: MCC and kappa are undefined (NaN). Recall and F1 are undefined if the gold has no
positive unit. If all decisions are equal, MCC and kappa are 0; without a positive decision, precision is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, Detections, FloatArray
from qeframe.plugin.resampling import TieGroups, bounded_slices, flatten_draws, tie_groups

Measure = Callable[[FloatArray], FloatArray]

COLUMNS = ("true_positives", "false_positives", "false_negatives", "true_negatives")


@frozen
class Counts:
    """The counts of every unit when a threshold decides, (n, 4)."""

    threshold: float
    strict: bool

    def __call__(self, batch: Detections) -> FloatArray:
        called = batch.predicted > self.threshold if self.strict else batch.predicted >= self.threshold
        positive = batch.gold == 1
        cells = (positive & called, ~positive & called, positive & ~called, ~positive & ~called)
        return np.stack(cells, axis=1).astype(np.float64)


def _over(numerator: FloatArray, denominator: FloatArray, defined: BoolArray) -> FloatArray:
    """Return numerator / denominator; 0 where the denominator is 0, NaN where the score is not defined."""
    filled = np.where(defined, 0.0, np.nan)
    return np.divide(numerator, denominator, out=filled, where=defined & (denominator > 0))


def _both_classes(cells: FloatArray) -> BoolArray:
    tp, fp, fn, tn = np.moveaxis(cells, -1, 0)
    return np.asarray((tp + fn > 0) & (fp + tn > 0))


def matthews(cells: FloatArray) -> FloatArray:
    """Return Matthews' correlation coefficient, in [-1, 1]."""
    tp, fp, fn, tn = np.moveaxis(cells, -1, 0)
    spread = np.sqrt((tp + fp) * (fn + tn)) * np.sqrt((tp + fn) * (fp + tn))
    return np.clip(_over(tp * tn - fp * fn, spread, _both_classes(cells)), -1.0, 1.0)


def kappa(cells: FloatArray) -> FloatArray:
    """Return Cohen's kappa, in [-1, 1]."""
    tp, fp, fn, tn = np.moveaxis(cells, -1, 0)
    by_chance = (tp + fp) * (fp + tn) + (fn + tn) * (tp + fn)
    return np.clip(_over(2 * (tp * tn - fp * fn), by_chance, _both_classes(cells)), -1.0, 1.0)


def precision(cells: FloatArray) -> FloatArray:
    """Return the share of the positive decisions that are right."""
    tp, fp = cells[..., 0], cells[..., 1]
    return _over(tp, tp + fp, cells.sum(axis=-1) > 0)


def recall(cells: FloatArray) -> FloatArray:
    """Return the share of the positive units that are found."""
    tp, fn = cells[..., 0], cells[..., 2]
    return _over(tp, tp + fn, tp + fn > 0)


def f1(cells: FloatArray) -> FloatArray:
    """Return the harmonic mean of precision and recall."""
    tp, fp, fn, _ = np.moveaxis(cells, -1, 0)
    return _over(2 * tp, 2 * tp + fp + fn, tp + fn > 0)


def f1_negative(cells: FloatArray) -> FloatArray:
    """Return the F1 of the negative class: both classes change their roles."""
    return f1(cells[..., ::-1])


def f1_product(cells: FloatArray) -> FloatArray:
    """Return the product of the F1 of both classes."""
    return np.asarray(f1(cells) * f1_negative(cells))


MEASURES: Mapping[str, Measure] = {
    "mcc": matthews,
    "kappa": kappa,
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "f1_negative": f1_negative,
    "f1_product": f1_product,
}


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

"""Counts of decisions, the measures of them, sweeps over all thresholds, and thresholds that depend on the data.

Counts are (..., 4): true positives, false positives, false negatives, true negatives. As of tags, a measure is 0 where
its denominator is: MCC and kappa where gold or decisions have one class, precision, recall and F1 without a hit.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, Detections, FloatArray, IntArray, ratio
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


def _over(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return numerator / denominator, 0 where the denominator is 0."""
    return np.nan_to_num(ratio(numerator, denominator))


def matthews(cells: FloatArray) -> FloatArray:
    """Return Matthews' correlation coefficient, in [-1, 1]."""
    tp, fp, fn, tn = np.moveaxis(cells, -1, 0)
    spread = np.sqrt((tp + fp) * (fn + tn)) * np.sqrt((tp + fn) * (fp + tn))
    return np.clip(_over(tp * tn - fp * fn, spread), -1.0, 1.0)


def kappa(cells: FloatArray) -> FloatArray:
    """Return Cohen's kappa, in [-1, 1]."""
    tp, fp, fn, tn = np.moveaxis(cells, -1, 0)
    by_chance = (tp + fp) * (fp + tn) + (fn + tn) * (tp + fn)
    return np.clip(_over(2 * (tp * tn - fp * fn), by_chance), -1.0, 1.0)


def precision(cells: FloatArray) -> FloatArray:
    """Return the share of the positive decisions that are right."""
    tp, fp = cells[..., 0], cells[..., 1]
    return _over(tp, tp + fp)


def recall(cells: FloatArray) -> FloatArray:
    """Return the share of the positive units that are found."""
    tp, fn = cells[..., 0], cells[..., 2]
    return _over(tp, tp + fn)


def f1(cells: FloatArray) -> FloatArray:
    """Return the harmonic mean of precision and recall."""
    tp, fp, fn, _ = np.moveaxis(cells, -1, 0)
    return _over(2 * tp, 2 * tp + fp + fn)


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


@frozen(kw_only=True, eq=False)
class Sweep:
    """A statistic of the counts of tied groups, the highest prediction first."""

    arrays: ClassVar[int] = 8  # how many arrays of one number a unit and draw live at once
    groups: TieGroups
    gold: FloatArray
    score: Callable[..., FloatArray]
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.full(len(flat), np.nan)
        for part in bounded_slices(len(flat), self.arrays * max(1, self.units)):
            scores[part] = self._scores(np.ascontiguousarray(flat[part].T))
        return scores.reshape(weights.shape[:-1])

    def _scores(self, columns: FloatArray) -> FloatArray:
        return self.score(*self._counts(columns))

    def _counts(self, columns: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.groups.sum(columns * self.gold[:, None]), self.groups.sum(columns)


@frozen
class BindSweep:
    """The ``bind`` of a metric that is a score of sweeps."""

    score: SweepScore

    def __call__(self, batch: Detections) -> Sweep:
        return Sweep(**of_units(batch), score=self.score)


def of_units(batch: Detections) -> dict[str, Any]:
    """Return what a sweep knows of the units of a batch."""
    return {"groups": tie_groups(-batch.predicted), "gold": batch.gold, "units": len(batch), "unit": batch.unit}


def top_hits(hits: FloatArray, totals: FloatArray, count: FloatArray) -> FloatArray:
    """Return the weighted number of positive units among the `count` highest, (draws,), of groups (groups, draws).

    A tied group at the border counts in proportion: the exact expectation over all orders of the group.
    """
    room = count - (totals.cumsum(axis=0) - totals)
    share = np.divide(np.clip(room, 0.0, totals), totals, out=np.zeros_like(totals), where=totals > 0)
    return np.asarray((hits * share).sum(axis=0))


def at_gold_rate(measure: Measure, hits: FloatArray, totals: FloatArray) -> FloatArray:
    """Return the measure where as many units are called positive as the gold has: the highest ones.

    A tied group at the border counts in proportion. All measures are linear in the number of hits there, so that this
    is the exact expectation over all orders of the group.
    """
    positives, units = hits.sum(axis=0), totals.sum(axis=0)
    true_positives = top_hits(hits, totals, positives)
    missed = positives - true_positives
    return measure(np.stack([true_positives, missed, missed, units - positives - missed], axis=-1))


def at_best(measure: Measure, hits: FloatArray, totals: FloatArray) -> FloatArray:
    """Return the best measure of all thresholds on the same units: an optimistic score."""
    return np.asarray(measure(_cells(hits, totals)).max(axis=0))


def _cells(hits: FloatArray, totals: FloatArray) -> FloatArray:
    """Return the counts of every threshold, (groups + 1, draws, 4): no group is called positive, the first one, ..."""
    nothing = np.zeros((1, hits.shape[1]))
    true_positives = np.concatenate([nothing, hits.cumsum(axis=0)])
    called = np.concatenate([nothing, totals.cumsum(axis=0)])
    positives, units = hits.sum(axis=0), totals.sum(axis=0)
    missed = positives - true_positives
    return np.stack([true_positives, called - true_positives, missed, units - called - missed], axis=-1)


def _best_cut(measure: Measure, hits: FloatArray, totals: FloatArray) -> IntArray:
    """Return how many groups are called positive at the best threshold, (draws,); of equal ones the highest."""
    return np.asarray(measure(_cells(hits, totals)).argmax(axis=0))


@frozen(kw_only=True, eq=False)
class CrossFitted(Sweep):
    """A measure, its `score`, with for each fold of the units the threshold that is best on the other folds."""

    arrays: ClassVar[int] = 24  # four counts of every threshold, and what they make
    fold: IntArray
    folds: int

    def _scores(self, columns: FloatArray) -> FloatArray:
        cells = np.zeros((columns.shape[1], 4))
        for fold in range(self.folds):
            inside = columns * (self.fold == fold)[:, None]
            outside = columns - inside
            cut = _best_cut(self.score, *self._counts(outside))
            of_fold = _cells(*self._counts(inside))
            cells += np.take_along_axis(of_fold, cut[None, :, None], axis=0)[0]
        return self.score(cells)


@frozen
class BindCrossFitted:
    """The ``bind`` of a cross-fitted measure; a unit belongs to the fold of its id, modulo the number of folds."""

    measure: Measure
    folds: int

    def __call__(self, batch: Detections) -> CrossFitted:
        return CrossFitted(**of_units(batch), score=self.measure, fold=batch.ids % self.folds, folds=self.folds)


def best_threshold(batch: Detections, *, measure: str = "mcc") -> float:
    """Return the threshold that is best on a batch, to be used on other data as ``threshold`` of a metric.

    Parameters
    ----------
    batch : Detections
        The data on which the threshold is chosen.
    measure : {"mcc", "kappa", "precision", "recall", "f1"}
        What is largest at the threshold.

    Returns
    -------
    float
        The lowest prediction that is called positive; of equally good thresholds the highest. Infinite if it is best to
        call nothing positive, or if no threshold is better than that.

    Raises
    ------
    DataError
        For an unknown measure.
    """
    if measure not in MEASURES:
        raise DataError(f"unknown measure '{measure}'", remedy=f"choose one of {', '.join(MEASURES)}")
    groups = tie_groups(-batch.predicted)
    ones = np.ones((len(batch), 1))
    cut = int(_best_cut(MEASURES[measure], groups.sum(ones * batch.gold[:, None]), groups.sum(ones))[0])
    return float(np.sort(np.unique(batch.predicted))[::-1][cut - 1]) if cut else float("inf")

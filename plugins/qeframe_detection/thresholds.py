"""Thresholds that depend on the data: at the gold's rate, best on other units, best on the same units."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, Detections, FloatArray, IntArray
from qeframe.plugin.resampling import TieGroups, bounded_slices, flatten_draws, tie_groups
from qeframe_detection.decision_counts import MEASURES, Measure, top_hits

_ARRAYS = 24
"""How many arrays of one number a unit and draw live at once: four counts of every threshold, and what they make."""


@frozen
class AtGoldRate:
    """The measure where as many units are called positive as the gold has: the highest ones.

    A tied group at the border counts in proportion. All measures are linear in the number of hits there, so that this
    is the exact expectation over all orders of the group.
    """

    measure: Measure

    def __call__(self, hits: FloatArray, totals: FloatArray) -> FloatArray:
        positives, units = hits.sum(axis=0), totals.sum(axis=0)
        found = top_hits(hits, totals, positives)
        missed = positives - found
        return self.measure(np.stack([found, missed, missed, units - positives - missed], axis=-1))


@frozen
class AtBest:
    """The best measure of all thresholds on the same units: an optimistic score."""

    measure: Measure

    def __call__(self, hits: FloatArray, totals: FloatArray) -> FloatArray:
        scores = self.measure(_cells(hits, totals))
        undefined = np.isnan(scores).all(axis=0)
        return np.where(undefined, np.nan, np.where(np.isnan(scores), -np.inf, scores).max(axis=0, initial=-1.0))


def _cells(hits: FloatArray, totals: FloatArray) -> FloatArray:
    """Return the counts of every threshold, (groups + 1, draws, 4): no group is called positive, the first one, ..."""
    nothing = np.zeros((1, hits.shape[1]))
    found = np.concatenate([nothing, hits.cumsum(axis=0)])
    called = np.concatenate([nothing, totals.cumsum(axis=0)])
    positives, units = hits.sum(axis=0), totals.sum(axis=0)
    missed = positives - found
    return np.stack([found, called - found, missed, units - called - missed], axis=-1)


def _best_cut(measure: Measure, hits: FloatArray, totals: FloatArray) -> IntArray:
    """Return how many groups are called positive at the best threshold, (draws,); of equal ones the highest."""
    scores = measure(_cells(hits, totals))
    return np.asarray(np.where(np.isnan(scores), -np.inf, scores).argmax(axis=0))


@frozen(eq=False)
class CrossFitted:
    """The measure with, for each fold of the units, the threshold that is best on the other folds."""

    groups: TieGroups
    gold: FloatArray
    fold: IntArray
    folds: int
    measure: Measure
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.full(len(flat), np.nan)
        for part in bounded_slices(len(flat), _ARRAYS * self.units) if self.units else []:
            scores[part] = self._scores(np.ascontiguousarray(flat[part].T))
        return scores.reshape(weights.shape[:-1])

    def _scores(self, columns: FloatArray) -> FloatArray:
        cells = np.zeros((columns.shape[1], 4))
        for fold in range(self.folds):
            inside = columns * (self.fold == fold)[:, None]
            outside = columns - inside
            cut = _best_cut(self.measure, *self._counts(outside))
            own = _cells(*self._counts(inside))
            cells += np.take_along_axis(own, cut[None, :, None], axis=0)[0]
        return self.measure(cells)

    def _counts(self, columns: FloatArray) -> tuple[FloatArray, FloatArray]:
        return self.groups.sum(columns * self.gold[:, None]), self.groups.sum(columns)


@frozen
class BindCrossFitted:
    """The ``bind`` of a cross-fitted measure; a unit belongs to the fold of its id, modulo the number of folds."""

    measure: Measure
    folds: int

    def __call__(self, batch: Detections) -> CrossFitted:
        return CrossFitted(
            groups=tie_groups(-batch.predicted),
            gold=batch.gold,
            fold=batch.ids % self.folds,
            folds=self.folds,
            measure=self.measure,
            units=len(batch),
            unit=batch.unit,
        )


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
        call nothing positive, or if the measure is undefined.

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

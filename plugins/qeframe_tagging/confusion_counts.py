"""Confusion counts of every sentence, and the measures that are computed from their sums."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, FloatArray, Score, Tags
from qeframe_tagging.runs import Runs, rows_by_chunk, sum_by

Weighting = Literal["all", "non_ok"]


def confusion(batch: Tags) -> FloatArray:
    """Return how often each gold class was tagged as each class, for every sentence.

    Returns
    -------
    (n, classes, classes) float64
        ``[i, g, p]`` counts the tokens of sentence i with gold class g and predicted class p, in the order of
        ``batch.classes``. An empty sentence has zeros only.
    """
    return batch.rows(confusion_rows).reshape(len(batch), len(batch.classes), len(batch.classes))


def confusion_details(batch: Tags) -> dict[str, Any]:
    """Return the confusion table, precision and recall of all classes.

    Returns
    -------
    dict
        ``confusion``: the number of tokens by gold class and predicted class. ``precision`` and ``recall``: by class, 0
        where the denominator is 0.
    """
    cells = confusion(batch).sum(axis=0)
    hits = np.diagonal(cells)
    shares = {"precision": fraction(hits, cells.sum(axis=0)), "recall": fraction(hits, cells.sum(axis=1))}
    table = {
        g: dict(zip(batch.classes, map(int, row), strict=True)) for g, row in zip(batch.classes, cells, strict=True)
    }
    by_class = {name: dict(zip(batch.classes, map(float, share), strict=True)) for name, share in shares.items()}
    return {"confusion": table, **by_class}


def confusion_rows(batch: Tags) -> FloatArray:
    """Return the confusion counts as rows, (n, classes * classes)."""
    cells = len(batch.classes) ** 2
    return rows_by_chunk(batch, _count, cells)


def _count(runs: Runs) -> FloatArray:
    cells = runs.classes**2
    return sum_by(runs.cell, runs.length, runs.sentences * cells).reshape(-1, cells)


def bind_counts(score_for: Callable[[Tags], Score]) -> Callable[[Tags], Additive]:
    """Return a ``bind`` on confusion counts.

    Parameters
    ----------
    score_for : callable
        From a batch, which has the names of its classes, to the score of sums (..., classes * classes). It must return
        equal values for equal classes, so that all submissions are computed together.
    """

    def bind(batch: Tags) -> Additive:
        return Additive(batch.rows(confusion_rows), score_for(batch), batch.unit)

    return bind


def fraction(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return numerator / denominator, 0 where the denominator is not positive."""
    nothing = np.zeros(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)))
    return np.divide(numerator, denominator, out=nothing, where=denominator > 0)


@frozen
class FMeasure:
    """F-beta of one class as a score of sums: precision is beta = 0, recall is beta = infinity.

    Parameters
    ----------
    code : int
        The class.
    beta : float
        How much more recall counts than precision, from 0 to infinity.
    """

    code: int
    beta: float = 1.0

    def __call__(self, sums: FloatArray) -> FloatArray:
        cells = _square(sums)
        hits = cells[..., self.code, self.code]
        in_gold, in_predicted = cells[..., self.code, :].sum(axis=-1), cells[..., :, self.code].sum(axis=-1)
        precision_share = 1.0 / (1.0 + self.beta * self.beta)
        return fraction(hits, (1.0 - precision_share) * in_gold + precision_share * in_predicted)


def product_of_f1(sums: FloatArray) -> FloatArray:
    """Return the product of the F1 of all classes, 0 if a class has no hit."""
    return np.prod([FMeasure(code)(sums) for code in range(isqrt(sums.shape[-1]))], axis=0)


@frozen
class WeightedF1:
    """The mean F1 of some classes, weighted by their numbers of gold tokens; 0 if there are none."""

    codes: tuple[int, ...]

    def __call__(self, sums: FloatArray) -> FloatArray:
        support = _square(sums).sum(axis=-1)
        total = sum(support[..., code] * FMeasure(code)(sums) for code in self.codes)
        return fraction(np.asarray(total), support[..., list(self.codes)].sum(axis=-1))


def weighted_f1(batch: Tags, classes: Weighting) -> WeightedF1:
    """Return the weighted F1 of all classes, or of all but OK."""
    left_out = batch.class_code("OK") if classes == "non_ok" else None
    return WeightedF1(tuple(code for code in range(len(batch.classes)) if code != left_out))


def matthews(sums: FloatArray) -> FloatArray:
    """Return the correlation of gold and predicted tags, 0 if a side has fewer than two classes.

    For two classes it is (TP * TN - FP * FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN)). For more classes it is the
    generalization of Gorodkin (2004).
    """
    gold, predicted, covariance = _margins(sums)
    spread = np.sqrt(_pairs_apart(gold, gold) * _pairs_apart(predicted, predicted))
    return np.clip(fraction(covariance, spread), -1.0, 1.0)


def chance_corrected(sums: FloatArray) -> FloatArray:
    """Return Cohen's kappa, 0 if both sides have only one class, the same one, or no token."""
    gold, predicted, covariance = _margins(sums)
    return np.clip(fraction(covariance, _pairs_apart(gold, predicted)), -1.0, 1.0)


def _margins(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the tokens of each class in the gold and in the prediction, and hits * tokens - their inner product."""
    cells = _square(sums)
    gold, predicted = cells.sum(axis=-1), cells.sum(axis=-2)
    hits = np.trace(cells, axis1=-2, axis2=-1)
    return gold, predicted, hits * gold.sum(axis=-1) - np.einsum("...c,...c->...", gold, predicted)


def _pairs_apart(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the sum of a_k * b_l over k != l: exactly 0 if both have only one class, the same one."""
    apart = 1.0 - np.eye(a.shape[-1])
    return np.einsum("...k,...k->...", a, b @ apart)


def _square(sums: FloatArray) -> FloatArray:
    side = isqrt(sums.shape[-1])
    return sums.reshape(*sums.shape[:-1], side, side)

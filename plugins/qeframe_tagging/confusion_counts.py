"""Runs of equal tags, the confusion counts of every sentence, and the measures that are computed from their sums.

A span is a stretch of a sentence in which one side keeps its tag. A run is the intersection of one gold span and one
predicted span: a longest stretch in which neither side changes its tag. There are far fewer runs than tokens, and every
count of this plugin is a sum over runs.

The measure of a class is 0 where its denominator is. A mean over classes leaves out such a class, which has no tag that
the measure counts: no gold tag for recall, none on either side for F1. A product does not leave it out.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import Additive, BoolArray, FloatArray, IntArray, Score, Tags

_TOKENS_AT_ONCE = 2**17  # about 6,500 sentences, so that any corpus needs only a few megabytes of working memory


@frozen(eq=False)
class Runs:
    """All runs of some sentences, in reading order; arrays (r,)."""

    sentences: int
    classes: int
    sentence: IntArray
    gold: IntArray
    predicted: IntArray
    length: IntArray  # in tokens
    opens_gold: BoolArray  # whether a span of that side begins with the run
    opens_predicted: BoolArray

    @property
    def cell(self) -> IntArray:
        """(r,) int64: the cell of each run in the confusion tables, numbered through all sentences."""
        return (self.sentence * self.classes + self.gold) * self.classes + self.predicted


def sum_by(index: IntArray, values: NDArray[Any], groups: int) -> FloatArray:
    """Return the sum of the values (m,) of each group, (groups,) float64."""
    sums: FloatArray = np.bincount(index, weights=values, minlength=groups).astype(np.float64, copy=False)
    return sums


def find_runs(gold: NDArray[np.int8], predicted: NDArray[np.int8], offsets: IntArray, classes: int) -> Runs:
    """Return the runs of sentences, given as flat tags (tokens,) and offsets (sentences + 1,)."""
    filled = np.flatnonzero(np.diff(offsets))
    begins = offsets[filled]
    opens_gold, opens_predicted = _changes(gold, begins), _changes(predicted, begins)
    starts = np.flatnonzero(opens_gold | opens_predicted)
    per_sentence = np.diff(np.searchsorted(starts, begins), append=len(starts))
    return Runs(
        sentences=len(offsets) - 1,
        classes=classes,
        sentence=np.repeat(filled, per_sentence),
        gold=gold[starts].astype(np.int64),
        predicted=predicted[starts].astype(np.int64),
        length=np.diff(starts, append=len(gold)),
        opens_gold=opens_gold[starts],
        opens_predicted=opens_predicted[starts],
    )


def _changes(tags: NDArray[np.int8], begins: IntArray) -> BoolArray:
    """Return where a span begins: the tag or the sentence differs from that of the token before."""
    changes = np.empty(len(tags), dtype=np.bool_)
    np.not_equal(tags[1:], tags[:-1], out=changes[1:])
    changes[begins] = True
    return changes


def rows_by_chunk(batch: Tags, rows_of: Callable[[Runs], FloatArray], columns: int) -> FloatArray:
    """Return the rows (n, columns) of all sentences, computed chunk by chunk."""
    rows = np.empty((len(batch), columns))
    for first, last in chunks(batch.gold.offsets, _TOKENS_AT_ONCE):
        offsets = batch.gold.offsets[first : last + 1]
        tokens = slice(offsets[0], offsets[-1])
        gold, predicted = batch.gold.values[tokens], batch.predicted.values[tokens]
        rows[first:last] = rows_of(find_runs(gold, predicted, offsets - offsets[0], len(batch.classes)))
    return rows


def chunks(offsets: IntArray, at_once: int) -> Iterator[tuple[int, int]]:
    """Cut rows of values (offsets[-1],) into chunks of about `at_once` values."""
    cuts = np.searchsorted(offsets, np.arange(0, offsets[-1], at_once))
    ends = np.unique(np.append(cuts, [0, len(offsets) - 1]))
    yield from zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)


Weighting = Literal["all", "non_ok"]
Average = Literal["macro", "micro", "weighted"]


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
    """Return the tokens by gold and predicted class, and by class precision and recall, 0 where the denominator is."""
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
    """Return a ``bind`` on confusion counts: the scores of sums (..., classes * classes) for the classes of a batch.

    They must be equal for equal classes, so that all submissions are computed together.
    """
    return lambda batch: Additive(batch.rows(confusion_rows), score_for(batch), batch.unit)


def fraction(numerator: FloatArray | float, denominator: Any, undefined: float = 0.0) -> FloatArray:
    """Return numerator / denominator, `undefined` where the denominator is not positive."""
    filled = np.full(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)), undefined)
    return np.divide(numerator, denominator, out=filled, where=np.asarray(denominator) > 0)


def f_score(precision: FloatArray, recall: FloatArray) -> FloatArray:
    """Return the harmonic mean of precision and recall, 0 where both are 0."""
    return fraction(2.0 * precision * recall, precision + recall)


def f1_of_counts(sums: FloatArray) -> FloatArray:
    """Return F1 of sums of what is right, what the gold has and what is predicted, (..., 3); 0 if nothing is right."""
    return fraction(2.0 * sums[..., 0], sums[..., 1] + sums[..., 2])


def precision_of_counts(sums: FloatArray) -> FloatArray:
    """Return precision of the sums of `f1_of_counts`; 0 if nothing is predicted."""
    return fraction(sums[..., 0], sums[..., 2])


def recall_of_counts(sums: FloatArray) -> FloatArray:
    """Return recall of the sums of `f1_of_counts`; 0 if the gold has nothing."""
    return fraction(sums[..., 0], sums[..., 1])


@frozen
class FMeasure:
    """F-beta of one class as a score of sums: precision is beta = 0, recall is beta = infinity."""

    code: int
    beta: float = 1.0  # how much more recall counts than precision, from 0 to infinity

    def __call__(self, sums: FloatArray) -> FloatArray:
        return fraction(*self.terms(sums))

    def terms(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the hits, and the weighted mean of the tokens in the gold and in the prediction, (...) each."""
        cells = _square(sums)
        hits = cells[..., self.code, self.code]
        in_gold, in_predicted = cells[..., self.code, :].sum(axis=-1), cells[..., :, self.code].sum(axis=-1)
        share = self._precision_share
        return hits, (1.0 - share) * in_gold + share * in_predicted

    @property
    def _precision_share(self) -> float:
        return 1.0 / (1.0 + self.beta * self.beta)

    def differentiate(self, *sums: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        """Return the score of counts, cell by cell, and its derivatives, 0 where nothing is of the class."""
        classes, share = range(math.isqrt(len(sums))), self._precision_share
        of_gold = sum(sums[self.code * len(classes) + c] for c in classes)
        of_predicted = sum(sums[c * len(classes) + self.code] for c in classes)
        each = fraction(1.0, (1.0 - share) * of_gold + share * of_predicted)
        score = sums[self.code * len(classes) + self.code] * each
        return score, [
            ((g == p == self.code) - score * ((1.0 - share) * (g == self.code) + share * (p == self.code))) * each
            for g in classes
            for p in classes
        ]


@frozen
class _ProductOfF1:
    """The product of the F1 of all classes, 0 if a class has no hit."""

    def __call__(self, sums: FloatArray) -> FloatArray:
        return np.prod([FMeasure(code)(sums) for code in range(math.isqrt(sums.shape[-1]))], axis=0)

    def differentiate(self, *sums: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        """Return the product for counts, cell by cell, and its derivatives."""
        product, by = np.ones(()), [np.zeros(())] * len(sums)
        for code in range(math.isqrt(len(sums))):
            score, of_class = FMeasure(code).differentiate(*sums)
            by = [of_one * score + product * own for of_one, own in zip(by, of_class, strict=True)]
            product = product * score
        return product, by


product_of_f1 = _ProductOfF1()


@frozen
class AverageOfClasses:
    """F-beta over some classes as a score of sums: a mean of theirs, or that of the sums of their counts.

    macro: every class counts 1 that has a tag which the measure counts; weighted: it counts its gold tokens. 0 without
    such a class.
    """

    codes: tuple[int, ...]
    average: Average
    beta: float

    def __call__(self, sums: FloatArray) -> FloatArray:
        terms = [FMeasure(code, self.beta).terms(sums) for code in self.codes]
        hits, counted = (np.stack(side, axis=-1) for side in zip(*terms, strict=True))
        if self.average == "micro":
            return fraction(hits.sum(axis=-1), counted.sum(axis=-1))
        support = _square(sums).sum(axis=-1)[..., list(self.codes)]
        weights = support if self.average == "weighted" else (counted > 0).astype(np.float64)
        shares = weights * fraction(hits, counted)
        # one after the other, whatever their number: the order of a sum decides its last bit
        total = sum(shares[..., nth] for nth in range(len(self.codes)))
        return fraction(np.asarray(total), weights.sum(axis=-1))


def average_of_classes(
    batch: Tags, average: Average, classes: Weighting = "all", beta: float = 1.0
) -> AverageOfClasses:
    """Return the average F-beta of all classes, or of all but OK."""
    left_out = batch.class_code("OK") if classes == "non_ok" else None
    return AverageOfClasses(tuple(code for code in range(len(batch.classes)) if code != left_out), average, beta)


@frozen
class _Matthews:
    """The correlation of gold and predicted tags, 0 if a side has fewer than two classes.

    For two classes it is (TP * TN - FP * FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN)). For more classes it is the
    generalization of Gorodkin (2004).
    """

    def __call__(self, sums: FloatArray) -> FloatArray:
        gold, predicted, covariance = _margins(sums)
        spread = np.sqrt(_pairs_apart(gold, gold) * _pairs_apart(predicted, predicted))
        return np.clip(fraction(covariance, spread), -1.0, 1.0)

    def differentiate(self, *sums: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        """Return the score of counts, cell by cell, and its derivatives, 0 where a side has fewer than two classes."""
        classes = range(math.isqrt(len(sums)))
        table = [[sums[g * len(classes) + p] for p in classes] for g in classes]
        gold, predicted = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
        tokens, hits = sum(gold), sum(table[c][c] for c in classes)
        covariance = hits * tokens - sum(gold[c] * predicted[c] for c in classes)
        of_gold, of_predicted = (tokens * tokens - sum(one * one for one in side) for side in (gold, predicted))
        each = fraction(1.0, np.sqrt(of_gold * of_predicted))
        score = np.clip(covariance * each, -1.0, 1.0)
        by_gold, by_predicted = score * fraction(1.0, of_gold), score * fraction(1.0, of_predicted)
        by_row = [-each * predicted[c] - by_gold * (tokens - gold[c]) for c in classes]
        by_column = [-each * gold[c] - by_predicted * (tokens - predicted[c]) for c in classes]
        by_hit = each * tokens
        common = each * hits
        return score, [
            common + by_row[g] + by_column[p] + (by_hit if g == p else 0.0) for g in classes for p in classes
        ]


matthews = _Matthews()


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
    side = math.isqrt(sums.shape[-1])
    return sums.reshape(*sums.shape[:-1], side, side)

"""Errors of one or more spans, each compared with the error of the other side that it shares most with; by document."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from attrs import field, frozen

from qeframe.plugin import DataError, FloatArray, IntArray, Metric, Spans, additive
from qeframe.plugin.kinds import SEVERITY, AnnotatedSegments
from qeframe_tagging.confusion_counts import f_score, fraction, sum_by
from qeframe_tagging.spans.overlaps import overlapping_spans
from qeframe_tagging.spans.selection import Ends, positions

Documents = Literal["all", "annotated"]
Measure = Literal["f1", "precision", "recall"]

_WORDS = {"f1": "F1", "precision": "precision", "recall": "recall"}

_PRECISION = (
    r"P_d = \frac{1}{n_{A_d}} \sum_{a \in A_d} \min \left( 1, \max_{b \in B_d} \frac{w_{ab} |a \cap b|}{|a|} \right)"
)
_RECALL = (
    r"R_d = \frac{1}{n_{B_d}} \sum_{b \in B_d} \min \left( 1, \max_{a \in A_d} \frac{w_{ab} |a \cap b|}{|b|} \right)"
)
_FORMULAS = {
    "f1": rf"\frac{{1}}{{n}} \sum_{{d=1}}^{{n}} \frac{{2 P_d R_d}}{{P_d + R_d}}" f"\n{_PRECISION}\n{_RECALL}",
    "precision": rf"\frac{{1}}{{n}} \sum_{{d=1}}^{{n}} P_d, \qquad {_PRECISION}",
    "recall": rf"\frac{{1}}{{n}} \sum_{{d=1}}^{{n}} R_d, \qquad {_RECALL}",
}
_SYMBOLS = (
    r"$A_d$ and $B_d$ are the predicted and the gold errors of document $d$, $n_{A_d}$ and $n_{B_d}$ their numbers; "
    r"$|a|$ is the number of characters of an error, $|a \cap b|$ that of the common ones. $w_{ab}$ is 1 if the "
    "severities are equal, `neighbor_credit` if they are neighbors, else 0. $n$ is the number of documents."
)


def _credit(_instance: Any, _attribute: Any, value: float) -> None:
    if not 0 <= value <= 1:
        raise DataError(f"neighbor_credit is {value}", remedy="give a number from 0 to 1")


@frozen(eq=False)
class _Errors:
    """The errors of one side."""

    of_span: IntArray  # the error of each span, (spans,); the other arrays are (errors,)
    document: IntArray
    severity: IntArray  # the highest one of the spans of an error
    length: FloatArray  # in characters; an empty span has one

    def mean(self, best: FloatArray, documents: int) -> FloatArray:
        """Return the mean of the shares of the errors of each document, (documents,); 0 without errors."""
        shares = np.minimum(fraction(best, self.length), 1.0)
        return fraction(sum_by(self.document, shares, documents), self.counts(documents))

    def counts(self, documents: int) -> FloatArray:
        """Return the number of errors of each document, (documents,)."""
        return np.bincount(self.document, minlength=documents).astype(np.float64)


def _errors(side: AnnotatedSegments, start: IntArray, end: IntArray) -> _Errors:
    keys = np.stack([side.row_of_value, side.errors], axis=1)
    errors, of_span = np.unique(keys, axis=0, return_inverse=True)
    of_span = of_span.reshape(-1)
    severity = np.zeros(len(errors), dtype=np.int64)
    np.maximum.at(severity, of_span, side.values[:, SEVERITY])
    return _Errors(of_span, errors[:, 0], severity, sum_by(of_span, np.maximum(end - start, 1), len(errors)))


@frozen
class _Shares:
    """Whether a document counts, and what its precision, recall or F1 adds to the sum: (n, 2)."""

    measure: Measure
    documents: Documents
    neighbor_credit: float = field(validator=_credit)

    def __call__(self, batch: Spans) -> FloatArray:
        counted, value = self._documents(batch)
        return np.stack([counted, counted * value], axis=1)

    def values(self, batch: Spans) -> FloatArray:
        """Return the value of each document, (n,)."""
        return self._documents(batch)[1]

    def _documents(self, batch: Spans) -> tuple[FloatArray, FloatArray]:
        n = len(batch)
        gold_ends, ends = positions(batch)
        gold, predicted = _errors(batch.gold, *gold_ends), _errors(batch.predicted, *ends)
        best_gold, best_predicted = np.zeros(len(gold.length)), np.zeros(len(predicted.length))
        of_gold, of_predicted, credit = self._shared(gold, predicted, gold_ends, ends)
        np.maximum.at(best_gold, of_gold, credit)
        np.maximum.at(best_predicted, of_predicted, credit)
        has_gold, has_predicted = gold.counts(n) > 0, predicted.counts(n) > 0
        precision = np.where(has_predicted, predicted.mean(best_predicted, n), 1.0)
        recall = np.where(has_gold, gold.mean(best_gold, n), 1.0)
        counted = has_predicted if self.documents == "annotated" else np.ones(n, dtype=np.bool_)
        value = {"precision": precision, "recall": recall, "f1": f_score(precision, recall)}[self.measure]
        return counted.astype(np.float64), value

    def _shared(
        self, gold: _Errors, predicted: _Errors, gold_ends: Ends, ends: Ends
    ) -> tuple[IntArray, IntArray, FloatArray]:
        """Return the pairs of errors that share characters, and the credit for them."""
        of_gold, of_predicted = overlapping_spans(gold_ends, ends, touching=True)
        gold_start, gold_end = (bound[of_gold] for bound in gold_ends)
        start, end = (bound[of_predicted] for bound in ends)
        empty = (gold_start == gold_end) | (start == end)
        # an empty span marks one place, which it shares with whatever covers or touches it
        common = np.where(empty, 1, np.minimum(gold_end, end) - np.maximum(gold_start, start))
        keys = gold.of_span[of_gold] * max(1, len(predicted.length)) + predicted.of_span[of_predicted]
        pairs, number = np.unique(keys, return_inverse=True)
        of_gold, of_predicted = np.divmod(pairs, max(1, len(predicted.length)))
        distance = np.abs(gold.severity[of_gold] - predicted.severity[of_predicted])
        credit = np.array([1.0, self.neighbor_credit, 0.0])[distance]
        return of_gold, of_predicted, credit * sum_by(number.reshape(-1), common, len(pairs))


def _mean(sums: FloatArray) -> FloatArray:
    return fraction(sums[..., 1], sums[..., 0], np.nan)


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "annotation_f1": {"blind": 0.22, "cosmetic": 0.05},
    "annotation_precision": {"blind": 1.02, "cosmetic": 1.02},
    "annotation_recall": {"blind": 1.02, "cosmetic": 0.48},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _metric(measure: Measure, documents: Documents, neighbor_credit: float) -> Metric:
    shares = _Shares(measure, documents, neighbor_credit)
    whole = documents == "all"
    per_unit: Callable[[Any], FloatArray] | None = shares.values if whole else None
    return Metric(
        name=f"annotation_{measure}",
        summary=f"Mean over documents of the {_WORDS[measure]} of errors, each compared with the closest one",
        source="WMT19-20 QE, annotation of documents",
        kind=Spans,
        bind=additive(columns=("documents", measure), extract=shares, score=_mean),
        smooth=True,
        interval_scale="logit",
        per_unit=per_unit,
        bounds=(0.0, 1.0),
        undefined=None if whole else lambda batch: not len(batch.predicted.values),
        claims=frozenset({"monotone"} if whole else ()),
        formula=_FORMULAS[measure],
        symbols=_SYMBOLS,
        known_weaknesses=_KNOWN[f"annotation_{measure}"],
    )


def annotation_f1(*, documents: Documents = "all", neighbor_credit: float = 0.5) -> Metric:
    """F1 of the errors of each document, and the mean over documents.

    An error has one or more spans. Each predicted error is compared with the gold error that earns it most: the number
    of common characters, times 1 if the severities are equal, `neighbor_credit` for minor and major or for major and
    critical, and 0 for minor and critical. Its share is that credit divided by its length. Precision is the mean of the
    shares of the predicted errors of a document; recall is the same from the side of the gold. Several errors may be
    compared with one and the same.

    Parameters
    ----------
    documents : {"all", "annotated"}
        all: the mean over all documents. annotated: over the documents in which the submission marks an error, as the
        official script does, so that leaving out hard documents raises the score.
    neighbor_credit : float
        The credit for a neighboring severity, from 0 to 1.

    Returns
    -------
    Metric
        On `Spans` whose units are documents, in [0, 1]. Precision is 1 without a predicted error, recall is 1 without a
        gold error, F1 is 0 if both are 0. An empty span has one character, and shares it with every span that it
        touches. A share is at most 1; the script stops there with an error. Undefined (NaN) without a document that
        counts.

    Raises
    ------
    DataError
        If the credit is not from 0 to 1.

    References
    ----------
    WMT19 QE task 2 and WMT20 QE task 3, annotation of documents; deep-spin/qe-evaluation.
    """
    return _metric("f1", documents, neighbor_credit)


def annotation_precision(*, documents: Documents = "all", neighbor_credit: float = 0.5) -> Metric:
    """Precision of the errors of each document, and the mean over documents.

    Parameters
    ----------
    documents, neighbor_credit
        As of `annotation_f1`.

    Returns
    -------
    Metric
        On `Spans` whose units are documents, in [0, 1]; 1 for a document without a predicted error. See
        `annotation_f1`.

    Raises
    ------
    DataError
        If the credit is not from 0 to 1.

    References
    ----------
    WMT19 QE task 2 and WMT20 QE task 3, annotation of documents; deep-spin/qe-evaluation.
    """
    return _metric("precision", documents, neighbor_credit)


def annotation_recall(*, documents: Documents = "all", neighbor_credit: float = 0.5) -> Metric:
    """Recall of the errors of each document, and the mean over documents.

    Parameters
    ----------
    documents, neighbor_credit
        As of `annotation_f1`.

    Returns
    -------
    Metric
        On `Spans` whose units are documents, in [0, 1]; 1 for a document without a gold error. See `annotation_f1`.

    Raises
    ------
    DataError
        If the credit is not from 0 to 1.

    References
    ----------
    WMT19 QE task 2 and WMT20 QE task 3, annotation of documents; deep-spin/qe-evaluation.
    """
    return _metric("recall", documents, neighbor_credit)

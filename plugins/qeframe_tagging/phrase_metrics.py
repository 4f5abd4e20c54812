"""Metrics on spans of equal tags: exact ones, and phrase-level F1, which counts the share of right tags of each.

Logacheva et al. (2016) describe the true positives in words, without code. See `phrase_f1_bad` for four readings.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, BoolArray, Claim, DataError, FloatArray, IntArray, Metric, Tags
from qeframe.plugin.kinds import BINARY
from qeframe_tagging.confusion_counts import (
    Runs,
    f1_of_counts,
    f_score,
    fraction,
    precision_of_counts,
    recall_of_counts,
    rows_by_chunk,
    sum_by,
)


@frozen
class _ExactRows:
    """The numbers of right, gold and predicted spans of one class in every sentence, (n, 3)."""

    code: int

    def __call__(self, batch: Tags) -> FloatArray:
        return rows_by_chunk(batch, self._count, 3)

    def _count(self, runs: Runs) -> FloatArray:
        gold = runs.opens_gold & (runs.gold == self.code)
        predicted = runs.opens_predicted & (runs.predicted == self.code)
        both = runs.opens_gold & runs.opens_predicted
        # A run has no change inside. Both spans end with it where both open with the next run, or a sentence ends.
        right = gold & predicted & np.append(both[1:], True)
        counts = [sum_by(runs.sentence, spans, runs.sentences) for spans in (right, gold, predicted)]
        return np.stack(counts, axis=-1)


def _exact_metric(name: str, words: str, formula: str, score: Callable[[FloatArray], FloatArray], tag: str) -> Metric:
    return Metric(
        name=name,
        summary=f"{words} of exact spans of a class, by default BAD: both ends are right; 0 without a right span",
        source="Logacheva et al. (2016), section 2.1, after the scores of named entities (CoNLL-2003)",
        kind=Tags,
        bind=lambda batch: Additive(batch.rows(_ExactRows(batch.class_code(tag))), score, batch.unit),
        smooth=True,
        bounds=(0.0, 1.0),
        interval_scale="logit",
        degenerate=0.0,
        formula=formula,
        symbols=(
            "A span is a longest run of words of one sentence that have the tag `tag`. $G$ is the number of spans in "
            "the gold, $P$ that in the submission, and $H$ that of the spans that both have, from the same first to "
            "the same last word. All are counted over all sentences."
        ),
        known_weaknesses=_KNOWN[name],
    )


def exact_span_f1(*, tag: str = "BAD") -> Metric:
    """F1 of the spans of one class: a span is right if both sides have it, from the same first to the same last word.

    A span is a longest run of words of one sentence with the tag: two spans of different classes may be side by side.

    Parameters
    ----------
    tag : str
        The class.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]; 0 without a right span, also if neither side has a span. A batch without that class is an
        error.

    References
    ----------
    Logacheva et al. (2016), section 2.1; Tjong Kim Sang and De Meulder (2003), CoNLL-2003.
    """
    return _exact_metric("exact_span_f1", "F1", r"\frac{2 H}{G + P}", f1_of_counts, tag)


def exact_span_precision(*, tag: str = "BAD") -> Metric:
    """Share of the spans of one class in the submission that the gold has, from the same first to the same last word.

    Parameters
    ----------
    tag : str
        The class.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]; 0 if the submission has no span of the class. A batch without that class is an error.

    References
    ----------
    Tjong Kim Sang and De Meulder (2003), CoNLL-2003.
    """
    return _exact_metric("exact_span_precision", "Precision", r"\frac{H}{P}", precision_of_counts, tag)


def exact_span_recall(*, tag: str = "BAD") -> Metric:
    """Share of the gold spans of one class that the submission has, from the same first to the same last word.

    Parameters
    ----------
    tag : str
        The class.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]; 0 if the gold has no span of the class. A batch without that class is an error.

    References
    ----------
    Tjong Kim Sang and De Meulder (2003), CoNLL-2003.
    """
    return _exact_metric("exact_span_recall", "Recall", r"\frac{H}{G}", recall_of_counts, tag)


Reading = Literal["literal", "clipped", "softconf", "symmetric"]
_SOURCE = "Logacheva et al. (2016), section 2.1; proposed for QE word level"
_FORMULA = r"F = \frac{2 T}{G + P}, \qquad T = \sum_{a \in A} \frac{h_a}{l_a}"
_PRODUCT = r"F_{\text{BAD}} \cdot F_{\text{OK}}"
_SYMBOLS = (
    "$A$ are the gold spans of a class and $G$ is their number; span $a$ has $l_a$ words, of which $h_a$ are tagged "
    "with the class. $P$ is the number of spans of the class in the submission. This is the literal reading: precision "
    "is $T / P$, recall is $T / G$, and F is their harmonic mean."
)


def phrase_shares(batch: Tags) -> FloatArray:
    """Return how the spans of each side are tagged on the other side, for every sentence.

    Returns
    -------
    (n, 2, classes, classes) float64
        ``[i, 0, g, p]`` is the sum, over the gold spans of class g in sentence i, of the share of their tokens that
        were tagged p; summed over p it is the number of those spans. ``[i, 1, g, p]`` is the same for predicted spans
        of class p and the share of their tokens with gold class g. An empty sentence has zeros only.
    """
    classes = len(batch.classes)
    return batch.rows(phrase_rows).reshape(len(batch), 2, classes, classes)


def phrase_rows(batch: Tags) -> FloatArray:
    """Return the shares of spans as rows, (n, 2 * classes * classes)."""
    return rows_by_chunk(batch, _share, 2 * len(batch.classes) ** 2)


def _share(runs: Runs) -> FloatArray:
    cells = runs.classes**2
    sides = [
        sum_by(runs.cell, _share_of_span(runs.length, opens), runs.sentences * cells).reshape(-1, cells)
        for opens in (runs.opens_gold, runs.opens_predicted)
    ]
    return np.concatenate(sides, axis=1)


def _share_of_span(length: IntArray, opens: BoolArray) -> FloatArray:
    """Return the share of each run in its span."""
    first = np.flatnonzero(opens)
    spans = np.add.reduceat(length, first) if len(first) else length
    return length / np.repeat(spans, np.diff(first, append=len(opens)))


@frozen
class PhraseF1:
    """Phrase-level F1 of one class as a score of sums of `phrase_shares`; 0 without a right tag in a span."""

    code: int
    classes: int
    reading: Reading

    def __call__(self, sums: FloatArray) -> FloatArray:
        both = sums.reshape(*sums.shape[:-1], 2, self.classes, self.classes)
        in_gold, in_predicted = both[..., 0, :, :], both[..., 1, :, :]
        hits, spans = in_gold[..., self.code, self.code], in_gold[..., self.code, :].sum(axis=-1)
        predicted_spans = in_predicted[..., :, self.code].sum(axis=-1)
        match self.reading:
            case "literal":
                return fraction(2.0 * hits, spans + predicted_spans)
            case "softconf":
                return fraction(2.0 * hits, spans + in_gold[..., :, self.code].sum(axis=-1))
            case "clipped":
                return f_score(np.minimum(fraction(hits, predicted_spans), 1.0), fraction(hits, spans))
            case "symmetric":
                right = in_predicted[..., self.code, self.code]
                return f_score(fraction(right, predicted_spans), fraction(hits, spans))


@frozen
class PhraseProduct:
    """The product of the phrase-level F1 of OK and BAD."""

    bad: PhraseF1
    ok: PhraseF1

    def __call__(self, sums: FloatArray) -> FloatArray:
        return self.bad(sums) * self.ok(sums)


def _of_class(batch: Tags, tag: str, reading: Reading) -> PhraseF1:
    return PhraseF1(batch.class_code(tag), len(batch.classes), reading)


def _product(batch: Tags, reading: Reading) -> PhraseProduct:
    if set(batch.classes) != set(BINARY):
        classes = ", ".join(batch.classes)
        raise DataError(f"phrase_f1_mult is defined for OK and BAD, not for {classes}", remedy="use phrase_f1_bad")
    return PhraseProduct(_of_class(batch, "BAD", reading), _of_class(batch, "OK", reading))


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "exact_span_f1": {"blind": 0.05},
    "exact_span_precision": {"blind": 0.07},
    "exact_span_recall": {"blind": 0.09},
    "phrase_f1_bad": {"blind": 1.34},
    "phrase_f1_ok": {"blind": 3.17},
    "phrase_f1_mult": {"blind": 0.6},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _phrase_metric(
    name: str,
    summary: str,
    reading: Reading,
    score_for: Callable[[Tags], PhraseF1 | PhraseProduct],
    *claims: Claim,
    of: str = "",
) -> Metric:
    return Metric(
        name=name,
        summary=summary,
        source=_SOURCE,
        kind=Tags,
        bind=lambda batch: Additive(batch.rows(phrase_rows), score_for(batch), batch.unit),
        smooth=True,
        interval_scale=None if reading == "literal" else "logit",  # the literal one can exceed 1
        bounds=(0.0, 2.0 if reading == "literal" else 1.0),
        degenerate=0.0,
        claims=(*claims, "monotone") if reading == "softconf" else claims,
        formula=_FORMULA if of else f"{_PRODUCT}\n{_FORMULA}",
        symbols=f"{_SYMBOLS} The class is {of}." if of else f"{_SYMBOLS} The two factors are the F of the two classes.",
        known_weaknesses=_KNOWN[name],
    )


def phrase_f1_bad(*, reading: Reading = "literal") -> Metric:
    """Phrase-level F1 of the class BAD.

    The true positives T are the sum, over the gold BAD spans, of the share of their words that were tagged BAD.

    Parameters
    ----------
    reading : {"literal", "clipped", "softconf", "symmetric"}
        literal: as the paper writes, precision is T / predicted spans and recall is T / gold spans. Since T counts gold
        spans, precision and the score can exceed 1. clipped: as literal, but precision is at most 1.
        softconf: a confusion table over gold spans; a false positive is the share of another span that was tagged BAD.
        symmetric: precision is the mean share of gold BAD words in the predicted BAD spans.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1], for literal in [0, 2); 0 if no gold BAD word is tagged BAD. Every reading rewards tagging
        everything BAD.

    Examples
    --------
    Gold BAD OK BAD, everything tagged BAD: both gold spans are right and one span is predicted. T is 2, the literal
    precision 2, recall 1, and F1 2 * 2 / (2 + 1) = 1.333: more than the gold itself, which scores 1. clipped gives 1,
    softconf 2 * 2 / (2 + 3) = .8, symmetric 2 * (2/3) / (2/3 + 1) = .8.

    References
    ----------
    Logacheva et al. (2016), WMT, section 2.1.
    """
    summary = "Phrase-level F1 of BAD; the literal reading can exceed 1; 0 without a right BAD tag"
    return _phrase_metric("phrase_f1_bad", summary, reading, partial(_of_class, tag="BAD", reading=reading), of="BAD")


def phrase_f1_ok(*, reading: Reading = "literal") -> Metric:
    """Phrase-level F1 of the class OK: as `phrase_f1_bad`, with the classes exchanged.

    Parameters
    ----------
    reading : {"literal", "clipped", "softconf", "symmetric"}
        See `phrase_f1_bad`.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1], for literal in [0, 2): OK BAD OK with everything tagged OK scores 1.333. 0 without a gold
        OK word tagged OK.

    References
    ----------
    Logacheva et al. (2016), WMT, section 2.1.
    """
    summary = "Phrase-level F1 of OK; literal it can exceed 1; 0 without a right OK tag"
    return _phrase_metric("phrase_f1_ok", summary, reading, partial(_of_class, tag="OK", reading=reading), of="OK")


def phrase_f1_mult(*, reading: Reading = "literal") -> Metric:
    """Product of the phrase-level F1 of OK and BAD.

    Parameters
    ----------
    reading : {"literal", "clipped", "softconf", "symmetric"}
        See `phrase_f1_bad`.

    Returns
    -------
    Metric
        On `Tags` with the classes OK and BAD, in [0, 1], for literal in [0, 2): one factor can be near 2, and the other
        factor is then at most 1. 0 if a class has no right tag, as for any constant tagging.

    Raises
    ------
    DataError
        When bound to a batch with other classes.

    References
    ----------
    Logacheva et al. (2016), WMT, section 2.1.
    """
    summary = "Product of the phrase-level F1 of OK and BAD; 0 if a class has no right tag"
    return _phrase_metric("phrase_f1_mult", summary, reading, partial(_product, reading=reading), "constant_proof")

"""Metrics on tags and spans: word-level quality estimation and error span detection."""

from collections.abc import Sequence

from qeframe.plugin import Metric, Parametric, hookimpl
from qeframe_tagging.confusion_counts import confusion
from qeframe_tagging.exact_spans import exact_span_f1_bad
from qeframe_tagging.phrase_metrics import phrase_f1_bad, phrase_f1_mult, phrase_f1_ok, phrase_shares
from qeframe_tagging.span_matching import sentence_correlations, seqcor
from qeframe_tagging.spans import (
    annotation_f1,
    annotation_precision,
    annotation_recall,
    mpp_f,
    mpp_precision,
    mpp_recall,
    span_f1,
    span_precision,
    span_recall,
)
from qeframe_tagging.token_metrics import (
    cohen_kappa,
    f1_bad,
    f1_mult,
    f1_ok,
    f1_weighted,
    f_beta,
    mcc,
    precision,
    recall,
)

__all__ = [
    "annotation_f1",
    "annotation_precision",
    "annotation_recall",
    "cohen_kappa",
    "confusion",
    "exact_span_f1_bad",
    "f1_bad",
    "f1_mult",
    "f1_ok",
    "f1_weighted",
    "f_beta",
    "mcc",
    "mpp_f",
    "mpp_precision",
    "mpp_recall",
    "phrase_f1_bad",
    "phrase_f1_mult",
    "phrase_f1_ok",
    "phrase_shares",
    "precision",
    "qeframe_metrics",
    "recall",
    "sentence_correlations",
    "seqcor",
    "span_f1",
    "span_precision",
    "span_recall",
]


@hookimpl
def qeframe_metrics() -> Sequence[Metric | Parametric[Metric]]:
    """Return the metrics on tags and spans."""
    plain = [cohen_kappa, exact_span_f1_bad, f1_bad, f1_mult, f1_ok, mcc]
    parametric = (f1_weighted, f_beta, phrase_f1_bad, phrase_f1_mult, phrase_f1_ok, precision, recall, seqcor, span_f1)
    spans = (mpp_f, mpp_precision, mpp_recall, span_precision, span_recall)
    annotations = (annotation_f1, annotation_precision, annotation_recall)
    return [*plain, *(Parametric(build) for build in (*parametric, *spans, *annotations))]

"""Metrics on tags and spans: word-level quality estimation and error span detection."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_EXACT = ["exact_span_f1", "exact_span_precision", "exact_span_recall"]
_F1 = ["f1_average", "f1_bad", "f1_mult", "f1_ok", "f1_weighted"]
_METRICS = {
    "phrase_metrics": [*_EXACT, "phrase_f1_bad", "phrase_f1_mult", "phrase_f1_ok"],
    "span_matching": ["seqcor"],
    "spans.errors_by_document": ["annotation_f1", "annotation_precision", "annotation_recall"],
    "spans.marked_characters": ["span_f1", "span_precision", "span_recall"],
    "spans.mpp": ["mpp_f", "mpp_precision", "mpp_recall"],
    "token_metrics": [*_F1, "accuracy", "balanced_accuracy", "cohen_kappa", "f_beta", "mcc", "precision", "recall"],
}
_FUNCTIONS = {
    "confusion_counts": ["confusion"],
    "phrase_metrics": [*_METRICS["phrase_metrics"], "phrase_shares"],
    "span_matching": [*_METRICS["span_matching"], "sentence_correlations"],
}
__getattr__, _names = lazy_names(__name__, _METRICS | _FUNCTIONS)
__all__ = [*_names(), "qeframe_metrics"]


@hookimpl
def qeframe_metrics() -> Sequence[str]:
    """Return the metrics on tags and spans."""
    return places(__name__, _METRICS)

"""Metrics on error spans: marked characters, spans that are matched one to one, and errors of documents."""

from qeframe_tagging.spans.errors_by_document import annotation_f1, annotation_precision, annotation_recall
from qeframe_tagging.spans.marked_characters import span_f1, span_precision, span_recall
from qeframe_tagging.spans.mpp import mpp_f, mpp_precision, mpp_recall

__all__ = [
    "annotation_f1",
    "annotation_precision",
    "annotation_recall",
    "mpp_f",
    "mpp_precision",
    "mpp_recall",
    "span_f1",
    "span_precision",
    "span_recall",
]

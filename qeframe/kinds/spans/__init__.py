"""Error spans: the annotation of one side, and the batch of gold and submission."""

from qeframe.kinds.spans.annotation import (
    CATEGORY,
    END,
    FAULTS,
    NO_CODE,
    SEVERITIES,
    SEVERITY,
    START,
    AnnotatedSegments,
    SegmentSpans,
)
from qeframe.kinds.spans.batch import Spans

__all__ = [
    "CATEGORY",
    "END",
    "FAULTS",
    "NO_CODE",
    "SEVERITIES",
    "SEVERITY",
    "START",
    "AnnotatedSegments",
    "SegmentSpans",
    "Spans",
]

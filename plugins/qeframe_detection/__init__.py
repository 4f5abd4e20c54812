"""Metrics on a gold of two classes: detection of errors in segments, and scores of tokens against tags."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_DECISIONS = ["detection_f1", "detection_kappa", "detection_mcc", "detection_precision", "detection_recall"]
_METRICS = {
    "calibration_errors": ["brier", "ece"],
    "decision_metrics": _DECISIONS,
    "ranking_metrics": ["auroc", "average_precision", "recall_at_k", "recall_at_precision"],
    "token_metrics": ["token_auroc", "token_average_precision", "token_recall_at_k"],
}
__getattr__, _names = lazy_names(__name__, {**_METRICS, "decision_counts": ["best_threshold"]})
__all__ = [*_names(), "qeframe_metrics"]


@hookimpl
def qeframe_metrics() -> Sequence[str]:
    """Bring the metrics on detections and on token scores."""
    return places(__name__, _METRICS)

"""Metrics on a gold of two classes: detection of errors in segments, and scores of tokens against tags."""

from collections.abc import Sequence

from qeframe.plugin import Metric, Parametric, hookimpl
from qeframe_detection.calibration_errors import brier, ece
from qeframe_detection.decision_metrics import (
    detection_f1,
    detection_kappa,
    detection_mcc,
    detection_precision,
    detection_recall,
)
from qeframe_detection.ranking_metrics import auroc, average_precision, recall_at_k, recall_at_precision
from qeframe_detection.thresholds import best_threshold
from qeframe_detection.token_metrics import token_auroc, token_average_precision, token_recall_at_k

__all__ = [
    "auroc",
    "average_precision",
    "best_threshold",
    "brier",
    "detection_f1",
    "detection_kappa",
    "detection_mcc",
    "detection_precision",
    "detection_recall",
    "ece",
    "qeframe_metrics",
    "recall_at_k",
    "recall_at_precision",
    "token_auroc",
    "token_average_precision",
    "token_recall_at_k",
]


@hookimpl
def qeframe_metrics() -> Sequence[Metric | Parametric[Metric]]:
    """Bring the metrics on detections and on token scores."""
    decisions = (detection_f1, detection_kappa, detection_mcc, detection_precision, detection_recall)
    families = (*decisions, ece, recall_at_k, recall_at_precision, token_recall_at_k)
    single = (auroc, average_precision, brier, token_auroc, token_average_precision)
    return [*single, *(Parametric(build) for build in families)]

"""Metrics on numbers: sentence-level quality estimation."""

from collections.abc import Sequence

from qeframe.plugin import Metric, Parametric, hookimpl
from qeframe_scoring.correlation import pearson, spearman
from qeframe_scoring.delta_average import delta_avg, quality_gain
from qeframe_scoring.kendall_tau import kendall_tau_b, kendall_tau_c
from qeframe_scoring.mean_errors import mae, mean, mean_rating, rmse
from qeframe_scoring.tails import tail_auc, tail_mae, tail_precision, tail_recall

__all__ = [
    "delta_avg",
    "kendall_tau_b",
    "kendall_tau_c",
    "mae",
    "mean",
    "mean_rating",
    "pearson",
    "qeframe_metrics",
    "quality_gain",
    "rmse",
    "spearman",
    "tail_auc",
    "tail_mae",
    "tail_precision",
    "tail_recall",
]


@hookimpl
def qeframe_metrics() -> Sequence[Metric | Parametric[Metric]]:
    """Bring the metrics on numbers."""
    return [
        Parametric(delta_avg),
        kendall_tau_b,
        kendall_tau_c,
        Parametric(mae),
        mean,
        mean_rating,
        pearson,
        quality_gain,
        Parametric(rmse),
        Parametric(spearman),
        *(Parametric(build) for build in (tail_auc, tail_mae, tail_precision, tail_recall)),
    ]

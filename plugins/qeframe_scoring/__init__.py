"""Metrics on numbers: sentence-level quality estimation."""

from collections.abc import Sequence

from qeframe.plugin import Metric, Parametric, hookimpl
from qeframe_scoring.correlation import pearson, spearman
from qeframe_scoring.delta_average import delta_avg
from qeframe_scoring.mean_errors import mae, mean, rmse

__all__ = ["delta_avg", "mae", "mean", "pearson", "qeframe_metrics", "rmse", "spearman"]


@hookimpl
def qeframe_metrics() -> Sequence[Metric | Parametric[Metric]]:
    """Bring the metrics on numbers."""
    return [Parametric(delta_avg), Parametric(mae), mean, pearson, Parametric(rmse), Parametric(spearman)]

"""Metrics on numbers: sentence-level quality estimation."""

from collections.abc import Sequence

from qeframe import hookimpl
from qeframe.components import Family, Metric
from qeframe_scoring.correlation import pearson, spearman
from qeframe_scoring.delta import delta_avg
from qeframe_scoring.errors import mae, mean, rmse

__all__ = ["delta_avg", "mae", "mean", "pearson", "qeframe_metrics", "rmse", "spearman"]


@hookimpl
def qeframe_metrics() -> Sequence[Metric | Family[Metric]]:
    """Bring the metrics on numbers."""
    return [Family(delta_avg), Family(mae), mean, pearson, Family(rmse), Family(spearman)]

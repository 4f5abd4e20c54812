"""Metrics on numbers: sentence-level quality estimation."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_METRICS = {
    "correlation": ["pearson", "spearman"],
    "delta_average": ["delta_avg", "quality_gain"],
    "kendall_tau": ["kendall_tau_b", "kendall_tau_c"],
    "mean_errors": ["mae", "mean", "mean_rating", "rmse"],
    "tails": ["tail_auc", "tail_mae", "tail_precision", "tail_recall"],
}
__getattr__, _names = lazy_names(__name__, _METRICS)
__all__ = [*_names(), "qeframe_metrics"]


@hookimpl
def qeframe_metrics() -> Sequence[str]:
    """Return the metrics on numbers."""
    return places(__name__, _METRICS)

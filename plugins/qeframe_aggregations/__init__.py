"""How scores combine: over the groups of units of a task, and over tasks."""

from collections.abc import Sequence

from qeframe.plugin import Aggregation, Parametric, hookimpl
from qeframe_aggregations.aggregations import autorank, average_rank, macro, mean, micro, pooled, share_better, weighted

__all__ = [
    "autorank",
    "average_rank",
    "macro",
    "mean",
    "micro",
    "pooled",
    "qeframe_aggregations",
    "share_better",
    "weighted",
]


@hookimpl
def qeframe_aggregations() -> Sequence[Aggregation | Parametric[Aggregation]]:
    """Return the aggregations."""
    return [
        average_rank,
        share_better,
        Parametric(autorank),
        Parametric(macro),
        Parametric(mean),
        micro,
        Parametric(pooled),
        Parametric(weighted),
    ]

"""How scores combine: over the groups of units of a task, and over tasks."""

from collections.abc import Sequence

from qeframe.plugin import Aggregation, Parametric, hookimpl
from qeframe_aggregations.across import average_rank, mean, pooled, weighted
from qeframe_aggregations.autorank import autorank
from qeframe_aggregations.share_better import share_better
from qeframe_aggregations.within import macro, micro

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

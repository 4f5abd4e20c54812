"""How scores combine: over the groups of a task, and over tasks."""

from collections.abc import Sequence

from qeframe import hookimpl
from qeframe.components import Aggregation, Family
from qeframe_aggregations.across import average_rank, mean, pooled, weighted
from qeframe_aggregations.within import macro, micro

__all__ = ["average_rank", "macro", "mean", "micro", "pooled", "qeframe_aggregations", "weighted"]


@hookimpl
def qeframe_aggregations() -> Sequence[Aggregation | Family[Aggregation]]:
    """Bring the aggregations."""
    return [average_rank, Family(macro), Family(mean), micro, Family(pooled), Family(weighted)]

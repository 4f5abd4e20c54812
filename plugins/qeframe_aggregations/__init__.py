"""How scores combine: over the groups of units of a task, and over tasks."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_MEANS = ["autorank", "average_rank", "macro", "mean", "micro", "pooled", "share_better", "weighted"]
_AGGREGATIONS = {"aggregations": _MEANS}
__getattr__, _names = lazy_names(__name__, _AGGREGATIONS)
__all__ = [*_names(), "qeframe_aggregations"]


@hookimpl
def qeframe_aggregations() -> Sequence[str]:
    """Return the aggregations."""
    return places(__name__, _AGGREGATIONS)

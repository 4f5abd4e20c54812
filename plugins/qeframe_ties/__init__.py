"""Tie policies: how ties of humans and of metrics count, as tables of three by three coefficients."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_POLICIES = {"tie_policies": ["acc23", "accuracy_half", "custom", "darr", "hties", "tau23", "wmt12", "wmt13", "wmt14"]}
__getattr__, _names = lazy_names(__name__, _POLICIES)
__all__ = [*_names(), "qeframe_tie_policies"]


@hookimpl
def qeframe_tie_policies() -> Sequence[str]:
    """Return the tables of the metrics tasks, and a table made by parameters."""
    return places(__name__, _POLICIES)

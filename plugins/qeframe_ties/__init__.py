"""Tie policies: how ties of humans and of metrics count, as tables of three by three coefficients."""

from collections.abc import Sequence

from qeframe.plugin import Parametric, TiePolicy, hookimpl
from qeframe_ties.tie_policies import acc23, accuracy_half, custom, darr, hties, tau23, wmt12, wmt13, wmt14

__all__ = [
    "acc23",
    "accuracy_half",
    "custom",
    "darr",
    "hties",
    "qeframe_tie_policies",
    "tau23",
    "wmt12",
    "wmt13",
    "wmt14",
]


@hookimpl
def qeframe_tie_policies() -> Sequence[TiePolicy | Parametric[TiePolicy]]:
    """Return the tables of the metrics tasks, and a table made by parameters."""
    return [acc23, Parametric(custom), darr, accuracy_half, hties, tau23, wmt12, wmt13, wmt14]

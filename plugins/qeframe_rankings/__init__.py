"""How scores and comparisons become ranks, winners and clusters.

Ranks are always by score. They are never by the number of submissions that one outperforms, since significance is not
transitive: a submission can outperform many others without being best (Graham, 2015).
"""

from collections.abc import Sequence

from qeframe.plugin import Parametric, RankingRule, hookimpl
from qeframe_rankings.rules import clusters, not_outperformed, not_worse_than_best
from qeframe_rankings.shares import competition_ranks, rank_shares

__all__ = [
    "clusters",
    "competition_ranks",
    "not_outperformed",
    "not_worse_than_best",
    "qeframe_ranking_rules",
    "rank_shares",
]


@hookimpl
def qeframe_ranking_rules() -> Sequence[RankingRule | Parametric[RankingRule]]:
    """Return the three rules of the shared tasks."""
    return [clusters, not_outperformed, not_worse_than_best]

"""How scores and comparisons become ranks, winners and clusters.

Ranks are always by score. They are never by the number of submissions that one outperforms, since significance is not
transitive: a submission can outperform many others without being best (Graham, 2015).
"""

from collections.abc import Sequence

from qeframe.plugin import Parametric, RankingRule, hookimpl
from qeframe_rankings.ranking_rules import (
    clusters,
    competition_ranks,
    not_outperformed,
    not_worse_than_best,
    ranges,
    rank_shares,
    separated,
)

__all__ = [
    "clusters",
    "competition_ranks",
    "not_outperformed",
    "not_worse_than_best",
    "qeframe_ranking_rules",
    "ranges",
    "rank_shares",
    "separated",
]


@hookimpl
def qeframe_ranking_rules() -> Sequence[RankingRule | Parametric[RankingRule]]:
    """Return the rules of the shared tasks."""
    return [clusters, not_outperformed, not_worse_than_best, Parametric(ranges), Parametric(separated)]

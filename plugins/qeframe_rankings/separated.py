"""Clusters of systems that differ from each other without exception."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np

from qeframe.plugin import Ranking, RankingInput, RankingRule
from qeframe_rankings.ranks_by_score import competition_ranks, rank_shares


def separated(*, by: Literal["all", "adjacent"] = "all") -> RankingRule:
    """Down the ranking, a new cluster opens where those above are significantly better than those below.

    Parameters
    ----------
    by : {"all", "adjacent"}
        all: every submission above the border is better than every one below. adjacent: the last one above is better
        than the first one below, a weaker mark.

    Returns
    -------
    RankingRule
        Submissions of equal score are in one cluster; one without a score is in none.

    References
    ----------
    WMT26 general MT task, human evaluation.
    """

    def rank(given: RankingInput) -> Ranking:
        ranks = competition_ranks(given.oriented)
        cluster, number = np.ones(len(ranks), dtype=np.int64), 1
        levels = np.unique(ranks[~np.isnan(given.oriented)])
        for above, below in pairwise(levels):
            upper = ranks <= above if by == "all" else ranks == above
            lower = (ranks >= below) & ~np.isnan(given.oriented) if by == "all" else ranks == below
            number += bool(given.better[np.ix_(upper, lower)].all())
            cluster[ranks >= below] = number
        cluster = np.where(np.isnan(given.oriented), 0, cluster)
        shares = None if given.draws is None or not len(given.draws) else rank_shares(given.draws)
        return Ranking(rank=ranks, cluster=cluster, shares=shares)

    whom = "every one above beats every one below" if by == "all" else "the last one above beats the first one below"
    return RankingRule(
        name="separated",
        summary=f"Down the ranking, a new cluster opens where {whom}",
        source="WMT26 general MT task, human evaluation",
        rank=rank,
    )

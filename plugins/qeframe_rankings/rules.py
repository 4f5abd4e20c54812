"""The three winner rules of the shared tasks."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qeframe.batch import IntArray
from qeframe.components import Ranking, RankingRule, Standing
from qeframe_rankings.shares import competition_ranks, rank_shares

__all__ = ["clusters", "not_outperformed", "not_worse_than_best"]


def _ranking(standing: Standing, cluster: IntArray) -> Ranking:
    shares = None if standing.draws is None or not len(standing.draws) else rank_shares(standing.draws)
    cluster = np.where(np.isnan(standing.goodness), 0, cluster)
    return Ranking(rank=competition_ranks(standing.goodness), cluster=cluster, shares=shares)


def _winners(winning: ArrayLike) -> IntArray:
    return np.where(winning, 1, 2)


def _not_worse_than_best(standing: Standing) -> Ranking:
    best = competition_ranks(standing.goodness) == 1
    return _ranking(standing, _winners(~standing.better[best].any(axis=0)))


def _not_outperformed(standing: Standing) -> Ranking:
    return _ranking(standing, _winners(~standing.better.any(axis=0)))


def _clusters(standing: Standing) -> Ranking:
    rank = competition_ranks(standing.goodness)
    cluster = np.ones(len(rank), dtype=np.int64)
    current, number = rank == 1, 1
    for place in np.unique(rank)[1:]:
        tied = rank == place  # taken together: which of them comes first must not decide
        if standing.better[np.ix_(current, tied)].any():
            current, number = tied, number + 1
        else:
            current = current | tied
        cluster[tied] = number
    return _ranking(standing, cluster)


not_worse_than_best = RankingRule(
    name="not_worse_than_best",
    summary="Winners: the best by score and all that it does not significantly outperform",
    source="QE tasks 2012-15; Graham (2015)",
    rank=_not_worse_than_best,
)
not_outperformed = RankingRule(
    name="not_outperformed",
    summary="Winners: all that no other significantly outperforms",
    source="Metrics tasks 2016-20",
    rank=_not_outperformed,
)
clusters = RankingRule(
    name="clusters",
    summary="Down the ranking, a new cluster opens where any earlier member of the current one is significantly better",
    source="Metrics tasks 2021-",
    rank=_clusters,
)

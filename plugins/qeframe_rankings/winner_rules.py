"""The three rules by which the shared tasks found winners."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qeframe.plugin import IntArray, Ranking, RankingInput, RankingRule
from qeframe_rankings.ranks_by_score import competition_ranks, rank_shares


def _ranking(given: RankingInput, cluster: IntArray) -> Ranking:
    shares = None if given.draws is None or not len(given.draws) else rank_shares(given.draws)
    cluster = np.where(np.isnan(given.oriented), 0, cluster)
    return Ranking(rank=competition_ranks(given.oriented), cluster=cluster, shares=shares)


def _winners(winning: ArrayLike) -> IntArray:
    return np.where(winning, 1, 2)


def _not_worse_than_best(given: RankingInput) -> Ranking:
    best = competition_ranks(given.oriented) == 1
    return _ranking(given, _winners(~given.better[best].any(axis=0)))


def _not_outperformed(given: RankingInput) -> Ranking:
    return _ranking(given, _winners(~given.better.any(axis=0)))


def _clusters(given: RankingInput) -> Ranking:
    rank = competition_ranks(given.oriented)
    cluster = np.ones(len(rank), dtype=np.int64)
    current, number = rank == 1, 1
    for each in np.unique(rank)[1:]:
        tied = rank == each  # together, so that their order does not matter
        if given.better[np.ix_(current, tied)].any():
            current, number = tied, number + 1
        else:
            current = current | tied
        cluster[tied] = number
    return _ranking(given, cluster)


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

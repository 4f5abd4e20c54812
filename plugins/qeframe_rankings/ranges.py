"""Ranges of ranks of the human evaluations of 2024 and 2025, and the clusters that follow from them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qeframe.plugin import IntArray, Ranking, RankingInput, RankingRule
from qeframe_rankings.ranks_by_score import competition_ranks, rank_shares
from qeframe_rankings.separated import separated


def ranges(*, by: Literal["neighbors", "wins"] = "neighbors") -> RankingRule:
    """Give each submission a range of ranks, and draw borders between clusters.

    Parameters
    ----------
    by : {"neighbors", "wins"}
        neighbors: a range goes up from the own rank to the first submission that is significantly better, and down to
        the first one that is significantly worse. A border is where all ranges above end and all below begin, as in
        2025. wins: a range goes from the number of losses + 1 to the number of submissions less the wins. A border is
        where every submission above is significantly better than every one below, as in 2024.

    Returns
    -------
    RankingRule
        Submissions of equal score are at one place: a range goes on over all of them or stops before them. One without
        a score is in no cluster and has no range. Ranges by neighbors are not symmetrical: one submission may have
        another in its range, and not be in the other's.

    References
    ----------
    WMT24 general MT task, humeval/calculate_clusters.py; WMT25 general MT task, humeval/05-compute_clusters.py.
    """
    whom = "up and down to the first significant difference" if by == "neighbors" else "by wins and losses"
    return RankingRule(
        name="ranges",
        summary=f"Ranges of ranks, {whom}, and clusters whose ranges or members are apart",
        source="WMT24-25 general MT task, human evaluation",
        rank=_by_neighbors if by == "neighbors" else _by_wins,
    )


def _by_wins(given: RankingInput) -> Ranking:
    ranking = separated().rank(given)
    defined = ~np.isnan(given.oriented)
    better = given.better & defined & defined[:, None]
    first, last = 1 + better.sum(axis=0), int(defined.sum()) - better.sum(axis=1)
    ranges = np.where(defined, first, 0), np.where(defined, last, 0)
    return Ranking(rank=ranking.rank, cluster=ranking.cluster, shares=ranking.shares, ranges=ranges)


def _by_neighbors(given: RankingInput) -> Ranking:
    rank, defined = competition_ranks(given.oriented), ~np.isnan(given.oriented)
    levels = [np.flatnonzero((rank == level) & defined) for level in np.unique(rank[defined])]
    first, last = np.zeros((2, len(rank)), dtype=np.int64)
    for place, level in enumerate(levels):
        for each in level:
            above = _passed(given.better[:, each], levels[:place][::-1])
            below = _passed(given.better[each], levels[place + 1 :])
            first[each] = rank[each] - above
            last[each] = rank[each] + len(level) - 1 + below
    cluster = np.where(defined, 1, 0)
    for level in levels[1:]:
        border = rank[level[0]]
        upper, lower = defined & (rank < border), defined & (rank >= border)
        if (last[upper] < border).all() and (first[lower] >= border).all():
            cluster[lower] += 1
    shares = None if given.draws is None or not len(given.draws) else rank_shares(given.draws)
    return Ranking(rank=rank, cluster=cluster, shares=shares, ranges=(first, last))


def _passed(different: NDArray[np.bool_], levels: list[IntArray]) -> int:
    """Return how many submissions are passed before the first level with a significant difference."""
    passed = 0
    for level in levels:
        if different[level].any():
            break
        passed += len(level)
    return passed

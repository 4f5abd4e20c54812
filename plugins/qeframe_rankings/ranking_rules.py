"""Ranking rules: ranks by score, clusters, ranges of ranks, and the rules by which shared tasks found winners."""

from functools import partial
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qeframe.plugin import FloatArray, IntArray, Ranking, RankingInput, RankingRule
from qeframe.plugin.resampling import shared_positions


def competition_ranks(oriented: FloatArray) -> IntArray:
    """Rank by score, the highest first.

    Parameters
    ----------
    oriented : (..., S) float64
        Higher is better; NaN where undefined.

    Returns
    -------
    (..., S) int64
        From 1; equal scores share the smaller rank (1, 2, 2, 4); undefined ones share the rank after all others.
    """
    filled = np.where(np.isnan(oriented), -np.inf, oriented)
    order = np.argsort(-filled, axis=-1, kind="stable")
    ordered = np.take_along_axis(filled, order, axis=-1)
    fresh = np.concatenate([np.ones_like(ordered[..., :1], dtype=np.bool_), ordered[..., 1:] < ordered[..., :-1]], -1)
    ranks = np.empty(filled.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, shared_positions(fresh)[0], axis=-1)
    return ranks


def rank_shares(draws: FloatArray) -> FloatArray:
    """Return the share of draws in which each submission has each rank.

    Parameters
    ----------
    draws : (B, S) float64
        The oriented scores in every draw: higher is better.

    Returns
    -------
    (S, S) float64
        Row: submission, column: rank from 1. Every row sums to 1; without draws all NaN.
    """
    number, size = draws.shape
    if not number:
        return np.full((size, size), np.nan)
    cells = competition_ranks(draws) - 1 + np.arange(size) * size
    return np.bincount(cells.ravel(), minlength=size * size).reshape(size, size) / number


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

    Notes
    -----
    A border claims every pair across it, so that it is rarely false: of ten submissions in two groups of equal ones, no
    border was inside a group in 200 data sets with the default test. Few groups are told apart entirely.

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


def ranges(
    *, by: Literal["neighbors", "wins"] = "neighbors", borders: Literal["ranges", "separated"] = "ranges"
) -> RankingRule:
    """Give each submission a range of ranks, and draw borders between clusters.

    Parameters
    ----------
    by : {"neighbors", "wins"}
        neighbors: a range goes up from the own rank to the first submission that is significantly better, and down to
        the first one that is significantly worse. A border is where all ranges above end and all below begin, as in
        2025. wins: a range goes from the number of losses + 1 to the number of submissions less the wins. A border is
        where every submission above is significantly better than every one below, as in 2024.
    borders : {"ranges", "separated"}
        separated: ranges by neighbors with the borders of ranges by wins, as in 2026.

    Returns
    -------
    RankingRule
        Submissions of equal score are at one place: a range goes on over all of them or stops before them. One without
        a score is in no cluster and has no range. Ranges by neighbors are not symmetrical: one submission may have
        another in its range, and not be in the other's.

    References
    ----------
    WMT24 general MT task, humeval/calculate_clusters.py; WMT25 general MT task, humeval/05-compute_clusters.py; WMT26
    general MT task, humeval/02b-analyze_results.py.
    """
    whom = "up and down to the first significant difference" if by == "neighbors" else "by wins and losses"
    return RankingRule(
        name="ranges",
        summary=f"Ranges of ranks, {whom}, and clusters whose ranges or members are apart",
        source="WMT24-26 general MT task, human evaluation",
        rank=partial(_by_neighbors, separates=borders == "separated") if by == "neighbors" else _by_wins,
    )


def _by_wins(given: RankingInput) -> Ranking:
    ranking = separated().rank(given)
    defined = ~np.isnan(given.oriented)
    better = given.better & defined & defined[:, None]
    first, last = 1 + better.sum(axis=0), int(defined.sum()) - better.sum(axis=1)
    ranges = np.where(defined, first, 0), np.where(defined, last, 0)
    return Ranking(rank=ranking.rank, cluster=ranking.cluster, shares=ranking.shares, ranges=ranges)


def _by_neighbors(given: RankingInput, *, separates: bool) -> Ranking:
    rank, defined = competition_ranks(given.oriented), ~np.isnan(given.oriented)
    levels = [np.flatnonzero((rank == level) & defined) for level in np.unique(rank[defined])]
    first, last = np.zeros((2, len(rank)), dtype=np.int64)
    for place, level in enumerate(levels):
        for submission in level:
            above = _passed(given.better[:, submission], levels[:place][::-1])
            below = _passed(given.better[submission], levels[place + 1 :])
            first[submission] = rank[submission] - above
            last[submission] = rank[submission] + len(level) - 1 + below
    cluster = separated().rank(given).cluster if separates else np.where(defined, 1, 0)
    for level in levels[1:] if not separates else ():
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
    for first_rank in np.unique(rank)[1:]:
        tied = rank == first_rank  # together, so that their order does not matter
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

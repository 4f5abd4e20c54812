"""Ranks by score against scipy, and their shares in draws against a loop."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qeframe.core.registry import Registry
from qeframe.plugin import RankingInput, RankingRule
from qeframe_rankings import competition_ranks, rank_shares
from qeframe_rankings.ranking_rules import ranges, separated

SCORE = st.sampled_from([-1.0, 0.0, 0.5, 2.0, np.nan])


@given(arrays(np.float64, st.tuples(st.integers(0, 4), st.integers(1, 6)), elements=SCORE))
def test_ranks_are_those_of_scipy(oriented):
    """Equal scores share the smaller rank; undefined scores share the rank after all others."""
    filled = np.where(np.isnan(oriented), -np.inf, oriented)
    expected = [scipy.stats.rankdata(-row, method="min").tolist() for row in filled]
    assert competition_ranks(oriented).tolist() == expected


def test_ranks_by_hand():
    assert competition_ranks(np.array([0.5, 2.0, np.nan, 0.5, -1.0, np.nan])).tolist() == [2, 1, 5, 2, 4, 5]
    assert competition_ranks(np.full(3, np.nan)).tolist() == [1, 1, 1]


@given(arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=SCORE))
def test_shares_count_the_ranks_in_all_draws(draws):
    shares = rank_shares(draws)
    ranks = competition_ranks(draws)
    for submission, row in enumerate(shares):
        expected = [(ranks[:, submission] == rank).mean() for rank in range(1, draws.shape[1] + 1)]
        assert row == pytest.approx(expected)
    assert shares.sum(axis=1) == pytest.approx(np.ones(draws.shape[1]))


def test_without_draws_there_are_no_shares():
    assert np.isnan(rank_shares(np.empty((0, 3)))).all()
    assert rank_shares(np.empty((0, 3))).shape == (3, 3)


def clusters(oriented, better, by="all"):
    matrix = np.zeros((len(oriented), len(oriented)), dtype=bool)
    for one, other in better:
        matrix[one, other] = True
    return separated(by=by).rank(RankingInput(oriented=np.array(oriented), better=matrix)).cluster.tolist()


def test_a_border_needs_every_pair():
    scores = [9.0, 8.0, 7.0]
    assert clusters(scores, [(0, 2), (1, 2)]) == [1, 1, 2]
    assert clusters(scores, [(1, 2)]) == [1, 1, 1]
    assert clusters(scores, [(1, 2)], by="adjacent") == [1, 1, 2]
    assert clusters(scores, [(0, 1), (0, 2), (1, 2)]) == [1, 2, 3]
    assert clusters(scores[::-1], [(2, 0), (1, 0)]) == [2, 1, 1]


def test_equal_scores_share_a_cluster():
    assert clusters([9.0, 9.0, 7.0], [(0, 1), (0, 2), (1, 2)]) == [1, 1, 2]


def test_an_undefined_score_is_in_no_cluster_and_no_border():
    assert clusters([9.0, np.nan, 7.0], [(0, 2)]) == [1, 0, 2]
    assert clusters([], []) == []


def ranked(oriented, better, by="neighbors"):
    matrix = np.zeros((len(oriented), len(oriented)), dtype=bool)
    for one, other in better:
        matrix[one, other] = True
    found = ranges(by=by).rank(RankingInput(oriented=np.array(oriented, dtype=float), better=matrix))
    return found.cluster.tolist(), list(zip(*(ends.tolist() for ends in found.ranges), strict=True))


def test_a_walk_stops_at_the_first_difference():
    # the last one is not worse than the third, but the walk of the third stops before the fourth
    better = [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3)]
    assert ranked([9, 8, 7, 6, 5], better) == ([1, 1, 2, 2, 2], [(1, 2), (1, 2), (3, 3), (4, 5), (3, 5)])
    assert ranked([9, 8, 7, 6, 5], better, by="wins")[1] == [(1, 2), (1, 2), (3, 4), (4, 5), (3, 5)]


def test_equal_scores_are_at_one_place():
    assert ranked([9, 8, 8, 7], [(0, 2), (2, 3)]) == ([1, 1, 1, 1], [(1, 1), (1, 4), (2, 3), (4, 4)])
    assert ranked([3, 3], []) == ([1, 1], [(1, 2), (1, 2)])


def test_an_undefined_score_has_no_range():
    for by in ("neighbors", "wins"):
        assert ranked([2, np.nan, 1], [(0, 2)], by) == ([1, 0, 2], [(1, 1), (0, 0), (2, 2)])
        assert ranked([], [], by) == ([], [])
        assert ranked([np.nan], [], by) == ([0], [(0, 0)])


def of_2025(better):
    """Do what the program of 2025 does, for systems in order."""
    size, found = len(better), []
    for i in range(size):
        start = i
        while start > 0 and not better[start - 1][i]:
            start -= 1
        end = i
        while end < size - 1 and not better[i][end + 1]:
            end += 1
        found.append((start + 1, end + 1))
    cluster, number = [], 1
    for i in range(size):
        cluster.append(number)
        number += all(end <= i + 1 for _, end in found[: i + 1]) and all(start > i + 1 for start, _ in found[i + 1 :])
    return cluster, found


def of_2024(better):
    """Do what the program of 2024 does, for systems in order."""
    size = len(better)
    found = [(1 + sum(row[i] for row in better), size - sum(better[i])) for i in range(size)]
    cluster, number = [], 1
    for i in range(size):
        cluster.append(number)
        number += all(better[above][below] for above in range(i + 1) for below in range(i + 1, size))
    return cluster, found


@given(st.integers(1, 7), st.data())
def test_agrees_with_loops(size, data):
    drawn = data.draw(st.lists(st.lists(st.booleans(), min_size=size, max_size=size), min_size=size, max_size=size))
    better = [[drawn[i][j] and i < j for j in range(size)] for i in range(size)]
    pairs = [(i, j) for i in range(size) for j in range(size) if better[i][j]]
    assert ranked(list(range(size, 0, -1)), pairs) == of_2025(better)
    assert ranked(list(range(size, 0, -1)), pairs, by="wins") == of_2024(better)


def clusters_of(registry: Registry, rule: str, oriented: list[float], pairs: list[tuple[int, int]]) -> list[int]:
    better = np.zeros((len(oriented), len(oriented)), dtype=np.bool_)
    for winner, loser in pairs:
        better[winner, loser] = True
    return list(registry.get(RankingRule, rule).rank(RankingInput(oriented=np.array(oriented), better=better)).cluster)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("clusters", [1, 1, 2, 2]), ("not_outperformed", [1, 1, 2, 1]), ("not_worse_than_best", [1, 1, 1, 1])],
)
def test_only_the_second_outperforms_the_third(registry: Registry, rule: str, expected: list[int]) -> None:
    """Any earlier member of the cluster may open a new one, not only its best."""
    assert clusters_of(registry, rule, [4, 3, 2, 1], [(1, 2)]) == expected


def test_a_cluster_is_compared_with_its_own_members_only(registry: Registry) -> None:
    assert clusters_of(registry, "clusters", [4, 3, 2, 1], [(0, 1), (0, 2), (0, 3), (1, 3)]) == [1, 2, 2, 3]


def test_equal_scores_share_a_cluster_in_any_order(registry: Registry) -> None:
    assert clusters_of(registry, "clusters", [2, 1, 1], [(0, 1)]) == [1, 2, 2]
    assert clusters_of(registry, "clusters", [2, 1, 1], [(0, 2)]) == [1, 2, 2]


def test_undefined_scores_are_in_no_cluster(registry: Registry) -> None:
    for rule in registry.names(RankingRule):
        assert clusters_of(registry, rule, [np.nan, 1, 2], [(2, 1)]) == [0, 2, 1]

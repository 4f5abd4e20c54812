"""Ranges of ranks, against the loops of the programs of 2024 and 2025."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qeframe.plugin import RankingInput
from qeframe_rankings.ranges import ranges


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

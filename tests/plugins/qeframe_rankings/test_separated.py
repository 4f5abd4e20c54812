"""Clusters by borders without exception, and by neighbors."""

import numpy as np

from qeframe.plugin import RankingInput
from qeframe_rankings.separated import separated


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

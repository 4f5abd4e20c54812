"""The places of submissions."""

import numpy as np
import pytest

from qeframe import Result, ScoredSubmission, Submission
from qeframe.assembly.places import place, sort_by_rank
from qeframe.core.comparison import ComparisonRules, compare_pairs
from qeframe.plugin import Correction, RankingRule, SignificanceTest
from tests.qeframe.core.evaluation.made_contests import made_task, scoreboard


def test_without_a_test_there_are_ranks_alone(registry):
    places = place(registry.get(RankingRule, "clusters"), np.array([0.2, 0.9, np.nan]), None, None, is_tested=False)
    assert places.ranking.rank.tolist() == [2, 1, 3]
    assert [(places.cluster(nth), places.rank_set(nth)) for nth in range(3)] == [(None, None)] * 3
    scored = places.submission(1, Submission("B", "human"), {"mae": Result(value=0.9)}, {"t": {"bytes": 5.0}})
    assert (scored.name, scored.kind, scored.rank, scored.cluster, scored.rank_set) == ("B", "human", 1, None, None)
    assert scored.stated == {"t": {"bytes": 5.0}}


@pytest.mark.parametrize(("correction", "controlled"), [("holm", True), ("none", False)])
def test_rank_sets_are_those_of_a_controlled_family(registry, correction, controlled):
    contest = scoreboard(registry, "mae", [made_task()]).contests[0]
    rules = ComparisonRules(
        test=registry.get(SignificanceTest, "jackknife"), correction=registry.get(Correction, correction)
    )
    compared = compare_pairs(contest, ["good", "fair", "poor"], rules, metric="mae")
    places = place(registry.get(RankingRule, "clusters"), contest.oriented, compared, None, is_tested=True)
    assert [places.cluster(nth) for nth in range(3)] == [1, 1, 2]
    assert [places.rank_set(nth) for nth in range(3)] == ([(1, 2), (1, 2), (3, 3)] if controlled else [None] * 3)


def test_one_that_is_not_ranked_precedes_those_that_it_beats():
    def scored(name, kind, rank, value):
        return ScoredSubmission(name=name, kind=kind, scores={"mae": Result(value=value)}, rank=rank)

    given = [
        scored("none", "real", 4, np.nan), scored("worse", "real", 2, 0.5), scored("better", "attack", 2, 0.4),
        scored("equal", "attack", 2, 0.5), scored("first", "real", 1, 0.1),
    ]  # fmt: skip
    assert [each.name for each in sort_by_rank(given, "mae", -1.0)] == ["first", "better", "worse", "equal", "none"]

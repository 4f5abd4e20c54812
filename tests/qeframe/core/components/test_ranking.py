"""A ranking rule maps a `RankingInput` to a `Ranking`."""

import numpy as np

from qeframe.core.components.ranking import Ranking, RankingInput, RankingRule


def test_a_rule_is_given_scores_and_comparisons():
    def by_score(given: RankingInput) -> Ranking:
        assert given.draws is None
        rank = 1 + (given.oriented[:, None] < given.oriented).sum(axis=1)
        return Ranking(rank=rank, cluster=np.where(given.better.any(axis=0), 2, 1))

    rule = RankingRule(name="by_score", summary="", rank=by_score)
    ranking = rule.rank(RankingInput(oriented=np.array([0.1, 0.3]), better=np.array([[False, False], [True, False]])))
    assert ranking.rank.tolist() == [2, 1]
    assert ranking.cluster.tolist() == [2, 1]
    assert ranking.shares is None


def test_scores_that_differ_by_rounding_reach_rules_as_equal():
    oriented = np.array([0.1 + 0.2, 0.3, 0.3 - 1e-9, np.nan])
    given = RankingInput(oriented=oriented, better=np.zeros((4, 4), dtype=bool), draws=oriented[None])
    assert given.oriented[0] == given.oriented[1] > given.oriented[2]
    assert (given.draws[0, :3] == given.oriented[:3]).all()
    assert not given.oriented.flags.writeable
    assert oriented[0] != oriented[1], "what the caller holds stays as it is"

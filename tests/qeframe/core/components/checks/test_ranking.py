"""What a ranking rule returns: the values that pass; tests/hostile has those that do not."""

import numpy as np
import pytest

from qeframe.core.components.checks.ranking import rank
from qeframe.core.components.ranking import Ranking, RankingInput, RankingRule
from qeframe.core.errors import PluginError

GIVEN = RankingInput(oriented=np.array([2.0, 1.0]), better=np.zeros((2, 2), dtype=np.bool_))


def _rule(**returned):
    return RankingRule(name="own", summary="", rank=lambda given: Ranking(**returned))


def test_ranks_pass():
    ranks = np.array([1, 2])
    assert rank(_rule(rank=ranks, cluster=np.array([1, 0])), GIVEN).rank is ranks


def test_shares_are_shares():
    wrong = _rule(rank=np.array([1, 2]), cluster=np.ones(2), shares=np.full((2, 2), 1.5))
    with pytest.raises(
        PluginError, match=r"^ranking rule 'own' \(given\): shares returned .*, expected shares of draws"
    ):
        rank(wrong, GIVEN)

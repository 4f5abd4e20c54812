"""The three winner rules on inputs where they differ."""

import numpy as np
import pytest

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.ranking import RankingInput, RankingRule


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

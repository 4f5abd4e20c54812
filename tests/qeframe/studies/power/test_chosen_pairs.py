"""Which pairs are chosen, by the order of the scores."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.studies.power.chosen_pairs import chosen_pairs
from tests.qeframe.core.evaluation.made_comparables import in_task

GOLD = np.arange(9.0)


@pytest.fixture
def comparable(registry):
    return in_task(registry, "mae", GOLD, [GOLD + 2, GOLD, GOLD + 1])


def named(comparable, pairs):
    first, second = comparable.pairs
    return ["cab"[first[i]] + "cab"[second[i]] for i in chosen_pairs(comparable, list("cab"), pairs)]


def test_by_the_order_of_the_scores(comparable):
    assert named(comparable, "leader") == ["ab", "ac"]
    assert named(comparable, "adjacent") == ["ab", "bc"]
    assert named(comparable, "all") == ["ab", "ac", "bc"]


def test_by_name_in_either_order(comparable):
    assert named(comparable, [("c", "b"), ("a", "c")]) == ["bc", "ac"]
    with pytest.raises(DataError, match="there is no submission 'd'"):
        named(comparable, [("a", "d")])
    with pytest.raises(DataError, match="'a' cannot be compared with itself"):
        named(comparable, [("a", "a")])
    with pytest.raises(DataError, match="unknown pairs 'best'"):
        named(comparable, "best")

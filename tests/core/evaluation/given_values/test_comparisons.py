"""Lists of comparisons: lists as any other, that know how they were corrected."""

import copy
import pickle

import pytest

from qeframe.evaluation.given_values.comparisons import Comparisons, ComparisonsByMetric
from qeframe.evaluation.result import Comparison


def pair(a, b, significant=False):
    p = 0.01 if significant else 0.5
    options = {"metric": "mae", "test": "t_test", "sided": "two", "difference": -0.5, "p": p, "p_adjusted": p}
    return Comparison(a=a, b=b, significant=significant, **options)


PAIRS = [pair("b", "a", True), pair("b", "c", True), pair("a", "c")]


def test_it_is_a_list():
    found = Comparisons(PAIRS, metric="mae", correction="holm")
    assert found == PAIRS
    assert found[1:] == PAIRS[1:]
    assert list(reversed(found)) == PAIRS[::-1]
    assert Comparisons() == []


def test_names_are_in_the_order_of_the_scores():
    assert Comparisons(PAIRS).names == ("b", "a", "c")
    assert Comparisons().names == ()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copy_knows_the_same(copied):
    found = copied(Comparisons(PAIRS, metric="mae", alpha=0.01, correction="holm", metrics=2))
    assert found == PAIRS
    assert found.significance == "significant at alpha = 0.01, correction holm of all pairs under 2 metrics"
    assert copied(ComparisonsByMetric([found])) == [found]


def test_significance_in_words():
    assert Comparisons(PAIRS).significance == "significant at alpha = 0.05, correction none"

"""Lists of comparisons: lists as any other, that know how they were corrected."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import qeframe
from qeframe.api.arrays.comparisons import Comparisons, ComparisonsByMetric
from qeframe.core.evaluation.result import Comparison


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


def test_significance_in_words_claims_what_is_known():
    assert Comparisons(PAIRS).significance == "significant"
    assert Comparisons(PAIRS, alpha=0.05, correction="none").significance == (
        "significant at alpha = 0.05, correction none"
    )


@pytest.mark.parametrize("correction", ["romano_wolf", "holm", "none"])
def test_comparisons_of_an_evaluation_know_its_rules(correction):
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    frame = pd.DataFrame({"gold": gold, "near": gold + 0.1 * rng.normal(size=40), "far": rng.normal(size=40)})
    tasks = qeframe.tasks_from_frame(frame, submissions=["near", "far"])
    evaluation = qeframe.evaluate("qe_sentence", tasks, settings=[f"correction={correction}", "alpha=.01"])
    found = Comparisons.of(evaluation)
    assert found == list(evaluation.comparisons)
    assert found.metric == evaluation.primary
    assert f"significant at alpha = 0.01, correction {correction}" in str(found)
    assert "correction" not in str(Comparisons(evaluation.comparisons))


def test_an_evaluation_by_default_names_the_correction_that_was_chosen():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"gold": rng.normal(size=20), "a": rng.normal(size=20), "b": rng.normal(size=20)})
    evaluation = qeframe.evaluate("qe_sentence", qeframe.tasks_from_frame(frame, submissions=["a", "b"]))
    assert Comparisons.of(evaluation).correction.startswith("romano_wolf")

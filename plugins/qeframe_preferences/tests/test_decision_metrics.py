"""Accuracy, consistency, bias and kappa of judges against slow loops, and by hand."""

import warnings

import numpy as np
import pytest
import slow
from hypothesis import given
from sklearn.metrics import cohen_kappa_score

import qeframe
from qeframe.plugin import Preferences
from qeframe.testing import preferences_batches
from qeframe_preferences import judgebench_accuracy, position_bias, preference_kappa, swap_consistency


@given(preferences_batches())
def test_the_accuracy_of_judgebench_is_that_of_the_rule(batch):
    assert qeframe.score(judgebench_accuracy, batch) == pytest.approx(slow.judgebench(batch), abs=1e-12)


@pytest.mark.parametrize(
    ("gold", "decisions", "right"),
    [
        ("A", ["A", "A"], 1),
        ("A", ["A", "tie"], 1),
        ("A", ["A", None], 1),
        ("A", ["A", "B"], 0),
        ("A", ["tie", "tie"], 0),
        ("A", ["tie", None], 0),
        ("A", ["B", "B"], 0),
        ("B", ["B"], 1),
        ("tie", ["tie", "A"], 1),
        ("tie", ["A", "B"], 0),
    ],
)
def test_the_rule_of_judgebench(gold, decisions, right):
    assert qeframe.score(judgebench_accuracy, Preferences.from_plain([gold], [decisions])) == right


def test_nothing_is_undefined():
    assert np.isnan(qeframe.score(judgebench_accuracy, Preferences.from_plain([], [])))


@given(preferences_batches())
def test_they_are_those_of_the_rules(batch):
    assert qeframe.score(swap_consistency, batch) == pytest.approx(slow.consistency(batch), abs=1e-12, nan_ok=True)
    assert qeframe.score(position_bias, batch) == pytest.approx(slow.position(batch), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("decisions", "consistency", "bias"),
    [
        (["A", "A"], 1, 0),
        (["A", "B"], 0, 1),
        (["B", "A"], 0, 1),
        (["tie", "tie"], 1, 0),
        (["A", "tie"], 0, 0.5),
        ([None, None], 0, 0),
        (["A"], np.nan, np.nan),
    ],
)
def test_one_pair(decisions, consistency, bias):
    batch = Preferences.from_plain(["A"], [decisions])
    assert qeframe.score(swap_consistency, batch) == pytest.approx(consistency, nan_ok=True)
    assert qeframe.score(position_bias, batch) == pytest.approx(bias, nan_ok=True)


def test_the_answer_that_is_shown_first_may_be_b():
    batch = Preferences.from_plain(["A"] * 3, [["A", "B"]] * 3, shown_first=[1, -1, 0])
    assert qeframe.score(position_bias, batch) == 0
    assert position_bias.details(batch) == {"pairs": 2, "for the first answer": 2, "for the second answer": 2}


def test_details_count_what_was_not_decided():
    details = swap_consistency.details(Preferences.from_plain(["A", "B", "B"], [["A", None], ["B", "A"], ["B", "-"]]))
    assert details == {"pairs in both orders": 2, "decisions not made": 1}


def test_the_gold_does_not_matter():
    answers = [["A", "B"], ["B", "B"]]
    for metric in ("swap_consistency", "position_bias"):
        scores = {
            qeframe.score(metric, Preferences.from_plain(gold, answers), None) for gold in (["A", "A"], ["B", "tie"])
        }
        assert len(scores) == 1


WORDS = {1: "A", 0: "tie", -1: "B"}


def sides(batch):
    return [WORDS[gold] for gold in batch.gold.tolist()], [slow.verdict(made) for _, made in slow.pairs_of(batch)]


def peer(batch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it divides by zero where both sides are one constant
        return np.nan_to_num(cohen_kappa_score(*sides(batch)))


@given(preferences_batches(max_units=12))
def test_it_is_that_of_scikit_learn(batch):
    assert qeframe.score(preference_kappa(), batch) == pytest.approx(peer(batch), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_that_of_scikit_learn_on_many_pairs(seed):
    rng = np.random.default_rng(seed)
    gold = rng.choice([1, 0, -1], 500, p=[0.7, 0.1, 0.2]).tolist()
    decisions = [[g if rng.random() < 0.6 else int(rng.choice([1, 0, -1])) for _ in range(2)] for g in gold]
    batch = Preferences.from_plain(gold, decisions)
    assert qeframe.score(preference_kappa(), batch) == pytest.approx(peer(batch), abs=1e-12)


@given(preferences_batches())
def test_above_the_base_rate(batch):
    gold, judge = sides(batch)
    base = max(map(gold.count, WORDS.values())) / len(gold)
    agreement = np.mean([one == other for one, other in zip(gold, judge, strict=True)])
    expected = (agreement - base) / (1 - base) if base < 1 else 0.0
    assert qeframe.score(preference_kappa(chance="base_rate"), batch) == pytest.approx(expected, abs=1e-12)


def test_the_best_constant_has_0_under_the_base_rate():
    batch = Preferences.from_plain(["A", "A", "B"], ["A", "A", "A"])
    assert qeframe.score(preference_kappa(chance="base_rate"), batch) == 0
    assert qeframe.score(preference_kappa(), batch) == 0


def test_details():
    details = preference_kappa().details(Preferences.from_plain(["A", "A", "B"], [["A", "A"], ["A", "B"], None]))
    assert details["agreement"] == pytest.approx(1 / 3)
    assert details["base rate"] == pytest.approx(2 / 3)
    assert details["expected agreement"] == pytest.approx(2 / 9)
    assert details["confusion"]["A"] == {"A": 1, "tie": 1, "B": 0, "none": 0}
    assert details["confusion"]["B"]["none"] == 1


def test_kappa_is_0_where_nothing_varies():
    for gold, decisions in ((["A"], ["A"]), ([], []), (["A"], ["B"])):
        for chance in ("cohen", "base_rate"):
            assert qeframe.score(preference_kappa(chance=chance), Preferences.from_plain(gold, decisions)) == 0

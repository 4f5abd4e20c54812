"""Accuracy, biases and kappa of judges against slow loops, and by hand."""

import math
import statistics
import warnings

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

import qeframe
from qeframe.core.errors import DataError
from qeframe.kinds.preferences.kind import preferences_batches
from qeframe.plugin import Preferences
from qeframe_preferences import (
    judgebench_accuracy,
    position_bias,
    preference_accuracy,
    preference_kappa,
    swap_consistency,
)
from qeframe_preferences.decision_metrics import preference_bias
from tests.examples import FEWER
from tests.plugins.qeframe_preferences import slow


@given(preferences_batches())
def test_accuracies_are_those_of_the_rules(batch):
    assert qeframe.score(judgebench_accuracy, batch) == pytest.approx(slow.judgebench(batch), abs=1e-12)
    for ties in (0.0, 0.5, 1.0):
        assert qeframe.score(preference_accuracy(ties=ties), batch) == pytest.approx(
            slow.accuracy(batch, ties), abs=1e-12
        )


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


def test_scores_of_reward_models():
    batch = Preferences.from_plain(["A"] * 4, ["A", "A", "tie", "B"])
    assert qeframe.score("preference_accuracy", batch, None) == 0.5
    assert qeframe.score("preference_accuracy(ties=0.5)", batch, None) == 0.625


def test_nothing_is_undefined():
    assert np.isnan(qeframe.score(judgebench_accuracy, Preferences.from_plain([], [])))


@pytest.mark.parametrize("metric", ["preference_accuracy", "section_accuracy"])
@pytest.mark.parametrize("ties", [-0.1, 1.5])
def test_a_credit_is_a_share(metric, ties):
    with pytest.raises(DataError, match=f"{metric}: ties = .* must be from 0 to 1"):
        qeframe.score(f"{metric}(ties={ties})", ["A"], ["A"])


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


def batch_of(scores):
    scores = np.array(scores, dtype=float).reshape(-1, 2)
    batch = Preferences.from_plain([0] * len(scores), np.sign(scores[:, 0] - scores[:, 1]).astype(int).tolist())
    return attrs.evolve(batch, predicted=np.concatenate([batch.predicted[:, :2], scores], axis=1))


GRID = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=20)


@given(GRID, st.booleans())
def test_against_plain_python(scores, signed):
    batch = batch_of(scores)
    shares = (sum(a > b for a, b in scores) - sum(a < b for a, b in scores)) / len(scores)
    spread = statistics.pstdev([score for pair in scores for score in pair])
    means = statistics.fmean(a - b for a, b in scores) / spread if spread else math.nan
    for of, expected in (("decisions", shares), ("scores", means)):
        expected = expected if signed else abs(expected)
        assert qeframe.score(preference_bias(of=of, signed=signed), batch, None) == pytest.approx(
            expected, nan_ok=True, abs=1e-12
        )


def test_a_constant_has_no_bias_in_decisions_and_none_in_scores():
    batch = batch_of([[2, 2], [2, 2]])
    assert qeframe.score(preference_bias(), batch, None) == 0
    assert math.isnan(qeframe.score(preference_bias(of="scores"), batch, None))


def test_the_sides_are_exchanged_with_the_sign():
    batch, other = batch_of([[1, 0], [3, 1], [0, 1]]), batch_of([[0, 1], [1, 3], [1, 0]])
    metric = preference_bias(of="scores", signed=True)
    assert qeframe.score(metric, batch, None) == -qeframe.score(metric, other, None) > 0


def test_details_tell_the_shares():
    details = preference_bias().details(batch_of([[1, 0], [3, 1], [0, 1], [1, 1]]))
    assert {name: details[name] for name in ("pairs", "prefers A", "prefers B", "tied")} == {
        "pairs": 4,
        "prefers A": 0.5,
        "prefers B": 0.25,
        "tied": 0.25,
    }


WORDS = {1: "A", 0: "tie", -1: "B"}


def sides(batch):
    return [WORDS[gold] for gold in batch.gold.tolist()], [slow.verdict(made) for _, made in slow.pairs_of(batch)]


def peer(batch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it divides by zero where both sides are one constant
        return cohen_kappa_score(*sides(batch))


@FEWER
@given(preferences_batches(max_units=12))
def test_it_is_that_of_scikit_learn(batch):
    assert qeframe.score(preference_kappa(), batch) == pytest.approx(peer(batch), abs=1e-12, nan_ok=True)


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
    expected = (agreement - base) / (1 - base) if base < 1 else np.nan
    assert qeframe.score(preference_kappa(chance="base_rate"), batch) == pytest.approx(expected, abs=1e-12, nan_ok=True)


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


def test_undefined():
    assert np.isnan(qeframe.score(preference_kappa(), Preferences.from_plain(["A"], ["A"])))
    assert np.isnan(qeframe.score(preference_kappa(), Preferences.from_plain([], [])))
    assert qeframe.score(preference_kappa(), Preferences.from_plain(["A"], ["B"])) == 0

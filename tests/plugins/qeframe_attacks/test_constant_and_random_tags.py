"""Synthetic labelings: exact counts, seeds, degenerate gold."""

import pickle

import numpy as np
import pytest

import qeframe_attacks
from qeframe.core.calls import Parametric
from qeframe.core.errors import DataError
from qeframe.core.loader import imported
from qeframe.core.metric import Attack
from qeframe.kinds.tags.batch import Tags

LABELINGS = ("all_bad", "all_good", "optimistic", "pessimistic", "random_tags")
FOUND = {
    component.name: component
    for component in map(imported, qeframe_attacks.qeframe_attacks())
    if component.name in LABELINGS
}


def attack(name, **parameters):
    found = FOUND[name]
    return found(**parameters) if isinstance(found, Parametric) else found


def counts(answered):
    gold, predicted = answered.gold.values, answered.predicted.values
    cells = {"tp": (1, 1), "fp": (0, 1), "fn": (1, 0), "tn": (0, 0)}
    return {name: int(((gold == g) & (predicted == p)).sum()) for name, (g, p) in cells.items()}


@pytest.fixture
def batch():
    gold = [["OK"] * 8 + ["BAD"] * 2] * 90
    return Tags.from_plain(gold, gold)


@pytest.mark.parametrize("name", ["optimistic", "pessimistic"])
@pytest.mark.parametrize("seed", [0, 1])
def test_golden_counts(cases_of, name, seed):
    (case,) = cases_of("synthetic")
    times, letters = case["input"]["gold"].split(" x ")
    gold = [[{"O": "OK", "B": "BAD"}[letter] for letter in letters]] * int(times)
    answered = attack(name).answer(Tags.from_plain(gold, gold), np.random.default_rng(seed))
    assert counts(answered) == case["expected"]["value"][name]


def test_constants(batch):
    rng = np.random.default_rng(0)
    assert counts(attack("all_bad").answer(batch, rng)) == {"tp": 180, "fp": 720, "fn": 0, "tn": 0}
    assert counts(attack("all_good").answer(batch, rng)) == {"tp": 0, "fp": 0, "fn": 180, "tn": 720}


def test_parameters(batch):
    rng = np.random.default_rng(0)
    found = counts(attack("optimistic", precision=0.5, recall=0.25).answer(batch, rng))
    assert found == {"tp": 45, "fp": 45, "fn": 135, "tn": 675}
    found = counts(attack("pessimistic", bad_recall=1.0, ok_recall=0.5).answer(batch, rng))
    assert found == {"tp": 180, "fp": 360, "fn": 0, "tn": 360}
    assert attack("random_tags", rate=0.3).name == "random_tags(rate=0.3)"


def test_more_false_alarms_than_there_are_ok_tokens():
    gold = [["BAD", "BAD", "OK"]]
    batch = Tags.from_plain(gold, gold)
    attacked = attack("optimistic", precision=0.1, recall=1.0).answer(batch, np.random.default_rng(0))
    assert counts(attacked) == {"tp": 2, "fp": 1, "fn": 0, "tn": 0}


def test_random_follows_the_prior(batch):
    expected = {"prior": 0.2, 0.6: 0.6, 0.0: 0.0, 1.0: 1.0}
    for rate, share in expected.items():
        answered = [attack("random_tags", rate=rate).answer(batch, np.random.default_rng(s)) for s in range(40)]
        assert np.mean([each.predicted.values.mean() for each in answered]) == pytest.approx(share, abs=0.02)
        hits = np.mean([each.predicted.values[each.gold.values == 1].mean() for each in answered])
        assert hits == pytest.approx(share, abs=0.02)


def test_random_with_more_classes():
    gold = [["OK"] * 600 + ["Fluency"] * 300 + ["Accuracy"] * 100]
    answered = attack("random_tags").answer(
        Tags.from_plain(gold, gold, classes=("OK", "Accuracy", "Fluency")), np.random.default_rng(0)
    )
    shares = np.bincount(answered.predicted.values, minlength=3) / 1000
    assert shares == pytest.approx([0.6, 0.1, 0.3], abs=0.05)
    assert answered.predicted.values.dtype == np.int8


@pytest.mark.parametrize("name", FOUND)
def test_deterministic_for_a_seed_and_does_not_touch_the_gold(batch, name):
    first, second = (attack(name).answer(batch, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(first.predicted.values, second.predicted.values)
    assert first.gold is batch.gold
    assert (first.predicted.lengths == batch.gold.lengths).all()


@pytest.mark.parametrize("name", FOUND)
@pytest.mark.parametrize("gold", [[], [[]], [["OK"] * 3], [["BAD"] * 3]])
def test_degenerate_gold(name, gold):
    answered = attack(name).answer(Tags.from_plain(gold, gold), np.random.default_rng(0))
    assert len(answered.predicted.values) == sum(map(len, gold))


def test_what_they_know():
    manners = {name: attack(name).manner for name in FOUND}
    informed = {"optimistic"}
    assert {name for name, manner in manners.items() if manner == "informed"} == informed
    assert {name for name, manner in manners.items() if manner == "blind"} == set(FOUND) - informed
    assert attack("pessimistic", bad_recall=0.9, ok_recall=0.2).manner == "informed"
    for name in FOUND:
        assert isinstance(attack(name), Attack)
        assert pickle.loads(pickle.dumps(attack(name).answer)).func is attack(name).answer.func


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("optimistic", {"precision": 0.0}, "precision = 0.0 must be above 0 to 1"),
        ("optimistic", {"recall": 1.5}, "recall = 1.5 must be 0 to 1"),
        ("pessimistic", {"ok_recall": -0.1}, "ok_recall = -0.1 must be 0 to 1"),
        ("random_tags", {"rate": float("nan")}, "rate = nan must be a number or prior"),
    ],
)
def test_impossible_parameters(name, parameters, message):
    with pytest.raises(DataError, match=message):
        attack(name, **parameters)


CLASSES = ("OK", "Accuracy", "Fluency")
MANY = [["OK"] * 60 + ["Fluency"] * 30 + ["Accuracy"] * 10]


def confusion(name, **parameters):
    """Return how often a labeling gives each class to each gold class of many, (gold, predicted)."""
    batch = Tags.from_plain(MANY, MANY, classes=CLASSES)
    found = attack(name, **parameters).answer(batch, np.random.default_rng(0))
    cells = np.bincount(3 * found.gold.values + found.predicted.values, minlength=9)
    return cells.reshape(3, 3).tolist()


def test_of_more_classes_bad_is_the_most_frequent_kind_of_error():
    assert confusion("all_good") == [[60, 0, 0], [10, 0, 0], [30, 0, 0]]
    assert confusion("all_bad") == [[0, 0, 60], [0, 0, 10], [0, 0, 30]]
    assert confusion("random_tags", rate=1.0) == confusion("all_bad")
    few = np.array(confusion("optimistic", precision=0.5, recall=0.5))
    assert (few[0].tolist(), few[1:, 0].sum(), few[1, 2], few[2, 1]) == ([40, 0, 20], 20, 0, 0)
    many = np.array(confusion("pessimistic", bad_recall=0.5, ok_recall=0.5))
    assert (many[0].tolist(), many[1:, 2].sum(), many[:, 1].sum()) == ([30, 0, 30], 20, 0)
    same = [["OK", "Fluency", "Accuracy"]]
    found = attack("all_bad").answer(Tags.from_plain(same, same, classes=CLASSES), np.random.default_rng(0))
    assert found.predicted.values.tolist() == [1, 1, 1], "of equally frequent ones the first"


def test_without_ok_there_is_nothing_to_label():
    gold = [["Fluency", "Accuracy"]]
    with pytest.raises(DataError, match="there is no class 'OK': the tags are Accuracy, Fluency; choose"):
        attack("all_bad").answer(Tags.from_plain(gold, gold), np.random.default_rng(0))

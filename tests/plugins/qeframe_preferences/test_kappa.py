"""Kappa: against scikit-learn, against the best constant, and where it is undefined."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import cohen_kappa_score

from qeframe.kinds.preferences.kind import preferences_batches
from qeframe.plugin import Preferences
from qeframe_preferences import preference_kappa
from tests.examples import FEWER
from tests.plugins.qeframe_preferences import slow

WORDS = {1: "A", 0: "tie", -1: "B"}


def scored(metric, batch):
    return float(metric.bind(batch)(np.ones(len(batch))))


def sides(batch):
    return [WORDS[gold] for gold in batch.gold.tolist()], [slow.verdict(made) for _, made in slow.pairs_of(batch)]


def peer(batch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it divides by zero where both sides are one constant
        return cohen_kappa_score(*sides(batch))


@FEWER
@given(preferences_batches(max_units=12))
def test_it_is_that_of_scikit_learn(batch):
    assert scored(preference_kappa(), batch) == pytest.approx(peer(batch), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_that_of_scikit_learn_on_many_pairs(seed):
    rng = np.random.default_rng(seed)
    gold = rng.choice([1, 0, -1], 500, p=[0.7, 0.1, 0.2]).tolist()
    decisions = [[g if rng.random() < 0.6 else int(rng.choice([1, 0, -1])) for _ in range(2)] for g in gold]
    batch = Preferences.from_plain(gold, decisions)
    assert scored(preference_kappa(), batch) == pytest.approx(peer(batch), abs=1e-12)


@given(preferences_batches())
def test_above_the_base_rate(batch):
    gold, judge = sides(batch)
    base = max(map(gold.count, WORDS.values())) / len(gold)
    agreement = np.mean([one == other for one, other in zip(gold, judge, strict=True)])
    expected = (agreement - base) / (1 - base) if base < 1 else np.nan
    assert scored(preference_kappa(chance="base_rate"), batch) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_the_best_constant_has_0_under_the_base_rate():
    batch = Preferences.from_plain(["A", "A", "B"], ["A", "A", "A"])
    assert scored(preference_kappa(chance="base_rate"), batch) == 0
    assert scored(preference_kappa(), batch) == 0


def test_details():
    details = preference_kappa().details(Preferences.from_plain(["A", "A", "B"], [["A", "A"], ["A", "B"], None]))
    assert details["agreement"] == pytest.approx(1 / 3)
    assert details["base rate"] == pytest.approx(2 / 3)
    assert details["expected agreement"] == pytest.approx(2 / 9)
    assert details["confusion"]["A"] == {"A": 1, "tie": 1, "B": 0, "none": 0}
    assert details["confusion"]["B"]["none"] == 1


def test_undefined():
    assert np.isnan(scored(preference_kappa(), Preferences.from_plain(["A"], ["A"])))
    assert np.isnan(scored(preference_kappa(), Preferences.from_plain([], [])))
    assert scored(preference_kappa(), Preferences.from_plain(["A"], ["B"])) == 0

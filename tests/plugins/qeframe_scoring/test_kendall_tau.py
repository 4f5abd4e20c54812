"""Kendall's tau against scipy, and pair by pair."""

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import kendalltau

from qeframe.plugin import Scores
from qeframe.testing import scores_batches
from qeframe_scoring import kendall_tau_b, kendall_tau_c
from tests.examples import FEWER

VARIANTS = {"b": kendall_tau_b, "c": kendall_tau_c}


def score(metric, batch):
    return float(metric.bind(batch)(np.ones(len(batch))))


def pair_by_pair(batch):
    surplus = untied_gold = untied_predicted = 0
    for i in range(len(batch)):
        for j in range(i):
            gold, predicted = np.sign(batch.gold[i] - batch.gold[j]), np.sign(batch.predicted[i] - batch.predicted[j])
            surplus += gold * predicted
            untied_gold, untied_predicted = untied_gold + abs(gold), untied_predicted + abs(predicted)
    if not untied_gold or not untied_predicted:
        return {"b": np.nan, "c": np.nan}
    fewer = min(len(set(batch.gold)), len(set(batch.predicted)))
    by_c = 2 * surplus / (len(batch) ** 2 * (fewer - 1) / fewer)
    return {"b": surplus / np.sqrt(untied_gold * untied_predicted), "c": by_c}


@pytest.mark.parametrize("variant", VARIANTS)
@FEWER
@given(batch=scores_batches(max_units=12))
def test_pairs_are_counted(variant, batch):
    assert score(VARIANTS[variant], batch) == pytest.approx(pair_by_pair(batch)[variant], nan_ok=True, abs=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("units", [2, 3, 50, 777])
def test_scipy_agrees(variant, units):
    rng = np.random.default_rng(units)
    gold = rng.integers(0, units, units) + 0.0
    for predicted in (rng.random(units), np.round(gold + 9 * rng.standard_normal(units)), -gold):
        found = score(VARIANTS[variant], Scores.from_plain(gold, predicted))
        assert found == pytest.approx(kendalltau(gold, predicted, variant=variant).statistic, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("variant", VARIANTS)
def test_counts_are_repeated_units(variant):
    rng = np.random.default_rng(3)
    gold, predicted = rng.integers(0, 9, 60) + 0.0, rng.integers(0, 9, 60) + 0.0
    counts = rng.integers(0, 4, (25, 60))
    found = VARIANTS[variant].bind(Scores.from_plain(gold, predicted))(counts.astype(float))
    for row, each in zip(counts, found, strict=True):
        repeated = [np.repeat(side, row) for side in (gold, predicted)]
        assert each == pytest.approx(kendalltau(*repeated, variant=variant).statistic, abs=1e-12)

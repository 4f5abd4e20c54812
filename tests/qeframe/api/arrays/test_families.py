"""The family of several metrics against plain formulas, and its error rate where all submissions are equal."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.components.significance import Correction

RNG = np.random.default_rng(4)
GOLD = RNG.normal(size=30)
SUBMISSIONS = {name: GOLD + scale * RNG.normal(size=30) for name, scale in {"a": 0.5, "b": 1.0, "c": 1.2}.items()}
METRICS = ["pearson", "spearman", "mae"]


def p_of(blocks, name="p"):
    return [getattr(pair, name) for block in blocks for pair in block]


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "bh", "none"])
def test_p_values_of_all_metrics_are_corrected_at_once(registry, correction):
    found = qeframe.compare(METRICS, GOLD, SUBMISSIONS, test="randomization(draws=99)", correction=correction)
    expected = registry.get(Correction, correction).adjust(np.array(p_of(found)))
    assert p_of(found, "p_adjusted") == expected.tolist()
    assert [pair.significant for block in found for pair in block] == (expected < 0.05).tolist()


@given(st.sampled_from([["pearson"], ["mae", "rmse"], METRICS]), st.integers(0, 3))
@settings(max_examples=10)
def test_a_joint_correction_is_multiplied_by_the_number_of_metrics(metrics, seed):
    found = qeframe.compare(metrics, GOLD, SUBMISSIONS, seed=seed)
    alone = [pair.p_adjusted for metric in metrics for pair in qeframe.compare(metric, GOLD, SUBMISSIONS, seed=seed)]
    assert p_of(found, "p_adjusted") == [min(1.0, len(metrics) * p) for p in alone]


def test_a_metric_without_any_score_does_not_count():
    constant = {"a": np.zeros(30), "b": np.ones(30)}
    pearson, mae = qeframe.compare(["pearson", "mae"], GOLD, constant)
    assert math.isnan(pearson[0].p_adjusted)
    assert not pearson[0].significant
    assert mae[0].p_adjusted == qeframe.compare("mae", GOLD, constant)[0].p_adjusted


@pytest.mark.slow
def test_the_chance_of_any_false_claim_under_several_metrics():
    """Equal submissions, metrics that agree in part: at most alpha, up to the error of 400 data sets."""
    false_claims = 0
    for seed in range(400):
        rng = np.random.default_rng([9, seed])
        gold = rng.normal(size=60)
        equal = {name: gold + rng.normal(size=60) for name in "abc"}
        found = qeframe.compare(["pearson", "mae", "rmse"], gold, equal, seed=seed)
        false_claims += any(pair.significant for block in found for pair in block)
    assert false_claims / 400 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)

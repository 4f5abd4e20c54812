"""Every metric on preferences has intervals, a jackknife and both resampling tests, also where pairs lack an order."""

import numpy as np
import pytest

import qeframe
from qeframe.kinds.preferences.kind import KIND
from qeframe.plugin import Additive

METRICS = (
    *("judgebench_accuracy", "preference_accuracy(ties=0.5)", "preference_kappa", "preference_kappa(chance=base_rate)"),
    *("section_accuracy", "section_accuracy(rule=judgebench)", "section_tau", "swap_consistency", "position_bias"),
)


@pytest.fixture(scope="module")
def judges():
    gold = KIND.audit.generate(np.random.default_rng(1)).batch.take(np.arange(300))
    return {
        f"q{quality}": KIND.audit.honest(gold, quality, np.random.default_rng(i))
        for i, quality in enumerate((0.2, 0.8, 0.8))
    } | {"again": KIND.audit.honest(gold, 0.8, np.random.default_rng(9))}


@pytest.mark.parametrize("test", ["randomization(draws=500)", "bootstrap(draws=500)"])
@pytest.mark.parametrize("metric", METRICS)
def test_a_better_judge_is_told_from_a_worse_one(metric, test, judges):
    pairs = qeframe.compare(metric, None, judges, test=test, seed=1)
    by_name = {frozenset((pair.a, pair.b)): pair.p for pair in pairs}
    assert all(0 < p <= 1 for p in by_name.values())
    if metric != "position_bias":
        assert by_name[frozenset(("q0.2", "q0.8"))] < 0.01
        assert by_name[frozenset(("again", "q0.8"))] > 0.01


@pytest.mark.parametrize("metric", METRICS)
def test_the_jackknife_is_the_score_without_a_pair(metric, judges, registry):
    from qeframe.core.components.metric import Metric

    batch = judges["q0.2"]
    statistic = registry.get(Metric, metric).bind(batch)
    assert isinstance(statistic, Additive)
    without = statistic(1.0 - np.eye(len(batch)))
    for pair in (0, 17, 299):
        alone = qeframe.score(metric, batch.take(np.delete(np.arange(len(batch)), pair)), None)
        assert without[pair] == pytest.approx(alone, abs=1e-12)

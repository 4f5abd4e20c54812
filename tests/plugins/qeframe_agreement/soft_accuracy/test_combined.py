"""Both levels in one score."""

import numpy as np
import pytest

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.core.profiles.load import find_profile
from qeframe.core.resampling.statistic_stack import StatisticStack
from qeframe.kinds.grid.batch import Grid

RNG = np.random.default_rng(4)
GOLD = np.round(RNG.normal(size=(6, 5)), 1)
ANSWERS = [GOLD + RNG.normal(size=GOLD.shape) for _ in range(3)]


def test_the_mean_of_its_parts(registry):
    metric = registry.get(Metric, "spa_acc_eq")
    batches = [Grid.from_plain(GOLD, answers) for answers in ANSWERS]
    weights = RNG.integers(0, 3, size=(7, 6)).astype(np.float64)
    parts = [[registry.get(Metric, name).bind(batch)(weights) for batch in batches] for name in ("spa", "acc_eq")]
    found = [metric.bind(batch) for batch in batches]
    np.testing.assert_allclose([one(weights) for one in found], np.mean(parts, axis=0), rtol=1e-12)
    np.testing.assert_allclose(StatisticStack(found)(weights), np.mean(parts, axis=0).T, rtol=1e-12)
    details = metric.details(batches[0])
    assert np.mean(list(details.values())) == pytest.approx(qeframe.score("spa_acc_eq", GOLD, ANSWERS[0]))


def test_a_part_that_is_undefined(registry):
    assert np.isnan(qeframe.score("spa_acc_eq", [[1.0]], [[2.0]]))


@pytest.mark.parametrize("year", [24, 25])
def test_the_profiles_of_both_levels(year, registry):
    profile = find_profile(f"wmt{year}_metrics_both", registry)
    assert profile.metrics == ("spa_acc_eq", "spa", "acc_eq")
    assert (profile.year, profile.across, profile.test) == (2000 + year, "mean", "")
    segment = find_profile(f"wmt{year}_metrics_segment", registry)
    assert (profile.reader, profile.gold, profile.best) == (segment.reader, segment.gold, segment.best)

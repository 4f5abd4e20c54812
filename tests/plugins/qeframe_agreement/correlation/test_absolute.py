"""Correlations without their sign."""

import numpy as np
import pytest

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.kinds.grid.batch import Grid

NAMES = ["system_pearson", "segment_pearson"]
RNG = np.random.default_rng(3)
GOLD = RNG.normal(size=(8, 6))
CLOSE = GOLD + RNG.normal(size=GOLD.shape)
SUBMISSIONS = {"with": CLOSE, "against": -CLOSE + 0.2 * RNG.normal(size=GOLD.shape), "noise": RNG.normal(size=(8, 6))}


@pytest.mark.parametrize("name", NAMES)
def test_the_sign_does_not_count(name, registry):
    for predicted in SUBMISSIONS.values():
        batch = Grid.from_plain(GOLD, predicted)
        signed, absolute = (registry.get(Metric, found) for found in (name, f"{name}_absolute"))
        weights = RNG.integers(0, 3, size=(20, 8)).astype(np.float64)
        np.testing.assert_array_equal(absolute.bind(batch)(weights), np.abs(signed.bind(batch)(weights)))
        gold, answers = absolute.vectors(batch)
        assert np.corrcoef(gold, answers)[0, 1] == pytest.approx(absolute.bind(batch)(np.ones(8)))


@pytest.mark.parametrize("name", NAMES)
def test_against_the_humans_is_as_good_as_with_them(name):
    score = qeframe.score(f"{name}_absolute", GOLD, -CLOSE)
    assert score == pytest.approx(qeframe.score(f"{name}_absolute", GOLD, CLOSE)) == qeframe.score(name, GOLD, CLOSE)
    assert np.isnan(qeframe.score(f"{name}_absolute", GOLD, np.zeros_like(GOLD)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("test", ["bootstrap(draws=50)", "randomization(draws=50)", "williams"])
def test_it_can_be_compared(name, test):
    pairs = qeframe.compare(f"{name}_absolute", GOLD, SUBMISSIONS, test=test)
    values = {s: qeframe.score(f"{name}_absolute", GOLD, p) for s, p in SUBMISSIONS.items()}
    for pair in pairs:
        assert pair.difference == pytest.approx(values[pair.a] - values[pair.b])
        assert 0 < pair.p <= 1

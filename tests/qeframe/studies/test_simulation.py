"""Shares of data sets, and data sets of exchanged answers."""

import numpy as np
import pytest
import scipy.stats

from qeframe.core.components.loading.registry import Registry
from qeframe.plugin import DataError, Metric, Scores
from qeframe.studies.simulation import Simulation, exchanged_answers, share_of

GOLD = np.arange(6.0)
BATCHES = [Scores.from_plain(GOLD, GOLD + 10 * (1 + i), best="high") for i in range(3)]


def test_a_data_set_depends_on_its_number_alone(registry: Registry) -> None:
    drawn = Simulation(metric=registry.get(Metric, "mae"), null=exchanged_answers(BATCHES, "three"), units=30, runs=45)
    first, again, other = (drawn.comparable(number).oriented for number in (7, 7, 8))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert [list(part) for part in drawn.parts] == [list(range(20)), list(range(20, 40)), list(range(40, 45))]


def test_answers_stay_with_their_units() -> None:
    one, other = exchanged_answers(BATCHES[:2], "two").draw(np.random.default_rng(1), 400)
    assert set(one.gold) == set(GOLD)
    answered = np.stack([one.predicted, other.predicted])
    assert (np.sort(answered, axis=0) == one.gold + np.array([[10.0], [20.0]])).all()
    assert abs((one.predicted > other.predicted).mean() - 0.5) < 0.1


def test_mistakes(registry: Registry) -> None:
    with pytest.raises(DataError, match="fewer than two submissions"):
        exchanged_answers(BATCHES[:1], "one")
    with pytest.raises(DataError, match="at least 2 units"):
        Simulation(metric=registry.get(Metric, "mae"), null=exchanged_answers(BATCHES, "three"), units=1, runs=1)


@pytest.mark.parametrize(("count", "runs"), [(0, 1), (0, 2000), (5, 100), (50, 100), (99, 100), (7, 7)])
def test_the_interval_of_a_share_is_wilsons(count, runs):
    expected = scipy.stats.binomtest(count, runs).proportion_ci(0.95, "wilson")
    assert share_of(count, runs).interval() == pytest.approx(tuple(expected))
    assert np.isnan(share_of(0, 0).interval()).all()

"""Real answers, exchanged unit by unit."""

import numpy as np
import pytest

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.errors import CapabilityError, DataError
from qeframe.kinds.scores.batch import Scores
from qeframe.studies.error_rates import coverage, rates_of_pairs
from qeframe.studies.exchanged_answers import exchanged_answers
from qeframe.studies.simulation import Simulation

GOLD = np.arange(6.0)
BATCHES = [Scores.from_plain(GOLD, GOLD + 10 * (1 + i), best="high") for i in range(3)]


def test_answers_stay_with_their_units() -> None:
    drawn = exchanged_answers(BATCHES, "three").draw(np.random.default_rng(1), 400, 3)
    gold = drawn[0].gold
    assert set(gold) == set(GOLD)
    answered = np.stack([one.predicted for one in drawn])
    assert (np.sort(answered, axis=0) == gold + np.array([[10.0], [20.0], [30.0]])).all()
    orders = np.unique((answered - gold).T, axis=0, return_counts=True)
    assert len(orders[0]) == 6
    assert (abs(orders[1] - 400 / 6) < 30).all()


def test_some_of_the_submissions() -> None:
    model = exchanged_answers(BATCHES, "three")
    seen = {
        tuple(sorted({int(x // 10) for one in model.draw(np.random.default_rng(i), 20, 2) for x in one.predicted}))
        for i in range(20)
    }
    assert seen == {(1, 2), (1, 3), (2, 3)}


def test_mistakes() -> None:
    with pytest.raises(DataError, match="fewer than two submissions"):
        exchanged_answers(BATCHES[:1], "one")
    with pytest.raises(DataError, match="three has 3 submissions, not 4"):
        exchanged_answers(BATCHES, "three").draw(np.random.default_rng(1), 20, 4)


def test_data_sets_have_true_scores_of_their_own(registry: Registry) -> None:
    jackknife = registry.get(SignificanceTest, "jackknife")
    simulated = Simulation(
        metric=registry.get(Metric, "mae"), null=exchanged_answers(BATCHES, "three"), units=30, runs=60
    )
    rate, covered = rates_of_pairs(jackknife, simulated)
    assert rate.rejected.value < 0.2
    assert covered is None
    with pytest.raises(CapabilityError, match="true scores of their own"):
        coverage(jackknife, simulated)

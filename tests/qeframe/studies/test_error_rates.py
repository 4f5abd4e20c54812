"""Error rates on exchanged answers."""

import numpy as np

from qeframe import Registry, Runner
from qeframe.plugin import Metric, Pairwise, Scores, SignificanceTest
from qeframe.studies.error_rates import error_rate
from qeframe.studies.simulation import Simulation, exchanged_answers

GOLD = np.arange(12.0)
BATCHES = [Scores.from_plain(GOLD, np.roll(GOLD, 2 * i), best="high") for i in range(3)]
RULES = {"alpha": 0.05, "sided": "two", "leader": False, "runner": Runner()}


def answering(p: float) -> SignificanceTest:
    return SignificanceTest(
        name="fixed", summary="", needs="bind", run=lambda given, sided: Pairwise(p=np.full(len(given.pairs[0]), p))
    )


def test_rates_of_fixed_p_values_and_of_a_good_test(registry: Registry) -> None:
    study = Simulation(metric=registry.get(Metric, "mae"), null=exchanged_answers(BATCHES, "three"), units=30, runs=60)
    assert [error_rate(answering(p), study, **RULES).rejected.value for p in (0.05, 0.06)] == [1, 0]
    assert error_rate(answering(np.nan), study, **RULES).undefined == 1
    jackknife = registry.get(SignificanceTest, "jackknife")
    assert error_rate(jackknife, study, **RULES).rejected.value < 0.2
    leader, given = (
        error_rate(jackknife, study, **{**RULES, "sided": "one", "leader": leader}).rejected.value
        for leader in (True, False)
    )
    assert leader >= given

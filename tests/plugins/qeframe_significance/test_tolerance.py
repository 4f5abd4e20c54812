"""How near is equal: 1e-12 of the larger score of a pair, at least 1e-12; correlations that differ by 1e-9 or less."""

import numpy as np
import pytest

import qeframe
from qeframe.batches.scores import Values
from qeframe.components.metric import Metric
from qeframe.components.significance import SignificanceTest
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.scored_task import ScoredTask
from qeframe_significance import bootstrap, randomization, t_test, williams
from qeframe_significance.p_values import at_least, tolerance

REGISTRY = qeframe.load()


def test_the_tolerance_is_of_the_pair() -> None:
    first, second = np.array([0.5, -3e6, 2.0, np.nan, np.inf]), np.array([0.25, 1.0, -5.0, 1e9, 0.0])
    assert tolerance(first, second) == pytest.approx([1e-12, 3e-6, 5e-12, 1e-12, 1e-12])


def test_equal_within_the_tolerance_is_at_least_as_extreme() -> None:
    observed, slack = np.array([0.5]), np.array([1e-12])
    differences = np.array([[0.5 - 9e-13], [0.5 - 1.1e-12], [-0.5 + 9e-13], [np.nan], [0.6]])
    assert at_least(differences, observed, "two", slack)[:, 0].tolist() == [True, False, True, True, True]
    assert at_least(differences, observed, "one", slack)[:, 0].tolist() == [True, False, False, True, True]


def test_exchanges_that_only_rounding_tells_apart_count_as_equal() -> None:
    """Three differences of one size: 2 of 8 exchanges are as extreme as all on one side, in any order of adding."""
    assert randomization([0.1, 0.2, 0.3], [0.0, 0.1, 0.2]).p == 2 / 8
    assert randomization([1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.3], [1e9, 1e9 + 0.1, 1e9 + 0.2]).p == 2 / 8
    assert bootstrap([0.1, 0.2, 0.3], [0.0, 0.1, 0.2]).p_centered == 1 / 1001


@pytest.mark.parametrize("name", ["bootstrap(draws=200)", "bootstrap(draws=200, p=percentile)", "randomization"])
def test_a_giant_submission_hides_nothing(name: str) -> None:
    rng = np.random.default_rng(1)
    low, high = rng.normal(size=(2, 9)) + [[0.0], [2.0]]
    test, mean = REGISTRY.get(SignificanceTest, name), REGISTRY.get(Metric, "mean")

    def p(*answers: np.ndarray) -> np.ndarray:
        batches = tuple(Values.from_plain(None, each) for each in answers)
        return test.run(
            ComparableInTask(ScoredTask(metrics=(mean,), batches=batches, key=(3,)), as_given=True), "two"
        ).p

    alone = p(high, low)
    assert alone[0] < 0.05
    assert p(high, low, 1e14 * (1 + rng.random(9)))[0] == alone[0]


def test_correlations_that_are_equal_by_rounding_do_not_differ() -> None:
    assert williams(0.5, 0.5 - 9e-10, 1.0, 30).t == 0.0
    assert abs(float(williams(0.5, 0.5 - 2e-9, 1.0, 30).t)) > 0
    assert williams(0.5, 0.5 - 1e-10, 1 - 1e-12, 30).p_two == 1.0


def test_means_that_are_equal_by_rounding_do_not_differ() -> None:
    assert (t_test([0.1 + 0.2] * 3, [0.3] * 3).statistic, t_test([0.1 + 0.2] * 3, [0.3] * 3).p) == (0.0, 1.0)
    assert t_test([0.3 + 1e-11] * 3, [0.3] * 3).p == 0.0


def test_the_bootstrap_of_a_handful_of_units_is_chance():
    """As the page on significance says."""
    found = {round(bootstrap([1, 1], [0.8, 1], seed=seed).p_centered, 2) for seed in range(8)}
    assert min(found) < 0.27
    assert max(found) == 0.51

"""What limits tests on given data is said where it holds, and nowhere else."""

from typing import Any

import numpy as np
import pytest
from error_rates import Simulation
from laws import find_law

from qeframe.core.contest import Contest
from qeframe.core.metric import Metric
from qeframe.core.registry import Registry
from qeframe_significance.warnings_on_data import on_gold, on_unlike_errors
from tests.plugins.contests import contest

SETS = 20


def drawn(registry: Registry, name: str, units: int, metric: str = "pearson") -> list[Contest]:
    model = Simulation(metric=registry.get(Metric, metric), law=find_law(name), units=units)
    return [model.contest(number) for number in range(SETS)]


def said(registry: Registry, name: str, units: int, metric: str = "pearson") -> int:
    """Return in how many data sets there is a remark on the gold."""
    return sum(len(list(on_gold(one))) for one in drawn(registry, name, units, metric))


def unlike(registry: Registry, name: str, units: int, metric: str = "pearson") -> int:
    """Return in how many data sets there is a remark on the pair, if it were claimed."""
    return sum(len(on_unlike_errors(one, np.array([0]))) for one in drawn(registry, name, units, metric))


@pytest.mark.parametrize("name", ["normal", "discrete_gold", "scaled", "zeros_60"])
def test_pairs_of_one_law_have_no_remark(registry: Registry, name: str) -> None:
    assert unlike(registry, name, 200) <= 2
    assert name == "zeros_60" or said(registry, name, 200) == 0


def test_errors_of_unlike_laws_are_told_where_they_matter(registry: Registry) -> None:
    assert unlike(registry, "unequal_residuals", 1000) >= SETS / 3


def test_only_claimed_pairs_have_a_remark(registry: Registry) -> None:
    given = drawn(registry, "unequal_residuals", 1000)
    assert [on_unlike_errors(one, np.array([], dtype=np.int64)) for one in given] == [{}] * SETS
    remarks = [remark for one in given for remark in on_unlike_errors(one, np.array([0])).values()]
    assert all("of 1000 units" in remark and "--influence" in remark for remark in remarks)


def test_skewed_gold_is_told(registry: Registry) -> None:
    assert said(registry, "lognormal_gold", 200) >= 0.8 * SETS
    assert said(registry, "mqm_like", 200) == 0, "skewed because of its zeros"


def test_metrics_without_vectors_and_scores_that_are_not_smooth(registry: Registry) -> None:
    assert said(registry, "lognormal_gold", 50, "mae") == 0
    assert unlike(registry, "t3_residuals", 50, "delta_avg") == 0


def test_constant_gold() -> None:
    given = contest("pearson", np.ones(9), [np.arange(9.0) + k for k in range(2)])
    assert not [*on_gold(given), *on_unlike_errors(given, np.array([0]))]


class _LeftOut:
    """A pair with stated leave-one-out scores: one is decided by many units, the other by few."""

    smooth, working_scale, pairs = True, "identity", (np.array([0]), np.array([1]))

    def __init__(self, units: int, few: int, many: int) -> None:
        self.left_out, self.sizes = np.zeros((units, 2)), (units,)
        for side, deciding in enumerate([many, few]):
            self.left_out[:deciding, side] = np.resize([9.0, -9.0], deciding)

    def jackknife(self) -> np.ndarray:
        return self.left_out


@pytest.mark.parametrize(
    ("units", "few", "many", "is_told"),
    [
        *[(100, 4, 100, True), (100, 6, 100, False), (300, 30, 300, False)],
        *[(1000, 4, 69, False), (1000, 4, 70, True), (1000, 4, 1000, True)],
    ],
)
def test_few_units_are_a_tenth_and_many_more_by_a_factor_of_five(units, few, many, is_told) -> None:
    given: Any = _LeftOut(units, few, many)
    assert bool(on_unlike_errors(given, np.array([0]))) is is_told

"""Standard errors within draws: checked cases, and the loops that are obviously right."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qeframe
from qeframe.core.draws import DrawBlock, bootstrap_counts, grouped_counts
from qeframe.core.metric import Metric
from qeframe.core.standard_errors import covariance_by_influence, influence, without_groups
from qeframe.core.statistic_stack import StatisticStack

CASES: dict[str, Any] = json.loads((Path(__file__).parents[3] / "golden_inference.json").read_text(encoding="utf-8"))
NEAR = {"rel": 1e-9, "abs": 1e-11}


def stack(metric: str, gold: Any, *submissions: Any) -> StatisticStack:
    chosen = qeframe.load().get(Metric, metric)
    return StatisticStack([chosen.bind(chosen.kind.from_plain(gold, answers)) for answers in submissions])


def error(covariance: Any) -> float:
    return float(np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]))


def test_checked_case_of_all_units() -> None:
    case = CASES["pearson_difference"]
    data, units = case["data"], len(case["data"]["gold"])
    statistics = stack("pearson", data["gold"], data["A"], data["B"])
    ones = np.ones((1, units))
    scores = statistics(ones)[0]
    assert scores == pytest.approx([case["r_A"], case["r_B"]], **NEAR)
    slopes = influence(statistics, ones)[0]
    assert units * (slopes[0, 0] - slopes[1, 0]) == pytest.approx(case["influence_of_unit_0"], **NEAR)
    covariance = covariance_by_influence(statistics, ones)[0]
    assert error(covariance) == pytest.approx(case["se_influence"], **NEAR)
    by_z = 1 / (1 - scores**2)
    assert error(covariance * np.outer(by_z, by_z)) == pytest.approx(case["se_influence_z"], **NEAR)


def test_checked_case_of_one_draw() -> None:
    case = CASES["bootstrap_t_of_one_draw"]
    data = case["data"]
    statistics = stack("pearson", data["gold"], data["A"], data["B"])
    both = np.array([[1.0] * len(data["gold"]), case["weights"]])
    whole, drawn = statistics(both)
    difference = drawn[0] - drawn[1]
    assert difference == pytest.approx(case["difference_of_draw"], **NEAR)
    covariance = covariance_by_influence(statistics, both)[1]
    assert error(covariance) == pytest.approx(case["se_of_draw"], **NEAR)
    assert (difference - whole[0] + whole[1]) / error(covariance) == pytest.approx(case["t_star"], **NEAR)
    by_z = 1 / (1 - drawn**2)
    on_z = error(covariance * np.outer(by_z, by_z))
    assert on_z == pytest.approx(case["z_se_of_draw"], **NEAR)
    z, z_drawn = np.arctanh(whole), np.arctanh(drawn)
    t_star = ((z_drawn[0] - z_drawn[1]) - (z[0] - z[1])) / on_z
    assert t_star == pytest.approx(case["t_star_z"], **NEAR)


@pytest.mark.parametrize("metric", ["mae", "rmse", "pearson"])
def test_influence_is_the_derivative_by_the_weight(metric: str) -> None:
    rng = np.random.default_rng(5)
    gold = rng.normal(size=9)
    statistics = stack(metric, gold, gold + rng.normal(size=9), rng.normal(size=9))
    weights = rng.integers(1, 4, size=(3, 9)).astype(np.float64)
    found = influence(statistics, weights)
    step = 1e-5 * np.eye(9)
    for draw in range(3):
        expected = (statistics(weights[draw] + step) - statistics(weights[draw] - step)) / 2e-5
        assert found[draw] == pytest.approx(expected.T, rel=1e-6, abs=1e-8)


def test_groups_are_parts_of_the_sample() -> None:
    block = DrawBlock((1, 2, 3, 4), 0, 0, 5)
    counts = grouped_counts(block, 11, 4)
    assert counts.sum(axis=1).tolist() == bootstrap_counts(block, 11).tolist()
    assert counts.sum(axis=2).tolist() == [[3, 3, 3, 2]] * 5


def test_each_group_is_left_out() -> None:
    rng = np.random.default_rng(6)
    gold = rng.normal(size=12)
    statistics = stack("spearman", gold, gold + rng.normal(size=12), rng.normal(size=12))
    counts = grouped_counts(DrawBlock((5, 6, 7, 8), 0, 0, 3), 12, 5)
    found = without_groups(statistics, counts)
    for draw in range(3):
        for group in range(5):
            rest = sum(counts[draw, other] for other in range(5) if other != group)
            assert found[draw, group] == pytest.approx(statistics(rest.astype(float)))

"""Standard errors within draws: checked cases, and the loops that are obviously right."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.batches.base import FloatArray
from qeframe.core.components.metric import Metric
from qeframe.core.resampling.draws import DrawBlock, bootstrap_counts, grouped_counts
from qeframe.core.resampling.standard_errors.draw_errors import covariance_by_influence, influence, without_groups
from qeframe.core.resampling.standard_errors.jackknife import GridLeftOut, jackknife_variance, two_way_variance
from qeframe.core.resampling.standard_errors.working_scale import from_working_scale, on_working_scale
from qeframe.core.resampling.statistic_stack import StatisticStack

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


def by_definition(left_out: list[float]) -> tuple[float, float]:
    """Compute the standard error and the degrees of freedom with plain loops."""
    n, mean = len(left_out), sum(left_out) / len(left_out)
    squares = [(value - mean) ** 2 for value in left_out]
    total, fourth = sum(squares), sum(square**2 for square in squares)
    error = ((n - 1) / n * total) ** 0.5
    spread = fourth - total**2 / n
    freedom = 2 * total**2 / spread if spread > 0 else n - 1
    return error, min(max(freedom, 1.0), n - 1.0)


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=30))
def test_variance_is_that_of_the_definition(values: list[int]) -> None:
    found = jackknife_variance(np.array(values, dtype=np.float64)[:, None])
    error, freedom = by_definition([float(value) for value in values])
    assert found.error[0] == pytest.approx(error, rel=1e-12)
    assert found.freedom[0] == pytest.approx(freedom, rel=1e-9)


def test_independent_samples_add_their_variances() -> None:
    one, other = np.random.default_rng(1).normal(size=(9, 1)), np.random.default_rng(2).normal(size=(5, 1))
    found = jackknife_variance(np.concatenate([one, other]), [9, 5])
    alone = [jackknife_variance(sample).error[0] for sample in (one, other)]
    assert found.error[0] == pytest.approx(np.hypot(*alone), rel=1e-12)


@pytest.mark.parametrize(
    ("values", "error"),
    [([2.0, 2.0, 2.0], 0.0), ([1.0, np.nan, 2.0], np.nan), ([1.0, np.inf, 2.0], np.nan), ([1.0], np.nan), ([], np.nan)],
)
def test_degenerate_values(values: list[float], error: float) -> None:
    found = jackknife_variance(np.array(values, dtype=np.float64)[:, None])
    assert found.error[0] == pytest.approx(error, nan_ok=True)
    assert np.isnan(found.freedom[0]) == np.isnan(error)


def grid(*axes: FloatArray, factor: float = 0.8) -> GridLeftOut:
    return GridLeftOut(*(axis[:, None] for axis in axes), factor)


def squares(values: FloatArray) -> float:
    return float(((values - values.mean()) ** 2).sum())


@given(st.integers(0, 10**6))
def test_two_way_variance_is_that_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    segments, systems, cells = (rng.normal(size=size) * rng.exponential() for size in (6, 4, 24))
    v_segments, v_systems, v_cells = squares(segments) * 5 / 6, squares(systems) * 3 / 4, squares(cells) * 0.8
    variance = max(v_segments + v_systems - v_cells, v_segments, v_systems)
    found = two_way_variance([grid(segments, systems, cells)])
    assert found.error[0] == pytest.approx(variance**0.5)
    assert found.freedom[0] == pytest.approx(3)
    twice = two_way_variance([grid(segments, systems, cells), grid(segments, systems, cells)])
    assert twice.error[0] == pytest.approx((2 * variance) ** 0.5)
    assert twice.freedom[0] == pytest.approx(6)


def test_two_way_variance_of_degenerate_grids() -> None:
    ones, many = np.ones(4), np.arange(4.0)
    flat = two_way_variance([grid(ones, ones, ones)])
    assert (flat.error[0], flat.freedom[0]) == (0, 3)
    assert np.isnan(two_way_variance([grid(many[:1], many, many)]).error[0])
    assert np.isnan(two_way_variance([grid(many, many[:1], many)]).error[0])
    infinite = two_way_variance([grid(many, np.array([1.0, np.inf, 0, 0]), many)])
    assert np.isnan([infinite.error[0], infinite.freedom[0]]).all()


@given(st.floats(-0.999, 0.999))
def test_the_scales_are_inverse(score: float) -> None:
    for scale in ("identity", "arctanh"):
        values = on_working_scale(np.array([score]), scale)  # type: ignore[arg-type]
        assert from_working_scale(values, scale)[0] == pytest.approx(score, abs=1e-12)  # type: ignore[arg-type]


def test_ends_and_undefined_scores() -> None:
    values = on_working_scale(np.array([1.0, -1.0, np.nan, 1.5]), "arctanh")
    assert values[:2].tolist() == [np.inf, -np.inf]
    assert np.isnan(values[2:]).all()


def test_a_score_that_is_perfect_but_for_rounding_has_no_finite_value() -> None:
    """Its last bit would decide: the values of neighboring numbers near 1 differ by a third."""
    below = 1 - np.arange(1, 5) * 2.0**-53
    assert np.isposinf(on_working_scale(below, "arctanh")).all()
    assert np.isneginf(on_working_scale(-below, "arctanh")).all()
    apart = np.array([1 - 1e-11, 1e-11 - 1])
    assert on_working_scale(apart, "arctanh") == pytest.approx(np.arctanh(apart))


def test_a_score_above_its_end_by_rounding_is_that_of_the_end() -> None:
    scores = np.array([1 + 4e-16, -1 - 4e-16, 1 + 1e-6])
    assert on_working_scale(scores, "arctanh") == pytest.approx([np.inf, -np.inf, np.nan], nan_ok=True)

"""The two-way jackknife: checked cases, what it says, and degenerate grids."""

from typing import Any

import numpy as np
import pytest

from qeframe.core.contest import Contest
from qeframe.core.errors import CapabilityError
from qeframe.statistics.jackknife_variance import two_way_variance
from qeframe.statistics.scale_transforms import on_working_scale
from qeframe_significance.grids.two_way import two_way_jackknife
from tests.plugins.contests import CASES, NEAR, contest

METRICS = {"two_way_jackknife_acc_eq": "acc_eq(epsilon=0.0)", "two_way_jackknife_segment_pearson": "segment_pearson"}


def compared(metric: str, gold: Any, *sides: Any, **options: Any) -> Contest:
    return contest(metric, gold, sides, **options)


def example(segments: int = 12, systems: int = 5, seed: int = 0) -> tuple[Any, Any, Any]:
    gold, a, b = np.random.default_rng(seed).normal(size=(3, segments, systems))
    return gold, gold + a, gold + b


@pytest.mark.parametrize("name", METRICS)
def test_checked_cases(name: str) -> None:
    case = CASES[name]
    given = compared(METRICS[name], case["gold"], case["A"], case["B"])
    (grid,) = given.left_out_of_grids()
    scale = given.working_scale
    squares = []
    for axis, factor in ((grid.segments, 1.0), (grid.systems, 1.0), (grid.cells, grid.cell_factor)):
        a, b = on_working_scale(axis, scale).T
        own = factor if axis is grid.cells else (len(axis) - 1) / len(axis)
        squares.append(own * ((a - b - (a - b).mean()) ** 2).sum())
    assert squares == pytest.approx([case["V_segments"], case["V_systems"], case["V_cells"]], **NEAR)
    found = two_way_jackknife.run(given, "two")
    assert found.statistic is not None
    assert (found.statistic[0], found.p[0]) == pytest.approx((case["t"], case["p"]), **NEAR)
    assert two_way_jackknife.run(given, "one").p[0] == pytest.approx(case["p"] / 2, **NEAR)


def test_the_result_says_that_it_generalizes_and_how_many_systems_are_few() -> None:
    assert two_way_jackknife.remarks is not None
    (few,) = two_way_jackknife.remarks(compared("segment_pearson", *example(systems=9)), "two")
    assert "generalizes to new systems" in few
    assert "with 9 systems, fewer than 10, the test has little power" in few
    (enough,) = two_way_jackknife.remarks(compared("segment_pearson", *example(systems=10)), "two")
    assert "generalizes to new systems" in enough
    assert "power" not in enough
    assert "false-positive rate" in two_way_jackknife.measured


def test_interval_is_symmetric_on_the_working_scale() -> None:
    given = compared("segment_pearson", *example())
    assert two_way_jackknife.interval is not None
    low, high, draws = two_way_jackknife.interval(given, 0.9)
    z, ends = np.arctanh(given.oriented), np.arctanh([low, high])
    assert ends.mean(axis=0) == pytest.approx(z)
    (grid,) = given.left_out_of_grids()
    one = [np.arctanh(axis) for axis in (grid.segments, grid.systems, grid.cells)]
    error = two_way_variance([type(grid)(one[0], one[1], one[2], grid.cell_factor)]).error
    assert (ends[1] - z) / error == pytest.approx([2.131847] * 2, rel=1e-6)  # t of 4 degrees of freedom at .95
    assert draws.shape == (0, 2)


def test_equal_metrics_have_p_1_and_a_constant_difference_is_undefined() -> None:
    gold, a, _ = example()
    assert two_way_jackknife.run(compared("segment_pearson", gold, a, a), "two").p.tolist() == [1.0]
    gold = np.tile(np.arange(4.0), (5, 1))
    flat = two_way_jackknife.run(compared("acc_eq(epsilon=0.0)", gold, gold, -gold), "two")
    assert np.isnan(flat.p).all()
    assert "no standard error" in flat.reasons[0]


@pytest.mark.parametrize("shape", [(1, 5), (6, 1), (6, 2)])
def test_too_few_segments_or_systems_are_undefined_with_the_reason(shape: tuple[int, int]) -> None:
    """A system of two cannot be left out of comparisons within segments: no pair remains."""
    found = two_way_jackknife.run(compared("acc_eq(epsilon=0.0)", *example(*shape)), "two")
    assert np.isnan(found.p).all()
    assert found.reasons[0]


def test_what_has_no_systems_or_groups_of_segments_is_refused() -> None:
    flat = compared("pearson", [1.0, 2, 3], *([1.0, 3, value] for value in (2.0, 4.0)))
    with pytest.raises(CapabilityError, match="does not score grids"):
        two_way_jackknife.run(flat, "two")
    grouped = compared("segment_pearson", *example(), groups={"document": ["a", "b"] * 6}, resample="document")
    with pytest.raises(CapabilityError, match="over groups of units"):
        two_way_jackknife.run(grouped, "two")

"""The variance by the jackknife, of units and of grids, against the definition by loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.batches.base import FloatArray
from qeframe.core.resampling.standard_errors.grid_left_out import GridLeftOut
from qeframe.statistics.jackknife_variance import jackknife_variance, two_way_variance


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

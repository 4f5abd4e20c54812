"""The working scale of scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.resampling.standard_errors.working_scale import from_working_scale, on_working_scale


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

"""Williams' test where its formula is 0 / 0, and where correlations are equal by rounding."""

import numpy as np
import pytest

import qeframe
from qeframe_significance import williams


def test_williams_of_a_submission_and_its_reverse() -> None:
    """Near r_ab = -1 the value depends on how it is neared; at it, t is undefined but for r_a = 0, 1 and -1."""
    n, r, near = 50, 0.6, 1e-7
    along_the_diagonal = williams(r, -r, -1 + near, n).t
    assert along_the_diagonal == pytest.approx(r * np.sqrt((n - 3) / (1 - r * r)), rel=1e-5)
    shift = np.sqrt((2 - 2 * r * r) * near) / 2  # r_a + r_b such that K = 0, to first order
    along_the_edge = williams(r + shift, -r + shift, -1 + near, n).t
    assert along_the_edge == pytest.approx(r * np.sqrt((n - 1) / (1 - r * r)), rel=1e-2)
    assert along_the_edge > 1.015 * along_the_diagonal
    assert np.isnan([williams(r, -r, -1, n).t, williams(r, -r, -1, n).p_two]).all()
    perfect, opposite, nothing = williams(1, -1, -1, n), williams(-1, 1, -1, n), williams(0, 0, -1, n)
    assert (perfect.t, perfect.p_one, perfect.p_two) == (np.inf, 0.0, 0.0)
    assert (opposite.t, opposite.p_one, opposite.p_two) == (-np.inf, 1.0, 0.0)
    assert (nothing.t, nothing.p_one, nothing.p_two) == (0.0, 0.5, 1.0)


def test_williams_of_reversed_answers() -> None:
    gold, answers = np.random.default_rng(5).normal(size=(2, 30))
    (pair,) = qeframe.compare("pearson", gold, {"A": answers, "B": 2 - 3 * answers}, test="williams")
    assert np.isnan(pair.p)
    assert not pair.significant


def test_correlations_that_are_equal_by_rounding_do_not_differ() -> None:
    assert williams(0.5, 0.5 - 9e-10, 1.0, 30).t == 0.0
    assert abs(float(williams(0.5, 0.5 - 2e-9, 1.0, 30).t)) > 0
    assert williams(0.5, 0.5 - 1e-10, 1 - 1e-12, 30).p_two == 1.0

"""The z tests of two correlations: definition, error rates under normality, degenerate cases."""

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError
from qeframe_significance.correlations.dependent_correlations import Method, dependent_correlations_z
from qeframe_significance.correlations.williams_formula import williams_t

METHODS: tuple[Method, ...] = get_args(Method)


def by_definition(a: float, b: float, ab: float, n: int, method: str) -> float:
    """Compute the score from the covariance matrix of the three correlations, with plain arithmetic."""
    difference = math.atanh(a) - math.atanh(b)
    if method == "meng":
        q = (a * a + b * b) / 2
        f = min(1.0, (1 - ab) / (2 * (1 - q)))
        return difference * math.sqrt((n - 3) / (2 * (1 - ab) * (1 - f * q) / (1 - q)))
    r = (a + b) / 2 if method == "steiger" else math.tanh((math.atanh(a) + math.atanh(b)) / 2)
    psi = ab * (1 - r * r - r * r) - 0.5 * r * r * (1 - r * r - r * r - ab * ab)
    return difference * math.sqrt(n - 3) / math.sqrt(2 - 2 * psi / (1 - r * r) ** 2)


@given(st.integers(0, 2**32 - 1), st.integers(5, 500), st.sampled_from(METHODS))
def test_score_is_that_of_the_definition(seed: int, n: int, method: Method) -> None:
    matrix = np.corrcoef(np.random.default_rng(seed).normal(size=(3, 7)))
    a, b, ab = matrix[0, 1], matrix[0, 2], matrix[1, 2]
    found = float(dependent_correlations_z(a, b, ab, n, method))
    assert found == pytest.approx(by_definition(a, b, ab, n, method), rel=1e-9)
    assert float(dependent_correlations_z(b, a, ab, n, method)) == pytest.approx(-found, rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_agrees_with_williams_for_many_units(method: Method) -> None:
    a, b, ab, n = (np.array(value) for value in (0.52, 0.5, 0.6, 20_000))
    t = float(williams_t(a, b, ab, int(n)))
    assert float(dependent_correlations_z(a, b, ab, int(n), method)) == pytest.approx(t, rel=0.01)


@pytest.mark.parametrize("method", METHODS)
def test_error_rate_under_normality(method: Method) -> None:
    rng, n, runs = np.random.default_rng(11), 60, 2000
    gold, one, other = rng.normal(size=(3, runs, n))
    sides = np.stack([gold, gold + one, gold + other])
    sides -= sides.mean(axis=-1, keepdims=True)
    sides /= np.linalg.norm(sides, axis=-1, keepdims=True)
    a, b, ab = ((sides[i] * sides[j]).sum(axis=-1) for i, j in ((0, 1), (0, 2), (1, 2)))
    rate = float((np.abs(dependent_correlations_z(a, b, ab, n, method)) > 1.959964).mean())
    assert rate == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize("method", METHODS)
def test_degenerate_cases(method: Method) -> None:
    def z(a: float, b: float, ab: float, n: int = 20) -> float:
        return float(dependent_correlations_z(a, b, ab, n, method))

    assert math.isnan(z(0.5, 0.4, 0.3, n=3))
    assert math.isnan(z(1.0, 0.4, 0.4))
    assert math.isnan(z(math.nan, 0.4, 0.4))
    assert z(0.5, 0.5, 1.0) == 0.0
    assert z(0.5, 0.5, 0.2) == 0.0
    with pytest.raises(DataError, match="outside"):
        z(1.5, 0.0, 0.0)


@pytest.mark.parametrize("method", METHODS)
def test_through_compare(method: Method) -> None:
    rng = np.random.default_rng(4)
    gold = rng.normal(size=40)
    submissions = {"A": gold + rng.normal(size=40), "B": gold + 2 * rng.normal(size=40)}
    pair = qeframe.compare("pearson", gold, submissions, test=method)[0]
    matrix = np.corrcoef([gold, submissions[pair.a], submissions[pair.b]])
    z = float(dependent_correlations_z(matrix[0, 1], matrix[0, 2], matrix[1, 2], 40, method))
    assert pair.p == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=1e-9)

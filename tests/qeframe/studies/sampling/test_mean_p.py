"""The mean p of the t-test, against tests of drawn samples and against integrals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from qeframe.studies.sampling.mean_p import mean_p_of_t_test


@pytest.mark.parametrize(("effect", "size"), [(0.0, 5), (0.2, 10), (0.8, 10), (0.1, 200), (0.6, 3)])
def test_mean_of_p_of_drawn_samples(effect: float, size: int) -> None:
    """Two samples of unequal variance: sqrt(1 + .25) is the deviation of the difference."""
    rng, runs = np.random.default_rng(1), 4000
    a = rng.normal(effect * np.sqrt(2), 1, size=(runs, size))
    b = rng.normal(0, 1, size=(runs, size))
    p = stats.ttest_ind(a, b, axis=1).pvalue
    assert mean_p_of_t_test(effect, size) == pytest.approx(p.mean(), abs=4 * p.std() / np.sqrt(runs))


@pytest.mark.parametrize(("effect", "size"), [(0.05, 20), (0.5, 4), (0.3, 12)])
def test_integral_of_the_noncentral_t(effect: float, size: int) -> None:
    freedom, shift = 2 * size - 2, effect * np.sqrt(size)

    def density(u: float) -> float:
        inside = stats.nct.cdf(u, freedom, shift) - stats.nct.cdf(-u, freedom, shift)
        return float(2 * stats.t.pdf(u, freedom) * inside)

    assert mean_p_of_t_test(effect, size) == pytest.approx(integrate.quad(density, 0, 40, limit=200)[0], abs=5e-5)


@given(st.floats(0, 5), st.integers(2, 10_000))
@settings(max_examples=8)
def test_mean_p_falls_with_the_effect_and_the_size(effect: float, size: int) -> None:
    p = mean_p_of_t_test([effect, effect + 0.1, -effect], size)
    assert p[2] == p[0]
    assert -1e-12 <= p[1] <= p[0] <= 0.5 + 1e-4
    assert mean_p_of_t_test(effect, size + 50) <= p[0] + 1e-4


def test_no_effect_an_infinite_one_and_an_undefined_one() -> None:
    p = mean_p_of_t_test([0.0, np.inf, np.nan], 100)
    assert p[0] == pytest.approx(0.5, abs=1e-4)
    assert p[1] == 0
    assert np.isnan(p[2])

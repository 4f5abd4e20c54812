"""Randomization by exchanging units, against scipy."""

from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.batches.base import FloatArray
from qeframe_significance import bootstrap, randomization

REGISTRY = qeframe.load()
SEVERAL = st.integers(-12, 12).map(lambda quarters: quarters / 4)


def several(units: int) -> st.SearchStrategy[list[float]]:
    return st.lists(SEVERAL, min_size=units, max_size=units)


@pytest.mark.parametrize(("sided", "alternative"), [("two", "two-sided"), ("one", "greater")])
@given(st.data())
@settings(max_examples=12)
def test_exact_randomization(sided: Any, alternative: Any, data: st.DataObject) -> None:
    units = data.draw(st.integers(2, 6))
    a, b = data.draw(several(units)), data.draw(several(units))

    def difference(x: FloatArray, y: FloatArray, axis: int) -> FloatArray:
        return np.asarray(np.mean(x, axis=axis) - np.mean(y, axis=axis))

    peer = scipy.stats.permutation_test(
        (a, b), difference, permutation_type="samples", alternative=alternative, n_resamples=10**6, vectorized=True
    )
    found = randomization(a, b, sided=sided)
    assert found.exhaustive
    if sided == "two":  # scipy doubles the smaller tail; of a symmetric distribution it is the same
        assert found.p == pytest.approx(min(1.0, peer.pvalue), abs=1e-12)
    else:
        assert found.p == pytest.approx(peer.pvalue, abs=1e-12)


def test_sampled_randomization_nears_the_exact_one() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 10))
    exact = randomization(a, b, draws=1024).p
    sampled = randomization(a, b, draws=1023)
    assert not sampled.exhaustive
    assert sampled.p == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 1023))


def test_exchanges_that_only_rounding_tells_apart_count_as_equal() -> None:
    """Three differences of one size: 2 of 8 exchanges are as extreme as all on one side, in any order of adding."""
    assert randomization([0.1, 0.2, 0.3], [0.0, 0.1, 0.2]).p == 2 / 8
    assert randomization([1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.3], [1e9, 1e9 + 0.1, 1e9 + 0.2]).p == 2 / 8
    assert bootstrap([0.1, 0.2, 0.3], [0.0, 0.1, 0.2]).p_centered == 1 / 1001

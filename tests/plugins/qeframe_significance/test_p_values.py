"""How near is equal: 1e-12 of the larger score of a pair, at least 1e-12; and p from counts."""

import numpy as np
import pytest

import qeframe
from qeframe.plugin.resampling import rounding_slack
from qeframe_significance import randomization
from qeframe_significance.p_values import at_least, least_share, share

REGISTRY = qeframe.load()


def test_the_tolerance_is_of_the_pair() -> None:
    first, second = np.array([0.5, -3e6, 2.0, np.nan, np.inf]), np.array([0.25, 1.0, -5.0, 1e9, 0.0])
    assert rounding_slack(first, second) == pytest.approx([1e-12, 3e-6, 5e-12, 1e-12, 1e-12])


def test_equal_within_the_tolerance_is_at_least_as_extreme() -> None:
    observed, slack = np.array([0.5]), np.array([1e-12])
    differences = np.array([[0.5 - 9e-13], [0.5 - 1.1e-12], [-0.5 + 9e-13], [np.nan], [0.6]])
    assert at_least(differences, observed, "two", slack)[:, 0].tolist() == [True, False, True, True, True]
    assert at_least(differences, observed, "one", slack)[:, 0].tolist() == [True, False, False, True, True]


def test_p_from_counts() -> None:
    """Drawn exchanges count the observed data as one more; enumerated ones hold it already."""
    counts, observed = np.array([0.0, 9.0, 4.0]), np.array([1.0, 1.0, np.nan])
    assert share(counts, 9, observed) == pytest.approx([0.1, 1.0, np.nan], nan_ok=True)
    assert share(counts, 10, observed, exhaustive=True) == pytest.approx([0.0, 0.9, np.nan], nan_ok=True)


@pytest.mark.parametrize("units", range(1, 9))
def test_the_smallest_p_of_enumerated_exchanges(units: int) -> None:
    """All units favor one submission by different amounts: no other exchange is as extreme, but for the reverse."""
    a, b = 2.0 ** np.arange(units), np.zeros(units)
    for sided in ("one", "two"):
        found = randomization(a, b, sided=sided, draws=2**units)
        assert found.exhaustive
        assert found.p == least_share(2**units, sided)

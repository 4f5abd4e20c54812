"""Stouffer's combination, against scipy, and Wilcoxon's test on common units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qeframe_significance.stouffer import stouffer
from qeframe_significance.t_and_wilcoxon import wilcoxon_of_common


@given(st.lists(st.floats(1e-9, 1 - 1e-9), min_size=1, max_size=5))
def test_agrees_with_scipy(p):
    assert stouffer(p) == pytest.approx(stats.combine_pvalues(p, method="stouffer").pvalue, rel=1e-6)
    assert stouffer([*p, np.nan]) == pytest.approx(float(stouffer(p)))


def test_the_example_of_2024():
    """CONVENTIONS of the task: one domain with p = 1 decides, whatever the others say."""
    assert stouffer([1.0, 0.000872848, 1.96597e-9, 0.968209]) == 1.0
    assert stouffer([0.000872848, 1.96597e-9, 0.968209]) < 0.001


def test_what_is_undefined():
    assert np.isnan(stouffer([np.nan, np.nan]))
    assert np.isnan(stouffer([0.0, 1.0]))
    assert stouffer([[0.5, 0.5], [0.0, 0.5]]).tolist() == [0.5, 0.0]


VALUES = st.lists(st.one_of(st.just(np.nan), st.integers(0, 9).map(float)), min_size=20, max_size=60)


@given(VALUES, st.randoms(use_true_random=False), st.sampled_from(["one", "two"]))
def test_wilcoxon_on_common_units(values, random, sided):
    a, b = np.array(values), np.array(random.sample(values, len(values)))
    both = ~np.isnan(a) & ~np.isnan(b)
    _, (p,) = wilcoxon_of_common(a[None], b[None], sided=sided)
    if not both.any():
        assert np.isnan(p)
    elif (a[both] == b[both]).all():
        assert p == 1
    elif both.sum() > 13:
        side = "greater" if sided == "one" else "two-sided"
        assert p == pytest.approx(stats.wilcoxon(a[both], b[both], alternative=side, method="approx").pvalue)

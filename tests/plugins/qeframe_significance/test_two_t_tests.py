"""The paired and the independent t-test with missing values, against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qeframe_significance.two_t_tests import independent_t, paired_t

VALUES = st.lists(st.one_of(st.just(np.nan), st.integers(0, 100).map(float)), min_size=6, max_size=6)


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")
@given(st.lists(VALUES, min_size=1, max_size=4), st.lists(VALUES, min_size=1, max_size=4))
def test_agrees_with_scipy(a, b):
    rows = min(len(a), len(b))
    a, b = np.array(a[:rows]), np.array(b[:rows])
    for ours, scipys in ((paired_t, stats.ttest_rel), (independent_t, stats.ttest_ind)):
        _, p = ours(a, b)
        for row in range(rows):
            x, y = a[row], b[row]
            with np.errstate(all="ignore"):
                both = ~np.isnan(x) & ~np.isnan(y)
                sides = (x[both], y[both]) if scipys is stats.ttest_rel else (x[~np.isnan(x)], y[~np.isnan(y)])
                if min(map(len, sides)) < 2:
                    assert np.isnan(p[row])
                    continue
                varied = np.ptp(sides[0] - sides[1]) if scipys is stats.ttest_rel else max(map(np.ptp, sides))
                if varied:
                    assert p[row] == pytest.approx(scipys(*sides).pvalue, rel=1e-9, abs=1e-300)


def test_without_variance():
    constant, other = np.full((1, 4), 3.0), np.full((1, 4), 2.0)
    for test in (paired_t, independent_t):
        assert [float(x[0]) for x in test(constant, constant)] == [0.0, 1.0]
        assert [float(x[0]) for x in test(constant, other)] == [np.inf, 0.0]
        assert [float(x[0]) for x in test(constant, other, sided="one")] == [np.inf, 0.0]
        assert float(test(constant, constant, sided="one")[1][0]) == 0.5


def test_nothing_in_common_leaves_the_independent_test():
    a, b = np.array([[1.0, 2.0, np.nan, np.nan]]), np.array([[np.nan, np.nan, 8.0, 9.0]])
    assert np.isnan(paired_t(a, b)[1][0])
    assert independent_t(a, b)[1][0] == pytest.approx(stats.ttest_ind([1, 2], [8, 9]).pvalue)

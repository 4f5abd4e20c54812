"""Tests of location: rows as if alone, rounding that is no difference, bounded memory."""

from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.core.batch import FloatArray
from qeframe.core.errors import DataError
from qeframe.core.significance import SignificanceTest
from qeframe.plugin import Values
from qeframe_significance import t_test, wilcoxon
from qeframe_significance.t_and_wilcoxon import independent_t, wilcoxon_p
from tests.plugins.contests import contest, contest_of
from tests.plugins.test_qeframe_significance import several
from tests.registered import REGISTRY


def rows_of_all_sorts(units: int) -> FloatArray:
    """Return differences without ties, with ties, with zeros, and none at all."""
    rng = np.random.default_rng(units)
    plain = (rng.permutation(units) + 1.0) * rng.choice([-1, 1], units)
    tied = np.where(np.arange(units) < 2, 1.0, plain + np.sign(plain))
    with_zero = np.where(np.arange(units) < 1, 0.0, plain)
    return np.stack([plain, tied, with_zero, np.zeros(units), rng.normal(size=units)])


@pytest.mark.newest
@pytest.mark.parametrize(
    ("sided", "units"),
    [*product(["two", "one"], [1, 2, 7, 14, 50, 51, 60]), ("two", 13)],  # 13: scipy takes seconds
)
def test_every_row_is_tested_as_if_alone(sided: Any, units: int) -> None:
    """Exact, enumerated or normal: the choice that scipy makes for one row, not for all rows together."""
    rows = rows_of_all_sorts(units)
    statistic, p = wilcoxon_p(rows, np.zeros_like(rows), sided=sided)
    for row, t, of_row in zip(rows, statistic, p, strict=True):
        found = wilcoxon(row, np.zeros(units), sided=sided)
        assert (found.statistic, found.p) == (t, of_row)
        if not row.any():
            assert (t, of_row) == (0.0, 1.0)
            continue
        peer = scipy.stats.wilcoxon(row, alternative={"two": "two-sided", "one": "greater"}[sided])
        assert of_row == pytest.approx(peer.pvalue, abs=1e-12)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8), st.sampled_from(["one", "two"]))
@settings(max_examples=40)
def test_signed_ranks_by_enumeration(differences: list[int], sided: Any) -> None:
    """All signs of the ranks that there are, one after the other."""
    sizes = np.abs([d for d in differences if d]).astype(float)
    if not len(sizes):
        return
    ranks = scipy.stats.rankdata(sizes)
    observed = float(np.sign([d for d in differences if d]) @ ranks)
    sums = [float(np.array(signs) @ ranks) for signs in product((-1, 1), repeat=len(ranks))]
    extreme = [s >= observed if sided == "one" else abs(s) >= abs(observed) for s in sums]
    found = wilcoxon(np.array(differences, dtype=float), np.zeros(len(differences)), sided=sided)
    assert (found.statistic, found.p) == (observed, pytest.approx(np.mean(extreme), abs=1e-12))


@pytest.mark.parametrize("sided", ["one", "two"])
def test_rounding_is_neither_a_difference_nor_an_order(sided: Any) -> None:
    a, b = [0.1 + 0.2, 0.3, 0.2, 2.0, 7.0], [0.3, 0.1, 0.0, 0.0, 9.5]
    assert 0.1 + 0.2 != 0.3
    assert 0.3 - 0.1 != 0.2 - 0.0
    expected = wilcoxon([0, 2, 2, 20, -25], np.zeros(5), sided=sided)
    assert wilcoxon(a, b, sided=sided) == expected
    assert expected.statistic == 1.5 + 1.5 + 3 - 4
    far = [1e6 * value for value in a], [1e6 * value for value in b]
    assert wilcoxon(*far, sided=sided) == expected


def test_a_giant_value_hides_no_other_difference() -> None:
    a, b = np.arange(1.0, 9.0), np.zeros(8)
    a[0], b[0] = 1e15, 1e15 + 2
    assert wilcoxon(a, b).statistic == sum(range(1, 8))
    assert t_test([1e13, 1e13 + 1e3], [1e13 + 5e3, 1e13 + 7e3]).p < 0.2


@pytest.mark.parametrize("name", ["t_test", "t_test(welch=true)", "t_test(paired=true)", "either_t_test", "wilcoxon"])
def test_many_submissions_go_in_pieces(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    given = contest("mean", None, [rng.integers(0, 9, 15) / 4 for _ in range(6)])
    test = REGISTRY.get(SignificanceTest, name)
    whole = test.run(given, "two")
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 300)
    pieces = test.run(given, "two")
    assert (pieces.p == whole.p).all()
    assert (pieces.statistic == whole.statistic).all()
    assert len(whole.p) == 15


@pytest.mark.parametrize("welch", [False, True])
@pytest.mark.parametrize("sided", ["two", "one"])
@given(st.data())
@settings(max_examples=30)
def test_t_test(welch: bool, sided: Any, data: st.DataObject) -> None:
    a = data.draw(several(data.draw(st.integers(2, 9))).filter(lambda v: len(set(v)) > 1))
    b = data.draw(several(data.draw(st.integers(2, 9))).filter(lambda v: len(set(v)) > 1))
    peer = scipy.stats.ttest_ind(a, b, equal_var=not welch, alternative="greater" if sided == "one" else "two-sided")
    found = t_test(a, b, welch=welch, sided=sided)
    assert (found.statistic, found.p) == pytest.approx((peer.statistic, peer.pvalue), abs=1e-12)


@pytest.mark.parametrize("sided", ["two", "one"])
@given(st.data())
@settings(max_examples=30)
def test_paired_t_test(sided: Any, data: st.DataObject) -> None:
    """p is that of scipy, and the test and its interval in a comparison are those of two samples."""
    a = data.draw(several(data.draw(st.integers(2, 9))))
    b = data.draw(several(len(a)).filter(lambda v: len({round(x - y, 6) for x, y in zip(a, v, strict=True)}) > 1))
    peer = scipy.stats.ttest_rel(a, b, alternative="greater" if sided == "one" else "two-sided")
    found = t_test(a, b, paired=True, sided=sided)
    assert (found.statistic, found.p) == pytest.approx((peer.statistic, peer.pvalue), rel=1e-9, abs=1e-12)
    test, given_ab = REGISTRY.get(SignificanceTest, "t_test(paired=true)"), contest("mean", None, [a, b])
    assert test.run(given_ab, sided).p[0] == found.p
    low, high, _ = test.on_differences(given_ab, 0.05)
    ends = scipy.stats.ttest_rel(a, b).confidence_interval(0.95)
    assert (low[0], high[0]) == pytest.approx((ends.low, ends.high), rel=1e-9, abs=1e-9)


def test_a_paired_test_is_that_of_the_units_that_both_have() -> None:
    a, b = [1.0, np.nan, 3.0, 7.0, 2.0], [0.5, 4.0, 3.5, 4.0, np.nan]
    batches = [Values.pair(ids=np.arange(5), gold=None, predicted=np.array(side), best="high") for side in (a, b)]
    run = REGISTRY.get(SignificanceTest, "t_test(paired=true)").run(contest_of("mean_rating", batches), "two")
    assert run.p[0] == pytest.approx(scipy.stats.ttest_rel([1, 3, 7], [0.5, 3.5, 4]).pvalue)


def test_samples_are_paired_or_of_unlike_variances() -> None:
    with pytest.raises(DataError, match="welch and paired exclude each other; set one of them"):
        t_test([1, 2], [2, 4], welch=True, paired=True)
    with pytest.raises(DataError, match="welch and paired exclude each other"):
        REGISTRY.get(SignificanceTest, "t_test(welch=true, paired=true)")
    with pytest.raises(DataError, match="length mismatch: 2 gold values and 3 predicted ones"):
        t_test([1, 2], [2, 4, 5], paired=True)


def test_t_test_of_constants() -> None:
    """Where scipy is undefined."""
    assert (t_test([1, 2], [1, 2], paired=True).p, t_test([2, 3], [1, 2], paired=True).p) == (1.0, 0.0)
    assert np.isnan(t_test([1], [2], paired=True).p)
    assert (t_test([1, 1], [1, 1]).p, t_test([1, 1], [1, 1], sided="one").p) == (1.0, 0.5)
    assert (t_test([2, 2], [1, 1]).p, t_test([1, 1], [2, 2], sided="one").p) == (0.0, 1.0)
    assert np.isnan(t_test([1], [1, 2]).p)
    one, several_values = np.array([[4.0, np.nan, np.nan]]), np.array([[1.0, 2.0, 4.0]])
    assert np.isnan([independent_t(one, several_values), independent_t(several_values, one)]).all()


def test_means_that_are_equal_by_rounding_do_not_differ() -> None:
    assert (t_test([0.1 + 0.2] * 3, [0.3] * 3).statistic, t_test([0.1 + 0.2] * 3, [0.3] * 3).p) == (0.0, 1.0)
    assert t_test([0.3 + 1e-11] * 3, [0.3] * 3).p == 0.0

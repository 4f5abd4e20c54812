"""Tests and corrections with few cases."""

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import qeframe
from qeframe.core.batch import FloatArray
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.significance import Correction, SignificanceTest
from qeframe.plugin.resampling import rounding_slack
from qeframe_significance import bootstrap, randomization, sign_p_values
from qeframe_significance.outcome_signs import count_wins_of
from qeframe_significance.p_values import at_least, least_share, share
from qeframe_significance.stouffer import stouffer
from qeframe_significance.t_and_wilcoxon import independent_t, paired_t, wilcoxon_of_common
from tests.registered import REGISTRY

# Randomization by exchanging units, against scipy.
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


# Corrections by hand and against scipy.


def test_corrections_by_hand() -> None:
    p = np.array([0.01, 0.04, 0.03, np.nan])
    expected = {
        "none": [0.01, 0.04, 0.03, np.nan],
        "bonferroni": [0.04, 0.16, 0.12, np.nan],
        "holm": [0.04, 0.09, 0.09, np.nan],
        "hochberg": [0.04, 0.08, 0.08, np.nan],
        "bh": [0.04, 0.16 / 3, 0.16 / 3, np.nan],
        "by": [0.04 * 25 / 12, 0.16 / 3 * 25 / 12, 0.16 / 3 * 25 / 12, np.nan],
    }
    for name, adjusted in expected.items():
        assert REGISTRY.get(Correction, name).adjust(p) == pytest.approx(adjusted, nan_ok=True), name


@pytest.mark.parametrize("method", ["bh", "by"])
@pytest.mark.parametrize("p", [np.random.default_rng(1).uniform(0, 0.1, 30), np.array([0.2, 0.2, 0.0, 1.0]), [0.03]])
def test_false_discoveries_are_controlled_as_by_scipy(p, method) -> None:
    expected = scipy.stats.false_discovery_control(p, method=method)
    assert REGISTRY.get(Correction, method).adjust(np.array(p)) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(20))
def test_hochberg_by_his_rule(seed) -> None:
    """Of m sorted p, all up to the last with p_k <= alpha / (m - k + 1) are rejected: at the adjusted p, not below."""
    p = np.random.default_rng(seed).uniform(0, 0.2, 6).round(2)
    adjusted = REGISTRY.get(Correction, "hochberg").adjust(p)

    def rejected(alpha: float) -> list[bool]:
        last = max((value for k, value in enumerate(sorted(p)) if value <= alpha / (len(p) - k)), default=-1.0)
        return [value <= last for value in p]

    for i, value in enumerate(adjusted):
        assert value == 1 or rejected(value * (1 + 1e-9))[i]
        assert not rejected(value * (1 - 1e-9) - 1e-12)[i]
    assert (adjusted <= REGISTRY.get(Correction, "holm").adjust(p)).all()


# The permutation test on numbers; its exchanges in grids are tested with the metrics of grids.
GOLD, A, B = [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.5, 3.0, 4.5, 5.0], [2.0, 3.0, 1.0, 4.0, 3.0]


def p(metric: str, test: str) -> float:
    (pair,) = qeframe.compare(metric, GOLD, {"A": A, "B": B}, test=test, correction="none")
    return pair.p


def test_by_segments_it_is_the_randomization_test() -> None:
    for metric in ("mae", "pearson"):
        assert p(metric, "permutation") == p(metric, "randomization")


def test_few_units_are_enumerated() -> None:
    """By hand: answers are swapped in all 32 ways."""
    away = np.abs(np.array([A, B]) - GOLD)
    gain = away[1] - away[0]
    signs = np.array(list(itertools.product((1, -1), repeat=5)))
    extreme = int((np.abs(signs @ gain) >= abs(gain.sum()) - 1e-9).sum())
    assert p("mae", "permutation") == extreme / 32


def test_what_cannot_be_exchanged_is_refused() -> None:
    with pytest.raises(
        DataError, match="permutation: unit must say what is exchanged; use segment, cell, system or pair"
    ):
        REGISTRY.get(SignificanceTest, "permutation(unit='')")
    with pytest.raises(CapabilityError, match="metric 'pearson' has no exchange of standardized scores: it is not "):
        p("pearson", "permutation(standardize=true)")
    with pytest.raises(CapabilityError, match="metric 'mae' has no exchange "):
        p("mae", "permutation(unit=cell)")


# The sign test against scipy, and its counts against a loop.
@pytest.mark.parametrize(("sided", "alternative"), [("two", "two-sided"), ("one", "greater")])
@given(st.integers(0, 40), st.integers(0, 40))
def test_p_is_that_of_scipy(sided: Any, alternative: Any, wins: int, losses: int) -> None:
    found = float(sign_p_values(wins, losses, sided=sided))
    if wins + losses == 0:
        assert found == 1.0
        return
    assert found == pytest.approx(scipy.stats.binomtest(wins, wins + losses, alternative=alternative).pvalue)


def test_p_of_many_pairs_at_once() -> None:
    assert sign_p_values([5, 0, 3], [0, 0, 3]) == pytest.approx([2 / 32, 1.0, 1.0])
    assert sign_p_values([5, 0], [0, 5], sided="one") == pytest.approx([1 / 32, 1.0])


def test_counts_below_zero_are_refused() -> None:
    with pytest.raises(DataError, match="wins and losses are counts: they must not be negative"):
        sign_p_values([3, -1], [0, 0])


@given(st.integers(1, 4), st.integers(0, 12), st.sampled_from([(0.0, 1.0), (-1.0, 0.0, 1.0), (0.0, 0.25)]), st.data())
def test_wins_are_counted(submissions: int, outcomes: int, values: tuple[float, ...], data: st.DataObject) -> None:
    row = st.lists(st.sampled_from(values), min_size=outcomes, max_size=outcomes)
    drawn = np.array([data.draw(row) for _ in range(submissions)]).reshape(submissions, outcomes)
    slow = [[sum(x > y for x, y in zip(a, b, strict=True)) for b in drawn] for a in drawn]
    assert count_wins_of(drawn).tolist() == slow


def test_differences_by_rounding_are_no_wins() -> None:
    assert count_wins_of(np.array([[0.1 + 0.2, 0.5, 0.0], [0.3, 0.0, 0.7]])).tolist() == [[0, 1], [1, 0]]


def test_of_answers() -> None:
    gold, right = [0.0, 0.0, 0.0, 0.0, 0.0], {"A": [0.0, 0.0, 0.0, 0.0, 1.0], "B": [1.0, 2.0, 1.0, 1.0, 1.0]}
    (pair,) = qeframe.compare("mae", gold, right, test="sign")
    assert pair.p == pytest.approx(2 / 16)


# How near is equal: 1e-12 of the larger score of a pair, at least 1e-12; and p from counts.


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


# Stouffer's combination, against scipy, and Wilcoxon's test on common units.
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


# The paired and the independent t-test with missing values, against scipy.
VALUES_OF_TWO_T_TESTS = st.lists(st.one_of(st.just(np.nan), st.integers(0, 100).map(float)), min_size=6, max_size=6)


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")
@given(st.lists(VALUES_OF_TWO_T_TESTS, min_size=1, max_size=4), st.lists(VALUES_OF_TWO_T_TESTS, min_size=1, max_size=4))
def test_agrees_with_scipy_of_two_t_tests(a, b):
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

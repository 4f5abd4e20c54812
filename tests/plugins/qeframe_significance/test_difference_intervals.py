"""Intervals of differences: dual to their test, on the plain scale, by the slowest definition."""

import numpy as np
import pytest

import qeframe
from qeframe_significance.difference_intervals import critical
from qeframe_significance.paired_bootstrap import low_end

OWN = (
    *("default", "jackknife", "exchange", "jackknife_and_exchange", "bootstrap", "bootstrap(p=percentile)"),
    *("bootstrap_t", "bootstrap_t(errors=groups)", "studentized_exchange"),
)
OF_UNITS = ("t_test", "t_test(welch=true)", "t_test(paired=true)")
NOT_SMOOTH = (
    *("default", "bootstrap_t"),
    *("exchange(draws=99)", "randomization(draws=99)", "permutation(draws=99)"),  # each computes delta_avg again
)
CASES = [
    *((metric, test) for metric in ("pearson", "mae", "mean", "spearman") for test in OWN),
    *((metric, test) for metric in ("mae", "mean") for test in OF_UNITS),
    *(("delta_avg", test) for test in NOT_SMOOTH),
]


def compared(metric, test, seed, *, units=40, **rules):
    rng = np.random.default_rng([seed, 7])
    gold = rng.normal(size=units)
    laws = {"a": (0.0, 0.8), "b": (0.3, 1.1), "c": (0.9, 1.6), "d": (1.5, 2.5)}
    answers = {name: gold + mean + sd * rng.normal(size=units) for name, (mean, sd) in laws.items()}
    gold = None if metric == "mean" else gold
    return qeframe.compare(metric, gold, answers, test=test, correction="none", seed=seed, **rules)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("metric", "test"), CASES)
def test_a_test_rejects_where_its_interval_has_no_0(metric, test):
    some = set()
    for seed in range(2):
        for pair in compared(metric, test, seed):
            assert pair.interval == pair.test
            assert pair.low < pair.difference < pair.high
            assert pair.difference == pytest.approx(pair.score_a - pair.score_b)
            has_0 = pair.low <= 0 <= pair.high
            assert (pair.p < 0.05) == (not has_0)
            some.add(has_0)
    assert some == {True, False}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("units", [6, 8])
@pytest.mark.parametrize("test", ["default", "jackknife", "exchange", "bootstrap_t", "studentized_exchange"])
def test_few_units_whose_exchanges_are_enumerated(test, units):
    for seed in range(8):
        for pair in compared("mae", test, seed, units=units):
            if pair.interval:
                assert (pair.p < 0.05) == (not pair.low <= 0 <= pair.high)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("test", ["williams", "meng", "randomization", "randomization(studentize=true)", "permutation"])
def test_other_tests_name_the_test_of_the_interval(test):
    by_jackknife = {(pair.a, pair.b): pair for pair in compared("pearson", "jackknife", 1)}
    for pair in compared("pearson", test, 1):
        assert pair.interval == "jackknife"
        same = by_jackknife[pair.a, pair.b]
        assert (pair.low, pair.high) == (same.low, same.high)


@pytest.mark.filterwarnings("ignore")
def test_one_side_has_the_interval_of_twice_the_level():
    both = compared("pearson", "jackknife", 2, alpha=0.1)
    for pair, other in zip(compared("pearson", "jackknife", 2, sided="one", alpha=0.05), both, strict=True):
        assert (pair.low, pair.high) == (other.low, other.high)
        assert (pair.p < 0.05) == (pair.low > 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("metric", "test"), [("pearson", "default"), ("mae", "t_test"), ("mae", "exchange")])
def test_simultaneous_intervals_share_alpha_among_the_pairs(metric, test):
    """By exchanges, 10,000 draws resolve .05 / 6."""
    alone = compared(metric, test, 3, alpha=0.05 / 6)
    for pair, other in zip(compared(metric, test, 3, simultaneous=True), alone, strict=True):
        assert pair.interval == f"{other.interval}, simultaneous"
        assert (pair.low, pair.high) == pytest.approx(
            (other.low, other.high), rel=0.05 if test == "exchange" else 1e-12
        )
        assert pair.p == pytest.approx(other.p, rel=0.2)


@pytest.mark.filterwarnings("ignore")
def test_pairs_that_cannot_be_tested_take_no_share_of_alpha():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    answers = {"a": gold + rng.normal(size=40), "b": gold + 2 * rng.normal(size=40)}
    rules = {"test": "jackknife", "simultaneous": True}
    (pair,) = qeframe.compare("pearson", gold, answers, **rules)
    with_flat = qeframe.compare("pearson", gold, {**answers, "flat": np.zeros(40)}, **rules)
    assert (with_flat[0].low, with_flat[0].high) == (pair.low, pair.high)


def test_the_interval_of_a_mean_is_that_of_the_paired_t_test_by_hand():
    """The jackknife error of a mean is the standard error; its degrees of freedom are those of the fourth moment."""
    from scipy.stats import t

    rng = np.random.default_rng(4)
    a, b = rng.normal(0.5, 1, 30), rng.normal(0, 1, 30)
    (pair,) = qeframe.compare("mean", None, {"a": a, "b": b}, test="jackknife")
    d = a - b
    away = (d - d.mean()) ** 2
    freedom = 2 * away.sum() ** 2 / ((away**2).sum() - away.sum() ** 2 / 30)
    half = t.ppf(0.975, min(max(freedom, 1), 29)) * d.std(ddof=1) / np.sqrt(30)
    assert (pair.low, pair.high) == pytest.approx((d.mean() - half, d.mean() + half), abs=1e-12)


def test_scores_and_interval_of_a_metric_that_is_better_when_lower():
    for pair in compared("mae", "jackknife", 3):
        assert pair.score_a < pair.score_b
        assert pair.low < pair.difference < 0
        assert pair.low < pair.high


@pytest.mark.parametrize("exhaustive", [False, True])
def test_the_critical_size_is_the_largest_that_is_not_significant(exhaustive):
    rng = np.random.default_rng(1)
    for draws in (1, 2, 19, 20, 39, 64, 99):
        for level in (0.01, 0.05, 0.1, 0.5):
            sizes = np.round(rng.normal(size=(draws, 3)) ** 2, 1)
            sizes[rng.random(sizes.shape) < 0.02] = np.nan
            found = critical(sizes, level, exhaustive=exhaustive)
            for column, end in zip(sizes.T, found, strict=True):
                for size in np.unique(np.concatenate([column[~np.isnan(column)], [0.05, 99.0]])):
                    count = np.sum(~(column < size))
                    p = count / draws if exhaustive else (1 + count) / (1 + draws)
                    assert (p < level) == (size > end)


@pytest.mark.parametrize("adds", [False, True])
def test_the_low_end_is_above_0_where_the_share_below_is_small(adds):
    rng = np.random.default_rng(2)
    for draws in (10, 39, 99):
        for level in (0.025, 0.05, 0.2):
            drawn = rng.normal(1.2, 1, size=(draws, 4))
            share = (adds + (drawn <= 0).sum(axis=0)) / (adds + draws)
            assert ((low_end(drawn, level, adds=adds) > 0) == (share < level)).all()


@pytest.mark.filterwarnings("ignore")
def test_a_pair_that_cannot_be_tested_has_no_interval():
    gold = np.arange(20.0)
    pairs = qeframe.compare("pearson", gold, {"a": gold + np.sin(gold), "constant": np.ones(20)})
    assert [pair.interval for pair in pairs] == [""]
    assert all(np.isnan([pair.low, pair.high, pair.score_b]).all() for pair in pairs)

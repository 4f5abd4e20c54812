"""Krippendorff's alpha and weighted kappa against loops over pairs, krippendorff, scikit-learn and statsmodels."""

import itertools
import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

import qeframe
from qeframe.plugin import Metric, Scores
from tests.examples import FEWER

LEVELS = ["nominal", "ordinal", "interval"]
WEIGHTS = ["linear", "quadratic"]
CALLS = [f"krippendorff_alpha(level={level})" for level in LEVELS] + [f"weighted_kappa(weights={w})" for w in WEIGHTS]
SCALE = range(1, 6)
rated = st.lists(st.tuples(st.sampled_from(SCALE), st.sampled_from(SCALE)), min_size=1, max_size=20)


def alpha(level, *sides):
    return qeframe.score(f"krippendorff_alpha(level={level})", *sides)


def kappa(weights, *sides):
    return qeframe.score(f"weighted_kappa(weights={weights})", *sides)


def by_pairs(call, gold, predicted):
    """Return the score by its definition: means of distances over units, and over pairs of ratings."""
    every = [*gold, *predicted]
    ranks = dict(zip(every, rankdata(every).tolist(), strict=True))
    distance = {
        CALLS[0]: lambda a, b: float(a != b),
        CALLS[1]: lambda a, b: (ranks[a] - ranks[b]) ** 2,
        CALLS[2]: lambda a, b: (a - b) ** 2,
        CALLS[3]: lambda a, b: abs(a - b),
        CALLS[4]: lambda a, b: (a - b) ** 2,
    }[call]
    pairs = itertools.permutations(every, 2) if "alpha" in call else itertools.product(gold, predicted)
    expected = np.mean([distance(*pair) for pair in pairs])
    observed = np.mean([distance(*pair) for pair in zip(gold, predicted, strict=True)])
    return 1 - observed / expected if len(set(every)) > 1 else 0.0


@pytest.mark.parametrize("call", CALLS)
@FEWER
@given(units=rated)
def test_they_are_what_the_definition_says(call, units):
    sides = [list(map(float, side)) for side in zip(*units, strict=True)]
    assert qeframe.score(call, *sides) == pytest.approx(by_pairs(call, *sides), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@FEWER
@given(units=rated)
def test_alpha_is_that_of_krippendorff(level, units):
    gold, predicted = zip(*units, strict=True)
    if len({*gold, *predicted}) == 1:
        assert alpha(level, gold, predicted) == 0  # it refuses a domain of one value
    else:
        theirs = krippendorff.alpha([gold, predicted], level_of_measurement=level)
        assert alpha(level, gold, predicted) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
@FEWER
@given(units=rated)
def test_kappa_is_that_of_scikit_learn_and_of_statsmodels(weights, units):
    """Both weight the positions of labels: all of the scale are given, so that these are the numbers."""
    gold, predicted = zip(*units, strict=True)
    table = np.zeros((len(SCALE), len(SCALE)))
    np.add.at(table, (np.array(gold) - 1, np.array(predicted) - 1), 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # both are NaN where all ratings are one value
        peers = [
            cohen_kappa_score(gold, predicted, weights=weights, labels=SCALE),
            cohens_kappa(table, wt=weights, return_results=False),
        ]
    for theirs in peers:
        assert kappa(weights, gold, predicted) == pytest.approx(np.nan_to_num(theirs), abs=1e-12)


@pytest.mark.parametrize("call", CALLS)
def test_whole_weights_are_copies_and_halves_are_shares(call):
    rng = np.random.default_rng(5)
    gold, predicted = rng.integers(1, 6, (2, 40)).astype(float)
    weights = rng.integers(0, 3, (300, 40))
    statistic = qeframe.load().get(Metric, call).bind(Scores.from_plain(gold, predicted))
    expected = [by_pairs(call, np.repeat(gold, w).tolist(), np.repeat(predicted, w).tolist()) for w in weights[:20]]
    np.testing.assert_allclose(statistic(weights.astype(float))[:20], expected, atol=1e-12)
    if "kappa" in call:  # a ratio of means; alpha corrects for the number of ratings
        np.testing.assert_allclose(statistic(weights / 7), statistic(weights.astype(float)), atol=1e-12)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ([3, 3, 3], [3, 3, 3], 0),
        ([2], [2], 0),
        ([1, 2, 4], [1, 2, 4], 1),
        ([1, 5, 1, 5], [5, 1, 5, 1], None),
        ([0.1 + 0.2, 0.3, 0.3], [0.3, 0.3, 0.3], 0),
    ],
)
def test_degenerate_cases(call, gold, predicted, expected):
    value = qeframe.score(call, gold, predicted)
    if expected is None:
        assert value == pytest.approx(-0.75 if "alpha" in call else -1)
    else:
        assert value == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("call", CALLS)
def test_one_value_under_any_weights_is_0_without_rounding(call):
    rng = np.random.default_rng(2)
    values = rng.random(50)
    statistic = qeframe.load().get(Metric, call).bind(Scores.from_plain(values, values))
    weights = np.eye(50)[rng.integers(0, 50, 4000)] * np.where(rng.random((4000, 1)) < 0.5, 3 * rng.random(), 7)
    assert (statistic(weights) == 0).all()


def test_a_constant_side_shows_no_agreement():
    for gold, predicted in (([1, 2, 5], [3, 3, 3]), ([2, 2, 2], [1, 2, 2])):
        for level in LEVELS:
            assert alpha(level, gold, predicted) <= 1 / 6 + 1e-12
        for weights in WEIGHTS:
            assert kappa(weights, gold, predicted) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_one_unit_with_two_ratings_is_chance(level):
    assert alpha(level, [1], [4]) == 0 == krippendorff.alpha([[1], [4]], level_of_measurement=level)
    assert qeframe.load().get(Metric, CALLS[0]).bind(Scores.from_plain([1], [4]))(np.zeros(1)) == 0


@pytest.mark.parametrize("factor", [1e-180, 1e99, -3.0])
@pytest.mark.parametrize("call", CALLS)
def test_the_unit_of_the_scale_does_not_matter(call, factor):
    gold, predicted = np.array([1, 2, 3, 5, 4, 1.5]), np.array([2, 2, 3, 4, 4, 1])
    assert qeframe.score(call, factor * gold, factor * predicted) == pytest.approx(qeframe.score(call, gold, predicted))


def test_squares_give_the_concordance_correlation():
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((2, 50)) + [[0], [0.5]]
    lin = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    assert kappa("quadratic", x, y) == pytest.approx(lin, abs=1e-12)


def test_order_alone_counts_for_ordinal_ratings():
    gold, predicted = np.array([1, 2, 3, 5, 4]), np.array([2, 2, 3, 4, 5])
    assert alpha("ordinal", np.exp(gold), np.exp(predicted)) == pytest.approx(alpha("ordinal", gold, predicted))
    assert alpha("interval", np.exp(gold), np.exp(predicted)) != pytest.approx(alpha("interval", gold, predicted))

"""Errors of indices and simultaneous intervals."""

import numpy as np
import pytest

from qeframe.gaming.bounds import bound_of, jackknife_influence, mean_error, ratio_influence, with_bounds
from qeframe.gaming.index import Attacked


def attacked(influence, index=0.0, kind="blind"):
    words = {"attack": "a", "knowledge": "", "score": 0.0, "base": 0.0, "perfect": 1.0}
    influence = np.asarray(influence, dtype=np.float64)
    return Attacked(kind=kind, index=index, error=mean_error(influence), **words), influence


def test_an_index_is_a_ratio_of_means():
    gain, headroom = np.array([1.0, 2.0, np.nan, 3.0]), np.array([2.0, 4.0, 5.0, 6.0])
    index, influence = ratio_influence(gain, headroom)
    assert index == 0.5
    assert influence.tolist() == [0.0, 0.0, 0.0]
    assert np.isnan(ratio_influence(gain, np.zeros(4))[0])
    assert np.isnan(ratio_influence(np.array([np.nan]), np.array([1.0]))[0])


def test_the_error_of_a_ratio_is_that_of_leaving_golds_out():
    rng = np.random.default_rng(0)
    gain, headroom = rng.normal(0.3, 0.1, 400), rng.normal(1, 0.1, 400)
    index, influence = ratio_influence(gain, headroom)
    rest = np.arange(400) != np.arange(400)[:, None]
    left = np.array([gain[each].mean() / headroom[each].mean() for each in rest])
    error = np.sqrt(399 / 400 * ((left - left.mean()) ** 2).sum())
    assert mean_error(influence) == pytest.approx(error, rel=0.01)
    assert index == gain.mean() / headroom.mean()


def test_the_error_on_a_given_gold_is_that_of_the_jackknife():
    values = np.arange(10.0)
    without = (values.sum() - values) / 9
    influence = jackknife_influence(np.array([values.mean(), *without]))
    assert influence == pytest.approx(values - values.mean())
    assert mean_error(influence) == pytest.approx(values.std(ddof=1) / np.sqrt(10))
    assert np.isnan(mean_error(jackknife_influence(np.array([np.nan, 1.0, 2.0]))))
    assert np.isnan(mean_error(jackknife_influence(np.array([1.0, 2.0]))))


def test_one_attack_has_the_interval_of_t_and_more_attacks_a_wider_one():
    rng = np.random.default_rng(3)
    many = [attacked(rng.standard_normal(64) - 0.0) for _ in range(20)]
    (alone,) = with_bounds(many[:1])
    assert (alone.high - alone.index) / alone.error == pytest.approx(2.0, abs=0.15)
    wide = with_bounds(many)[0]
    assert (wide.high - wide.index) / wide.error == pytest.approx(3.15, abs=0.2)


def test_attacks_that_do_not_count_have_no_interval_and_exact_ones_no_width():
    rng = np.random.default_rng(1)
    exact, informed, noisy = with_bounds(
        [attacked(np.zeros(9), 0.2), attacked(rng.random(9), 0.9, "informed"), attacked(rng.random(4) - 0.5, 0.1)]
    )
    assert (exact.low, exact.high) == (0.2, 0.2)
    assert np.isnan(informed.low)
    assert noisy.low < 0.1 < noisy.high
    bound = bound_of([exact, informed, noisy])
    assert bound.low == 0.2
    assert bound.high == max(0.2, noisy.high)
    assert np.isnan(bound_of([informed]).low)


@pytest.mark.slow
def test_twenty_worthless_attacks_are_rarely_above_zero():
    """The lower bound of the largest of 20 null indices, over 500 audits of 32 golds: .05 is stated for both sides."""
    rng = np.random.default_rng(5)
    false = 0
    for audit in range(500):
        common = rng.standard_normal((32, 1))
        gains = 0.6 * common + rng.standard_normal((32, 20))
        results = [ratio_influence(each, np.ones(32)) for each in gains.T]
        attacks = [attacked(influence, index) for index, influence in results]
        false += bound_of(with_bounds(attacks, audit)).low > 0
    assert false / 500 < 0.05

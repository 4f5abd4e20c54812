"""Small sets of units without which the leader is passed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qeframe_supplements.fewest_units import fewest_to_pass


def search(values):
    """Search on means of values, (n, S); return the result and the function of weights."""

    def weighted(weights):
        return (weights[..., None] * values).sum(axis=-2) / weights.sum(axis=-1)[..., None]

    n = len(values)
    scores, left_out = weighted(np.ones(n)), weighted(1 - np.eye(n))
    return fewest_to_pass(weighted, scores, left_out, int(np.argmax(scores))), weighted


def smallest_by_hand(values):
    """Return the smallest number of units whose removal lets any other pass; for means, removing the largest leads."""
    scores = values.mean(axis=0)
    leader = int(np.argmax(scores))
    best = len(values) + 1
    for other in range(values.shape[1]):
        leads = np.sort(values[:, leader] - values[:, other])[::-1]
        for k in range(1, len(leads)):
            if leads[k:].sum() < 0:
                best = min(best, k)
                break
    return best


@given(st.integers(0, 10_000))
def test_what_is_returned_passes_and_one_less_does_not(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(30, 3)) + [0.3, 0.0, -0.5]
    found, weighted = search(values)
    expected = smallest_by_hand(values)
    if expected > 15:
        assert found is None
        return
    assert found is not None
    challenger, units = found
    leader = int(np.argmax(values.mean(axis=0)))
    assert abs(len(units) - expected) <= 1, "means are linear but for their denominator: the first guess is near"
    for count, passes in ((len(units), True), (len(units) - 1, False)):
        weights = np.ones(30)
        weights[units[:count]] = 0
        scores = weighted(weights)
        assert (scores[challenger] > scores[leader]) == passes


def test_nothing_suffices():
    values = np.column_stack([np.ones(10), np.zeros(10)])
    assert search(values)[0] is None


def test_an_undefined_score_without_a_unit_does_not_hide_the_others():
    values = np.column_stack([np.r_[4.0, 4.0, np.zeros(8)], np.full(10, 0.3)])
    (challenger, units), weighted = search(values)
    assert (challenger, sorted(units.tolist())) == (1, [0, 1])
    left_out = weighted(1 - np.eye(10))
    left_out[5] = np.nan
    again = fewest_to_pass(weighted, weighted(np.ones(10)), left_out, 0)
    assert again is not None
    assert sorted(again[1].tolist()) == [0, 1]


def test_rivals_without_a_score_are_none():
    values = np.column_stack([np.ones(10), np.full(10, np.nan)])
    assert fewest_to_pass(lambda w: np.array([1.0, np.nan]), np.array([1.0, np.nan]), values, 0) is None

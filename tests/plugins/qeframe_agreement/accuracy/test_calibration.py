"""Tie calibration against a search over all thresholds, one after the other."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.accuracy.calibration import (
    Calibrated,
    best_threshold,
    calibrate,
    calibration_curve,
    find_changes,
    first_best,
)
from qeframe_agreement.grids.pairing import item_pairs
from qeframe_agreement.tie_tables import ACC23

NAN = np.nan


def slow_total(grid, epsilon, weights):
    """Return the weighted sum of the accuracies of items, and the weight of items with a pair."""
    total = defined = 0.0
    for x, y, there, weight in zip(grid.gold, grid.predicted, grid.present, weights, strict=True):
        right = [
            np.sign(x[i] - x[j]) == (0 if abs(y[i] - y[j]) <= epsilon else np.sign(y[i] - y[j]))
            for i, j in combinations(np.flatnonzero(there), 2)
        ]
        if right:
            total, defined = total + weight * np.mean(right), defined + weight
    return total, defined


def thresholds_of(grid):
    differences = {0.0}
    for y, there in zip(grid.predicted, grid.present, strict=True):
        differences |= {abs(y[i] - y[j]) for i, j in combinations(np.flatnonzero(there), 2)}
    return sorted(differences)


def slow_best(grid, weights):
    """Return the smallest of the best thresholds, and the score at it."""
    scores = [slow_total(grid, epsilon, weights) for epsilon in thresholds_of(grid)]
    totals = np.array([total for total, _ in scores])
    best = int(np.flatnonzero(totals >= totals.max() - 1e-12)[0])
    return thresholds_of(grid)[best], totals[best] / scores[0][1] if scores[0][1] else NAN


def bound(grid, half=None):
    pairs = item_pairs(grid, ACC23)
    return Calibrated(pairs=pairs, predicted=grid.predicted, half=half, units=len(grid), unit=grid.unit)


@pytest.mark.parametrize("seed", range(4))
def test_calibrate_against_a_search(random_grids, seed):
    for grid in random_grids(items=9, systems=4, seed=seed):
        assert calibrate(grid, ACC23) == pytest.approx(slow_best(grid, np.ones(9)), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_the_threshold_is_chosen_again_under_weights(random_grids, seed):
    (grid,) = random_grids(metrics=1, items=8, systems=4, seed=seed)
    weights = np.random.default_rng(seed).integers(0, 3, (6, 8)).astype(float)
    weights[0] = 1
    expected = [slow_best(grid, row)[1] for row in weights]
    statistic = bound(grid)
    assert statistic(weights) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert [float(statistic(row)) for row in weights] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_halves_are_scored_at_the_threshold_of_the_other(random_grids):
    (grid,) = random_grids(metrics=1, items=10, systems=4, seed=4)
    half = np.arange(10) % 2 == 0
    total = defined = 0.0
    for own, other in ((half, ~half), (~half, half)):
        epsilon, _ = slow_best(grid, other.astype(float))
        part = slow_total(grid, epsilon, own.astype(float))
        total, defined = total + part[0], defined + part[1]
    assert float(bound(grid, half)(np.ones(10))) == pytest.approx(total / defined)
    assert np.isnan(bound(grid, half)(half.astype(float))), "a half without items has no threshold"


def test_the_curve_has_every_difference(random_grids):
    (grid,) = random_grids(metrics=1, items=7, systems=4, seed=5)
    thresholds, scores = calibration_curve(grid, ACC23)
    assert thresholds == pytest.approx(thresholds_of(grid))
    for epsilon, score in zip(thresholds, scores, strict=True):
        total, defined = slow_total(grid, epsilon, np.ones(7))
        assert score == pytest.approx(total / defined)


def test_changes_keep_the_thresholds_at_which_something_is_gained(random_grids):
    (grid,) = random_grids(metrics=1, items=7, systems=4, seed=6)
    changes = find_changes(item_pairs(grid, ACC23), grid.predicted)
    assert set(changes.thresholds) <= set(thresholds_of(grid))
    assert (np.diff(changes.thresholds) > 0).all()
    one, two = np.ones((7, 1)), np.ones((7, 2))
    assert changes.curves(one)[:, 0] == pytest.approx(changes.curves(two)[:, 1])
    assert changes.curves(one)[:, 0] == pytest.approx([slow_total(grid, e, np.ones(7))[0] for e in changes.thresholds])


def test_without_a_pair_there_is_no_threshold():
    grid = Grid.from_plain([[1, NAN], [NAN, 2]], [[1, 2], [3, 4]])
    assert np.isnan(calibrate(grid, ACC23)).all()
    assert [side.size for side in calibration_curve(grid, ACC23)] == [0, 0]
    assert np.isnan(bound(grid)(np.ones(2)))


def slow_best_of_threshold_search(pairs, predicted):
    """Return the smallest of the best thresholds and the sum of scores at it, one threshold after the other."""
    candidates = sorted({0.0, *np.abs(pairs.differences(predicted)[pairs.counted]).tolist()})
    totals = np.array([pairs.values(predicted, epsilon).sum() for epsilon in candidates])
    best = int(np.flatnonzero(totals >= totals.max() - 1e-12)[0])
    return candidates[best], totals[best]


cells = st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=5)


@given(
    st.integers(1, 5).flatmap(lambda n: st.tuples(*[st.lists(cells.map(lambda c: c[0]), min_size=n, max_size=n)] * 2))
)
def test_whole_numbers_with_many_ties(sides):
    grid = Grid.from_plain(*sides)
    pairs = item_pairs(grid, ACC23)
    assert best_threshold(pairs, grid.predicted) == pytest.approx(
        slow_best_of_threshold_search(pairs, grid.predicted), abs=1e-12
    )


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
@pytest.mark.parametrize("seed", range(3))
def test_real_numbers_in_many_bins(seed, scale):
    """An outlier puts all the other differences into few bins."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 3, (40, 5)).astype(float)
    predicted = scale * (gold + rng.normal(0, 0.7, gold.shape))
    predicted[0, 0] += 1000 * scale * (seed == 1)
    grid = Grid.from_plain(gold, predicted)
    pairs = item_pairs(grid, ACC23)
    assert best_threshold(pairs, grid.predicted) == pytest.approx(
        slow_best_of_threshold_search(pairs, grid.predicted), abs=1e-12
    )


def test_nothing_is_gained_by_ties_without_human_ties():
    grid = Grid.from_plain([[1, 2, 3]], [[1.0, 2.0, 3.0]])
    assert best_threshold(item_pairs(grid, ACC23), grid.predicted) == (0.0, 1.0)


def test_the_first_of_equally_good_thresholds():
    curves = np.array([[0.1, 3.0], [0.3, 3.0 - 1e-15], [0.1 + 0.2, 1.0]])
    assert first_best(curves).tolist() == [1, 0]

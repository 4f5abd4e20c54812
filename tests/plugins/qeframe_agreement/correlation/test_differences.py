"""Pearson's correlation of differences: loops over pairs, a checked value, and exchanges."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.correlation.differences import DifferenceExchange, pairwise_difference_pearson
from qeframe_agreement.exchanges.axes import ComputedAgain
from tests.plugins.qeframe_agreement.swapped import FIRST, SECOND, masks_along, swapped_differences

N = None


def by_loops(grid):
    """Return Pearson's correlation of the differences of all ordered pairs of systems within items."""
    human, metric = [], []
    for gold, scores, there in zip(grid.gold, grid.predicted, grid.present, strict=True):
        for i, j in permutations(np.flatnonzero(there), 2):
            human.append(gold[i] - gold[j])
            metric.append(scores[i] - scores[j])
    if not np.any(human) or not np.any(metric):
        return np.nan
    return np.corrcoef(human, metric)[0, 1]


def score(grid, weights=None):
    ones = np.ones(len(grid)) if weights is None else weights
    return float(pairwise_difference_pearson.bind(grid)(ones))


def test_the_checked_value(measure):
    human = [[0, -1, -5], [-1, -1, -6], [-25, 0, 0]]
    metric = [[0.9, 0.8, 0.4], [0.7, 0.75, 0.3], [0.2, 0.9, 0.95]]
    assert measure("pairwise_difference_pearson", human, metric) == pytest.approx(0.8995439, abs=5e-8)
    assert measure("segment_pearson", human, metric) == pytest.approx(0.7974800, abs=5e-8)


def test_against_loops_and_repeated_items(random_grids):
    for grid in random_grids(items=20, systems=5):
        holes = np.random.default_rng(1).random(grid.gold.shape) < 0.1
        grid = Grid.from_plain(np.where(holes, np.nan, grid.gold), grid.predicted)
        assert score(grid) == pytest.approx(by_loops(grid), abs=1e-12)
        weights = np.random.default_rng(2).integers(0, 3, 20)
        repeated = grid.take(np.repeat(np.arange(20), weights))
        assert score(grid, weights.astype(float)) == pytest.approx(by_loops(repeated), abs=1e-12)


def test_a_number_added_to_an_item_changes_nothing(random_grids):
    (grid,) = random_grids(metrics=1)
    moved = Grid.from_plain(grid.gold + 1e3 * np.arange(30)[:, None], grid.predicted - 7.0 * np.arange(30)[:, None])
    assert score(moved) == pytest.approx(score(grid), abs=1e-9)


def test_degenerate_cases(measure):
    name = "pairwise_difference_pearson"
    assert np.isnan(measure(name, [], []))
    assert np.isnan(measure(name, [[1], [2]], [[1], [2]]))
    assert np.isnan(measure(name, [[1, 1], [2, 2]], [[1, 2], [3, 4]]))
    assert np.isnan(measure(name, [[1, 2], [2, 3]], [[0.1, 0.1], [0.7, 0.7]]))
    assert np.isnan(measure(name, [[1, N], [N, 3]], [[1, 2], [3, 4]]))
    assert measure(name, [[1, 2], [5, 3]], [[1, 2], [5, 3]]) == pytest.approx(1)
    assert measure(name, [[1, 2], [5, 3]], [[2, 1], [3, 5]]) == pytest.approx(-1)


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
def test_every_axis_against_binding_again(random_grids, axis, standardize):
    grids = random_grids(items=12, systems=4, seed=5)
    gold = grids[0].gold.copy()
    gold[2, 1] = np.nan
    grids = [Grid.from_plain(gold, np.where(np.isnan(gold), np.nan, each.predicted)) for each in grids]
    masks, spread = masks_along(axis, 12, 4)
    exchange = pairwise_difference_pearson.exchange(grids).along(axis, standardize=standardize)
    assert exchange.cells == masks.shape[1]
    expected = swapped_differences(score, grids, spread, standardize)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-11)
    if axis != "segment":
        assert isinstance(exchange, DifferenceExchange)


@given(data=st.data(), axis=st.sampled_from(["cell", "system"]))
def test_exchanges_of_small_grids_full_of_ties(data, axis):
    shape = data.draw(st.tuples(st.integers(1, 3), st.integers(1, 4)))
    lattice = st.integers(-2, 2).map(float)
    gold = data.draw(arrays(np.float64, shape, elements=st.one_of(lattice, st.just(np.nan))))
    grids = [Grid.from_plain(gold, data.draw(arrays(np.float64, shape, elements=lattice))) for _ in range(3)]
    masks, spread = masks_along(axis, *shape)
    exchange = pairwise_difference_pearson.exchange(grids).along(axis)
    expected = swapped_differences(score, grids, spread)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-11, nan_ok=True)


def test_different_cells_are_computed_again():
    full = Grid.from_plain([[1, 2], [2, 1]], [[1, 2], [1, 2]])
    lacking = Grid.from_plain([[1, 2], [2, 1]], [[1, N], [1, 2]])
    exchange = pairwise_difference_pearson.exchange([full, lacking])
    assert isinstance(exchange.along("cell"), ComputedAgain)


def test_unordered_pairs_are_enough(random_grids):
    """The mean difference over both orders is 0, so that one order gives the sums."""
    (grid,) = random_grids(metrics=1, items=5)
    sums = np.zeros(3)
    for gold, scores, there in zip(grid.gold, grid.predicted, grid.present, strict=True):
        for i, j in combinations(np.flatnonzero(there), 2):
            human, metric = gold[i] - gold[j], scores[i] - scores[j]
            sums += human * metric, human**2, metric**2
    assert score(grid) == pytest.approx(sums[0] / np.sqrt(sums[1] * sums[2]))

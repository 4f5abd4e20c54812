"""Exchanges at held thresholds against metrics that are swapped and scored again."""

import numpy as np
import pytest

from qeframe.core.components.metric import TiePolicy
from qeframe.core.errors import CapabilityError
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.accuracy.held_thresholds import LinearExchange, linear_exchange
from qeframe_agreement.grids.pairing import item_pairs
from qeframe_agreement.tie_tables import ACC23

FIRST, SECOND = np.array([0, 2, 1]), np.array([1, 0, 2])
TENTHS = TiePolicy(name="tenths", summary="", table=((1.0, 0.1, 0.0), (0.0, 1.0, 0.0), (0.0, 0.1, 1.0)))


def score(grid, ties, epsilon):
    pairs = item_pairs(grid, ties)
    return pairs.values(grid.predicted, epsilon).sum() / pairs.defined.sum()


def slow_differences(grids, ties, epsilon, masks):
    """Swap the cells of each mask and score both grids again; all metrics have one threshold."""
    rows = []
    for mask in masks:
        swapped = [grids[a].swap_answers(grids[b], mask) for a, b in zip(FIRST, SECOND, strict=True)]
        rows.append([score(one, ties, epsilon) - score(other, ties, epsilon) for one, other in swapped])
    return np.array(rows)


@pytest.mark.parametrize("ties", [ACC23, TENTHS], ids=str)
@pytest.mark.parametrize("epsilon", [0.0, 0.7])
def test_cells_and_systems_with_one_threshold(random_grids, ties, epsilon):
    """Items without some systems have fewer pairs: the weights of pairs differ."""
    grids = random_grids(items=6, systems=4, seed=2)
    gold = grids[0].gold.copy()
    gold[1, 0] = gold[3, [1, 2]] = np.nan
    grids = [Grid.from_plain(gold, np.where(np.isnan(gold), np.nan, each.predicted)) for each in grids]
    drawn = np.random.default_rng(0).integers(0, 2, (15, 6, 4)).astype(bool)
    by_cell = linear_exchange(grids, ties, [epsilon] * 3, "cell", False)
    assert isinstance(by_cell, LinearExchange)
    assert by_cell.cells == 24
    found = by_cell(drawn.reshape(15, -1).astype(np.uint8), FIRST, SECOND)
    assert found == pytest.approx(slow_differences(grids, ties, epsilon, drawn), abs=1e-12)
    systems = drawn[:, 0]
    by_system = linear_exchange(grids, ties, [epsilon] * 3, "system", False)
    assert by_system.cells == 4
    whole = np.repeat(systems[:, None], 6, axis=1)
    found = by_system(systems.astype(np.uint8), FIRST, SECOND)
    assert found == pytest.approx(slow_differences(grids, ties, epsilon, whole), abs=1e-12)


def test_segments(random_grids):
    grids = random_grids(items=6, systems=4, seed=3)
    items = np.random.default_rng(1).integers(0, 2, (10, 6)).astype(bool)
    found = linear_exchange(grids, ACC23, [0.5] * 3, "segment", False)(items.astype(np.uint8), FIRST, SECOND)
    assert found == pytest.approx(slow_differences(grids, ACC23, 0.5, items), abs=1e-12)


def test_few_pairs_are_chosen_from_many(random_grids):
    """One pair of five submissions: the effects of that pair alone are multiplied, with the same numbers."""
    grids = random_grids(metrics=5, items=5, systems=3, seed=4)
    exchange = linear_exchange(grids, ACC23, [0.2] * 5, "cell", False)
    masks = np.random.default_rng(2).integers(0, 2, (8, 15)).astype(np.uint8)
    first, second = np.triu_indices(5, 1)
    whole = exchange(masks, first, second)
    for position, (a, b) in enumerate(zip(first, second, strict=True)):
        assert (exchange(masks, np.array([a]), np.array([b]))[:, 0] == whole[:, position]).all()
        assert (exchange(masks, np.array([b]), np.array([a]))[:, 0] == -whole[:, position]).all()


@pytest.mark.parametrize("axis", ["cell", "system", "pair"])
def test_different_cells_are_refused(axis):
    grids = [Grid.from_plain([[1, 2], [2, 1]], cells) for cells in ([[1, 2], [1, 2]], [[1, 2], [1, np.nan]])]
    with pytest.raises(CapabilityError, match=f"cannot exchange by {axis}: exchange whole segments"):
        linear_exchange(grids, ACC23, [0.0, 0.0], axis, False)
    assert linear_exchange(grids, ACC23, [0.0, 0.0], "segment", False).cells == 2

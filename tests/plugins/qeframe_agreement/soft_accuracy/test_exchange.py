"""The exchange of soft pairwise accuracy against metrics that are swapped and bound again."""

import attrs
import numpy as np
import pytest

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.exchanges.axes import ComputedAgain, StackedExchange
from qeframe_agreement.soft_accuracy.exchange import SoftExchange, soft_exchange
from qeframe_agreement.soft_accuracy.statistic import spa
from tests.plugins.qeframe_agreement.swapped import FIRST, SECOND, masks_along, swapped_differences


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
def test_every_axis_against_binding_again(random_grids, axis, standardize):
    """An incomplete item is not part of any sum, and its cells in a mask have no effect."""
    grids = random_grids(items=6, systems=4, seed=7)
    gold = grids[0].gold.copy()
    gold[2, 1] = np.nan
    grids = [Grid.from_plain(gold, np.where(np.isnan(gold), np.nan, each.predicted)) for each in grids]
    masks, spread = masks_along(axis, 6, 4)
    bind = spa(permutations=60).bind
    exchange = soft_exchange(bind, grids, axis, standardize)
    assert isinstance(exchange, SoftExchange)
    assert exchange.cells == masks.shape[1]
    expected = swapped_differences(lambda grid: float(bind(grid)(np.ones(6))), grids, spread, standardize)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("axis", "kind"), [("segment", StackedExchange), ("cell", ComputedAgain)])
def test_different_cells_are_computed_again(axis, kind):
    full = Grid.from_plain([[1, 2], [2, 1]], [[1, 2], [1, 2]])
    lacking = attrs.evolve(full, predicted=np.array([[1.0, np.nan], [1.0, 2.0]]))
    assert isinstance(soft_exchange(spa().bind, [full, lacking], axis, False), kind)


def test_without_complete_items_the_difference_is_undefined():
    grid = Grid.from_plain([[1, np.nan], [np.nan, 1]], [[1, 2], [2, 1]])
    exchange = soft_exchange(spa().bind, [grid, grid], "cell", False)
    assert np.isnan(exchange(np.zeros((2, 4), dtype=np.uint8), np.array([0]), np.array([1]))).all()

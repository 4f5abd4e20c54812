"""Exchanges of sums by column against metrics that are swapped and bound again."""

import attrs
import numpy as np
import pytest

from qeframe.core.errors import CapabilityError
from qeframe.kinds.grid.batch import Grid
from qeframe.statistics.pair_exchange import OutcomeExchange
from qeframe_agreement.exchanges.column_sums import ColumnExchange, column_exchange
from qeframe_agreement.systems.means import pairwise_accuracy, system_pearson
from tests.plugins.qeframe_agreement.swapped import FIRST, SECOND, masks_along, swapped_differences


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
@pytest.mark.parametrize("metric", [system_pearson, pairwise_accuracy], ids=lambda m: m.name)
def test_every_axis_against_binding_again(random_grids, metric, axis, standardize, monkeypatch):
    grids = random_grids(items=6, systems=4, seed=1)
    masks, spread = masks_along(axis, 6, 4)
    exchange = column_exchange(metric.bind, grids).along(axis, standardize=standardize)
    assert exchange.cells == masks.shape[1]
    expected = swapped_differences(lambda grid: float(metric.bind(grid)(np.ones(6))), grids, spread, standardize)
    found = exchange(masks, FIRST, SECOND)
    assert found == pytest.approx(expected, abs=1e-10)
    monkeypatch.setattr("qeframe.core.resampling.memory.MOST_CELLS", 1)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(found, abs=1e-14)


def test_rows_are_sums_of_kinds_by_system():
    """Two submissions, one item of two systems, one kind: a swapped system takes its number along."""
    rows = np.array([[[[1.0], [5.0]]], [[[2.0], [7.0]]]])
    exchange = ColumnExchange(rows, lambda sums: sums @ np.array([1.0, 10.0]), by_cell=False)
    found = exchange(np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=np.uint8), np.array([0]), np.array([1]))
    assert found[:, 0].tolist() == [21 - 75, 25 - 71, 71 - 25, 75 - 21]


def test_outcomes_of_pairs_are_offered_where_they_are_given():
    grids = [Grid.from_plain([[1, 2, 3]], [cells]) for cells in ([1, 2, 3], [3, 2, 1])]
    exchange = pairwise_accuracy.exchange(grids)
    assert exchange.axes == ("segment", "cell", "system", "pair")
    by_pair = exchange.along("pair")
    assert isinstance(by_pair, OutcomeExchange)
    assert by_pair(np.zeros((1, 3), dtype=np.uint8), np.array([0]), np.array([1])).tolist() == [[1.0]]
    with pytest.raises(CapabilityError, match="no exchange of 'pair'"):
        system_pearson.exchange(grids).along("pair")


def test_different_systems_cannot_exchange_outcomes():
    full = Grid.from_plain([[1, 2, 3]], [[1, 2, 3]])
    lacking = attrs.evolve(full, predicted=np.array([[1.0, np.nan, 3.0]]))
    with pytest.raises(CapabilityError, match="metrics that lack different systems cannot exchange outcomes of pairs"):
        pairwise_accuracy.exchange([full, lacking]).along("pair")

"""Exchanges of tau by cells and systems against grids that are swapped, bound and scored again."""

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.exchanges.axes import ComputedAgain
from qeframe_agreement.kendall_tau.exchange import GroupTauExchange, tau_exchange
from qeframe_agreement.kendall_tau.item_exchange import ItemTauExchange
from qeframe_agreement.kendall_tau.taus import tau_b, tau_c
from tests.examples import FEWER
from tests.plugins.qeframe_agreement.swapped import FIRST, SECOND, masks_along, swapped_differences

METRICS = {"b": tau_b, "c": tau_c}
LATTICE = st.integers(-2, 2).map(float)


def compare(grids, axis, variant, grouping, undefined, standardize=False):
    """Hold the exchange against the score of grids that are swapped."""
    items, systems = grids[0].gold.shape
    metric = METRICS[variant](grouping=grouping, undefined=undefined)
    masks, spread = masks_along(axis, items, systems)
    exchange = metric.exchange(grids).along(axis, standardize=standardize)
    assert exchange.cells == masks.shape[1]
    score = lambda grid: float(metric.bind(grid)(np.ones(items)))  # noqa: E731
    expected = swapped_differences(score, grids, spread, standardize)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-14, nan_ok=True)
    return exchange


@pytest.mark.parametrize("undefined", ["drop", "zero"])
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("variant", ["b", "c"])
@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
def test_every_axis_against_binding_again(random_grids, axis, standardize, variant, grouping, undefined):
    grids = random_grids(items=30, systems=5, seed=3)
    gold = grids[0].gold.copy()
    gold[2, 1], gold[7] = np.nan, 1.0
    grids = [Grid.from_plain(gold, np.where(np.isnan(gold), np.nan, np.nan_to_num(each.predicted))) for each in grids]
    found = compare(grids, axis, variant, grouping, undefined, standardize)
    if axis == "segment":
        return
    kind = {("b", "item"): ItemTauExchange, ("c", "item"): ComputedAgain}.get((variant, grouping), GroupTauExchange)
    assert isinstance(found, kind)


@FEWER
@given(data=st.data(), axis=st.sampled_from(["cell", "system"]), grouping=st.sampled_from(["none", "item", "system"]))
def test_small_grids_full_of_ties(data, axis, grouping):
    shape = data.draw(st.tuples(st.integers(1, 4), st.integers(1, 5)))
    gold = data.draw(arrays(np.float64, shape, elements=st.one_of(LATTICE, st.just(np.nan))))
    sides = [data.draw(arrays(np.float64, shape, elements=LATTICE)) for _ in range(3)]
    grids = [Grid.from_plain(gold, side) for side in sides]
    undefined = data.draw(st.sampled_from(["drop", "zero"]))
    compare(grids, axis, data.draw(st.sampled_from(["b", "c"])), grouping, undefined)


def test_without_a_draw_and_without_a_cell():
    empty = Grid.from_plain([[np.nan, np.nan]], [[1.0, 2.0]])
    for grouping in ("none", "item", "system"):
        exchange = tau_b(grouping=grouping).exchange([empty, empty]).along("cell")
        masks = np.zeros((3, 2), dtype=np.uint8)
        assert np.isnan(exchange(masks, np.array([0]), np.array([1]))).all()
        assert exchange(masks[:0], np.array([0]), np.array([1])).shape == (0, 1)


def test_different_cells_are_computed_again():
    full = Grid.from_plain([[1, 2], [2, 1]], [[1, 2], [1, 2]])
    lacking = attrs.evolve(full, predicted=np.array([[1.0, np.nan], [1.0, 2.0]]))
    exchange = tau_exchange("b", "none", False, tau_b().bind, [full, lacking])
    assert isinstance(exchange.along("cell"), ComputedAgain)

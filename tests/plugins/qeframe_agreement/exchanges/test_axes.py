"""Exchanges of grids against brute force: every mask, along every axis, for every pair of metrics."""

import numpy as np
import pytest

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.core.errors import CapabilityError
from qeframe.core.resampling.draws import all_masks
from qeframe.core.resampling.exchange import RecomputedExchange, RowExchange
from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.accuracy.within_items import LinearExchange
from qeframe_agreement.exchanges.axes import ComputedAgain, StackedExchange
from qeframe_agreement.soft_accuracy.exchange import SoftExchange

FIXED = ["acc_eq(epsilon=0)", "acc_eq(epsilon=0.5)", *(f"acc_eq(ties={t}, epsilon=0.4)" for t in ("tau23", "hties"))]
FIRST, SECOND = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 0])


def small_grids(items, systems, seed=0):
    """Return three metrics with ties on a gold with ties, one cell of which is missing."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 3, (items, systems)).astype(float)
    gold[0, 0] = np.nan
    return tuple(Grid.from_plain(gold, rng.integers(0, 5, (items, systems)) / 4) for _ in range(3))


def brute_force(metric, grids, cells):
    """Swap, bind and score again for every mask, (masks, items, systems)."""
    ones = np.ones(len(grids[0]))
    differences = np.empty((len(cells), len(FIRST)))
    for row, mask in enumerate(cells.astype(bool)):
        for column, (a, b) in enumerate(zip(FIRST, SECOND, strict=True)):
            mine = np.where(mask, grids[b].predicted, grids[a].predicted)
            theirs = np.where(mask, grids[a].predicted, grids[b].predicted)
            pair = [Grid.pair(ids=grids[0].ids, gold=grids[0].gold, predicted=side) for side in (mine, theirs)]
            differences[row, column] = np.subtract(*(float(metric.bind(grid)(ones)) for grid in pair))
    return differences


def spread(masks, axis, shape):
    """Return masks along an axis as masks of all cells."""
    if axis == "cell":
        return masks.reshape(-1, *shape)
    return np.broadcast_to(masks[:, :, None] if axis == "segment" else masks[:, None, :], (len(masks), *shape))


@pytest.mark.parametrize("name", [*FIXED, "acc_eq(ties=wmt12, epsilon=0)", "acc_eq(ties=wmt14, epsilon=0.4)"])
@pytest.mark.parametrize(("axis", "cells"), [("segment", 3), ("cell", 9), ("system", 3)])
def test_fixed_thresholds_are_linear(named, name, axis, cells):
    grids = small_grids(3, 3, seed=4)
    exchange = named(name).exchange(grids).along(axis)
    assert exchange.cells == cells
    assert isinstance(exchange, RowExchange if axis == "segment" else LinearExchange)
    masks = all_masks(cells, 0, 2**cells)[:: 1 if cells == 3 else 7]
    expected = brute_force(named(name), grids, spread(masks, axis, (3, 3)))
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        "acc_eq(calibrate=always)",
        "acc_eq(epsilon=crossed)",
        "tau_c(grouping=item)",
        "segment_spearman(grouping=system)",
        "spa",
        "spa(test=t_test)",
    ],
)
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
def test_what_is_not_linear_is_weighed_or_computed_again(named, name, axis):
    grids = small_grids(4, 2, seed=3)
    exchange = named(name).exchange(grids).along(axis)
    if name == "spa":
        assert isinstance(exchange, SoftExchange)
    elif name != "spa(test=t_test)" or axis != "segment":
        assert isinstance(exchange, StackedExchange if axis == "segment" else ComputedAgain)
    masks = all_masks(exchange.cells, 0, 2**exchange.cells)[::3]
    expected = brute_force(named(name), grids, spread(masks, axis, (4, 2)))
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", ["system_pearson", "pairwise_accuracy", "segment_pearson", "segment_spearman"])
def test_correlations(named, random_grids, name):
    grids = tuple(random_grids(items=6, systems=4))
    exchange = named(name).exchange(grids)
    masks = all_masks(6, 0, 64)
    again = RecomputedExchange(grids, named(name).bind)(masks, FIRST, SECOND)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(again, abs=1e-11)
    masks = all_masks(4, 0, 16)
    expected = brute_force(named(name), grids, spread(masks, "system", (6, 4)))
    assert exchange.along("system")(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("name", ["spa", "spa(permutations=33)"])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
def test_soft_accuracy_of_mixed_scores(named, random_grids, name, axis):
    """Without binding anything again, of three metrics on items some of which lack a system."""
    grids = random_grids(items=9, systems=4, seed=3)
    gold = grids[0].gold.copy()
    gold[3, 1] = np.nan
    grids = [Grid.from_plain(gold, grid.predicted) for grid in grids]
    exchange = named(name).exchange(grids).along(axis)
    masks = np.random.default_rng(2).integers(0, 2, (12, exchange.cells)).astype(np.uint8)
    expected = brute_force(named(name), grids, spread(masks, axis, (9, 4)))
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-12)


def test_soft_accuracy_is_undefined_for_one_system(named):
    grids = [Grid.from_plain([[1], [2]], [[1], [3]])] * 3
    for axis in ("segment", "cell", "system"):
        exchange = named("spa").exchange(grids).along(axis)
        assert np.isnan(exchange(np.zeros((2, exchange.cells), np.uint8), FIRST, SECOND)).all()


def test_metrics_that_lack_cells_are_computed_again(named):
    gold = [[1, 2, 3], [3, 1, 2]]
    grids = tuple(Grid.from_plain(gold, rows) for rows in ([[1, None, 3], [1, 2, 3]], [[1, 2, 3], [3, 2, 1]]))
    metric = named("acc_eq(epsilon=0)")
    exchange = metric.exchange(grids).along("cell")
    assert isinstance(exchange, ComputedAgain)
    (difference,) = exchange(np.zeros((1, 6)), np.array([0]), np.array([1]))[0]
    assert difference == pytest.approx(np.subtract(*(float(metric.bind(grid)(np.ones(2))) for grid in grids)))


def test_an_axis_that_is_none(named):
    with pytest.raises(CapabilityError, match="no exchange of 'judge'"):
        named("acc_eq").exchange(small_grids(2, 2)).along("judge")


def test_the_randomization_test_takes_the_exchange(registry, random_grids):
    grids = dict(zip("ABC", random_grids(items=40), strict=True))
    for name in ("acc_eq", "acc_eq(epsilon=0)"):
        found = qeframe.compare(registry.get(Metric, name), None, grids, test="randomization", registry=registry)
        again = qeframe.compare(registry.get(Metric, name), None, grids, test="randomization", registry=registry)
        assert [c.p for c in found] == [c.p for c in again]
        assert found[1].p < 0.05 < 1

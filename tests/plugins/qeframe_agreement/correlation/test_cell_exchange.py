"""The exchange of Pearson's correlation over all cells against a correlation of swapped cells."""

import attrs
import numpy as np
import pytest
from scipy.stats import pearsonr

from qeframe.batches.grid import Grid
from qeframe_agreement.correlation.cell_exchange import moments_exchange
from qeframe_agreement.correlation.segments import segment_pearson

FIRST, SECOND = np.array([0, 2]), np.array([1, 0])
MASKS = np.random.default_rng(1).integers(0, 2, (12, 30)).astype(np.uint8)


def grids_with_gaps():
    rng = np.random.default_rng(0)
    gold = rng.normal(5, 2, (6, 5))
    gold[rng.random(gold.shape) < 0.2] = np.nan
    metrics = [
        scale * (np.nan_to_num(gold) + rng.normal(0, 1, gold.shape)) + at for scale, at in ((1, 0), (3, 9), (2, -4))
    ]
    return [Grid.from_plain(gold, each) for each in metrics]


def standardized(grid):
    cells = grid.predicted[grid.present]
    return attrs.evolve(grid, predicted=(grid.predicted - cells.mean()) / cells.std())


def slow(grids, masks):
    rows = []
    for mask in masks:
        row = []
        for a, b in zip(FIRST, SECOND, strict=True):
            sides = grids[a].swap_answers(grids[b], mask)
            one, other = (pearsonr(side.gold[side.present], side.predicted[side.present]).statistic for side in sides)
            row.append(one - other)
        rows.append(row)
    return np.array(rows)


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
def test_every_axis_against_swapped_cells(axis, standardize):
    grids = grids_with_gaps()
    masks, spread = {
        "segment": (MASKS[:, :6], MASKS[:, :6].astype(bool)),
        "cell": (MASKS, MASKS.reshape(-1, 6, 5).astype(bool)),
        "system": (MASKS[:, :5], np.repeat(MASKS[:, None, :5], 6, axis=1).astype(bool)),
    }[axis]
    exchange = moments_exchange(segment_pearson().bind, grids).along(axis, standardize=standardize)
    assert exchange.cells == masks.shape[1]
    expected = slow([standardized(grid) for grid in grids] if standardize else grids, spread)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-10)

"""The exchange of Pearson's correlation over all cells against a correlation of swapped cells."""

import numpy as np
import pytest
from scipy.stats import pearsonr

from qeframe.kinds.grid.batch import Grid
from qeframe_agreement.correlation.cell_exchange import moments_exchange
from qeframe_agreement.correlation.segments import segment_pearson
from tests.plugins.qeframe_agreement.swapped import FIRST, SECOND, masks_along, swapped_differences


def grids_with_gaps():
    rng = np.random.default_rng(0)
    gold = rng.normal(5, 2, (6, 5))
    gold[rng.random(gold.shape) < 0.2] = np.nan
    metrics = [
        scale * (np.nan_to_num(gold) + rng.normal(0, 1, gold.shape)) + at for scale, at in ((1, 0), (3, 9), (2, -4))
    ]
    return [Grid.from_plain(gold, each) for each in metrics]


def all_cells(grid):
    return pearsonr(grid.gold[grid.present], grid.predicted[grid.present]).statistic


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("axis", ["segment", "cell", "system"])
def test_every_axis_against_swapped_cells(axis, standardize):
    grids = grids_with_gaps()
    masks, spread = masks_along(axis, 6, 5)
    exchange = moments_exchange(segment_pearson().bind, grids).along(axis, standardize=standardize)
    assert exchange.cells == masks.shape[1]
    expected = swapped_differences(all_cells, grids, spread, standardize)
    assert exchange(masks, FIRST, SECOND) == pytest.approx(expected, abs=1e-10)

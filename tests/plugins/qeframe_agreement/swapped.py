"""Exchanges done slowly: cells are swapped between two grids, and both are scored again."""

import attrs
import numpy as np

from qeframe.kinds.grid.batch import Grid

FIRST, SECOND = np.array([0, 2]), np.array([1, 0])
"""The pairs of submissions that the tests of exchanges compare."""


def with_gaps(grids, *cells):
    """Return the grids without some cells of the gold; their answers there are lacking too."""
    gold = grids[0].gold.copy()
    gold[tuple(np.transpose(cells))] = np.nan
    return [Grid.from_plain(gold, np.where(np.isnan(gold), np.nan, grid.predicted)) for grid in grids]


def standardized(grid):
    """Return the grid with scores of mean 0 and standard deviation 1."""
    cells = grid.predicted[grid.present]
    return attrs.evolve(grid, predicted=(grid.predicted - cells.mean()) / cells.std())


def masks_along(axis, items, systems):
    """Return twelve random masks of what an axis exchanges, and the same masks spread over (items, systems)."""
    shape = {"segment": (items, 1), "cell": (items, systems), "system": (1, systems)}[axis]
    masks = np.random.default_rng(1).integers(0, 2, (12, *shape)).astype(np.uint8)
    return masks.reshape(12, -1), np.broadcast_to(masks, (12, items, systems)).astype(bool)


def swapped_differences(metric, grids, masks, standardize=False):
    """Return the differences, (masks, pairs), of scores after a swap of cells: masks (masks, items, systems)."""

    def score(grid):
        return float(metric.bind(grid)(np.ones(len(grid))))

    chosen = [standardized(grid) for grid in grids] if standardize else grids
    pairs = list(zip(FIRST, SECOND, strict=True))
    swapped = [[chosen[a].swap_answers(chosen[b], mask) for a, b in pairs] for mask in masks]
    return np.array([[score(one) - score(other) for one, other in row] for row in swapped])

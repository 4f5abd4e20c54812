"""Exchanges done slowly: cells are swapped between two grids, and both are scored again."""

import attrs
import numpy as np

FIRST, SECOND = np.array([0, 2]), np.array([1, 0])
"""The pairs of submissions that the tests of exchanges compare."""


def standardized(grid):
    """Return the grid with scores of mean 0 and standard deviation 1."""
    cells = grid.predicted[grid.present]
    return attrs.evolve(grid, predicted=(grid.predicted - cells.mean()) / cells.std())


def masks_along(axis, items, systems):
    """Return twelve random masks of what an axis exchanges, and the same masks spread over (items, systems)."""
    shape = {"segment": (items, 1), "cell": (items, systems), "system": (1, systems)}[axis]
    masks = np.random.default_rng(1).integers(0, 2, (12, *shape)).astype(np.uint8)
    return masks.reshape(12, -1), np.broadcast_to(masks, (12, items, systems)).astype(bool)


def swapped_differences(score, grids, masks, standardize=False):
    """Return the differences, (masks, pairs), of scores of grids whose cells were swapped.

    Parameters
    ----------
    score : callable
        From a grid to a number.
    masks : (masks, items, systems) bool
    """
    chosen = [standardized(grid) for grid in grids] if standardize else grids
    pairs = list(zip(FIRST, SECOND, strict=True))
    swapped = [[chosen[a].swap_answers(chosen[b], mask) for a, b in pairs] for mask in masks]
    return np.array([[score(one) - score(other) for one, other in row] for row in swapped])

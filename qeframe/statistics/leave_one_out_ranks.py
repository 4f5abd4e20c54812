"""Spearman's correlation with each unit left out in turn, in n log n steps.

Without unit i, every unit above it moves down by one rank and every unit tied with it by half a rank. The sums of
products of ranks follow from sums over tie groups, and from the number of units that are concordant with i.
"""

import numpy as np

from qeframe.core.batch import FloatArray, IntArray
from qeframe.statistics.correlation import NOISE
from qeframe.statistics.ranks import TieGroups


def spearman_without_each(gold: TieGroups, predicted: TieGroups) -> FloatArray:
    """Return Spearman's correlation of all units but one, for each unit that is left out.

    Parameters
    ----------
    gold, predicted : TieGroups
        Of the same n units.

    Returns
    -------
    (n,) float64
        In [-1, 1]; NaN where a side of the other units is constant, so for n < 3 everywhere.

    Notes
    -----
    With u and v the mid-ranks less n / 2, and a, b the shares of a rank by which a unit moves, the covariance without i
    is sum u v - u_i v_i - sum u b - sum v a + sum a b over the other units. The last sum is
    ((n - 1) + s_x + s_y + 2 C - U) / 4: s are the numbers of units above i less those below, C the concordant units, U
    those that are tied with i on neither side. All sums are multiples of 1/4.
    """
    n = len(gold.order)
    if not n:
        return np.empty(0)
    x, y = gold.group_of_unit, predicted.group_of_unit
    u, v = gold.mid_ranks() - n / 2, predicted.mid_ranks() - n / 2
    tied_x, tied_y = np.bincount(x), np.bincount(y)
    _, cell, in_cells = np.unique(x * len(tied_y) + y, return_inverse=True, return_counts=True)
    # the others, less those tied on either side; those tied on both were taken away twice and are added once
    untied = n + 1 - tied_x[x] - tied_y[y] + in_cells[cell] - 1
    balance = (1 - 2 * u) + (1 - 2 * v)  # units above less units below, on both sides
    # a and b are (1 + s) / 2, s = 1, 0, -1 for above, tied, below: a b is a quarter of (1 + s_x + s_y + s_x s_y),
    # and the sum of s_x s_y is concordant less discordant units, 2 C - U
    moved = ((n - 1) + balance + 2 * concordant_units(gold, predicted) - untied) / 4
    lost = _moved_weight(predicted, u) + _moved_weight(gold, v)
    covariance = (u @ v) - u * v - lost + moved
    spread = np.sqrt(_variance_without(tied_x, n)[x]) * np.sqrt(_variance_without(tied_y, n)[y])
    undefined = np.full(n, np.nan)
    varied = spread > NOISE * (n - 1.0) ** 3
    correlations: FloatArray = np.clip(np.divide(covariance, spread, out=undefined, where=varied), -1.0, 1.0)
    return correlations


def concordant_units(gold: TieGroups, predicted: TieGroups) -> IntArray:
    """Return for each unit how many others are above it on both sides, or below it on both.

    The units are sorted by prediction, and split by the bits of their position in the order of the gold, the highest
    bit first. A pair is counted at the bit that splits it.

    Result: (n,).
    """
    n = len(gold.order)
    x, y = gold.group_of_unit, predicted.group_of_unit
    position = np.empty(n, dtype=np.int64)
    position[np.lexsort((-y, x))] = np.arange(n)  # equal gold: the order of the predictions falls, so no pair counts
    units = np.lexsort((-position, y))  # equal predictions: the order of the gold falls
    counts = np.zeros(n, dtype=np.int64)
    for bit in reversed(range(max(0, n - 1).bit_length())):
        place = position[units]
        upper = (place >> bit) & 1
        start = place >> (bit + 1) << (bit + 1)  # the first position of the block, and its first place in `units`
        upper_before = np.cumsum(upper) - upper - (start >> 1)
        lower_before = np.arange(n) - start - upper_before
        # how many units of the block go to its lower and to its upper half; the last block may be cut short
        lower = np.minimum(1 << bit, n - start)
        uppers = np.minimum(1 << (bit + 1), n - start) - lower
        # the units are in the order of the predictions: a unit of the upper half has those of the lower half before it
        # below it on both sides, and a unit of the lower half has the later ones of the upper half above it
        counts[units] += np.where(upper, lower_before, uppers - upper_before)
        # a stable partition: within each half the order of the predictions stays
        target = start + np.where(upper, lower + upper_before, lower_before)
        placed = np.empty_like(units)
        placed[target] = units
        units = placed
    return counts


def _moved_weight(groups: TieGroups, values: FloatArray) -> FloatArray:
    """Return the sum of values over the units above each unit, and half of it over the others that are tied with it."""
    sums = groups.sum(values)
    above = sums.sum() - np.cumsum(sums)
    moved: FloatArray = (above + sums / 2)[groups.group_of_unit] - values / 2
    return moved


def _variance_without(sizes: IntArray, units: int) -> FloatArray:
    """Return the sum of squared deviations of mid-ranks without a unit of each tie group: (W^3 - sum of t^3) / 12."""
    t = sizes.astype(np.float64)
    # the tie group of the unit that is left out has one member less
    cubes = (t**3).sum() - t**3 + (t - 1) ** 3
    variance: FloatArray = np.maximum((units - 1.0) ** 3 - cubes, 0.0) / 12
    return variance

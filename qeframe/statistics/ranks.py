"""Mid-ranks: the ranks of values of which equal ones share their mean rank.

Mid-ranks are multiples of one half, so that every way to compute them gives the same bits. The functions differ in
their input: rows (`mid_ranks`), rows of means in which near values are equal (`mid_ranks_by_pairs`), one vector under
many weights (`weighted_mid_ranks`), one vector whose order is found once and used often (`TieGroups`).
"""

import numpy as np
from attrs import frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.ranking import shared_positions


def mid_ranks(values: FloatArray, *, slack: float = 0.0) -> FloatArray:
    """Rank along the last axis: 1 is the smallest, equal values share their mean rank.

    Parameters
    ----------
    values : (..., n) float64
    slack : float
        Sorted neighbors are equal if they differ by at most `slack` times the larger magnitude of the two.

    Returns
    -------
    (..., n) float64
        From 1 to n; NaN stays NaN and takes no rank.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    fresh = np.ones(ordered.shape, dtype=np.bool_)
    fresh[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    if slack:
        low, high = ordered[..., :-1], ordered[..., 1:]
        larger = np.maximum(np.abs(low), np.abs(high))
        with np.errstate(invalid="ignore"):  # an infinity is equal to the same infinity alone
            fresh[..., 1:] &= ~(high - low <= np.where(np.isfinite(larger), slack * larger, 0.0))
    first, last = shared_positions(fresh)
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, np.where(np.isnan(ordered), np.nan, (first + last) / 2), axis=-1)
    return ranks


def mid_ranks_by_pairs(values: FloatArray, known: FloatArray, *, slack: float) -> FloatArray:
    """Rank along the last axis, every pair of values compared by itself.

    Whether two values are equal depends on these two and on the largest magnitude of the row. `mid_ranks` compares
    sorted neighbors instead, so that a chain of near neighbors shares one rank; the two differ for such chains alone.

    Parameters
    ----------
    values : (..., n) float64
        Finite, also where they are not known.
    known : (..., n) float64
        1 for values that take part, 0 for the others.
    slack : float
        Values that differ by at most `slack` times the largest magnitude of their row are equal.

    Returns
    -------
    (..., n) float64
        The number of known values below, equal ones (the value itself among them) counted half: mid-ranks less 1/2.
    """
    difference = values[..., :, None] - values[..., None, :]
    within = slack * np.abs(values).max(axis=-1, initial=0.0)[..., None, None]
    above = np.where(difference > within, 1.0, np.where(difference < -within, 0.0, 0.5))
    return np.asarray((above * known[..., None, :]).sum(axis=-1))


@frozen(eq=False)
class TieGroups:
    """The units in ascending order of a value, equal values together: found once and used under any weights.

    Parameters
    ----------
    order : (n,) int64
        The units, lowest value first.
    starts : (g,) int64
        Where in `order` each group of equal values begins.
    """

    order: IntArray
    starts: IntArray

    @property
    def key(self) -> bytes:
        """What identifies the grouping: two sides with the same key are ranked alike."""
        return self.order.tobytes() + self.starts.tobytes()

    @property
    def group_of_unit(self) -> IntArray:
        """(n,) int64: the group of every unit, in the order of the batch."""
        groups = np.empty(len(self.order), dtype=np.int64)
        lengths = np.diff(np.append(self.starts, len(self.order)))
        groups[self.order] = np.repeat(np.arange(len(self.starts)), lengths)
        return groups

    def sum(self, values: FloatArray) -> FloatArray:
        """Sum values (n, ...) of the units over each group, lowest group first: (g, ...)."""
        ordered = values[self.order]
        if len(self.starts) == len(self.order):
            return ordered
        sums: FloatArray = np.add.reduceat(ordered, self.starts, axis=0)
        return sums

    def mid_ranks(self) -> FloatArray:
        """Return the mean rank of every unit, (n,), from 1, in the order of the batch."""
        sizes = self.sum(np.ones(len(self.order)))
        ranks: FloatArray = (np.cumsum(sizes) - (sizes - 1) / 2)[self.group_of_unit]
        return ranks


def tie_groups(values: FloatArray, *, apart: bool = False) -> TieGroups:
    """Return the tie groups of values (n,) without NaN; with `apart` every value is a group, in input order."""
    order = np.argsort(values, kind="stable")
    if apart or not len(values):
        return TieGroups(order, np.arange(len(values)))
    ordered = values[order]
    return TieGroups(order, np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])))


_ROWS_TOGETHER = 16


def running_sums(rows: FloatArray) -> FloatArray:
    """Return the sums of the rows up to each one, (n, m), about six times as fast as ``cumsum(axis=0)``.

    Rows are summed within blocks of 16, all blocks at once, and the blocks are summed afterwards. Sums of whole numbers
    are exact; others can differ from those of ``cumsum`` in the last bits.

    Parameters
    ----------
    rows : (n, m) float64
    """
    sums = np.array(rows, dtype=np.float64, order="C")
    whole = len(rows) // _ROWS_TOGETHER * _ROWS_TOGETHER
    blocks, rest = sums[:whole].reshape(-1, _ROWS_TOGETHER, rows.shape[1]), sums[whole:]
    for row in range(1, _ROWS_TOGETHER):
        blocks[:, row] += blocks[:, row - 1]
    # only after the sums within blocks: every block begins at the end of those before it
    blocks[1:] += blocks[:-1, -1].cumsum(axis=0)[:, None]
    np.cumsum(rest, axis=0, out=rest)
    if whole:
        rest += sums[whole - 1]
    return sums


def weighted_mid_ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted mid-rank of every value: the weight below it and half of the weight equal to it.

    Parameters
    ----------
    values : (n,) float64
        Without NaN, at least one.
    weights : (draws, n) float64

    Returns
    -------
    (draws, n) float64
        For weights of 1 the mid-ranks less 1/2.
    """
    groups = tie_groups(values)
    equal = np.add.reduceat(weights[:, groups.order], groups.starts, axis=1)
    return np.asarray((equal.cumsum(axis=1) - equal / 2)[:, groups.group_of_unit])

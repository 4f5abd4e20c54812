"""Tie groups: an order of the units and where equal values begin, found once and used under any weights."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, IntArray

__all__ = ["TieGroups", "tie_groups"]


@frozen(eq=False)
class TieGroups:
    """The units in ascending order of a value, equal values together.

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
    """Group equal values, or with `apart` keep them apart in input order."""
    order = np.argsort(values, kind="stable")
    if apart or not len(values):
        return TieGroups(order, np.arange(len(values)))
    ordered = values[order]
    return TieGroups(order, np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])))

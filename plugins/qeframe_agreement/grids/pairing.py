"""The pairs of systems within the items of a grid, and the coefficients that a tie table gives them."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, DataError, FloatArray, Grid, IntArray, TiePolicy
from qeframe_agreement.tie_tables import coefficients


def signs(first: FloatArray, second: FloatArray) -> NDArray[np.int8]:
    """Return the signs of first - second, 0 where a side is NaN."""
    return (first > second).astype(np.int8) - (first < second).astype(np.int8)


def check_table(ties: TiePolicy) -> TiePolicy:
    """Return a policy that excludes pairs by the human relation alone; raise a `DataError` for another one."""
    counted = coefficients(ties.table)[1]
    if (counted.any(axis=1) != counted.all(axis=1)).any():
        raise DataError(
            f"tie policy '{ties.name}' excludes pairs by the metric's relation: averages over items would compare "
            "metrics on different pairs",
            remedy="use a table whose rows are excluded as a whole",
        )
    return ties


@frozen(kw_only=True, eq=False)
class ItemPairs:
    """All pairs of systems within each item, as one matrix (pairs, n).

    Parameters
    ----------
    table : (12,) float32 or float64
        The coefficients of the nine cells, row by row, then three zeros for pairs that do not count; in single
        precision where that is exact.
    middle : (pairs, n) int8
        The position in the table of the coefficient of a metric tie. The coefficient of "first system above" is one
        position before it, that of "below" one position after it.
    first, second : (pairs,) int64
        The columns of each pair.
    """

    table: FloatArray
    middle: NDArray[np.int8]
    first: IntArray
    second: IntArray

    @property
    def counted(self) -> BoolArray:
        """(pairs, n) bool: the pairs that both sides have and the table does not exclude."""
        return self.middle < 9

    @property
    def size(self) -> FloatArray:
        """(n,) float64: how many pairs an item has, 1 for those without."""
        return np.maximum(np.count_nonzero(self.counted, axis=0), 1).astype(np.float64)

    @property
    def defined(self) -> FloatArray:
        """(n,) float64: 1 for items with a pair, 0 for the others."""
        return np.asarray(self.counted.any(axis=0), dtype=np.float64)

    def differences(self, predicted: FloatArray) -> FloatArray:
        """Return first minus second, (pairs, n), of scores (n, systems)."""
        columns = np.ascontiguousarray(predicted.T)
        return columns[self.first] - columns[self.second]

    def outcome(self, difference: FloatArray, epsilon: float) -> FloatArray:
        """Return the coefficients, (pairs, n), of the metric's differences at a threshold of ties."""
        position = self.middle - (difference > epsilon)
        position += difference < -epsilon
        return self.table[position]

    def values(self, predicted: FloatArray, epsilon: float) -> FloatArray:
        """Return the score of every item, (n,), 0 for items without a pair."""
        outcome = self.outcome(self.differences(predicted), epsilon)
        return np.asarray(outcome.sum(axis=0, dtype=np.float64) / self.size)


def item_pairs(batch: Grid, ties: TiePolicy) -> ItemPairs:
    """Return the pairs of a grid under a table that `check_table` passed."""
    first, second = np.triu_indices(batch.systems, 1)
    weights, included = coefficients(ties.table)
    gold, there = np.ascontiguousarray(batch.gold.T), np.ascontiguousarray(batch.present.T)
    middle = 4 - 3 * signs(gold[first], gold[second])
    if not there.all():
        middle[~(there[first] & there[second])] = 10
    if not included.all():
        middle[~np.append(included[:, 0].repeat(3), np.zeros(3, dtype=np.bool_))[middle]] = 10
    table = np.append(weights.ravel(), np.zeros(3))
    single = table.astype(np.float32)
    exact = (single == table).all() and (table * 4 == np.rint(table * 4)).all() and np.abs(table).max() < 64
    chosen: Any = single if exact else table
    return ItemPairs(table=chosen, middle=middle, first=first, second=second)

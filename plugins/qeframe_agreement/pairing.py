"""The pairs of systems within the items of a grid, and the coefficients that a tie table gives them."""

from __future__ import annotations

import math

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.batch import BoolArray, FloatArray, IntArray
from qeframe.components import TiePolicy
from qeframe.errors import DataError
from qeframe.grid import Grid
from qeframe_agreement.cells import coefficients

__all__ = ["ItemPairs", "check_table", "flatten_draws", "item_pairs", "signs"]


def signs(first: FloatArray, second: FloatArray) -> NDArray[np.int8]:
    """Return the signs of first - second, 0 where a side is NaN."""
    return (first > second).astype(np.int8) - (first < second).astype(np.int8)


def flatten_draws(weights: FloatArray) -> FloatArray:
    """Return weights (..., n) as (draws, n), also for n = 0."""
    return np.asarray(weights, dtype=np.float64).reshape(math.prod(weights.shape[:-1]), weights.shape[-1])


def check_table(ties: TiePolicy) -> TiePolicy:
    """Return a policy whose exclusions depend on the human alone, or say why it cannot be used."""
    counted = coefficients(ties.table)[1]
    if (counted.any(axis=1) != counted.all(axis=1)).any():
        raise DataError(
            f"tie policy '{ties.name}' excludes pairs by what the metric says: averages over items would compare "
            "metrics on different pairs",
            remedy="use a table whose rows are excluded as a whole",
        )
    return ties


@frozen(kw_only=True, eq=False)
class ItemPairs:
    """All pairs of systems within each item, in one matrix (n, pairs).

    Parameters
    ----------
    better, tied, worse : (n, pairs) float64
        The coefficient of a pair if the metric puts the first system above, level with or below the second. 0 for
        pairs that do not count.
    counted : (n, pairs) bool
        Which pairs both sides have and the table does not exclude.
    first, second : (pairs,) int64
        The columns of each pair.
    """

    better: FloatArray
    tied: FloatArray
    worse: FloatArray
    counted: BoolArray
    first: IntArray
    second: IntArray

    @property
    def size(self) -> FloatArray:
        """(n,) float64: how many pairs an item has, 1 for those without."""
        return np.maximum(self.counted.sum(axis=1), 1).astype(np.float64)

    @property
    def defined(self) -> FloatArray:
        """(n,) float64: 1 for items with a pair, 0 for the others."""
        return np.asarray(self.counted.any(axis=1), dtype=np.float64)

    def outcome(self, difference: FloatArray, epsilon: float) -> FloatArray:
        """Return the coefficients, (n, pairs), of the metric's differences at a threshold of ties."""
        above, below = difference > epsilon, difference < -epsilon
        chosen: FloatArray = np.where(above, self.better, np.where(below, self.worse, self.tied))
        return chosen

    def values(self, predicted: FloatArray, epsilon: float) -> FloatArray:
        """Return the score of every item, (n,), 0 for items without a pair."""
        outcome = self.outcome(predicted[:, self.first] - predicted[:, self.second], epsilon)
        values: FloatArray = np.add.reduce(outcome, axis=1) / self.size
        return values


def item_pairs(batch: Grid, ties: TiePolicy) -> ItemPairs:
    """Return the pairs of a grid under a table that `check_table` passed."""
    first, second = np.triu_indices(batch.systems, 1)
    weights, included = coefficients(ties.table)
    row = 1 - signs(batch.gold[:, first], batch.gold[:, second]).astype(np.int64)
    present = batch.present
    counted = present[:, first] & present[:, second] & included[:, 0][row]
    better, tied, worse = (weights[:, column][row] * counted for column in range(3))
    return ItemPairs(better=better, tied=tied, worse=worse, counted=counted, first=first, second=second)

"""The cells of a grid in pairs, by tables of tie policies, and in groups, whose scores are averaged.

Groups are all cells at once, every system over the items, or every item over its systems. A group without a cell is
left out. One that has cells but no score has a constant side: `Undefined` says how it counts.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import (
    Additive,
    BoolArray,
    Claim,
    DataError,
    FloatArray,
    Grid,
    IntArray,
    Statistic,
    TiePolicy,
    mean_of_sums,
)
from qeframe.plugin.resampling import flatten_draws

Table = tuple[tuple[float | None, ...], ...]

WMT14 = TiePolicy(
    name="wmt14",
    summary="Human ties excluded, metric ties count 0 in the numerator and 1 in the denominator",
    source="Metrics tasks 2014-16; Machacek and Bojar (2014), equation 3 with sums over <, = and >",
    table=((1.0, 0.0, -1.0), (None, None, None), (-1.0, 0.0, 1.0)),
    claims=("tie_neutral", "right_is_best"),
)  # the default of `kendall`. Plugins do not import each other, so it is repeated here; a test compares both.

ACC23 = TiePolicy(
    name="acc23",
    summary="The share of pairs with the relation that the human gave, ties included",
    source="Metrics tasks 2023-25; Deutsch, Foster and Freitag (2023)",
    table=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    claims=("right_is_best",),
)  # the default of `acc_eq`, repeated for the same reason


def coefficients(table: Table) -> tuple[FloatArray, BoolArray]:
    """Return the coefficients, (3, 3) with 0 for None, and which cells count as pairs, (3, 3)."""
    flat = [entry for row in table for entry in row]
    counted = np.array([entry is not None for entry in flat]).reshape(3, 3)
    return np.array([0.0 if entry is None else entry for entry in flat]).reshape(3, 3), counted


def bounds_of(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the smallest and the largest coefficient; -1 and 1 if there is none, and wider ones if all are equal."""
    low, high = min(numbers, default=-1.0), max(numbers, default=1.0)
    return (low, high) if low < high else (low - 1.0, high + 1.0)


def check_epsilon(epsilon: float) -> float:
    """Return a threshold of ties; raise a `DataError` for an invalid one."""
    if not 0 <= epsilon < np.inf:
        raise DataError(f"epsilon must be a finite number of at least 0, not {epsilon}")
    return epsilon


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
    """All pairs of systems within each item, as one matrix (pairs, n)."""

    # of the nine cells, row by row, then three zeros for pairs that do not count; float32 where that is exact
    table: FloatArray
    # (pairs, n): the position in the table of a metric tie; "first system above" is before it, "below" after it
    middle: NDArray[np.int8]
    first: IntArray  # the columns of each pair, (pairs,)
    second: IntArray

    @property
    def counted(self) -> BoolArray:
        """(pairs, n) bool: the pairs that both sides have and the table does not exclude."""
        return self.middle < 9

    @cached_property
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
    gold, present = np.ascontiguousarray(batch.gold.T), np.ascontiguousarray(batch.present.T)
    middle = 4 - 3 * signs(gold[first], gold[second])
    if not present.all():
        middle[~(present[first] & present[second])] = 10
    if not included.all():
        middle[~np.append(included[:, 0].repeat(3), np.zeros(3, dtype=np.bool_))[middle]] = 10
    table = np.append(weights.ravel(), np.zeros(3))
    single = table.astype(np.float32)
    exact = (single == table).all() and (table * 4 == np.rint(table * 4)).all() and np.abs(table).max() < 64
    chosen: Any = single if exact else table
    return ItemPairs(table=chosen, middle=middle, first=first, second=second)


Grouping = Literal["none", "item", "system"]
Undefined = Literal["drop", "zero", "propagate"]
"""How a group without a score counts: not; as 0, but not if it has fewer than two cells; the mean is undefined."""
Average = Literal["micro", "macro"]


class Group(Protocol):
    """A score of one group of cells."""

    def __call__(self, weights: FloatArray) -> FloatArray:
        """Return the scores under weights of the items, (draws, n) -> (draws,); NaN where undefined."""


@frozen(eq=False)
class GroupMean:
    """The mean of the scores of groups as a statistic."""

    groups: tuple[Group, ...]
    cells: FloatArray  # how many each group has in each item, (groups, n)
    undefined: Undefined
    micro: bool  # whether each group counts as often as it has cells; else all groups count alike
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.stack([group(flat) for group in self.groups]) if self.groups else np.empty((0, len(flat)))
        return self._means(scores, self.cells @ flat.T).reshape(weights.shape[:-1])

    def _means(self, scores: FloatArray, members: FloatArray) -> FloatArray:
        """Return the means of scores of groups with so many cells, both (groups, draws): (draws,)."""
        defined = ~np.isnan(scores)
        counted = np.asarray(defined | (members > 1) if self.undefined == "zero" else defined, dtype=np.float64)
        values = np.where(np.isnan(scores), 0.0, scores)
        if self.micro:
            counted, values = counted * members, values * members
        total = values.sum(axis=0)
        sums = [counted.sum(axis=0), total, (~defined & (members > 0)).sum(axis=0)]
        return _MEANS[self.undefined](np.stack(sums, axis=-1))


@frozen(eq=False)
class LeftOutGroupMean(GroupMean):
    """The same of groups that find their scores with each item left out themselves."""

    def jackknife(self) -> FloatArray:
        """Return the means with each item left out, (n,)."""
        scores = np.stack([group.jackknife() for group in self.groups])  # type: ignore[attr-defined]  # they have it
        return self._means(scores, self.cells.sum(axis=1, keepdims=True) - self.cells)


def _defined_mean(sums: FloatArray) -> FloatArray:
    """Return means of sums (..., 3) of counts, scores and groups without a score; NaN where there is such a group."""
    return np.where(sums[..., 2] > 0, np.nan, mean_of_sums(sums[..., :2]))


def _mean(sums: FloatArray) -> FloatArray:
    return mean_of_sums(sums[..., :2])


_MEANS: Mapping[Undefined, Callable[[FloatArray], FloatArray]] = {
    "drop": _mean,
    "zero": _mean,
    "propagate": _defined_mean,
}


def cells_of(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return both sides, (n, systems), with NaN where either of them is missing."""
    present = batch.present
    return np.where(present, batch.gold, np.nan), np.where(present, batch.predicted, np.nan)


def bind_groups(
    make: Callable[[FloatArray, FloatArray], Group],
    of_items: Callable[[FloatArray, FloatArray], FloatArray],
    grouping: Grouping,
    undefined: Undefined,
    average: Average,
    batch: Grid,
) -> Statistic:
    """Bind the mean of a score of groups; micro: weighted by how many cells each has.

    `make` gets both sides of a group, (n, columns) with NaN, and `of_items` those of all items, (n, systems), for the
    score of each, (n,), NaN where undefined.
    """
    x, y = cells_of(batch)
    present = ~np.isnan(x)
    if grouping == "item":
        values = of_items(x, y)
        defined, cells = ~np.isnan(values), present.sum(axis=1)
        counted = defined | (cells > 1) if undefined == "zero" else defined
        columns = [counted, np.where(defined, values, 0.0)]
        if undefined == "propagate":
            columns.append(~defined & (cells > 0))
        rows = np.stack(columns, axis=1)
        if average == "micro":
            rows *= cells[:, None]
        return Additive(rows, _defined_mean if undefined == "propagate" else mean_of_sums, batch.unit)
    parts = [slice(None)] if grouping == "none" else [slice(s, s + 1) for s in range(batch.systems)]
    groups = tuple(make(x[:, part], y[:, part]) for part in parts)
    of_parts = np.array([present[:, part].sum(axis=1) for part in parts], dtype=np.float64)
    of_parts = of_parts.reshape(len(parts), len(batch))
    mean = LeftOutGroupMean if groups and hasattr(groups[0], "jackknife") else GroupMean
    return mean(groups, of_parts, undefined, average == "micro", len(batch), batch.unit)


def claims_of(grouping: Grouping, undefined: Undefined) -> tuple[Claim, ...]:
    """Return the claims that a correlation of segment scores keeps.

    A submission abstains from an item by the same score for all its systems. The item is then dropped where undefined
    groups are dropped. Where they count 0, abstention lowers the score of a submission that is better than chance.
    """
    kept: tuple[Claim, ...] = ("constant_proof", "blind_proof", "location_scale_invariant")
    return (*kept, "abstention_proof") if (grouping, undefined) == ("item", "zero") else kept


def flatten(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the cells that are there, flat, and the item of each."""
    item, system = np.nonzero(~np.isnan(x))
    return x[item, system], y[item, system], item

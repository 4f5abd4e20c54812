"""Scores of groups of cells, averaged: all cells at once, every system over the items, every item over its systems.

A group without a cell is left out. A group that has cells but no score (a constant side) is dropped, or counts 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, Claim, FloatArray, Grid, IntArray, Statistic, mean_of_sums
from qeframe.plugin.resampling import flatten_draws

Grouping = Literal["none", "item", "system"]
Undefined = Literal["drop", "zero"]
Average = Literal["micro", "macro"]


class Group(Protocol):
    """A score of one group of cells."""

    def __call__(self, weights: FloatArray) -> FloatArray:
        """Return the scores under weights of the items, (draws, n) -> (draws,); NaN where undefined."""


@frozen(eq=False)
class GroupMean:
    """The mean of the scores of groups as a statistic.

    Parameters
    ----------
    groups : sequence of Group
    cells : (groups, n) float64
        How many cells each group has in each item.
    zero : bool
        Whether an undefined group that has cells counts 0; else it is dropped.
    micro : bool
        Whether each group counts as often as it has cells; else all groups count alike.
    """

    groups: tuple[Group, ...]
    cells: FloatArray
    zero: bool
    micro: bool
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.stack([group(flat) for group in self.groups]) if self.groups else np.empty((0, len(flat)))
        members = self.cells @ flat.T
        counted = np.asarray(members > 0 if self.zero else ~np.isnan(scores), dtype=np.float64)
        values = np.where(np.isnan(scores), 0.0, scores)
        if self.micro:
            counted, values = counted * members, values * members
        total = values.sum(axis=0)
        sums = np.stack([counted.sum(axis=0), total], axis=-1)
        return mean_of_sums(sums).reshape(weights.shape[:-1])


def cells_of(batch: Grid) -> tuple[FloatArray, FloatArray]:
    """Return both sides, (n, systems), with NaN where either of them is missing."""
    there = batch.present
    return np.where(there, batch.gold, np.nan), np.where(there, batch.predicted, np.nan)


def bind_groups(
    make: Callable[[FloatArray, FloatArray], Group],
    of_items: Callable[[FloatArray, FloatArray], FloatArray],
    grouping: Grouping,
    zero: bool,
    average: Average,
    batch: Grid,
) -> Statistic:
    """Bind a score of groups.

    Parameters
    ----------
    make : callable
        From the two sides, (n, columns) with NaN, to the score of the group of all these cells.
    of_items : callable
        From the two sides, (n, systems), to the score of every item, (n,), NaN where undefined.
    average : {"micro", "macro"}
        macro: the plain mean of the scores of groups. micro: weighted by how many cells each group has.
    """
    x, y = cells_of(batch)
    there = ~np.isnan(x)
    if grouping == "item":
        values = of_items(x, y)
        counted = there.any(axis=1) if zero else ~np.isnan(values)
        rows = np.stack([counted, np.where(np.isnan(values), 0.0, values)], axis=1)
        if average == "micro":
            rows *= there.sum(axis=1, keepdims=True)
        return Additive(rows, mean_of_sums, batch.unit)
    columns = [slice(None)] if grouping == "none" else [slice(s, s + 1) for s in range(batch.systems)]
    groups = tuple(make(x[:, column], y[:, column]) for column in columns)
    cells = np.array([there[:, column].sum(axis=1) for column in columns], dtype=np.float64).reshape(
        len(columns), len(batch)
    )
    return GroupMean(groups, cells, zero, average == "micro", len(batch), batch.unit)


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

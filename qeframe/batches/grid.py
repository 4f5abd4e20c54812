"""Batches of grids: what humans and a metric say of every system's translation of every item.

A row is an item (a segment), a column a system. NaN is a missing cell. A cell that the gold does not have is in no
pair and in no mean, whatever the metric says of it. A cell that only the metric lacks is an error in submissions that
are read from files; in grids made by hand it is left out in the same way, and `Grid.unanswered` counts it.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.batches.base import ALL_TIED, Batch, Best, BoolArray, FloatArray, IntArray, unit_field
from qeframe.errors import DataError

__all__ = ["Grid"]


def _pivot(batch: Grid) -> tuple[float, float]:
    return _center(batch.gold), _center(batch.predicted)


def _center(cells: FloatArray) -> float:
    """Return the mean of the cells that are there, exact if they are all equal; 0 if there is none."""
    there = cells[~np.isnan(cells)]
    return float(there[0] + np.mean(there - there[0])) if len(there) else 0.0


@frozen(kw_only=True, eq=False)
class Grid(Batch):
    """Gold and metric scores of items by systems; higher is better on both sides.

    Parameters
    ----------
    gold, predicted : (n, systems) float64
        NaN where a cell is missing, nowhere infinite.
    pivot : (float, float)
        Constants near the means of gold and predicted, about which moments are taken; inherited by parts.
    """

    unit: ClassVar[str] = "segment"
    gold: FloatArray = unit_field()
    predicted: FloatArray = unit_field()
    pivot: tuple[float, float] = field(default=attrs.Factory(_pivot, takes_self=True))

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, **declared: Any) -> Self:
        """Make a batch from two lists of rows, one row an item, one column a system.

        Parameters
        ----------
        gold, predicted : (n, systems) array_like
            None or NaN for a missing cell, on either side. A flat sequence is one row: one item, a value a system, none
            of them missing.

        Raises
        ------
        DataError
            If the shapes differ, rows differ in length, a value is infinite or not a number, or one of a flat sequence
            is missing.
        """
        truth, answers = _cells(gold, "gold"), _cells(predicted, "predicted")
        if truth.shape != answers.shape:
            sizes = " and ".join("{} x {}".format(*side.shape) for side in (truth, answers))
            remedy = "give both sides the same items and systems"
            raise DataError(f"length mismatch: gold and predicted have {sizes} cells", remedy=remedy)
        return cls(ids=np.arange(len(truth)), gold=truth, predicted=answers)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: FloatArray, predicted: FloatArray, best: Best = "high") -> Self:
        """Make a batch from aligned sides.

        Raises
        ------
        DataError
            If the metric misses a cell that the gold has.
        """
        missing = np.argwhere(np.isnan(predicted) & ~np.isnan(gold))
        if len(missing):
            item, system = missing[0]
            more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
            raise DataError(
                f"metric score of system {system} for segment {ids[item]} is missing{more}",
                remedy="complete the submission: missing scores are not filled, and leaving them out can be gamed",
            )
        return cls(ids=ids, gold=gold, predicted=predicted)

    @classmethod
    def worst_answers(cls, gold: FloatArray, predicted: FloatArray) -> FloatArray:
        """Return rows in the reverse order of the gold, within the range of `predicted`; constant rows in its middle.

        The best system of an item gets the lowest score, the worst the highest, the others in proportion.
        """
        there = predicted[~np.isnan(predicted)]
        if not len(there):
            raise DataError(
                "a submission without any answer has no range to take the worst answer from", remedy="remove it"
            )
        absent = np.isnan(gold)
        low = np.where(absent, np.inf, gold).min(axis=1, keepdims=True, initial=np.inf)
        high = np.where(absent, -np.inf, gold).max(axis=1, keepdims=True, initial=-np.inf)
        share = np.full(gold.shape, 0.5)
        np.divide(high - gold, high - low, out=share, where=(high > low) & ~absent)
        return there.min() + share * (there.max() - there.min())

    def gold_warning(self) -> str:
        """Say if there is no pair of systems, or humans decided none."""
        there = ~np.isnan(self.gold)
        if len(self) and self.systems == 1:
            return "there is only one system: no pair of systems to compare"
        low = np.where(there, self.gold, np.inf).min(axis=1, initial=np.inf)
        high = np.where(there, self.gold, -np.inf).max(axis=1, initial=-np.inf)
        paired = there.sum(axis=1) > 1
        return ALL_TIED if paired.any() and bool((low == high)[paired].all()) else ""

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return self.gold.shape[1]

    @property
    def present(self) -> BoolArray:
        """(n, systems) bool: the cells that both sides have."""
        return ~(np.isnan(self.gold) | np.isnan(self.predicted))

    @property
    def unanswered(self) -> int:
        """How many cells the gold has and the metric lacks."""
        return int((np.isnan(self.predicted) & ~np.isnan(self.gold)).sum())

    def answers_same_cells(self, other: Self) -> bool:
        """Say whether another metric has the same cells."""
        return np.array_equal(self.present, other.present)

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the scores where `mask` is true: (n,) whole items, (n, systems) single cells."""
        swap = mask[:, None] if mask.ndim == 1 else mask
        mine, theirs = self.predicted, other.predicted
        return (
            attrs.evolve(self, predicted=np.where(swap, theirs, mine)),
            attrs.evolve(other, predicted=np.where(swap, mine, theirs)),
        )

    def stacked(self, other: Self) -> Self:
        """Return the batch of the items of both, one below the other; ids are kept, so that they occur twice."""
        return attrs.evolve(
            self,
            ids=np.concatenate([self.ids, other.ids]),
            gold=np.concatenate([self.gold, other.gold]),
            predicted=np.concatenate([self.predicted, other.predicted]),
        )


def _cells(values: Any, what: str) -> FloatArray:
    """Return a matrix with NaN for missing cells; a flat sequence is one row."""
    if values is None:
        raise DataError(f"{what} scores are missing", remedy="give a list of rows, one row an item")
    try:
        array = np.asarray(values, dtype=np.float64)  # None becomes NaN
    except (TypeError, ValueError):
        raise DataError(f"{what} scores must be rows of numbers of the same length, None where missing") from None
    if array.ndim == 1:
        absent = np.flatnonzero(np.isnan(array))
        if len(absent):
            remedy = "give a number, or rows of a grid, [[...], ...], in which cells may be missing"
            raise DataError(f"missing value at position {absent[0]} of {what}", remedy=remedy)
        array = array[None] if len(array) else np.empty((0, 0))
    if array.ndim != 2:
        raise DataError(f"{what} scores must have one or two dimensions, not {array.ndim}")
    wrong = np.argwhere(np.isinf(array))
    if len(wrong):
        raise DataError(
            f"infinite value in row {wrong[0][0]}, column {wrong[0][1]} of {what}", remedy="give finite numbers"
        )
    return array

"""Batches of grids: human and metric scores of every system's translation of every item.

A row is an item (a segment), a column is a system. NaN is a missing cell. A cell that is missing in the gold is in no
pair and in no mean. A cell that is missing only in the metric is an error in submissions that are read from files; in
grids made by hand it is left out too, and `Grid.unanswered` counts it.
"""

from typing import Any, ClassVar, Self

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batch import ALL_TIED, Batch, Best, BoolArray, FloatArray, IntArray, unit_field
from qeframe.core.errors import DataError
from qeframe.data.align import and_more
from qeframe.data.numbers import LARGEST, real_numbers, unmasked
from qeframe.kinds.answers import range_of, swapped
from qeframe.kinds.unit_numbers import UnitNumbers, z_scores


def _pivot(batch: "Grid") -> tuple[float, float]:
    """Return the constants about which moments of gold and predicted are taken."""
    return _center(batch.gold), _center(batch.predicted)


def _center(cells: FloatArray) -> float:
    """Return the mean of the cells that are present, exact if all are equal; 0 if there is none."""
    present = cells[~np.isnan(cells)]
    return float(present[0] + np.mean(present - present[0])) if len(present) else 0.0


@frozen(kw_only=True, eq=False, repr=False)
class Grid(Batch):
    """Gold and metric scores of items by systems; higher is better on both sides.

    Parameters
    ----------
    gold, predicted : (n, systems) float64
        NaN where a cell is missing; not infinite.
    pivot : (float, float)
        Constants near the means of gold and predicted, about which moments are taken; parts keep those of the whole.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Grid
    >>> grid = Grid.from_plain([[1, 2], [3, 5]], [[1, 3], [4, 5]])  # segments x systems
    >>> round(qeframe.score("system_pearson", grid), 3)
    1.0
    """

    unit: ClassVar[str] = "segment"
    crossed: ClassVar[bool] = True
    gold: FloatArray = unit_field()
    predicted: FloatArray = unit_field()
    pivot: tuple[float, float] = field(default=attrs.Factory(_pivot, takes_self=True))

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, **declared: Any) -> Self:
        """Make a batch from two lists of rows: a row is an item, a column is a system.

        Parameters
        ----------
        gold, predicted : (n, systems) array_like
            None or NaN for a missing cell, on either side. A flat sequence is one row, with one value per system; none
            of them may be missing.

        Raises
        ------
        DataError
            If the shapes differ, rows differ in length, a value is infinite or not a number, or a value of a flat
            sequence is missing.
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
            If a cell of the gold is missing in the metric.
        """
        missing = np.argwhere(cls.missing_answers(gold, predicted))
        if len(missing):
            item, system = missing[0]
            raise DataError(
                f"metric score of system {system} for segment {ids[item]} is missing{and_more(len(missing))}",
                remedy="complete the submission: missing scores are not filled, and leaving them out can be gamed",
            )
        return cls(ids=ids, gold=gold, predicted=predicted)

    @classmethod
    def missing_answers(cls, gold: FloatArray, predicted: FloatArray) -> BoolArray:
        """Return the cells that the gold has and the metric lacks, (n, systems) bool."""
        missing: BoolArray = np.isnan(predicted) & ~np.isnan(gold)
        return missing

    @classmethod
    def worst_answers(cls, gold: FloatArray, predicted: FloatArray) -> FloatArray:
        """Return scores in the reverse order of the gold, within the range of `predicted`.

        The best system of an item gets the lowest score, the worst system the highest, the others a score in
        proportion. If the gold of an item is constant, all its systems get the middle of the range.
        """
        lowest, highest = range_of(predicted[~np.isnan(predicted)])
        absent = np.isnan(gold)
        low = np.where(absent, np.inf, gold).min(axis=1, keepdims=True, initial=np.inf)
        high = np.where(absent, -np.inf, gold).max(axis=1, keepdims=True, initial=-np.inf)
        share = np.full(gold.shape, 0.5)
        np.divide(high - gold, high - low, out=share, where=(high > low) & ~absent)
        return lowest + share * (highest - lowest)

    @property
    def has_gold(self) -> bool:
        """Whether any cell has a gold; true of an empty grid."""
        return not self.gold.size or not bool(np.isnan(self.gold).all())

    def gold_warning(self) -> str:
        """Return a warning if no cell has a gold, there is no pair of systems, or humans decided no pair."""
        if not self.has_gold:
            return "there is no gold: scores that need one are undefined, and nothing is compared"
        present = ~np.isnan(self.gold)
        if len(self) and self.systems == 1:
            return "there is only one system: no pair of systems to compare"
        low = np.where(present, self.gold, np.inf).min(axis=1, initial=np.inf)
        high = np.where(present, self.gold, -np.inf).max(axis=1, initial=-np.inf)
        paired = present.sum(axis=1) > 1
        return ALL_TIED if paired.any() and bool((low == high)[paired].all()) else ""

    def unit_numbers(self) -> UnitNumbers:
        """Return the z-scores of all cells, item by item."""
        gold, answers = z_scores(self.gold.ravel()), z_scores(self.predicted.ravel())
        measure = "mean over the submissions of |z-score of their score - of the human score|"
        return UnitNumbers(
            answers=answers, gold=gold, gaps=np.abs(answers - gold), values="z-score", measure=measure, ends=(-4.0, 4.0)
        )

    @property
    def systems(self) -> int:
        """The number of systems."""
        return self.gold.shape[1]

    @property
    def present(self) -> BoolArray:
        """(n, systems) bool: the cells that are present on both sides."""
        return ~(np.isnan(self.gold) | np.isnan(self.predicted))

    def without_cells(self, cells: BoolArray) -> Self:
        """Return the grid with cells missing on both sides; moments are still taken about the same pivot."""
        gold, predicted = (np.where(cells, np.nan, side) for side in (self.gold, self.predicted))
        return attrs.evolve(self, gold=gold, predicted=predicted)

    @property
    def unanswered(self) -> int:
        """The number of cells that are present in the gold and missing in the metric."""
        return int(self.missing_answers(self.gold, self.predicted).sum())

    def answers_same_cells(self, other: Self) -> bool:
        """Return whether the same cells are present with another metric."""
        return np.array_equal(self.present, other.present)

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the scores where `mask` is true: whole items for a mask (n,), single cells for a mask (n, systems)."""
        return swapped(self, other, mask)


def _cells(values: Any, what: str) -> FloatArray:
    """Return a matrix with NaN for missing cells; a flat sequence is one row."""
    if values is None:
        raise DataError(f"{what} scores are missing", remedy="give a list of rows, one row per item")
    unmasked(values, what)
    try:
        array = real_numbers(values)
    except (TypeError, ValueError, OverflowError):
        what = f"{what} scores must be rows of numbers of the same length"
        raise DataError(what, remedy="give None where a score is missing") from None
    if array.ndim == 1:
        absent = np.flatnonzero(np.isnan(array))
        if len(absent):
            remedy = "give a number, or rows of a grid, [[...], ...], in which cells may be missing"
            raise DataError(f"missing value at position {absent[0]} of {what}", remedy=remedy)
        array = array[None] if len(array) else np.empty((0, 0))
    if array.ndim != 2:
        what = f"{what} scores must have one or two dimensions, not {array.ndim}"
        raise DataError(what, remedy="give a list of rows, one row per item")
    wrong = np.argwhere(np.abs(array) > LARGEST)  # infinite ones too
    if len(wrong):
        kind = "infinite" if np.isinf(array[tuple(wrong[0])]) else "too large a"
        where = f"in row {wrong[0][0]}, column {wrong[0][1]} of {what}"
        remedy = f"give finite numbers of magnitudes up to {LARGEST:g}"
        raise DataError(f"{kind} value {where}", remedy=remedy)
    return array

"""Batches of numbers: a predicted number per unit, with a gold number (`Scores`) or without one (`Values`)."""

from typing import Any, ClassVar, Self, TypeVar

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import ArrayLike

from qeframe.core.batch import Batch, Best, BoolArray, FloatArray, IntArray, unit_field
from qeframe.core.errors import DataError
from qeframe.data.numbers import check_same_length, finite_numbers
from qeframe.kinds.answers import range_of, swapped
from qeframe.kinds.unit_numbers import UnitNumbers, z_scores
from qeframe.statistics.scale_transforms import magnitude_of


@frozen(kw_only=True, eq=False, repr=False)
class Values(Batch):
    """One number per unit and no gold side: per-segment scores, or the results of repeated experiments.

    Parameters
    ----------
    predicted : (n,) float64
        Finite when made from plain values. Ratings that are read from files are NaN where a unit was not rated.

    Examples
    --------
    >>> from qeframe.plugin import Values
    >>> Values.from_plain([1, 2, 3], [1, 2, 4]).predicted.tolist()
    [1.0, 2.0, 4.0]
    """

    unit: ClassVar[str] = "segment"
    predicted: FloatArray = unit_field()

    @classmethod
    def from_plain(cls, gold: ArrayLike | None, predicted: ArrayLike, **declared: Any) -> Self:
        """Make a batch of numbers; `gold` is ignored and may be None."""
        values = finite_numbers(predicted, "predicted", least=1)
        return cls(ids=np.arange(len(values)), predicted=values)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: Any, predicted: FloatArray, best: Best) -> Self:
        """Make a batch from aligned sides; the gold is ignored."""
        return cls(ids=ids, predicted=predicted)

    def unit_numbers(self) -> UnitNumbers:
        """Return the numbers as they are."""
        return UnitNumbers(answers=self.predicted)

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the numbers where `mask` is true."""
        return swapped(self, other, mask)


def _pivot(batch: "Scores") -> tuple[float, float]:
    """Return the constants about which moments of gold and predicted are taken."""
    return (_center(batch.gold), _center(batch.predicted))


def _center(values: FloatArray) -> float:
    """Return the mean. It is exact for a constant array, whose plain mean may differ from the value by rounding."""
    return float(values[0] + np.mean(values - values[0])) if len(values) else 0.0


def _without_noise(values: FloatArray) -> FloatArray:
    """Return the first value in the place of all if their spread is below 1e-12 of their size: .3 and .1 + .2."""
    if not len(values):
        return values
    low, high = values.min(), values.max()
    return np.full_like(values, values[0]) if 0 < high - low <= _ROUNDING * max(abs(low), abs(high)) else values


_ROUNDING = 1e-12


def _unit(batch: "Scores") -> tuple[float, float]:
    """Return the powers of two that deviations of gold and predicted from the pivot are measured in."""
    gold, predicted = (
        float(magnitude_of(side - at, axis=0))
        for side, at in zip((batch.gold, batch.predicted), batch.pivot, strict=True)
    )
    low, high = _NEAR_ONE
    return 1.0 if low < gold < high else gold, 1.0 if low < predicted < high else predicted


_NEAR_ONE = (2.0**-200, 2.0**200)
"""Between these sizes squares and their products neither vanish nor overflow: the unit is 1."""


@frozen(kw_only=True, eq=False, repr=False)
class Scores(Values):
    """One gold number and one predicted number per unit: sentence-level quality estimation.

    Parameters
    ----------
    gold, predicted : (n,) float64
        Finite; at least one unit when made from plain values.
    best : {"low", "high"}
        Which end of the gold scale is good. Only ranking metrics such as DeltaAvg use it.
    pivot : (float, float)
        Constants near the means of gold and predicted, about which moments are taken. They are computed from the whole
        batch and kept by its parts: the sums of the parts then add up to the sums of the whole.
    moment_unit : (float, float)
        Powers of two, by which deviations from the pivot are divided before they are squared. 1 for all but very small
        and very large numbers; kept by parts as the pivot is.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Scores
    >>> qeframe.score("mae", Scores.from_plain([1, 2, 3], [1, 2, 4.5]))
    0.5
    """

    unit: ClassVar[str] = "segment"
    gold: FloatArray = unit_field()
    best: Best = "low"
    pivot: tuple[float, float] = field(default=attrs.Factory(_pivot, takes_self=True))
    moment_unit: tuple[float, float] = field(default=attrs.Factory(_unit, takes_self=True))

    @classmethod
    def from_plain(cls, gold: ArrayLike | None, predicted: ArrayLike, *, best: Best = "low", **declared: Any) -> Self:
        """Make a batch from two sequences of numbers of the same length, at least one.

        Raises
        ------
        DataError
            If a value is missing (None, NaN), infinite or not a number, lengths differ, or there is none.
        """
        if gold is None:
            raise DataError("gold values are missing", remedy="None is only for metrics without a gold side")
        truth, answers = finite_numbers(gold, "gold", least=1), finite_numbers(predicted, "predicted", least=1)
        check_same_length(len(truth), len(answers))
        return cls.pair(ids=np.arange(len(truth)), gold=truth, predicted=answers, best=best)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: FloatArray, predicted: FloatArray, best: Best) -> Self:
        """Make a batch from aligned sides; numbers that differ by rounding alone are made equal."""
        return cls(ids=ids, gold=_without_noise(gold), predicted=_without_noise(predicted), best=best)

    def contents(self, position: int) -> dict[str, str]:
        """Return both numbers."""
        return {"gold": f"{self.gold[position]:g}", "predicted": f"{self.predicted[position]:g}"}

    def unit_numbers(self) -> UnitNumbers:
        """Return the numbers as they are. Gaps are of z-scores: scale and location make no submission better."""
        gaps = np.abs(z_scores(self.predicted) - z_scores(self.gold))
        measure = "mean over the submissions of |z-score of prediction - z-score of gold|"
        return UnitNumbers(answers=self.predicted, gold=self.gold, gaps=gaps, measure=measure)

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the predicted numbers where `mask` is true. Each result has its own pivot and unit."""
        mine, theirs = super().swap_answers(other, mask)
        return _with_own_pivot(mine), _with_own_pivot(theirs)

    def gold_warning(self) -> str:
        """Return a warning if the gold is constant."""
        constant = len(self.gold) > 0 and bool((self.gold == self.gold[0]).all())
        return "the gold is constant: correlations with it are undefined" if constant else ""

    @classmethod
    def worst_answers(cls, gold: FloatArray, predicted: FloatArray) -> FloatArray:
        """Return, for each gold value, the end of the range of `predicted` that is farther from it."""
        low, high = range_of(predicted)
        return np.where(np.abs(gold - low) > np.abs(gold - high), low, high)


B = TypeVar("B", bound=Scores)


def _with_own_pivot(batch: B) -> B:
    near = attrs.evolve(batch, pivot=_pivot(batch))
    return attrs.evolve(near, moment_unit=_unit(near))

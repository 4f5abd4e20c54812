"""Batches: n units of one kind, the gold side and one submission's side, aligned by id.

A kind of batch knows how to be made from plain Python values, how to keep some of its units, how to swap units with
another submission's batch, and which answer would be the worst to a unit that a submission left out. Nothing in here
knows a metric. A plugin may bring a kind of its own: a subclass of `Batch`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self, TypeVar

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.errors import DataError
from qeframe.ragged import Ragged

__all__ = [
    "ALL_TIED",
    "Batch",
    "Best",
    "BoolArray",
    "FloatArray",
    "IntArray",
    "Scores",
    "Values",
    "is_sparse",
    "take_units",
]

ALL_TIED = "all human pairs are ties: no metric can be told from another by what it decides"
"""The remark of batches of pairs in which humans decided none."""

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Best = Literal["low", "high"]
"""Which end of the gold scale is good: low for HTER, MAE of effort or time; high for direct assessment."""


@frozen(kw_only=True, eq=False)
class Batch:
    """The root of all kinds of batch.

    Parameters
    ----------
    ids : (n,) int64
        The identity of every unit, unique, the same on both sides.
    """

    unit: ClassVar[str] = "unit"
    """What one unit is: sentence, segment, judgement ..."""

    ids: IntArray
    _extracted: dict[Callable[..., Any], FloatArray] = field(factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, extract: Callable[[Any], FloatArray]) -> FloatArray:
        """Return ``extract(self)``, computed once for all metrics that share `extract`."""
        if extract not in self._extracted:
            self._extracted[extract] = extract(self)
        return self._extracted[extract]

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, **declared: Any) -> Self:
        """Make a batch from what a user has at hand: lists and arrays, in the same order on both sides."""
        remedy = f"make a {cls.__name__} and give it as it is"
        raise DataError(f"a batch of {cls.__name__} cannot be made from plain values", remedy=remedy)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: Any, predicted: Any, best: Best) -> Self:
        """Make a batch from two sides that are aligned and checked already."""
        return cls.from_plain(gold, predicted, best=best)

    @classmethod
    def worst_answers(cls, gold: Any, predicted: Any) -> Any:
        """Return, for gold units that a submission left out, the worst answers within its own range."""
        raise DataError(f"'score_as_worst' is not defined for a batch of {cls.__name__}", remedy="use 'drop_for_all'")

    def remark(self) -> str:
        """Say what a reader of scores on this gold should know, in one sentence; mostly nothing."""
        return ""

    def same_places(self, other: Self) -> bool:
        """Say whether another submission has its answers in the same places; where none may be missing it has."""
        return True

    def take(self, units: NDArray[Any]) -> Self:
        """Return the batch of the given units (positions or a mask)."""
        parts = {str(f.alias): take_units(getattr(self, f.name), units) for f in _sides(type(self))}
        return attrs.evolve(self, **parts)

    def exchanged(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Return both batches after the two submissions swapped their answers where `mask`, (n,), is true."""
        raise DataError(f"units of a batch of {type(self).__name__} cannot be exchanged")


def _sides(kind: type[Batch]) -> list[attrs.Attribute[Any]]:
    return [f for f in attrs.fields(kind) if f.metadata.get("per_unit") or f.name == "ids"]


def per_unit(**options: Any) -> Any:
    """Declare a field of a batch that holds one entry a unit, so that `Batch.take` cuts it."""
    return field(metadata={"per_unit": True}, **options)


def is_sparse(values: Any) -> bool:
    """Say whether an array is one of scipy's sparse arrays, without importing them."""
    return hasattr(values, "tocsr")


def take_units(values: Any, units: NDArray[Any]) -> Any:
    """Return the given units (positions or a mask) of an array or a ragged array."""
    if isinstance(values, Ragged):
        return values.take(np.flatnonzero(units) if units.dtype == np.bool_ else units)
    return values[units]


@frozen(kw_only=True, eq=False)
class Values(Batch):
    """One number a unit and no gold side: per-segment scores, or the results of repeated experiments.

    Parameters
    ----------
    predicted : (n,) float64
        Finite.
    """

    unit: ClassVar[str] = "segment"
    predicted: FloatArray = per_unit()

    @classmethod
    def from_plain(cls, gold: ArrayLike | None, predicted: ArrayLike, **declared: Any) -> Self:
        """Make a batch of numbers; `gold` may be None, and is not looked at."""
        values = numbers(predicted, "predicted", least=1)
        return cls(ids=np.arange(len(values)), predicted=values)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: Any, predicted: FloatArray, best: Best) -> Self:
        """Make a batch from aligned sides; the gold is not looked at."""
        return cls(ids=ids, predicted=predicted)

    def exchanged(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the numbers where `mask` is true."""
        mine, theirs = self.predicted, other.predicted
        return (
            attrs.evolve(self, predicted=np.where(mask, theirs, mine)),
            attrs.evolve(other, predicted=np.where(mask, mine, theirs)),
        )


def _pivot(batch: Scores) -> tuple[float, float]:
    return (_centre(batch.gold), _centre(batch.predicted))


def _centre(values: FloatArray) -> float:
    """Return the mean, exact for a constant array (a mean of n copies may differ from the value by a rounding)."""
    return float(values[0] + np.mean(values - values[0])) if len(values) else 0.0


@frozen(kw_only=True, eq=False)
class Scores(Values):
    """One gold number and one predicted number a unit: sentence-level quality estimation.

    Parameters
    ----------
    gold, predicted : (n,) float64
        Finite; at least two units when made from plain values.
    best : {"low", "high"}
        Which end of the gold scale is good. Only ranking metrics such as DeltaAvg ask.
    pivot : (float, float)
        Constants near the means of gold and predicted, about which moments are taken. Set once from the whole batch
        and inherited by its parts, so that sums over parts add up to the sums of the whole.
    """

    unit: ClassVar[str] = "segment"
    gold: FloatArray = per_unit()
    best: Best = "low"
    pivot: tuple[float, float] = field(default=attrs.Factory(_pivot, takes_self=True))

    @classmethod
    def from_plain(cls, gold: ArrayLike | None, predicted: ArrayLike, *, best: Best = "low", **declared: Any) -> Self:
        """Make a batch from two sequences of numbers of the same length, at least two.

        Raises
        ------
        DataError
            If a value is missing (None, NaN), infinite or not a number, if the lengths differ, or for too few values.
        """
        if gold is None:
            raise DataError("gold values are missing", remedy="only metrics without a gold side take None")
        truth, answers = numbers(gold, "gold", least=2), numbers(predicted, "predicted", least=2)
        same_length(len(truth), len(answers))
        return cls(ids=np.arange(len(truth)), gold=truth, predicted=answers, best=best)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: FloatArray, predicted: FloatArray, best: Best) -> Self:
        """Make a batch from aligned sides."""
        return cls(ids=ids, gold=gold, predicted=predicted, best=best)

    def exchanged(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the predicted numbers where `mask` is true; each side gets a pivot of its own."""
        mine, theirs = super().exchanged(other, mask)
        return _about_own_pivot(mine), _about_own_pivot(theirs)

    def remark(self) -> str:
        """Say if the gold is constant."""
        constant = len(self.gold) > 0 and bool((self.gold == self.gold[0]).all())
        return "the gold is constant: correlations with it are undefined" if constant else ""

    @classmethod
    def worst_answers(cls, gold: FloatArray, predicted: FloatArray) -> FloatArray:
        """Return, for each gold value, the end of the range of `predicted` that is farther from it."""
        if not len(predicted):
            raise DataError(
                "a submission without any answer has no range to take the worst answer from", remedy="remove it"
            )
        low, high = predicted.min(), predicted.max()
        return np.where(np.abs(gold - low) > np.abs(gold - high), low, high)


B = TypeVar("B", bound=Scores)


def _about_own_pivot(batch: B) -> B:
    return attrs.evolve(batch, pivot=_pivot(batch))


LARGEST = 1e100
"""The largest magnitude of a number of a unit: sums of squares and products of it are still finite."""


def numbers(values: ArrayLike, what: str, *, least: int) -> FloatArray:
    """Return finite float64 numbers of magnitudes up to `LARGEST`, or say which value is not one.

    Parameters
    ----------
    values : array_like
        One dimension.
    what : str
        The name of the argument, for messages.
    least : int
        How many there must be at least.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"{what} values must be numbers, one a unit", remedy="give a list or an array of numbers"
        ) from None
    if array.ndim != 1:
        remedy = "give a list or an array of numbers"
        raise DataError(f"{what} values must have one dimension, not {array.ndim}", remedy=remedy)
    if len(array) < least:
        raise DataError(f"too few values: {len(array)} {what}", remedy=f"at least {least} are needed")
    wrong = np.flatnonzero(~np.isfinite(array))
    if len(wrong):
        kind = "missing value (NaN)" if np.isnan(array[wrong[0]]) else "infinite value"
        raise DataError(f"{kind} at position {wrong[0]} of {what}", remedy="every unit needs a finite number")
    large = np.flatnonzero(np.abs(array) > LARGEST)
    if len(large):
        what = f"{array[large[0]]:g} at position {large[0]} of {what} is too large to compute with"
        raise DataError(what, remedy=f"magnitudes up to {LARGEST:g} are accepted")
    return array


def same_length(gold: int, predicted: int, *, unit: str = "values") -> None:
    """Raise a `DataError` unless both sides have as many units."""
    if gold != predicted:
        remedy = "give both sides the same units in the same order"
        raise DataError(f"length mismatch: {gold} gold {unit} and {predicted} predicted ones", remedy=remedy)


def check_kind(batch: Batch, kind: type[Batch], asker: str) -> None:
    """Raise a `DataError` unless `batch` is of the kind that `asker` works on."""
    if not isinstance(batch, kind):
        what = f"{asker} works on {kind.__name__}, not on {type(batch).__name__}"
        raise DataError(what, remedy=f"choose a metric on {type(batch).__name__}, or another reader")


def labels_to_index(labels: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    """Return the number of each unit's label, in order of first appearance, and the distinct labels."""
    numbers_of: Mapping[str, int] = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return np.fromiter((numbers_of[label] for label in labels), np.int64, len(labels)), tuple(numbers_of)

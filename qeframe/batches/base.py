"""Batches: n units of one kind, the gold side and one submission's side, aligned by id.

A kind of batch knows how to be made from plain Python values, how to keep some of its units, how to swap units with
another submission's batch, and which answer would be the worst to a unit that a submission left out. Nothing in here
knows a metric. A plugin may bring a kind of its own: a subclass of `Batch`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.batches.ragged import Ragged
from qeframe.errors import DataError

__all__ = ["ALL_TIED", "Batch", "Best", "BoolArray", "FloatArray", "IntArray", "is_sparse", "take_units"]

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
    """What one unit is: sentence, segment, judgment ..."""
    former_units: ClassVar[tuple[str, ...]] = ()
    """What one unit was called in the release before; a profile that says so is read with a warning."""

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

    def gold_warning(self) -> str:
        """Say what a reader of scores on this gold should know, in one sentence; mostly nothing."""
        return ""

    def answers_same_cells(self, other: Self) -> bool:
        """Say whether another submission has its answers in the same places; where none may be missing it has."""
        return True

    def take(self, units: NDArray[Any]) -> Self:
        """Return the batch of the given units (positions or a mask)."""
        parts = {str(f.alias): take_units(getattr(self, f.name), units) for f in _sides(type(self))}
        return attrs.evolve(self, **parts)

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Return both batches after the two submissions swapped their answers where `mask`, (n,), is true."""
        raise DataError(f"units of a batch of {type(self).__name__} cannot be exchanged")


def _sides(kind: type[Batch]) -> list[attrs.Attribute[Any]]:
    return [f for f in attrs.fields(kind) if f.metadata.get("per_unit") or f.name == "ids"]


def unit_field(**options: Any) -> Any:
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


def check_kind(batch: Batch, kind: type[Batch], asker: str) -> None:
    """Raise a `DataError` unless `batch` is of the kind that `asker` works on."""
    if not isinstance(batch, kind):
        what = f"{asker} works on {kind.__name__}, not on {type(batch).__name__}"
        raise DataError(what, remedy=f"choose a metric on {type(batch).__name__}, or another reader")


def labels_to_index(labels: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    """Return the number of each unit's label, in order of first appearance, and the distinct labels."""
    numbers_of: Mapping[str, int] = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return np.fromiter((numbers_of[label] for label in labels), np.int64, len(labels)), tuple(numbers_of)

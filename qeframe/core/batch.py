"""The root of all kinds of batch: the answers of one submission to the units of a task, and the gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Literal, Self, TypeVar

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core.errors import DataError, counted
from qeframe.core.ragged import Ragged, freeze, read_only

ALL_TIED = "all pairs are human ties: no metric can be better than another"
"""The warning of batches of pairs in which humans decided no pair."""

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Best = Literal["low", "high"]
"""Which end of the gold scale is good: low for HTER, MAE of effort or time; high for direct assessment."""


Key = TypeVar("Key")
Value = TypeVar("Value", covariant=True)


class ReadOnlyMapping(Mapping[Key, Value]):
    """A copy of a mapping that cannot be changed. Unlike a mapping proxy, it can be sent to another process."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[Key, Value]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: Key) -> Value:
        return self._items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)


def read_only_mapping(items: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return a mapping that cannot be changed; one that cannot is returned as it is."""
    return items if isinstance(items, ReadOnlyMapping) else ReadOnlyMapping(items)


@frozen(kw_only=True, eq=False, repr=False)
class Batch:
    """The root of all kinds of batch.

    All arrays of a batch are read-only, and so is what `rows` returns: no metric can change what the next one is given.
    An array that is given stays writable for its owner, and the batch holds a copy.

    Parameters
    ----------
    ids : (n,) int64
        The identity of every unit, equal on both sides: unique, except after `join_units`.

    Examples
    --------
    >>> from qeframe.plugin import Scores
    >>> batch = Scores.from_plain([1, 2, 3], [1, 2, 4])
    >>> len(batch), batch.unit, batch.contents(2)
    (3, 'segment', {'gold': '3', 'predicted': '4'})
    """

    unit: ClassVar[str] = "unit"
    """What one unit is: sentence, segment, judgment ..."""
    crossed: ClassVar[bool] = False
    """Whether each unit has one cell for each of several systems; `present` and `without_cells` are then defined."""
    compares: ClassVar[bool] = False
    """Whether each unit is a comparison of two systems; `systems`, (n, 2), then says which."""
    from_texts: ClassVar[bool] = False
    """Whether gold (a `Ragged` of references) and answers are texts: metrics are then computed from texts of a task."""

    ids: IntArray
    _extracted: dict[Callable[..., Any], FloatArray] = field(factory=dict, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        for attribute in attrs.fields(type(self)):
            value = getattr(self, attribute.name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, attribute.name, read_only(value))

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {counted(len(self), self.unit)}>"

    def rows(self, extract: Callable[[Any], FloatArray]) -> FloatArray:
        """Return ``extract(self)``, read-only, computed once for all metrics that share `extract`."""
        if extract not in self._extracted:
            self._extracted[extract] = hold_rows(extract(self))
        return self._extracted[extract]

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, **declared: Any) -> Self:
        """Make a batch from lists and arrays, in the same order on both sides."""
        remedy = f"construct a {cls.__name__} and give it instead"
        raise DataError(f"a batch of {cls.__name__} cannot be made from plain values", remedy=remedy)

    @classmethod
    def from_gold(cls, gold: Any) -> Self:
        """Make a batch from a plain gold, with the gold handed in as the submission."""
        return cls.from_plain(gold, gold)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: Any, predicted: Any, best: Best) -> Self:
        """Make a batch from two sides that are already aligned and checked."""
        return attrs.evolve(cls.from_plain(gold, predicted, best=best), ids=ids)

    @classmethod
    def worst_answers(cls, gold: Any, predicted: Any) -> Any:
        """Return the worst answers to gold units that a submission left out, within the range of its own answers."""
        raise DataError(
            f"'score_as_worst' is not defined for a batch of {cls.__name__}", remedy="use the policy 'drop_for_all'"
        )

    @classmethod
    def missing_answers(cls, gold: Any, predicted: Any) -> BoolArray | None:
        """Return which answers within the units a submission left out; None for kinds with one answer to a unit."""
        return None

    @property
    def has_gold(self) -> bool:
        """Whether any unit has a gold; in the kinds that let cells be missing, there may be none at all."""
        return True

    def gold_warning(self) -> str:
        """Return one sentence on what limits scores on this gold; empty if nothing does."""
        return ""

    def answers_same_cells(self, other: Self) -> bool:
        """Return whether another submission answers the same cells; true for kinds that allow no missing answer."""
        return True

    @property
    def present(self) -> BoolArray:
        """(n, systems) bool: the cells that are present on both sides; of a kind that is `crossed`."""
        raise DataError(f"a batch of {type(self).__name__} has no cells", remedy="give a batch of segments by systems")

    def without_cells(self, cells: BoolArray) -> Self:
        """Return the batch without the cells where `cells`, (n, systems), is true; of a kind that is `crossed`."""
        raise DataError(f"a batch of {type(self).__name__} has no cells", remedy="give a batch of segments by systems")

    def contents(self, position: int) -> dict[str, str]:
        """Return what a unit holds, by side, in words of the field: for readers of results.

        The answer is under "predicted". Empty for kinds whose units cannot be shown in a line.
        """
        return {}

    def unit_numbers(self) -> Any:
        """Return the `UnitNumbers` for pages and figures, those of the gold beside; None if there are none."""
        return None

    def take(self, units: NDArray[Any]) -> Self:
        """Return the batch of the given units: positions, in any order, or a mask (n,)."""
        fields = {str(f.alias): take_units(getattr(self, f.name), units) for f in _unit_fields(type(self))}
        return attrs.evolve(self, **fields)

    def join_units(self, other: Self) -> Self:
        """Return the units of both batches as one batch, those of `other` last; ids may then occur twice."""
        fields = {
            str(f.alias): _joined(getattr(self, f.name), getattr(other, f.name)) for f in _unit_fields(type(self))
        }
        return attrs.evolve(self, **fields)

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Return both batches after the two submissions swap their answers to the units where `mask`, (n,), is true."""
        what = f"units of a batch of {type(self).__name__} cannot be exchanged"
        raise DataError(what, remedy=f"define swap_answers in {type(self).__name__}")


def private_copy(value: Any) -> Any:
    """Return a copy of a batch for code of third parties: arrays share memory, rows of other metrics are not kept.

    An array that is read-only has a shape and a type that can be set in place, as ``batch.gold.shape = (-1, 1)`` does:
    those of the batch itself stay as they are.
    """
    if isinstance(value, np.ndarray):
        return value.view()
    if isinstance(value, tuple):
        return (
            tuple(map(private_copy, value)) if any(hasattr(type(item), "__attrs_attrs__") for item in value) else value
        )
    if not hasattr(type(value), "__attrs_attrs__"):
        return value
    copied = copy(value)
    for attribute in attrs.fields(type(value)):
        part = getattr(value, attribute.name)
        is_cache = isinstance(part, dict) and not attribute.init
        object.__setattr__(copied, attribute.name, {} if is_cache else private_copy(part))
    return copied


def _joined(first: Any, second: Any) -> Any:
    if not isinstance(first, Ragged):
        return np.concatenate([first, second])
    values = np.concatenate([first.values, second.values])
    return Ragged(values, np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]]))


def have_equal_units(first: Batch, second: Batch) -> bool:
    """Return whether two batches of one kind have the same gold and the same answers."""
    return first is second or all(
        _are_equal(getattr(first, f.name), getattr(second, f.name)) for f in _unit_fields(type(first))
    )


def _are_equal(first: Any, second: Any) -> bool:
    if isinstance(first, Ragged):
        return _are_equal(first.values, second.values) and _are_equal(first.offsets, second.offsets)
    numbers = isinstance(first, np.ndarray) and first.dtype.kind == "f"
    return first is second or bool(np.array_equal(first, second, equal_nan=numbers))


def _unit_fields(kind: type[Batch]) -> list[attrs.Attribute[Any]]:
    return [f for f in attrs.fields(kind) if f.metadata.get("unit_field") or f.name == "ids"]


def unit_field(*, answer: bool = False, **options: Any) -> Any:
    """Declare a field of a batch with one entry per unit, so that `Batch.take` selects from it.

    Parameters
    ----------
    answer : bool
        Whether it is a part of the answers, beside `predicted`, so that an attack may change it.
    """
    return field(metadata={"unit_field": True, "answer": answer}, **options)


def is_masked(values: Any) -> bool:
    """Return whether values are a masked array; numpy.ma, slow to import, is needed for subclasses of arrays alone."""
    plain = type(values) is np.ndarray or not isinstance(values, np.ndarray)
    return not plain and isinstance(values, np.ma.MaskedArray)


def is_sparse(values: Any) -> bool:
    """Return whether an array is a sparse array of scipy, without importing scipy.sparse."""
    return hasattr(values, "tocsr")


def hold_rows(rows: Any) -> Any:
    """Return rows, an array or a sparse array, after their arrays were made read-only; no copy is made."""
    names = ("data", "indices", "indptr") if is_sparse(rows) else ()
    for part in (rows, *(getattr(rows, name, None) for name in names)):
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
    return rows.view() if isinstance(rows, np.ndarray) else rows


def take_units(values: Any, units: NDArray[Any]) -> Any:
    """Return the given units (positions or a mask) of an array or a ragged array."""
    if isinstance(values, Ragged):
        return values.take(np.flatnonzero(units) if units.dtype == np.bool_ else units)
    taken = values[units]
    return freeze(taken) if isinstance(taken, np.ndarray) and taken.base is None else taken


def check_kind(batch: Batch, kind: type[Batch], user: str) -> None:
    """Raise a `DataError` unless `batch` is of the given kind; `user` names what needs it."""
    if not isinstance(batch, kind):
        what = f"{user} works on {kind.__name__}, not on {type(batch).__name__}"
        raise DataError(what, remedy=f"choose a metric on {type(batch).__name__}, or another reader")


def labels_to_index(labels: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    """Return the index of each unit's label, (n,), and the distinct labels in order of first occurrence.

    Examples
    --------
    >>> from qeframe.plugin.kinds import labels_to_index
    >>> positions, names = labels_to_index(["news", "chat", "news"])
    >>> positions.tolist(), names
    ([0, 1, 0], ('news', 'chat'))
    """
    index: Mapping[str, int] = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return np.fromiter(map(index.__getitem__, labels), np.int64, len(labels)), tuple(index)

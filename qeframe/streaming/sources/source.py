"""`Source`, one side of a corpus that can be read again and again, and arrays as sources."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from qeframe.core.batches.base import FloatArray
from qeframe.core.batches.ragged import freeze
from qeframe.core.errors import DataError
from qeframe.core.tasks.reading import UnitValues
from qeframe.core.tasks.task import Input
from qeframe.data.file_bytes import status_of
from qeframe.data.numbers import LARGEST, unmasked


class Source(Protocol):
    """The values of one side: the gold, or a submission. Every call of `chunks` reads it from the start."""

    @property
    def path(self) -> str:
        """What messages call it: the path of a file, or a name."""

    def chunks(self, units: int) -> Iterator[UnitValues]:
        """Yield the units in order, so many at a time; the last chunk may be shorter, and none is empty.

        Raises DataError for the first value that cannot be used, with the file and the line; for a file without units.
        """

    def offsets(self) -> tuple[int, ...]:
        """Return where each chunk begins in the file, and where the last one ends, after it was read to its end.

        Empty where it cannot be read from there, as if it is compressed.
        """

    def chunks_at(self, units: int, first: int, offsets: Sequence[int], *, is_end: bool) -> Iterator[UnitValues]:
        """Yield the chunks from number `first` on that lie between offsets; `is_end` if the last one is the last."""

    @property
    def has_ids(self) -> bool:
        """Whether the units state their ids; known after the first chunk was read."""

    def expected_units(self) -> int:
        """Return about how many units there are, after the first chunk was read."""

    def stamp(self) -> object:
        """Return what changes if the file is written to, without reading it."""

    def record(self) -> Input | None:
        """Return the record of the file, after it was read to its end; None if there is no file."""


def file_stamp(path: str) -> object:
    """Return the size, the time and the number of a file, which change if it is written to."""
    status = status_of(Path(path))
    return status.st_size, status.st_mtime_ns, status.st_ino


def numbered(path: str, values: FloatArray, start: int) -> UnitValues:
    """Return numbers whose ids are their positions, from `start`."""
    ids = np.arange(start, start + len(values))
    return UnitValues(name=path, ids=freeze(ids), values=values, path=path, lines=ids + 1, numbered_from=1)


def regrouped(parts: Iterable[FloatArray], units: int) -> Iterator[FloatArray]:
    """Yield the same numbers in arrays of `units` entries, the last one shorter."""
    waiting: list[FloatArray] = []
    count = 0
    for part in parts:
        waiting.append(part)
        count += len(part)
        if count >= units:
            joined = np.concatenate(waiting)
            whole = count - count % units
            for start in range(0, whole, units):
                yield joined[start : start + units].copy()
            waiting, count = [joined[whole:]], count - whole
    if count:
        yield np.concatenate(waiting)


def first_unusable(values: FloatArray) -> tuple[int, str] | None:
    """Return the position of the first number that cannot be computed with, and what it is; None if there is none."""
    wrong = np.flatnonzero(~(np.abs(values) <= LARGEST))
    if not len(wrong):
        return None
    value = values[wrong[0]]
    what = "NaN (a missing value)" if np.isnan(value) else f"{value:g}, which is too large to compute with"
    return int(wrong[0]), what


def _array(values: Any) -> NDArray[Any]:
    """Return values as an array; one of objects, which is refused, where they have no common shape."""
    try:
        return np.asanyarray(values)
    except ValueError:
        return np.array([None])


class WithoutOffsets:
    """A source that is always read from the start."""

    def offsets(self) -> tuple[int, ...]:
        """Return nothing: no chunk can be found by an offset."""
        return ()

    def chunks_at(self, units: int, first: int, offsets: Sequence[int], *, is_end: bool) -> Iterator[UnitValues]:
        """Refuse: there are no offsets."""
        raise NotImplementedError


@define(eq=False)
class ArraySource(WithoutOffsets):
    """An array of numbers as a source.

    One that is mapped from a file, ``numpy.load(path, mmap_mode="r")``, stays there.

    `path`: its name, for messages. `values` (n,).
    """

    path: str
    values: NDArray[Any] = field(converter=_array)
    has_ids: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        unmasked(self.values, f"'{self.path}'")
        if self.values.ndim != 1 or self.values.dtype.kind not in "biuf":
            what = f"'{self.path}' is not an array of numbers in one dimension"
            raise DataError(what, remedy="give one number a unit")

    def chunks(self, units: int) -> Iterator[UnitValues]:
        """Yield the numbers in order."""
        if not len(self.values):
            raise DataError(f"'{self.path}' has no unit", remedy="give one number a unit")
        for start in range(0, len(self.values), units):
            values = np.array(self.values[start : start + units], dtype=np.float64)
            if wrong := first_unusable(values):
                what = f"{wrong[1]} at position {start + wrong[0]} of '{self.path}'"
                raise DataError(what, remedy="every unit needs a finite number")
            yield numbered(self.path, freeze(values), start)

    def expected_units(self) -> int:
        """Return the number of units."""
        return len(self.values)

    def stamp(self) -> object:
        """Return the number of units: an array has no other stamp."""
        return len(self.values)

    def record(self) -> Input | None:
        """Return None: there is no file."""
        return None

"""Rows of different lengths as flat arrays, and arrays that cannot be written to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core.errors import DataError


def read_only(values: Any) -> Any:
    """Return an array that cannot be written to; other values, such as ragged arrays, are returned as they are.

    An array that can still be written to elsewhere is copied, so that its owner keeps it writable. The result is a
    view, whose flag cannot be set back.
    """
    if not isinstance(values, np.ndarray) or _is_held(values):
        return values
    return freeze(values.copy(order="K"))


def freeze(values: NDArray[Any]) -> NDArray[Any]:
    """Return an array that has no other reference as a read-only view of itself: `read_only` without the copy."""
    owner = values.base if isinstance(values.base, np.ndarray) else values
    owner.flags.writeable = values.flags.writeable = False
    return values.view()


def read_only_view(values: NDArray[Any]) -> NDArray[Any]:
    """Return a view of an array that cannot be written to; the array itself stays as it is."""
    view = values.view()
    view.flags.writeable = False
    return view


def _is_held(values: NDArray[Any]) -> bool:
    """Return whether an array and the array that it is a view of are both read-only."""
    base = values.base
    return (
        not values.flags.writeable and base is not None and not (isinstance(base, np.ndarray) and base.flags.writeable)
    )


def read_only_array(values: Any) -> NDArray[Any]:
    """Return values as an array that cannot be written to: a converter of fields."""
    array: NDArray[Any] = read_only(np.asarray(values))
    return array


def _offsets(values: Any) -> NDArray[np.int64]:
    array: NDArray[np.int64] = read_only(np.asarray(values, dtype=np.int64))
    return array


@frozen(eq=False)
class Ragged:
    """Rows of different lengths.

    Parameters
    ----------
    values : (total,) array
        All values, row after row.
    offsets : (rows + 1,) int64 array
        Row i is ``values[offsets[i]:offsets[i + 1]]``. The first offset is 0, no offset is smaller than the one before,
        and the last one is `total`.

    Both arrays are read-only: an array that is given stays writable for its owner, and a copy is held.

    Raises
    ------
    DataError
        If the offsets do not describe rows of `values`.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import Ragged
    >>> rows = Ragged(np.array([5, 6, 7]), np.array([0, 2, 3]))
    >>> [row.tolist() for row in rows]
    [[5, 6], [7]]
    """

    values: NDArray[Any] = field(converter=read_only_array)
    offsets: NDArray[np.int64] = field(converter=_offsets)

    def __attrs_post_init__(self) -> None:
        ends = self.offsets
        valid = ends.ndim == 1 and len(ends) and ends[0] == 0 and ends[-1] == len(self.values)
        if not valid or (np.diff(ends) < 0).any():
            raise DataError("offsets must begin with 0, never decrease, and end with the number of values")

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[Any]], dtype: Any = None) -> Ragged:
        """Build from one sequence per row."""
        sequences = list(rows)
        lengths = np.fromiter(map(len, sequences), dtype=np.int64, count=len(sequences))
        flat = [value for row in sequences for value in row]
        return cls.from_lengths(np.asarray(flat, dtype=dtype if flat or dtype else np.float64), lengths)

    @classmethod
    def from_lengths(cls, values: NDArray[Any], lengths: NDArray[np.int64]) -> Ragged:
        """Build from the flat values and the length of every row."""
        return cls(values, freeze(np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> NDArray[Any]:
        row = range(len(self))[row]
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (self[row] for row in range(len(self)))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """(rows,) int64: the length of every row."""
        return np.diff(self.offsets)

    @property
    def row_of_value(self) -> NDArray[np.int64]:
        """(total,) int64: the row of each value."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def sum_rows(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Sum `values`, (total, ...), one for each value of the array, over each row; an empty row sums to 0.

        Returns
        -------
        (rows, ...) float64
        """
        sums = np.zeros((len(self), *values.shape[1:]))
        filled = self.lengths > 0
        if filled.any():
            sums[filled] = np.add.reduceat(values, self.offsets[:-1][filled], axis=0, dtype=np.float64)
        return sums

    def take(self, rows: NDArray[np.int64]) -> Ragged:
        """Return the given rows, in the given order."""
        lengths = self.lengths[rows]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        shift = np.repeat(self.offsets[:-1][rows] - offsets[:-1], lengths)
        return Ragged(freeze(self.values[np.arange(offsets[-1]) + shift]), freeze(offsets))

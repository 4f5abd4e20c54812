"""The bound on temporary arrays, how work is cut so that it stays below it, and what is kept beyond a call."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

MOST_CELLS = 2**23
"""How many numbers temporary arrays hold at most: 64 MB in double precision.

A gigabyte of submissions, draws or pairs is then worked through without a gigabyte beside it, and the parts are large
enough that a loop over them costs nothing.
"""

CELLS_IN_CACHE = 2**17
"""How many numbers stay in the cache: 1 MB in double precision.

What is written once and read at once, such as a block of draws, is twice as fast in parts of this size as in parts of a
few megabytes. The size of a block of draws is a part of the random stream: a change here changes every drawn number.
"""

MOST_KEPT = 2**22
"""How many differences over all tasks after exchanges are kept for who asks for the same ones again: 32 MB."""

MOST_KEPT_OF_TASK = 5 * MOST_KEPT
"""How many of a single task are kept, of all its exchanges: 160 MB, as 1,000 draws of 200 submissions have."""


def bounded_slices(count: int, cells_each: int, *, least: int = 1, most: int | None = None) -> list[slice]:
    """Cut `count` items into slices whose temporary arrays hold a bounded number of cells.

    Parameters
    ----------
    count : int
        How many items there are: draws, pairs, units.
    cells_each : int
        How many numbers the temporary arrays hold for each item, all arrays that live at the same time together.
    least : int
        The smallest number of items in a slice but the last one, whatever they take.
    most : int, optional
        The bound; by default `MOST_CELLS`.

    Returns
    -------
    list of slice
        In order, each item in exactly one; all of the same size but the last one. Empty for no items.
    """
    width = max(least, (MOST_CELLS if most is None else most) // max(1, cells_each))
    return [slice(start, start + width) for start in range(0, count, width)]


class Kept:
    """What was computed, kept for later callers by what it was computed from: it grows until it is cleared."""

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the value of a key, which is computed the first time."""
        if key not in self._values:
            self._values[key] = compute()
        value: T = self._values[key]
        return value

    def __contains__(self, key: Hashable) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    @property
    def numbers(self) -> int:
        """How many numbers all arrays that are kept have together."""
        return sum(values.size for values in self._values.values())

    def clear(self) -> None:
        """Free the memory; what is asked for again is computed again."""
        self._values.clear()

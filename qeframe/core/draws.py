"""Random draws in blocks, units that several readings draw together, and the memory that draws take."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.errors import DataError

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
"""How many of a single task are kept, of what one test swaps: 160 MB, as 1,000 draws of 200 submissions have."""


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

    def values(self) -> Iterable[Any]:
        """Return what is kept."""
        return self._values.values()

    @property
    def numbers(self) -> int:
        """How many numbers all arrays that are kept have together."""
        return sum(values.size for values in self._values.values())

    def clear(self) -> None:
        """Free the memory; what is asked for again is computed again."""
        self._values.clear()


Scores = Callable[[NDArray[Any]], FloatArray]
"""From weights (draws, n) to scores (draws, S), such as a stack of statistics."""

_MOST_DRAWS = 256
"""The most draws in a block, however few units there are: a part of the random stream."""

Key = tuple[int, ...]


@frozen
class DrawBlock:
    """Draws `start` to ``start + draws - 1`` of a stream."""

    key: Key
    number: int
    start: int
    draws: int

    def rng(self) -> np.random.Generator:
        """Return the block's own generator."""
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence(self.key, spawn_key=(self.number,))))


def checked_seed(seed: object) -> int:
    """Return a seed, a whole number from 0 on, of Python or numpy.

    Raises DataError for any other value, also a number with a fraction of 0 and a truth value.
    """
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)):
        raise DataError(f"seed must be a whole number, not {seed!r}", remedy="give 0 or a positive number, such as 1")
    if seed < 0:
        raise DataError(f"seed must not be negative, it is {seed}", remedy="give 0 or a positive number")
    return int(seed)


def seed_key(rng: np.random.Generator) -> Key:
    """Draw a key for a stream from a generator."""
    return tuple(int(word) for word in rng.integers(0, 2**32, size=4))


def named_key(*parts: object) -> Key:
    """Return the key of a stream that depends on a seed and on names alone, such as that of a language pair.

    The key of a task does not depend on which other tasks there are, or on their order.
    """
    digest = hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "surrogatepass")).digest()[:16]
    return tuple(int.from_bytes(digest[start : start + 4], "big") for start in range(0, 16, 4))


def draw_blocks(key: Key, draws: int, units: int) -> Iterator[DrawBlock]:
    """Yield the blocks of a stream of draws on `units` units, which fit into the cache."""
    # not by the number of draws or workers: a block of another size would draw other numbers
    size = max(1, min(_MOST_DRAWS, CELLS_IN_CACHE // max(1, units)))
    for number, start in enumerate(range(0, draws, size)):
        yield DrawBlock(key, number, start, min(size, draws - start))


def bootstrap_counts(block: DrawBlock, units: int, size: int | None = None) -> IntArray:
    """Draw multinomial counts: how often each unit occurs in a sample that is drawn with replacement.

    Parameters
    ----------
    block : DrawBlock
    units : int
    size : int, optional
        The size of the sample; by default the number of units.

    Returns
    -------
    (draws, units) int64
        Every row sums to the size of the sample.
    """
    drawn = block.rng().integers(units, size=(block.draws, units if size is None else size), dtype=np.int64)
    # one count for all draws: unit u of draw d is counted in cell d * units + u
    drawn += np.arange(block.draws)[:, None] * units
    return np.bincount(drawn.ravel(), minlength=block.draws * units).reshape(block.draws, units)


def grouped_counts(block: DrawBlock, units: int, groups: int) -> IntArray:
    """Draw the samples of `bootstrap_counts`, each divided into groups of drawn units.

    The units of a sample are dealt out in the order in which they were drawn, so that copies of a unit are in groups of
    their own: a group is a random part of the sample, as it would be if the sample were the data.

    Result: the sum over the groups is the result of `bootstrap_counts`.
    """
    drawn = block.rng().integers(units, size=(block.draws, units), dtype=np.int64)
    # dealt out like cards: the drawn units 0, groups, 2 groups ... are the first group of their draw
    group = np.arange(block.draws)[:, None] * groups + np.arange(units) % groups
    cells = np.bincount((group * units + drawn).ravel(), minlength=block.draws * groups * units)
    return cells.reshape(block.draws, groups, units)


def poisson_counts(block: DrawBlock, ids: IntArray) -> IntArray:
    """Draw Poisson(1) counts that depend on the key, the draw's number and the unit's id only.

    A part of the units draws exactly what the whole would have drawn for it.

    Result: (draws, units).
    """
    stream = mix_bits(ids.astype(np.uint64) ^ mix_bits(np.asarray(_fold(block.key), dtype=np.uint64)))
    # as in SplitMix64, whose state grows by the golden ratio with each number: no draw needs those before it
    number = np.arange(block.start + 1, block.start + block.draws + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        bits = mix_bits(stream + number[:, None] * _GOLDEN).ravel()
    counts = _counts_by_upper_bits()[bits >> np.uint64(48)]
    undecided = np.flatnonzero(counts == _UNDECIDED)
    counts[undecided] = np.searchsorted(_POISSON, bits[undecided] >> np.uint64(11), side="right")
    return counts.astype(np.int64).reshape(block.draws, len(ids))


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
# the chances of at most 0, 1, ... 17 under Poisson(1), exp(-1) / k! each, in 2**-53, since the upper 53 of 64 bits are
# compared with them; the chance of more is 1e-16
_POISSON = np.ceil(np.cumsum(np.exp(-1.0) / np.cumprod([1.0, *range(1, 18)])) * 2.0**53).astype(np.uint64)
_UNDECIDED = 255


@cache
def _counts_by_upper_bits() -> NDArray[np.uint8]:
    """Return the count for each value of the upper 16 bits, but _UNDECIDED where one of the chances lies within."""
    counts = np.searchsorted(_POISSON, np.arange(2**16, dtype=np.uint64) << np.uint64(37), side="right").astype(
        np.uint8
    )
    counts[np.minimum(_POISSON >> np.uint64(37), 2**16 - 1)] = _UNDECIDED
    return counts


def score_blocks(
    scores: Scores, counts: Callable[[DrawBlock], IntArray], chosen: IntArray | None, blocks: Sequence[DrawBlock]
) -> FloatArray:
    """Return the scores of blocks of draws, (draws, S), under the counts of each block.

    `chosen` (n,): where the units that are scored are among those that are drawn; None: all of them, in order.
    """
    drawn = np.concatenate([counts(block) for block in blocks])
    return scores(drawn if chosen is None else drawn[:, chosen])


def mix_bits(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64 bits (the finalizer of SplitMix64): a counter-based generator, a value for each key and counter."""
    with np.errstate(over="ignore"):
        x = x + _GOLDEN
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _fold(key: Key) -> int:
    return int(np.random.SeedSequence(key).generate_state(1, np.uint64)[0])


def exchange_masks(block: DrawBlock, cells: int) -> NDArray[np.uint8]:
    """Draw exchanges: each cell is swapped (1) or kept (0) with equal chance.

    Returns
    -------
    (draws, cells) uint8
    """
    width = (cells + 7) // 8  # whole bytes for each draw: the bits that are left over are not used
    packed = np.frombuffer(block.rng().bytes(block.draws * width), dtype=np.uint8).reshape(block.draws, width)
    return np.unpackbits(packed, axis=1, count=cells)


def all_masks(cells: int, start: int, stop: int) -> NDArray[np.uint8]:
    """Return exchanges `start` to ``stop - 1`` of all 2**cells; number 0 keeps everything.

    Returns
    -------
    (stop - start, cells) uint8
    """
    # bit i of the number of an exchange says whether cell i is swapped
    return ((np.arange(start, stop)[:, None] >> np.arange(cells)) & 1).astype(np.uint8)


def exchange_blocks(key: Key, draws: int, cells: int, *, enumerable: bool) -> tuple[list[DrawBlock], int, bool]:
    """Return the blocks of a stream of exchanges, their total, and whether they are all 2**cells exchanges."""
    # the first bound spares a power with as many bits as there are cells
    exhaustive = enumerable and cells < 60 and 2**cells <= draws
    total = 2**cells if exhaustive else draws
    return list(draw_blocks(key, total, cells)), total, exhaustive


@frozen(eq=False)
class DrawnCells:
    """The cells that are swapped for several readings together.

    `chosen` (cells,): the positions of those of one reading.
    """

    count: int
    chosen: IntArray


@frozen(eq=False)
class JointUnits:
    """The units of all readings, and those of one reading among them.

    `ids` (N,): ascending. `members` (n,): the positions in `ids` of the units of the reading, in its order.
    """

    ids: IntArray
    members: IntArray

    def cells_of(self, cells: int, *, by_unit: bool, by_cell: bool) -> DrawnCells | None:
        """Return the cells of all units and those of the reading; None if they do not lie unit by unit.

        `cells`: how many the reading has. `by_unit`, `by_cell`: whether a cell is a unit, and whether each unit has the
        same number of cells.
        """
        units = len(self.members)
        if (by_unit and cells == units) or (by_cell and cells % units == 0):
            width = cells // units  # cells to a unit
            return DrawnCells(len(self.ids) * width, (self.members[:, None] * width + np.arange(width)).ravel())
        return None


def joint_units(readings: Sequence[IntArray]) -> list[JointUnits | None]:
    """Return the joint units of readings, from the ids of the units of each; None for all if they are the same.

    `readings` (n,): each without repetition.
    """
    if all(np.array_equal(ids, readings[0]) for ids in readings):
        return [None] * len(readings)
    union = np.unique(np.concatenate(list(readings)))
    return [JointUnits(union, np.searchsorted(union, ids)) for ids in readings]


def drawn_masks(drawn: DrawnCells | None, cells: int, blocks: Sequence[DrawBlock]) -> NDArray[Any]:
    """Return the drawn exchanges of blocks, (draws, cells): of the cells of one reading, if several draw together."""
    if drawn is None:
        return np.concatenate([exchange_masks(block, cells) for block in blocks])
    return np.concatenate([exchange_masks(block, drawn.count)[:, drawn.chosen] for block in blocks])


def enumerated_masks(cells: int, blocks: Sequence[DrawBlock]) -> NDArray[Any]:
    """Return the exchanges of blocks of all 2**cells exchanges, (draws, cells)."""
    return all_masks(cells, blocks[0].start, blocks[-1].start + blocks[-1].draws)


_MOST_IN_A_GROUP = 64
"""How many exchanges are worked through at once, if they fit: few would read the cells of all submissions too often."""


def grouped_blocks(blocks: Sequence[DrawBlock], cells: int) -> list[list[DrawBlock]]:
    """Return consecutive blocks in groups of bounded size; the random numbers of a block stay the same."""
    draws = blocks[0].draws if blocks else 1
    most = max(1, min(_MOST_IN_A_GROUP, MOST_CELLS // max(1, cells)) // draws)
    return [list(blocks[start : start + most]) for start in range(0, len(blocks), most)]

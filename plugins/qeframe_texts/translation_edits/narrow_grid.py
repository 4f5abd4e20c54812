"""Edit distances within the beam, of many pairs at once: 64 columns of the grid are the bits of one number.

A row of the grid is held as differences between neighboring columns, each -1, 0 or 1 (Myers 1999). The bits are moved
along with the beam. Outside of it the differences are such that no way through there is cheaper: each row below it adds
1, each column above it adds 1, and no word is equal.
"""

import sys

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, IntArray
from qeframe_texts.translation_edits.alignment import Alignment, Beam, trace
from qeframe_texts.translation_edits.pairs import Grid, Pairs, Swaps, swapped

Bits = NDArray[np.uint64]
_MOST_BITS = 2**22
"""How many numbers of 64 bits a table may have: 32 MB. For longer texts the words themselves are compared."""


class EqualWords:
    """The columns of the grid whose reference word is a given word."""

    def __init__(self, pairs: Pairs) -> None:
        columns = pairs.references.shape[1] + 1
        self._parts = -(-columns // 64) + 1  # one more, so that there is always a next part
        self._in_table = pairs.numbers * self._parts <= _MOST_BITS
        if self._in_table:
            self._table = self._tabulated(pairs.references, pairs.numbers)
        else:
            padded = np.full((len(pairs.references), columns + 64), -1, dtype=np.int64)
            padded[:, 1:columns] = pairs.references
            self._step = padded.shape[1]
            self._from = np.lib.stride_tricks.sliding_window_view(padded.ravel(), 64)

    def _tabulated(self, references: IntArray, numbers: int) -> Bits:
        """Return one row of parts for each word."""
        pair, column = np.nonzero(references > 0)
        at = references[pair, column] * self._parts + (column + 1 >> 6)
        order = np.argsort(at, kind="stable")
        at, bits = at[order], _ONE << (column[order] + 1 & 63).astype(np.uint64)
        starts = np.flatnonzero(np.diff(at, prepend=-1))
        table = np.zeros(numbers * self._parts, dtype=np.uint64)
        table[at[starts]] = np.bitwise_or.reduceat(bits, starts)
        return table

    def columns(self, pair: IntArray, word: IntArray, low: IntArray) -> Bits:
        """Return for each word where it is in the 64 columns from `low`; bit 0 is column `low`."""
        if not self._in_table:
            equal = self._from[pair * self._step + low] == word[..., None]
            packed = np.packbits(equal, axis=-1, bitorder="little").view(np.uint64)[..., 0]
            return packed if sys.byteorder == "little" else packed.byteswap()
        part, bit = word * self._parts + (low >> 6), (low & 63).astype(np.uint64)
        bits: Bits = self._table[part] >> bit
        if self._parts > 2:
            bits |= (self._table[part + 1] << _ONE) << (np.uint64(63) - bit)
        return bits


_SWAPS_AT_ONCE = 2**12
_ROWS_AT_ONCE = 32
_NONE, _ONE, _TWO, _ALL = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(2**64 - 1)


@frozen(eq=False)
class _Edges:
    """What the beam does to the bits of each row, (rows, pairs): where it moves, and which bits are within it."""

    low: IntArray
    moved: Bits
    any_moved: BoolArray
    above: Bits
    inside: Bits
    equal: Bits
    last: Bits

    @classmethod
    def of(cls, pairs: Pairs) -> "_Edges":
        beam = Beam.of(pairs.lengths, pairs.reference_lengths)
        low, before = beam.low[:-1], beam.low[1:]
        outside = _from_bit(beam.high[1:] - low)
        # Row 0 is whole: of its columns 64 are held, and the next ones are 1 more each too.
        above = outside | _from_bit(64 - (low - before))
        # Without a move, the cell that is diagonally before the first one is outside.
        first: Bits = np.where(low > before, _ALL, _ALL - _ONE)
        rest = (63 - (pairs.reference_lengths - low[0])).astype(np.uint64)
        moved = (low - before).astype(np.uint64)
        any_moved: BoolArray = np.any(moved > 0, axis=1)
        return cls(low, moved, any_moved, above, ~above & first, ~(outside << _ONE) & first, (_ALL >> rest) - _ONE)


def _from_bit(first: IntArray) -> Bits:
    """Return the bits from a given one on; none from 64 on."""
    bits: Bits = np.where(first > 63, _NONE, _ALL << np.minimum(first, 63).astype(np.uint64))
    return bits


class NarrowGrid(Grid):
    """The grids of a block of pairs whose beam has at most 50 columns."""

    def __init__(self, pairs: Pairs) -> None:
        super().__init__(pairs)
        self._equal, self._edges = EqualWords(pairs), _Edges.of(pairs)
        shape = self._edges.low.shape
        # Before each row: where the next column is 1 more, where it is 1 less, and the cost in the first column.
        self._up, self._down = np.empty(shape, dtype=np.uint64), np.empty(shape, dtype=np.uint64)
        self._cost = np.empty(shape, dtype=np.int64)
        start = self.lengths - 1, np.arange(len(self.lengths))
        self._up[start], self._down[start], self._cost[start] = _ALL, _NONE, 0
        self._both, self._only = np.empty(shape, dtype=np.uint64), np.empty(shape, dtype=np.uint64)

    def align(self, pair: IntArray) -> tuple[IntArray, Alignment]:
        """Return the distances of some pairs, ascending, as they are now, and their edits."""
        nothing = np.zeros(len(pair), dtype=np.int64)
        distances = self._run(Swaps(pair, nothing, nothing, nothing), keep=True)
        wide = self._edges.low.shape[1]
        low, both, only = (table.ravel() for table in (self._edges.low, self._both, self._only))

        def look(some: IntArray, i: IntArray, j: IntArray) -> tuple[IntArray, IntArray]:
            of_block = pair[some]
            cell = (self.lengths[of_block] - i) * wide + of_block
            bit = (j - low[cell]).astype(np.uint64)
            return (both[cell] >> bit & _ONE).astype(np.int64), (only[cell] >> bit & _ONE).astype(np.int64)

        return distances, trace(look, self.lengths[pair], self.reference_lengths[pair])

    def distances(self, swaps: Swaps) -> IntArray:
        """Return the distances after each of many swaps of pairs that were aligned after their last change."""
        order = np.argsort(swaps.begin - self.lengths[swaps.pair], kind="stable")
        distances = np.empty(len(order), dtype=np.int64)
        for start in range(0, len(order), _SWAPS_AT_ONCE):
            some = order[start : start + _SWAPS_AT_ONCE]
            distances[some] = self._run(swaps.take(some))
        return distances

    def _run(self, swaps: Swaps, *, keep: bool = False) -> IntArray:
        """Go through the rows from the first one that a swap changes. Those with more rows left come first.

        All end together, so that those that are on their way are always the first ones.
        """
        left = self.lengths[swaps.pair] - swaps.begin
        up, down, cost = (table[left - 1, swaps.pair] for table in (self._up, self._down, self._cost))
        running = len(left) - np.searchsorted(left[::-1], np.arange(left[0]), side="right")
        for stop in range(int(left[0]), 0, -_ROWS_AT_ONCE):
            rows = np.arange(stop - 1, max(0, stop - _ROWS_AT_ONCE) - 1, -1)
            equal = self._equal_of(rows, swaps.take(np.arange(running[rows[-1]])))
            for row, bits in zip(rows.tolist(), equal, strict=True):
                now = running[row]
                pair = swaps.pair[:now]
                if keep:
                    self._up[row, pair], self._down[row, pair], self._cost[row, pair] = up[:now], down[:now], cost[:now]
                both, only = self._step(row, pair, bits[:now], up[:now], down[:now], cost[:now], keep=keep)
                if keep:
                    self._both[row, pair], self._only[row, pair] = both, only
        last = self._edges.last[swaps.pair]
        return cost + np.bitwise_count(up & last).astype(np.int64) - np.bitwise_count(down & last)

    def _equal_of(self, rows: IntArray, swaps: Swaps) -> Bits:
        """Return where the word of each row is in the reference, (rows, swaps)."""
        position = np.maximum(self.lengths[swaps.pair] - 1 - rows[:, None], 0)
        words = self.words[swaps.pair, swapped(swaps, position)]
        return self._equal.columns(swaps.pair, words, self._edges.low[rows[:, None], swaps.pair])

    def _step(
        self, row: int, pair: IntArray, equal: Bits, up: Bits, down: Bits, cost: IntArray, *, keep: bool
    ) -> tuple[Bits, Bits]:
        """Change differences and costs to those after one more row; return its edits.

        Among edits of equal cost one that takes words of both sides is preferred, then one of the candidate.
        """
        edges = self._edges
        equal &= edges.equal[row, pair]
        if edges.any_moved[row]:
            moved = edges.moved[row, pair]
            passed = (_TWO << moved) - _TWO
            cost += np.bitwise_count(up & passed)
            cost -= np.bitwise_count(down & passed)
            up >>= moved
            down >>= moved
        inside = edges.inside[row, pair]
        up &= inside
        up |= edges.above[row, pair]
        down &= inside
        same = equal & up
        same += up
        same ^= up
        same |= equal
        same |= down
        more = ~(same | up)
        more |= down
        less = up & same
        cost += (more & _ONE).astype(np.int64)
        cost -= (less & _ONE).astype(np.int64)
        both = (equal | ~same) & edges.equal[row, pair] if keep else equal
        only = more & ~both if keep else equal
        more <<= _ONE
        more |= _ONE
        less <<= _ONE
        np.bitwise_and(more, same, out=down)
        np.invert(np.bitwise_or(more, same, out=up), out=up)
        up |= less
        return both, only

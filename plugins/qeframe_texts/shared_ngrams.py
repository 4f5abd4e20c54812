"""How many n-grams candidates share with their references, for all candidates of a segment at once.

Each position of each text becomes one number: the segment, the ids of the next `order` symbols, the text's owner within
the segment. References own the first numbers, candidates the next ones. One sort brings equal n-grams together. Every
occurrence counts 1 in the lane of its owner, so that one sum over equal n-grams counts them in all texts of a segment;
the counts of shorter n-grams are sums of those of longer ones. Hits are the smaller one of two lanes.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, IntArray

Symbols = Sequence[str]  # the symbols of a text: a string for its characters, a list for its words

_Words = NDArray[np.uint64]
_OWNER_BITS = 3
_WIDTHS = (8, 16)  # bits of a lane: 8 texts of at most 255 positions, or 4 of at most 65,535, fit into 64
_BLOCK = 128  # segments of one sort


@frozen(eq=False)
class SharedGrams:
    """The n-grams, up to `order`, that candidates share with the references of their segments.

    With `nearest` an n-gram's hits are clipped at its count in the reference that has it most often; otherwise each
    reference is counted by itself.
    """

    references: Sequence[tuple[Symbols, ...]]  # those of every segment; all have as many
    candidates: Sequence[Symbols]
    segment: IntArray  # that of each candidate
    order: int
    nearest: bool

    def hits(self) -> tuple[IntArray, BoolArray]:
        """Return the hits, (n, references or 1, order), and which candidates are counted, (n,).

        Those with too many or too long references, or too many symbols in a segment, are not.
        """
        number = len(self.references[0])
        hits = np.zeros((len(self.candidates), 1 if self.nearest else number, self.order), dtype=np.int64)
        counted = np.zeros(len(self.candidates), dtype=np.bool_)
        longest = np.array([max(map(len, texts)) for texts in self.references])[self.segment]
        positions = np.maximum(longest, list(map(len, self.candidates))) + self._ends
        least = 0
        for width in _WIDTHS:
            rows = np.flatnonzero((positions >= least) & (positions < 1 << width))
            if number < 64 // width:
                for block in self._blocks(rows, 64 // width - number):
                    self._count(block, width, hits, counted)
            least = 1 << width
        return hits, counted

    @property
    def _ends(self) -> int:
        """The number of ends after each text, so that no n-gram reaches into the next one."""
        return max(1, self.order - 1)

    def _blocks(self, rows: IntArray, slots: int) -> "Iterator[_Block]":
        """Yield candidates in blocks of at most so many segments; a segment with more than `slots` is taken again."""
        rows = rows[np.argsort(self.segment[rows], kind="stable")]
        of = self.segment[rows]
        nth = np.arange(len(rows)) - np.searchsorted(of, of)
        new = np.flatnonzero(nth % slots == 0)
        place = np.cumsum(nth % slots == 0) - 1
        for start in range(0, len(new), _BLOCK):
            chosen = (place >= start) & (place < start + _BLOCK)
            yield _Block(rows[chosen], place[chosen] - start, nth[chosen] % slots, of[new[start : start + _BLOCK]])

    def _count(self, block: "_Block", width: int, hits: IntArray, counted: BoolArray) -> None:
        """Count a block, or its halves if its numbers do not fit."""
        number = len(self.references[0])
        texts = [text for segment in block.segments for text in self.references[segment]]
        texts += [self.candidates[row] for row in block.rows]
        place = np.concatenate([np.repeat(np.arange(len(block.segments)), number), block.place])
        owner = np.concatenate([np.tile(np.arange(number), len(block.segments)), number + block.nth])
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        ids = _ids(texts, np.repeat(place, lengths), len(block.segments))
        bits = int(ids.max(initial=1)).bit_length()
        if _OWNER_BITS + self.order * bits + (len(block.segments) - 1).bit_length() > 64:
            for half in block.halves():
                self._count(half, width, hits, counted)
            return
        whole = lengths + self._ends
        symbols = np.repeat((owner >= number).astype(np.uint64), whole)
        symbols[np.arange(len(ids)) + np.repeat(np.arange(len(texts)) * self._ends, lengths)] = ids
        head = (place << (self.order * bits + _OWNER_BITS) | owner).astype(np.uint64)
        keys = np.repeat(head, whole) | _packed(symbols, self.order, bits) << np.uint64(_OWNER_BITS)
        keys.sort()
        lane = (number + block.nth) * width
        for order, sums in self._sums(keys, bits, width):
            for reference, lanes in enumerate(sums):
                shares = lanes[block.place] >> lane.astype(np.uint64) & np.uint64((1 << width) - 1)
                hits[block.rows, reference, order - 1] = shares
        counted[block.rows] = True

    def _sums(self, keys: _Words, bits: int, width: int) -> Iterator[tuple[int, list[_Words]]]:
        """Yield each order, from the highest, with the lanes of hits of each segment against each reference."""
        number, lane = len(self.references[0]), np.uint64((1 << width) - 1)
        unit = np.uint64(sum(1 << place for place in range(0, 64, width)))
        grams = keys >> np.uint64(_OWNER_BITS)
        changes = np.concatenate([[np.uint64(2**64 - 1)], grams[1:] ^ grams[:-1]])
        counts = np.uint64(1) << (keys & np.uint64(7)) * np.uint64(width)
        for order in range(self.order, 0, -1):
            starts = np.flatnonzero(changes >> np.uint64(bits * (self.order - order)))
            counts, changes = np.add.reduceat(counts, starts), changes[starts]
            segments = np.flatnonzero(changes >> np.uint64(bits * self.order))
            of_references = [counts >> np.uint64(width * reference) & lane for reference in range(number)]
            if self.nearest:
                of_references = [np.maximum.reduce(of_references)]
            yield order, [np.add.reduceat(_least(counts, most * unit, width), segments) for most in of_references]


@frozen(eq=False)
class _Block:
    """Candidates of some segments: their rows, segments in the block, numbers within these; the segments."""

    rows: IntArray
    place: IntArray
    nth: IntArray
    segments: IntArray

    def halves(self) -> "Iterator[_Block]":
        """Yield the block in two parts; nothing if it has one segment."""
        middle = len(self.segments) // 2
        if middle:
            for first, last in ((0, middle), (middle, len(self.segments))):
                chosen = (self.place >= first) & (self.place < last)
                yield _Block(self.rows[chosen], self.place[chosen] - first, self.nth[chosen], self.segments[first:last])


def _ids(texts: Sequence[Symbols], place: IntArray, segments: int) -> IntArray:
    """Return numbers of symbols within each segment, from 2; 0 and 1 are ends of references and of candidates."""
    if isinstance(texts[0], str):
        codes = np.frombuffer("".join(map(str, texts)).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
        seen = np.zeros(codes.max(initial=0) + 1, dtype=np.bool_)
        seen[codes] = True
        codes, kinds = (np.cumsum(seen) - 1)[codes], int(seen.sum())
    else:
        words = list(chain.from_iterable(texts))
        numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
        codes, kinds = np.fromiter(map(numbers.__getitem__, words), np.int64, len(words)), len(numbers)
    present = np.zeros((segments, kinds), dtype=np.bool_)
    present[place, codes] = True
    return np.cumsum(present, axis=1, dtype=np.int32)[place, codes].astype(np.int64) + 1


def _packed(symbols: _Words, order: int, bits: int) -> _Words:
    """Return the next `order` symbols at every position as one number, by doubling; 0 follows the last one."""
    packed, length = symbols, 1
    while length < order:
        step = min(length, order - length)
        later = np.concatenate([packed[step:], np.zeros(step, dtype=np.uint64)]) & np.uint64((1 << step * bits) - 1)
        packed, length = packed << np.uint64(step * bits) | later, length + step
    return packed


def _least(a: _Words, b: _Words, width: int) -> _Words:
    """Return the smaller one of each lane."""
    lanes = np.dtype(f"u{width // 8}")
    return np.minimum(a.view(lanes), b.view(lanes)).view(np.uint64)

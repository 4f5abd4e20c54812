"""Pairs of candidates and references as arrays of equal width, in blocks of pairs of similar lengths."""

from collections.abc import Iterator
from typing import Self

import numpy as np
from attrs import frozen

from qeframe.plugin import IntArray, Ragged

_PAIRS_AT_ONCE = 2**11
_CELLS_AT_ONCE = 2**20
"""How many pairs of words a block has, so that its arrays fit into the cache; one long pair can have more."""


@frozen(eq=False)
class Pairs:
    """A block of pairs. Words are numbered: equal words of a pair have one number, those of other pairs have others."""

    words: IntArray  # (pairs, longest candidate): 0 for a word that is not in the reference, and after the end
    lengths: IntArray  # (pairs,): at least 1, descending
    references: IntArray  # (pairs, longest reference): from 1; -1 after the end
    reference_lengths: IntArray  # (pairs,): at least 1
    numbers: int  # one more than the largest number of a word

    @classmethod
    def of(cls, candidates: Ragged, references: Ragged) -> Self:
        """Return the block of these rows of word numbers; the candidates are sorted, the longest first."""
        vocabulary = 1 + max(int(side.values.max(initial=0)) for side in (candidates, references))
        distinct, number = np.unique(references.row_of_value * vocabulary + references.values, return_inverse=True)
        word = candidates.row_of_value * vocabulary + candidates.values
        place = np.minimum(np.searchsorted(distinct, word), len(distinct) - 1)
        return cls(
            words=padded(np.where(distinct[place] == word, place + 1, 0), candidates, 0),
            lengths=candidates.lengths,
            references=padded(number + 1, references, -1),
            reference_lengths=references.lengths,
            numbers=len(distinct) + 1,
        )


def padded(values: IntArray, rows: Ragged, filler: int) -> IntArray:
    """Return values in the rows of another array as a table, (rows, longest), filled up at the end."""
    table = np.full((len(rows), int(rows.lengths.max(initial=0))), filler, dtype=np.int64)
    owner = rows.row_of_value
    table[owner, np.arange(len(values)) - rows.offsets[owner]] = values
    return table


def blocks(candidates: IntArray, references: IntArray) -> Iterator[IntArray]:
    """Yield which pairs make a block, from lengths of at least 1, in descending order of those of their candidates."""
    order = np.lexsort((candidates, references))[::-1]
    start = 0
    while start < len(order):
        some = order[start : start + _PAIRS_AT_ONCE]
        cells = int(references[some[0]]) * int(candidates[some].max())
        some = some[: max(1, _CELLS_AT_ONCE // cells)]
        yield some[np.argsort(-candidates[some], kind="stable")]
        start += len(some)


class Grid:
    """The words of the candidates of a block, which shifts change, and their references."""

    def __init__(self, pairs: Pairs) -> None:
        self.words = pairs.words.copy()
        self.lengths, self.reference_lengths = pairs.lengths, pairs.reference_lengths
        self._references = pairs.references

    def of(self, pair: IntArray) -> tuple[IntArray, IntArray]:
        """Return the words of some pairs as they are now, and their references."""
        longest, of_references = self.lengths[pair].max(), self.reference_lengths[pair].max()
        return self.words[pair, :longest], self._references[pair, :of_references]


@frozen(eq=False)
class Swaps:
    """Candidates with two neighboring blocks of words exchanged: [begin, middle) and [middle, end)."""

    pair: IntArray
    begin: IntArray
    middle: IntArray
    end: IntArray

    def take(self, rows: IntArray) -> "Swaps":
        """Return some of them."""
        return Swaps(self.pair[rows], self.begin[rows], self.middle[rows], self.end[rows])


def swapped(swaps: Swaps, positions: IntArray) -> IntArray:
    """Return where the words at some positions, (..., swaps), after each swap were before it."""
    before = positions + (swaps.middle - swaps.begin)
    before -= (before >= swaps.end) * (swaps.end - swaps.begin)
    return np.where((positions >= swaps.begin) & (positions < swaps.end), before, positions)

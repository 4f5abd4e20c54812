"""Pairs of candidates and references as arrays of equal width, in blocks of pairs of similar lengths."""

from __future__ import annotations

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
    """A block of pairs. Words are numbered: equal words of a pair have one number, those of other pairs have others.

    Parameters
    ----------
    words : (pairs, longest candidate) int64
        0 for a word that is not in the reference, and after the end.
    lengths : (pairs,) int64
        The number of words of each candidate, at least 1, descending.
    references : (pairs, longest reference) int64
        From 1; -1 after the end.
    reference_lengths : (pairs,) int64
        At least 1.
    numbers : int
        One more than the largest number of a word.
    """

    words: IntArray
    lengths: IntArray
    references: IntArray
    reference_lengths: IntArray
    numbers: int

    @classmethod
    def of(cls, candidates: Ragged, references: Ragged) -> Self:
        """Return the block of these rows of word numbers; the candidates are sorted, the longest first."""
        vocabulary = 1 + max(int(side.values.max(initial=0)) for side in (candidates, references))
        known, number = np.unique(references.row_of_value * vocabulary + references.values, return_inverse=True)
        word = candidates.row_of_value * vocabulary + candidates.values
        place = np.minimum(np.searchsorted(known, word), len(known) - 1)
        return cls(
            words=_padded(np.where(known[place] == word, place + 1, 0), candidates, 0),
            lengths=candidates.lengths,
            references=_padded(number + 1, references, -1),
            reference_lengths=references.lengths,
            numbers=len(known) + 1,
        )


def _padded(values: IntArray, rows: Ragged, filler: int) -> IntArray:
    table = np.full((len(rows), int(rows.lengths.max(initial=0))), filler, dtype=np.int64)
    owner = rows.row_of_value
    table[owner, np.arange(len(values)) - rows.offsets[owner]] = values
    return table


def blocks(candidates: IntArray, references: IntArray) -> Iterator[IntArray]:
    """Yield which pairs make a block, in descending order of the lengths of their candidates.

    Parameters
    ----------
    candidates, references : (pairs,) int64
        Lengths from 1.
    """
    order = np.lexsort((candidates, references))[::-1]
    start = 0
    while start < len(order):
        some = order[start : start + _PAIRS_AT_ONCE]
        cells = int(references[some[0]]) * int(candidates[some].max())
        some = some[: max(1, _CELLS_AT_ONCE // cells)]
        yield some[np.argsort(-candidates[some], kind="stable")]
        start += len(some)


@frozen(eq=False)
class Swaps:
    """Candidates with two neighboring blocks of words exchanged: [begin, middle) and [middle, end).

    Parameters
    ----------
    pair : (swaps,) int64
        The pair in its block.
    begin, middle, end : (swaps,) int64
    """

    pair: IntArray
    begin: IntArray
    middle: IntArray
    end: IntArray

    def take(self, rows: IntArray) -> Swaps:
        """Return some of them."""
        return Swaps(self.pair[rows], self.begin[rows], self.middle[rows], self.end[rows])


def swapped(swaps: Swaps, positions: IntArray) -> IntArray:
    """Return where the words at some positions after each swap were before it.

    Parameters
    ----------
    positions : (..., swaps) int64
        The result has the shape of positions and swaps broadcast.
    """
    before = positions + (swaps.middle - swaps.begin)
    before -= (before >= swaps.end) * (swaps.end - swaps.begin)
    return np.where((positions >= swaps.begin) & (positions < swaps.end), before, positions)

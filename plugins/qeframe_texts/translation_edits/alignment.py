"""The grid of edits: its beam, and which words the cheapest edits put against each other, the way back through it.

Row i of the grid is after i words of the candidate, column j after j words of the reference. The beam has the cells
that are looked at, as in sacrebleu, along the straight line between the corners. Outside of it is infinite cost.
"""

from collections.abc import Callable

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, IntArray

_HALF = 25


def is_wide(candidates: IntArray, references: IntArray) -> BoolArray:
    """Return where the beam has more than 50 columns: references with more than 50 times the words of the candidate."""
    wide: BoolArray = references > 2 * _HALF * candidates
    return wide


@frozen(eq=False)
class Beam:
    """The first column of the beam and the column after its last one, in every row, (longest candidate + 1, pairs).

    Entry k is the row after which k words of the candidate follow. Row 0 is whole, and so are rows before it, which
    only shorter candidates have.
    """

    low: IntArray
    high: IntArray

    @classmethod
    def of(cls, candidates: IntArray, references: IntArray) -> "Beam":
        """Return the beams of pairs with these lengths, (pairs,) int64 from 1."""
        row = candidates - np.arange(int(candidates.max(initial=0)) + 1)[:, None]
        ratio = references / candidates
        # Rows of a beam of constant width would not touch each other if each word stood for very many.
        half = np.where(ratio / 2 > _HALF, np.ceil(ratio / 2 + _HALF), _HALF).astype(np.int64)
        center = np.floor(row * ratio).astype(np.int64)
        to_end = (row <= 0) | (row == candidates)
        return cls(
            low=np.where(row <= 0, 0, np.maximum(0, center - half)),
            high=np.where(to_end, references + 1, np.minimum(references + 1, center + half)),
        )


Look = Callable[[IntArray, IntArray, IntArray], tuple[IntArray, IntArray]]
"""From pairs, rows and columns to 1 or 0: the edit takes a word of both sides; it takes one of the candidate only."""


@frozen(eq=False)
class Alignment:
    """The edits of every pair, (pairs, longest reference + 1)."""

    # for the first j reference words, how many words of the candidate come before the end of the last one of them; 0
    # for j = 0, and after the end
    row: IntArray
    both: BoolArray  # whether reference word j, from 1, is against a word of the candidate: equal or substituted


def trace(look: Look, lengths: IntArray, reference_lengths: IntArray) -> Alignment:
    """Go back from the last corner of every grid, all pairs at once, one edit a step; rows and columns are from 1."""
    shape = len(lengths), int(reference_lengths.max(initial=0)) + 1
    row, both = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.bool_)
    pair, i, j = np.arange(len(lengths)), lengths, reference_lengths
    while True:
        going = (i > 0) & (j > 0)
        if not going.all():
            pair, i, j = pair[going], i[going], j[going]
        if not len(pair):
            break
        on_both, only_candidate = look(pair, i, j)
        # A column is seen again after a word of the candidate alone: the last visit, the first in the text, counts.
        cell = pair * shape[1] + j
        row.ravel()[cell], both.ravel()[cell] = i, on_both
        i, j = i - (on_both | only_candidate), j - (1 - only_candidate)
    return Alignment(row, both)

"""Which words the cheapest edits put against each other: the way back through the grid of edits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, IntArray

Look = Callable[[IntArray, IntArray, IntArray], tuple[IntArray, IntArray]]
"""From pairs, rows and columns to 1 or 0: the edit takes a word of both sides; it takes one of the candidate only."""


@frozen(eq=False)
class Alignment:
    """The edits of every pair.

    Parameters
    ----------
    row : (pairs, longest reference + 1) int64
        For the first j reference words, how many words of the candidate come before the end of the last one of them.
        0 for j = 0, and after the end.
    both : (pairs, longest reference + 1) bool
        Whether reference word j, from 1, is against a word of the candidate: equal or substituted.
    """

    row: IntArray
    both: BoolArray


def trace(look: Look, lengths: IntArray, reference_lengths: IntArray) -> Alignment:
    """Go back from the last corner of every grid, all pairs at once, one edit a step.

    Parameters
    ----------
    look : callable
        The edit that ends in a cell. It is asked for rows and columns from 1.
    lengths, reference_lengths : (pairs,) int64
    """
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

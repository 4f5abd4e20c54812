"""The beam: the cells of the grid of edits that are looked at, as in sacrebleu.

Row i of the grid is after i words of the candidate, column j after j words of the reference. The beam follows the
straight line between the corners. What is outside of it costs infinitely much.
"""

from __future__ import annotations

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
    """The first column of the beam and the column after its last one, in every row.

    Parameters
    ----------
    low, high : (longest candidate + 1, pairs) int64
        Entry k is the row after which k words of the candidate follow. Row 0 is whole, and so are rows before it, which
        only shorter candidates have.
    """

    low: IntArray
    high: IntArray

    @classmethod
    def of(cls, candidates: IntArray, references: IntArray) -> Beam:
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

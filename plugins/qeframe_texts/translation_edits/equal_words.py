"""Where a word is in a reference, 64 columns at a time as the bits of one number."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from qeframe.plugin import IntArray
from qeframe_texts.translation_edits.pairs import Pairs

Bits = NDArray[np.uint64]
_ONE = np.uint64(1)
_MOST_BITS = 2**22
"""How many numbers of 64 bits a table may have: 32 MB. For longer texts the words themselves are compared."""


class EqualWords:
    """The columns of the grid whose reference word is a given word.

    Parameters
    ----------
    pairs : Pairs
    """

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
        """Return for each word where it is in the 64 columns from `low`; bit 0 is column `low`.

        Parameters
        ----------
        pair, word, low : (...) int64
            The pair, the word, and the first column.
        """
        if not self._in_table:
            equal = self._from[pair * self._step + low] == word[..., None]
            return _packed(equal)
        part, bit = word * self._parts + (low >> 6), (low & 63).astype(np.uint64)
        found: Bits = self._table[part] >> bit
        if self._parts > 2:
            found |= (self._table[part + 1] << _ONE) << (np.uint64(63) - bit)
        return found


def _packed(bits: NDArray[np.bool_]) -> Bits:
    packed = np.packbits(bits, axis=-1, bitorder="little").view(np.uint64)[..., 0]
    return packed if sys.byteorder == "little" else packed.byteswap()

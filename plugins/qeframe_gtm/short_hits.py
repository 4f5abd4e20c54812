"""Hits of short segments: every word of a candidate is compared with every word of its references.

Segments of similar lengths are compared together, diagonal by diagonal. The place of a hit among all comparisons is its
key, so that no sort is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, IntArray, Ragged
from qeframe.plugin.texts import Tokens
from qeframe_gtm.hits import Hits, reference_positions

_LONGEST = 2**14
"""The most comparisons of a segment: about 90 words on both sides. Lists of equal words are faster beyond."""

_SEGMENTS_AT_ONCE = 1024
_CELLS_AT_ONCE = 2**21


def is_short(tokens: Tokens) -> BoolArray:
    """Return which segments are short, (segments,)."""
    candidates, rows = tokens.candidates.lengths, _row_lengths(tokens)
    short: BoolArray = (candidates + 1) * (candidates + rows) <= _LONGEST
    return short


def _row_lengths(tokens: Tokens) -> IntArray:
    """Return how many words all references of a segment have, with an empty place between two of them."""
    words = np.bincount(tokens.segment, tokens.references.lengths + 1, minlength=len(tokens.candidates))
    return np.maximum(words.astype(np.int64) - 1, 0)


def hits_of_short(tokens: Tokens, segments: IntArray) -> Iterator[Hits]:
    """Yield the hits of some segments, block after block of segments of similar lengths.

    Parameters
    ----------
    segments : (some,) int64
        Those that are short.
    """
    positions, row_ends = reference_positions(tokens)
    # Two numbers are no words: one fills the candidates, one the references, so that they do not match each other.
    largest = np.uint16(2**16 - 1) if tokens.vocabulary < 2**16 - 1 else np.int64(2**63 - 1)
    rows = _row_lengths(tokens)
    words, places = (Ragged(values, row_ends) for values in (tokens.references.values, positions))
    order = segments[np.lexsort((rows[segments], tokens.candidates.lengths[segments]))][::-1]
    start = 0
    while start < len(order):
        own = order[start : start + _SEGMENTS_AT_ONCE]
        cells = (int(tokens.candidates.lengths[own[0]]) + 1) * int((tokens.candidates.lengths[own] + rows[own]).max())
        own = own[: max(1, _CELLS_AT_ONCE // max(cells, 1))]
        candidates, references = tokens.candidates.take(own), words.take(own)
        width = int(candidates.lengths.max())
        mine = _table(candidates, _places_in_row(candidates), largest, width + 1)
        theirs = _table(references, places.take(own).values + width, largest - 1, int(rows[own].max()) + 2 * width + 1)
        yield _hits(own, mine, theirs)
        start += len(own)


def _places_in_row(rows: Ragged) -> IntArray:
    return np.arange(len(rows.values)) - np.repeat(rows.offsets[:-1], rows.lengths)


def _table(rows: Ragged, places: IntArray, filler: np.integer, width: int) -> NDArray[np.integer]:
    """Return the rows as a table of the filler's type, (rows, width), with the filler elsewhere."""
    table = np.full((len(rows), width), filler, dtype=filler.dtype)
    table[rows.row_of_value, places] = rows.values
    return table


def _hits(own: IntArray, candidates: NDArray[np.integer], references: NDArray[np.integer]) -> Hits:
    """Compare the words on each diagonal.

    Candidates have one filler at their end, which keeps diagonals apart. References have at least as many fillers on
    both sides as the candidates have words.
    """
    wide = candidates.shape[1]
    diagonals = np.lib.stride_tricks.sliding_window_view(references, wide, axis=1)
    key = np.flatnonzero(diagonals == candidates[:, None, :])
    line, candidate = np.divmod(key, wide)
    segment, shift = np.divmod(line, diagonals.shape[1])
    bits = max(wide, diagonals.shape[1] - wide).bit_length()
    return Hits(own, key, segment, candidate, candidate + shift - (wide - 1), 1 << bits)

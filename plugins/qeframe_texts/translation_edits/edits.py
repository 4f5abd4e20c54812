"""The number of edits of TER, as sacrebleu counts them: shifts are found greedily, round after round.

All pairs of a block go through a round together. A round tries all shifts of a pair, and the one that lowers the edit
distance most is made. Pairs that no shift improves are finished.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from qeframe.plugin import IntArray, Ragged
from qeframe_texts.translation_edits.beam import is_wide
from qeframe_texts.translation_edits.narrow_grid import NarrowGrid
from qeframe_texts.translation_edits.pairs import Pairs, blocks, swapped
from qeframe_texts.translation_edits.shifts import Shifts, shifts_by_part
from qeframe_texts.translation_edits.wide_grid import WideGrid

Grid = NarrowGrid | WideGrid


def translation_edits(candidates: Ragged, references: Ragged) -> IntArray:
    """Return the edits between the rows of each pair: insertions, deletions, substitutions and shifts of blocks.

    Edit distances are those within a beam of 25 columns on either side of the straight line between the corners of the
    grid. A shift is made if it lowers the distance; the best one lowers it most, then is longest, then first in the
    candidate, then has the first target. After 1000 shifts that were tried, the search ends.

    Parameters
    ----------
    candidates, references : Ragged of int64
        Words as numbers from 0, in equal numbers of rows, which can be empty. Against an empty row, each word is one
        edit.

    Returns
    -------
    (pairs,) int64
    """
    edits = np.maximum(candidates.lengths, references.lengths)
    worded = np.minimum(candidates.lengths, references.lengths) > 0
    wide = is_wide(candidates.lengths, references.lengths)
    for kind, of_kind in ((NarrowGrid, worded & ~wide), (WideGrid, worded & wide)):
        pairs = np.flatnonzero(of_kind)
        for block in blocks(candidates.lengths[pairs], references.lengths[pairs]):
            own = pairs[block]
            edits[own] = _edits(kind(Pairs.of(candidates.take(own), references.take(own))))
    return edits


def _edits(grid: Grid) -> IntArray:
    """Return the edits of a block of pairs."""
    distance, shifted, tried = np.zeros((3, len(grid.lengths)), dtype=np.int64)
    pair = np.arange(len(distance))
    while len(pair):
        distance[pair], alignment = grid.align(pair)
        words, references = grid.of(pair)
        tried[pair], parts = shifts_by_part(words, references, alignment, tried[pair])
        best = _best(grid, pair, distance, parts)
        swaps = best.swaps(grid.lengths)
        pair = best.pair
        positions = np.arange(words.shape[1])[:, None]
        grid.words[pair, : len(positions)] = grid.words[pair, swapped(swaps, positions)].T
        shifted[pair] += 1
    return distance + shifted


def _best(grid: Grid, pair: IntArray, distance: IntArray, parts: Iterable[Shifts]) -> Shifts:
    """Return the shift of each pair that lowers its distance most, of those pairs that have one."""
    kept = [np.empty((5, 0), dtype=np.int64)]
    for part in parts:
        shifts = Shifts(pair[part.pair], part.start, part.length, part.target)
        swaps = shifts.swaps(grid.lengths)
        real = np.flatnonzero(swaps.end > swaps.middle)
        gain = np.zeros(len(swaps.pair), dtype=np.int64)
        gain[real] = distance[swaps.pair[real]] - grid.distances(swaps.take(real))
        better = np.flatnonzero(gain > 0)
        columns = shifts.pair, gain, shifts.length, -shifts.start, -shifts.target
        kept.append(np.stack([column[better] for column in columns]))
    found = np.concatenate(kept, axis=1)
    found = found[:, np.lexsort(found[::-1])]
    own, _, length, start, target = found[:, np.flatnonzero(np.diff(found[0], append=-1))]
    return Shifts(own, -start, length, -target)

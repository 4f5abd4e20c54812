"""The number of edits of TER, as sacrebleu counts them, and their memory: systems often give the same translation.

Shifts are found greedily, round after round. All pairs of a block go through a round together. A round tries all shifts
of a pair, and the one that lowers the edit distance most is made. Pairs that no shift improves are finished.
"""

from collections.abc import Iterable, Sequence
from threading import Lock

import numpy as np

from qeframe.plugin import IntArray, Ragged
from qeframe.plugin.texts import tokenize
from qeframe_texts.translation_edits.alignment import is_wide
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

    `candidates`, `references`: words as numbers from 0, in equal numbers of rows, which can be empty. Against an empty
    row, each word is one edit. Result: (pairs,).
    """
    edits = np.maximum(candidates.lengths, references.lengths)
    worded = np.minimum(candidates.lengths, references.lengths) > 0
    wide = is_wide(candidates.lengths, references.lengths)
    for kind, of_kind in ((NarrowGrid, worded & ~wide), (WideGrid, worded & wide)):
        pairs = np.flatnonzero(of_kind)
        for block in blocks(candidates.lengths[pairs], references.lengths[pairs]):
            rows = pairs[block]
            edits[rows] = _edits(kind(Pairs.of(candidates.take(rows), references.take(rows))))
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
    shifted = np.concatenate(kept, axis=1)
    shifted = shifted[:, np.lexsort(shifted[::-1])]
    pair, _, length, start, target = shifted[:, np.flatnonzero(np.diff(shifted[0], append=-1))]
    return Shifts(pair, -start, length, -target)


_MOST_CHARACTERS = 2**23


class EditMemory:
    """Counts edits and remembers them up to some characters; the oldest pairs go first. Threads can share a memory."""

    def __init__(self, most_characters: int = _MOST_CHARACTERS) -> None:
        self._most, self._held = most_characters, 0
        self._edits: dict[tuple[str, str], int] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._edits)

    def __call__(self, candidates: Sequence[str], references: Sequence[str]) -> IntArray:
        """Return the edits of every pair, (pairs,) int64; words are separated by white space."""
        asked = list(zip(candidates, references, strict=True))
        edits = {pair: self._edits.get(pair, -1) for pair in asked}
        new = [pair for pair, count in edits.items() if count < 0]
        if new:
            tokens = tokenize([pair[0] for pair in new], [pair[1] for pair in new], np.arange(len(new)))
            counted = translation_edits(tokens.candidates, tokens.references).tolist()
            edits.update(zip(new, counted, strict=True))
            self._remember(new, counted)
        return np.fromiter(map(edits.__getitem__, asked), np.int64, len(asked))

    def _remember(self, pairs: Sequence[tuple[str, str]], counted: Sequence[int]) -> None:
        with self._lock:
            for pair, count in zip(pairs, counted, strict=True):
                if pair not in self._edits:
                    self._edits[pair] = count
                    self._held += len(pair[0]) + len(pair[1])
            while self._held > self._most:
                oldest = next(iter(self._edits))
                del self._edits[oldest]
                self._held -= len(oldest[0]) + len(oldest[1])

"""Edit distances of pairs whose reference has more than 50 times the words of the candidate: cell by cell.

Such pairs are rare and their candidates short, so that a row of the grid is one array and the rows are few.
"""

from collections.abc import Iterator

import numpy as np

from qeframe.plugin import IntArray
from qeframe_texts.translation_edits.alignment import Alignment, Beam, trace
from qeframe_texts.translation_edits.pairs import Grid, Pairs, Swaps, swapped

_CELLS_AT_ONCE = 2**18
_INFINITE = 2**40


class WideGrid(Grid):
    """The grids of a block of pairs, of any lengths; the methods are those of `NarrowGrid`."""

    def __init__(self, pairs: Pairs) -> None:
        super().__init__(pairs)
        self._beam = Beam.of(pairs.lengths, pairs.reference_lengths)

    def align(self, pair: IntArray) -> tuple[IntArray, Alignment]:
        """Return the distances of some pairs as they are now, and their edits."""
        parts = [self._align(pair[k : k + 1]) for k in range(len(pair))]
        width = int(self.reference_lengths[pair].max()) + 1
        whole = Alignment(np.zeros((len(pair), width), dtype=np.int64), np.zeros((len(pair), width), dtype=np.bool_))
        for k, (_, part) in enumerate(parts):
            whole.row[k, : part.row.shape[1]], whole.both[k, : part.row.shape[1]] = part.row[0], part.both[0]
        return np.concatenate([distance for distance, _ in parts]), whole

    def _align(self, pair: IntArray) -> tuple[IntArray, Alignment]:
        words = self.words[pair, : int(self.lengths[pair[0]])]
        rows = np.concatenate(list(self._rows(int(pair[0]), words)))
        unequal = words[0][:, None] != self._references[pair[0], : rows.shape[1] - 1]
        both = rows[1:, 1:] == rows[:-1, :-1] + unequal
        only = ~both & (rows[1:, 1:] == rows[:-1, 1:] + 1)

        def look(some: IntArray, i: IntArray, j: IntArray) -> tuple[IntArray, IntArray]:
            return both[i - 1, j - 1].astype(np.int64), only[i - 1, j - 1].astype(np.int64)

        return rows[-1:, -1], trace(look, self.lengths[pair], self.reference_lengths[pair])

    def distances(self, swaps: Swaps) -> IntArray:
        """Return the distances after each of many swaps."""
        distances = np.empty(len(swaps.pair), dtype=np.int64)
        for pair in np.unique(swaps.pair).tolist():
            of_pair = np.flatnonzero(swaps.pair == pair)
            at_once = max(1, _CELLS_AT_ONCE // (int(self.reference_lengths[pair]) + 1))
            for start in range(0, len(of_pair), at_once):
                some = of_pair[start : start + at_once]
                positions = swapped(swaps.take(some), np.arange(self.lengths[pair])[:, None])
                *_, last = self._rows(pair, self.words[pair][positions].T)
                distances[some] = last[:, -1]
        return distances

    def _rows(self, pair: int, words: IntArray) -> Iterator[IntArray]:
        """Yield the costs in each row, (candidates, columns), of candidates (candidates, words) for one reference."""
        length, columns = words.shape[1], np.arange(int(self.reference_lengths[pair]) + 1)
        reference = self._references[pair, : len(columns) - 1]
        costs = np.broadcast_to(columns, (len(words), len(columns)))
        yield costs
        for row in range(1, length + 1):
            after = costs + 1
            np.minimum(after[:, 1:], costs[:, :-1] + (words[:, row - 1, None] != reference), out=after[:, 1:])
            low, high = (int(side[length - row, pair]) for side in (self._beam.low, self._beam.high))
            after[:, :low] = _INFINITE
            after = np.minimum.accumulate(after - columns, axis=1) + columns
            after[:, high:] = _INFINITE
            costs = after
            yield costs

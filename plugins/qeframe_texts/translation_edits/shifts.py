"""Which blocks of words are tried elsewhere: the shifts of TER, with the limits of tercom and sacrebleu.

A block is a piece of the candidate of at most 10 words that is also a piece of the reference, at most 50 words away. It
is tried if some word of it is an error on either side, and the candidate's piece is not where it belongs already.
"""

from collections.abc import Iterator

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, IntArray
from qeframe_texts.translation_edits.alignment import Alignment
from qeframe_texts.translation_edits.pairs import Swaps

MOST_SHIFTS = 1000
"""Before a pair has this many shifts, duplicates counted, the search ends without the shift that it is looking for."""

_LONGEST, _FARTHEST = 10, 50
_CELLS_AT_ONCE = 2**20
_SHIFTS_AT_ONCE = 2**16
_LAST = -1


@frozen(eq=False)
class Shifts:
    """Shifts to try, (shifts,) each: a block of the candidate is put before the word `target`."""

    pair: IntArray
    start: IntArray
    length: IntArray
    target: IntArray

    def swaps(self, lengths: IntArray) -> Swaps:
        """Return the shifts as exchanges of neighboring blocks; `lengths` are those of the candidates, (pairs,).

        A target within the block means as many words after its end.
        """
        end = self.start + self.length
        forward = np.where(self.target > end, self.target, np.minimum(self.target + self.length, lengths[self.pair]))
        backward = self.target < self.start
        return Swaps(
            pair=self.pair,
            begin=np.minimum(self.start, self.target),
            middle=np.where(backward, self.start, end),
            end=np.where(backward, end, forward),
        )


@frozen(eq=False)
class _Blocks:
    """Blocks of candidates that are pieces of references, (blocks,) int64 each; `shifts` is how many each can make."""

    pair: IntArray
    start: IntArray
    length: IntArray
    reference: IntArray
    shifts: IntArray

    def take(self, rows: IntArray | BoolArray | slice) -> "_Blocks":
        return _Blocks(*(of[rows] for of in (self.pair, self.start, self.length, self.reference, self.shifts)))


@frozen(eq=False)
class _Errors:
    """What the alignments say about shifts, in arrays of one width for flat access."""

    wide: int
    reference_wide: int
    words: IntArray  # with something at the ends that equals nothing
    references: IntArray
    errors: IntArray  # how many words before a position are errors
    reference_errors: IntArray
    row: IntArray  # of the alignment
    rank: IntArray  # how many different rows come before
    targets: IntArray  # the different rows

    @classmethod
    def of(cls, words: IntArray, references: IntArray, alignment: Alignment) -> "_Errors":
        row, both = alignment.row, alignment.both
        against = np.take_along_axis(words, np.maximum(row[:, 1:] - 1, 0), axis=1)
        right = both[:, 1:] & (against == references)
        candidate_right = np.zeros(words.shape, dtype=np.bool_)
        pair, column = np.nonzero(right)
        candidate_right[pair, row[pair, column + 1] - 1] = True
        rank = _counts_before(row[:, 1:] != row[:, :-1])
        targets = np.zeros_like(row)
        np.put_along_axis(targets, rank, row, axis=1)
        return cls(
            wide=words.shape[1] + 1,
            reference_wide=references.shape[1] + 1,
            words=np.pad(words, ((0, 0), (0, 1))).ravel(),
            references=np.pad(references, ((0, 0), (0, 1)), constant_values=_LAST).ravel(),
            errors=_counts_before(~candidate_right).ravel(),
            reference_errors=_counts_before(~right).ravel(),
            row=row.ravel(),
            rank=rank.ravel(),
            targets=targets.ravel(),
        )


def _counts_before(flags: BoolArray) -> IntArray:
    """Return how many are true before each position, one column more."""
    counts = np.zeros((flags.shape[0], flags.shape[1] + 1), dtype=np.int64)
    np.cumsum(flags, axis=1, out=counts[:, 1:])
    return counts


def shifts_by_part(
    words: IntArray, references: IntArray, alignment: Alignment, tried: IntArray
) -> tuple[IntArray, Iterator[Shifts]]:
    """Return how many shifts each pair has tried with this round, and the shifts of those below the limit, in parts.

    Words are (pairs, longest), 0 and -1 after the ends.
    """
    arrays = _Errors.of(words, references, alignment)
    total = tried.copy()
    blocks: list[_Blocks] = []
    for pair, start, reference in _equal_words(words, references):
        for block in _growing(arrays, pair, start, reference, total):
            total += np.bincount(block.pair, block.shifts, minlength=len(total)).astype(np.int64)
            blocks.append(block.take(total[block.pair] < MOST_SHIFTS))
    return total, _expanded(arrays, [block.take(total[block.pair] < MOST_SHIFTS) for block in blocks])


def _equal_words(words: IntArray, references: IntArray) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Yield where words are equal and near each other: pairs, positions in the candidate and in the reference."""
    (count, longest), columns = words.shape, references.shape[1]
    before, after = min(_FARTHEST, longest - 1), min(_FARTHEST, columns - 1)
    padded = np.full((count, max(before + columns, longest + before + after)), _LAST, dtype=np.int64)
    padded[:, before : before + columns] = references
    near = np.lib.stride_tricks.sliding_window_view(padded, before + after + 1, axis=1)
    width = near.shape[2]
    rows = min(longest, max(1, _CELLS_AT_ONCE // width))
    pairs = max(1, _CELLS_AT_ONCE // (rows * width))
    for first in range(0, count, pairs):
        for top in range(0, longest, rows):
            part = words[first : first + pairs, top : top + rows]
            equal: NDArray[np.bool_] = near[first : first + pairs, top : top + part.shape[1]] == part[:, :, None]
            cell, away = np.divmod(np.flatnonzero(equal), width)
            pair, start = np.divmod(cell, part.shape[1])
            yield pair + first, start + top, start + top + away - before


def _growing(
    arrays: _Errors, pair: IntArray, start: IntArray, reference: IntArray, total: IntArray
) -> Iterator[_Blocks]:
    """Yield the blocks that begin with some equal words and can be shifted, length after length."""
    for length in range(1, _LONGEST + 1):
        mine, theirs = pair * arrays.wide + start, pair * arrays.reference_wide + reference
        wrong = arrays.errors[mine + length] > arrays.errors[mine]
        wrong &= arrays.reference_errors[theirs + length] > arrays.reference_errors[theirs]
        against = arrays.row[theirs + 1] - 1
        shift = np.flatnonzero(wrong & ((against < start) | (against >= start + length)))
        at = theirs[shift]
        count = 1 + arrays.rank[at + length] - arrays.rank[at]
        yield _Blocks(pair[shift], start[shift], np.full(len(shift), length), reference[shift], count)
        longer = arrays.words[mine + length] == arrays.references[theirs + length]
        longer &= total[pair] < MOST_SHIFTS
        pair, start, reference = pair[longer], start[longer], reference[longer]
        if not len(pair):
            return


def _expanded(arrays: _Errors, kept: list[_Blocks]) -> Iterator[Shifts]:
    """Yield the shifts of blocks: before the target of each word of the reference's piece, and of the word before it.

    Targets of a piece ascend, and equal ones are one.
    """
    for blocks in kept:
        ends = np.cumsum(blocks.shifts)
        first = 0
        while first < len(ends):
            before = int(ends[first - 1]) if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + _SHIFTS_AT_ONCE, side="right")))
            part = blocks.take(slice(first, last))
            block = np.repeat(np.arange(len(part.pair)), part.shifts)
            nth = np.arange(len(block)) - np.repeat(np.cumsum(part.shifts) - part.shifts, part.shifts)
            row = part.pair * arrays.reference_wide
            target = arrays.targets[row[block] + arrays.rank[(row + part.reference)[block]] + nth]
            yield Shifts(part.pair[block], part.start[block], part.length[block], target)
            first = last

"""Matchings of all segments of a batch: their runs, cut to the length that they may cover, and their sizes."""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray, Ragged, Texts
from qeframe.plugin.texts import Alignment, MatchedBlock, Tokens
from qeframe_gtm.hits import Hits, Wording, hits_of_long, overlaps, reference_positions
from qeframe_gtm.runs import exact_runs, greedy_runs

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
    """Yield the hits of some short segments, block after block of segments of similar lengths."""
    positions, row_ends = reference_positions(tokens)
    # Two numbers are no words: one fills the candidates, one the references, so that they do not match each other.
    largest = np.uint16(2**16 - 1) if tokens.vocabulary < 2**16 - 1 else np.int64(2**63 - 1)
    rows = _row_lengths(tokens)
    words, places = (Ragged(values, row_ends) for values in (tokens.references.values, positions))
    order = segments[np.lexsort((rows[segments], tokens.candidates.lengths[segments]))][::-1]
    start = 0
    while start < len(order):
        part = order[start : start + _SEGMENTS_AT_ONCE]
        lengths = tokens.candidates.lengths[part]
        cells = (int(lengths[0]) + 1) * int((lengths + rows[part]).max())
        part = part[: max(1, _CELLS_AT_ONCE // max(cells, 1))]
        candidates, references = tokens.candidates.take(part), words.take(part)
        width = int(candidates.lengths.max())
        at = np.arange(len(candidates.values)) - np.repeat(candidates.offsets[:-1], candidates.lengths)
        mine = _table(candidates, at, largest, width + 1)
        longest = int(rows[part].max())
        theirs = _table(references, places.take(part).values + width, largest - 1, longest + 2 * width + 1)
        yield _hits(part, mine, theirs)
        start += len(part)


def _table(rows: Ragged, places: IntArray, filler: np.integer, width: int) -> NDArray[np.integer]:
    """Return the rows as a table of the filler's type, (rows, width), with the filler elsewhere."""
    table = np.full((len(rows), width), filler, dtype=filler.dtype)
    table[rows.row_of_value, places] = rows.values
    return table


def _hits(numbers: IntArray, candidates: NDArray[np.integer], references: NDArray[np.integer]) -> Hits:
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
    return Hits(numbers, key, segment, candidate, candidate + shift - (wide - 1), 1 << bits)


Matching = Literal["greedy", "exact"]


def word_counts(words: Texts) -> FloatArray:
    """Return the words of each candidate, and the mean number of words of its references, (n, 2)."""
    tokens = words.tokens
    references = words.gold.sum_rows(tokens.references.lengths) / np.maximum(words.gold.lengths, 1)
    return np.stack([tokens.candidates.lengths, references], axis=1)


@frozen
class Blocks:
    """The blocks of a matching, (blocks, 4): an ``extract``. By default of the greedy one, which all exponents share.

    With an exponent, and a budget as of `Sizes`, they are those of a largest matching.
    """

    exponent: float | None = None
    budget: int = 0

    def __call__(self, words: Texts) -> FloatArray:
        limit, parts = words.rows(word_counts).min(axis=1), [np.empty((4, 0))]
        for hits in _hits_by_block(words.tokens):
            at = hits.numbers
            if self.exponent is None:
                runs = greedy_runs(hits)
            else:
                runs = exact_runs(hits, limit[at], words.ids[at], exponent=self.exponent, budget=self.budget)
            parts.append(np.stack([at[runs.segment], runs.candidate, runs.reference, runs.length]))
        return _cut(np.concatenate(parts, axis=1).T, limit)


@frozen
class Sizes:
    """The size of the matching of every segment and both lengths, (n, 3): an ``extract``."""

    exponent: float
    matching: Matching
    budget: int  # how many sets of hits the search for an exact matching may examine in one segment
    wording: Wording

    def __call__(self, batch: Texts) -> FloatArray:
        words = self.wording(batch)
        counts = words.rows(word_counts)
        if self.exponent == 1:
            size = np.minimum(overlaps(words.tokens), counts.min(axis=1))
        else:
            size = matching_sizes(self.blocks(words), len(words), self.exponent)
        return np.column_stack([size, counts])

    def blocks(self, words: Texts) -> FloatArray:
        """Return the blocks of the matching of texts that are already made into words."""
        exact = self.matching == "exact" and self.exponent > 1
        return words.rows(Blocks(self.exponent, self.budget) if exact else Blocks())

    def alignments(self, batch: Texts) -> list[Alignment]:
        """Return the words and the blocks of every segment, for drawings of the matching."""
        words = self.wording(batch)
        blocks: list[list[MatchedBlock]] = [[] for _ in range(len(words))]
        references = [[tuple(text.split()) for text in texts] for texts in words.gold]
        for segment, i, j, length in self.blocks(words).tolist():
            number, position = _reference_at(int(j), list(map(len, references[int(segment)])))
            blocks[int(segment)].append(MatchedBlock(int(i), number, position, length))
        return [
            Alignment(tuple(text.split()), tuple(texts), tuple(sorted(matched, key=lambda block: block.candidate)))
            for text, texts, matched in zip(words.predicted, references, blocks, strict=True)
        ]


def _reference_at(position: int, lengths: Sequence[int]) -> tuple[int, int]:
    """Return which reference a position in the row of references is in, and the position in that reference."""
    number = 0
    while position >= lengths[number] + 1:
        position -= lengths[number] + 1
        number += 1
    return number, position


def matching_sizes(blocks: FloatArray, segments: int, exponent: float) -> FloatArray:
    """Return (sum of length ** exponent) ** (1 / exponent) of every segment, (segments,); 0 without a block."""
    segment, length = blocks[:, 0].astype(np.int64), blocks[:, 3]
    longest = np.zeros(segments)
    np.maximum.at(longest, segment, length)
    powers = np.bincount(segment, (length / longest[segment]) ** exponent, minlength=segments)
    return longest * powers ** (1 / exponent)


def _hits_by_block(tokens: Tokens) -> Iterator[Hits]:
    """Yield all hits, block after block of segments."""
    short = is_short(tokens)
    yield from hits_of_short(tokens, np.flatnonzero(short))
    yield from hits_of_long(tokens, np.flatnonzero(~short))


def _cut(blocks: FloatArray, limit: FloatArray) -> FloatArray:
    """Cut the blocks of each segment to its limit, first those that greedy matching takes last."""
    segment = blocks[:, 0].astype(np.int64)
    long = np.bincount(segment, blocks[:, 3], minlength=len(limit)) > limit
    if not long.any():
        return blocks
    over, rest = blocks[long[segment]], blocks[~long[segment]]
    over = over[np.lexsort((-over[:, 2], -over[:, 1], -over[:, 3], over[:, 0]))]
    before = np.cumsum(over[:, 3]) - over[:, 3]
    starts = np.flatnonzero(np.diff(over[:, 0], prepend=-1))
    before -= np.repeat(before[starts], np.diff(starts, append=len(over)))
    over[:, 3] = np.minimum(over[:, 3], limit[over[:, 0].astype(np.int64)] - before)
    return np.concatenate([rest, over[over[:, 3] > 0]])

"""Hits: where a word of a candidate is a word of its references, as sparse lists of many segments at once.

The references of a segment are joined into one row, with an empty position between two of them. No word can match this
position, so no run of hits crosses from one reference to the next.
"""

from collections.abc import Iterator

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray, IntArray, Ragged, Texts
from qeframe.plugin.texts import Tokenizer, Tokens, tokenized

_TOKENS_AT_ONCE = 2**16  # how many tokens are sorted at once: few enough that their hits fit into the cache

_HITS_AT_ONCE = 2**20
_MOST_HITS = 2**25  # the most hits of one segment; their list takes about 2 GB


@frozen(eq=False)
class Shared:
    """The words that candidates share with their references, for a block of segments."""

    first: int  # the first segment of the block; segments are counted from it
    segments: int
    segment: IntArray  # of every shared word, ascending
    candidates: Ragged  # the positions of the word on either side, one row for each shared word
    references: Ragged

    @property
    def hits(self) -> IntArray:
        """(words,) int64: how many hits each word makes."""
        return self.candidates.lengths * self.references.lengths

    def overlap(self) -> FloatArray:
        """Return how many words each segment shares, (segments,), each as often as on the side that has fewer."""
        fewer = np.minimum(self.candidates.lengths, self.references.lengths)
        return np.bincount(self.segment, fewer, minlength=self.segments).astype(np.float64)

    def take(self, start: int, stop: int) -> "Shared":
        """Return the part of the block from segment `start` to before segment `stop`."""
        words = np.arange(*np.searchsorted(self.segment, [start, stop]))
        sides = self.candidates.take(words), self.references.take(words)
        return Shared(self.first + start, stop - start, self.segment[words] - start, *sides)


@frozen(eq=False)
class Hits:
    """All hits of a block of segments, sorted by diagonal; segments are counted in the block."""

    numbers: IntArray  # of the segments of the block in the batch
    key: IntArray  # ascending; one more than the key before it if and only if its hit continues a run
    segment: IntArray
    candidate: IntArray
    reference: IntArray  # the position in the row of references
    width: int  # an upper bound of the positions on both sides

    @property
    def segments(self) -> int:
        """The number of segments of the block."""
        return len(self.numbers)


@frozen(eq=False)
class Runs:
    """Runs of hits: pieces of candidates that are pieces of references; segments are counted in the block."""

    segment: IntArray
    candidate: IntArray  # the first position on either side
    reference: IntArray
    length: IntArray  # in words


def shared_by_block(tokens: Tokens) -> Iterator[Shared]:
    """Yield the words that the sides share, block after block of segments."""
    positions, row_ends = reference_positions(tokens)
    ends = tokens.candidates.offsets[1:] + row_ends[1:]
    start = 0
    while start < len(ends):
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + _TOKENS_AT_ONCE, side="right")))
        yield _shared(tokens, positions, row_ends, start, stop)
        start = stop


def reference_positions(tokens: Tokens) -> tuple[IntArray, IntArray]:
    """Return the position of each reference token in the row of its segment, and where the segments' tokens end."""
    lengths, segment = tokens.references.lengths, tokens.segment
    begins = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]])[: len(lengths)]
    rows = np.searchsorted(segment, np.arange(len(tokens.candidates) + 1))
    shift = np.repeat(begins - begins[rows[segment]], lengths) - np.repeat(tokens.references.offsets[:-1], lengths)
    return np.arange(len(tokens.references.values)) + shift, tokens.references.offsets[rows]


def _shared(tokens: Tokens, positions: IntArray, row_ends: IntArray, start: int, stop: int) -> Shared:
    """Sort the tokens of both sides together by segment, word, side and position, all packed into one number."""
    candidate = slice(tokens.candidates.offsets[start], tokens.candidates.offsets[stop])
    reference = slice(row_ends[start], row_ends[stop])
    lengths = np.diff(tokens.candidates.offsets[start : stop + 1]), np.diff(row_ends[start : stop + 1])
    position = np.arange(candidate.start, candidate.stop) - np.repeat(tokens.candidates.offsets[start:stop], lengths[0])
    bits = int(max(position.max(initial=0), positions[reference].max(initial=0))).bit_length()
    first, second = (
        (np.repeat(np.arange(stop - start), count) * tokens.vocabulary + word << bits + 1) + where
        for count, word, where in (
            (lengths[0], tokens.candidates.values[candidate], position),
            (lengths[1], tokens.references.values[reference], positions[reference] + (1 << bits)),
        )
    )
    keys = np.sort(np.concatenate([first, second]))
    kinds = keys >> bits  # twice the word, one more on the side of the references
    begins = np.flatnonzero(np.diff(kinds, prepend=-1))
    kinds = kinds[begins]
    both = np.flatnonzero((np.diff(kinds) == 1) & (kinds[:-1] & 1 == 0))
    rows = Ragged(keys & (1 << bits) - 1, np.append(begins, len(keys)))
    segment = (kinds[both] >> 1) // max(1, tokens.vocabulary)
    return Shared(start, stop - start, segment, rows.take(both), rows.take(both + 1))


def overlaps(tokens: Tokens) -> FloatArray:
    """Return how many words each segment shares with all its references together, (n,)."""
    return np.concatenate([np.empty(0), *(shared.overlap() for shared in shared_by_block(tokens))])


def hits_of_long(tokens: Tokens, segments: IntArray) -> Iterator[Hits]:
    """Yield the hits of some segments, ascending, block after block."""
    for shared in shared_by_block(_some(tokens, segments)):
        for part in _small_parts(shared, segments):
            hits = _hits(part)
            yield attrs.evolve(hits, numbers=segments[hits.numbers])


def _some(tokens: Tokens, segments: IntArray) -> Tokens:
    """Return the tokens of some segments, ascending, which are counted from 0."""
    wanted = np.isin(tokens.segment, segments)
    references = tokens.references.take(np.flatnonzero(wanted))
    segment = np.searchsorted(segments, tokens.segment[wanted])
    return Tokens(tokens.candidates.take(segments), references, segment, tokens.vocabulary)


def _small_parts(shared: Shared, segments: IntArray) -> Iterator[Shared]:
    """Cut a block that has too many hits into smaller ones."""
    if (total := int(shared.hits.sum())) <= _HITS_AT_ONCE:
        yield shared
    elif shared.segments > 1:
        half = shared.segments // 2
        yield from _small_parts(shared.take(0, half), segments)
        yield from _small_parts(shared.take(half, shared.segments), segments)
    elif total <= _MOST_HITS:
        yield shared
    else:
        what = f"segment {segments[shared.first]} has {total} pairs of equal words in candidate and references"
        raise DataError(what, remedy=f"cut it into segments with at most {_MOST_HITS}")


def _hits(shared: Shared) -> Hits:
    """Combine every position of a word in the candidate with every position of it in the references."""
    often = np.repeat(shared.references.lengths, shared.candidates.lengths)
    candidate = np.repeat(shared.candidates.values, often)
    nth = np.arange(len(candidate)) - np.repeat(np.cumsum(often) - often, often)
    reference = shared.references.values[nth + np.repeat(shared.references.offsets[:-1], shared.hits)]
    bits = int(max(candidate.max(initial=0), reference.max(initial=0)) + 1).bit_length()
    diagonal = reference - candidate + (1 << bits)
    segment = np.repeat(shared.segment, shared.hits)
    key = np.sort((((segment << bits + 1) + diagonal) << bits) + candidate)
    candidate = key & (1 << bits) - 1
    reference = (key >> bits & (2 << bits) - 1) + candidate - (1 << bits)
    numbers = np.arange(shared.first, shared.first + shared.segments)
    return Hits(numbers, key, key >> 2 * bits + 1, candidate, reference, 1 << bits)


@frozen
class Wording:
    """How texts are made into words."""

    tokenize: Tokenizer
    lowercase: bool
    stem: str

    def __call__(self, batch: Texts) -> Texts:
        """Return the batch with every text rewritten, words between blanks."""
        return tokenized(batch, self.tokenize, self.lowercase, self.stem)

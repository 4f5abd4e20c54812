"""Bootstrap counts chunk by chunk: exactly those of a sample of all units, at nearly the price of Poisson counts.

A sample of n of n units takes some number of units from each chunk. These totals have a multinomial distribution, which
is drawn first, down a binary tree by binomials: so any part of the chunks can be drawn alone. Within a chunk of m units
with the total k, the counts are multinomial with equal chances. Independent Poisson counts, given their sum, are
multinomial too: so counts are drawn from a Poisson distribution with a mean a little below 1, and the few units that
are missing to k are drawn one by one. In the rare case that the Poisson counts exceed k, all k units are drawn singly.

A Poisson count is decided by a random byte: the 256 bytes are divided among the counts by their chances. The share of a
count that is no multiple of 1/256 is left to bytes that decide nothing: for these a second random number decides.
"""

import math
from collections.abc import Iterator
from functools import cache

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.resampling.draws import Key

UNITS_IN_CHUNK = 2**14
"""How many units a chunk has. It is a part of the random stream: a change here changes every drawn number."""

DRAWS_AT_ONCE = 64
"""How many draws of a chunk are computed at once, in 8 MB. It is a part of the random stream."""

_BELOW = 6.0
"""How many square roots of m the mean sum of Poisson counts is below m: 4.2 standard deviations of total less sum."""

_BYTES_AT_ONCE = 2**16
"""How many random bytes become counts at once: arrays of this size stay in the cache. A part of the random stream."""

_MOST = 64
"""More than any count whose chance is not 0 in double precision."""


def chunk_totals(
    key: Key, draws: int, units: int, *, size: int = UNITS_IN_CHUNK, first: int = 0, last: int | None = None
) -> Iterator[IntArray]:
    """Yield how many units each draw takes from each chunk, (draws,) int64, in the order of the chunks.

    They are drawn down a binary tree: of what falls into a node, a binomial number goes to its left half. A node of
    height h has 2**h chunks, and a stream of its own, so that some chunks have the totals that they have among all.

    `units`: the number of all units, which is the size of every sample.
    `size`: how many units a chunk has; the last one may have fewer.
    `first`, `last`: the chunks from `first` up to, and without, `last`; by default all.
    """
    chunks = -(-units // size)
    last = chunks if last is None else last

    def below(height: int, node: int, taken: IntArray) -> Iterator[IntArray]:
        begin, end = node << height, min(chunks, (node + 1) << height)
        if end <= first or begin >= last:
            return
        if not height:
            yield taken
            return
        of_left, middle = taken, begin + (1 << (height - 1))
        if middle < end:
            # the last chunk may be shorter than the others
            share = (middle - begin) * size / (min(units, end * size) - begin * size)
            # a multinomial total as a tree of binomials: a shard draws the nodes above its own chunks alone
            of_left = _generator(key, (0, height, node)).binomial(taken, share)
            yield from below(height - 1, 2 * node, of_left)
            yield from below(height - 1, 2 * node + 1, taken - of_left)
        else:
            yield from below(height - 1, 2 * node, taken)

    yield from below(max(0, chunks - 1).bit_length(), 0, np.full(draws, units, dtype=np.int64))


def chunk_rng(key: Key, chunk: int, start: int) -> np.random.Generator:
    """Return the generator of the draws from `start` on in a chunk."""
    return _generator(key, (chunk + 1, start // DRAWS_AT_ONCE))


def _generator(key: Key, path: tuple[int, ...]) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(key, spawn_key=path)))


def multinomial_counts(rng: np.random.Generator, totals: IntArray, units: int) -> NDArray[np.integer]:
    """Draw how often each unit of a chunk occurs.

    `totals` (draws,): how many units each draw takes. `units`: at least 1. Result: each row is multinomial with equal
    chances, and sums to its total.
    """
    # given their sum, Poisson counts are multinomial; their mean is so low that the sum seldom exceeds the total
    counts = poisson_counts(rng, len(totals), units, max(0.0, 1.0 - _BELOW / math.sqrt(units)))
    drawn = counts.sum(axis=1, dtype=np.uint32).astype(np.int64)
    exceeds = drawn > totals
    # begun again without them: all units of such a draw are singles
    counts[exceeds], drawn[exceeds] = 0, 0
    missing = totals - drawn
    singles = np.repeat(np.arange(len(totals)) * units, missing)
    singles += rng.integers(units, size=len(singles))
    flat = counts.reshape(-1)
    np.add.at(flat, singles, np.uint8(1))
    if (counts.sum(axis=1, dtype=np.uint32) == totals).all():
        return counts
    np.subtract.at(flat, singles, np.uint8(1))  # a count above 255 began again at 0
    wide = flat.astype(np.int64)
    np.add.at(wide, singles, 1)
    return wide.reshape(counts.shape)


def poisson_counts(rng: np.random.Generator, draws: int, units: int, mean: float) -> NDArray[np.uint8]:
    """Draw independent Poisson counts, (draws, units), for a mean of at most 1."""
    if mean <= 0:
        return np.zeros((draws, units), dtype=np.uint8)
    table = _table(mean)
    counts = np.empty(draws * units, dtype=np.uint8)
    above = np.empty(min(len(counts), _BYTES_AT_ONCE), dtype=np.bool_)
    for start in range(0, len(counts), _BYTES_AT_ONCE):
        part = counts[start : start + _BYTES_AT_ONCE]
        words = rng.integers(2**64 - 1, size=-(-len(part) // 8), dtype=np.uint64, endpoint=True)
        drawn = words.astype("<u8", copy=False).view(np.uint8)[: len(part)]
        part[:] = 0
        for bound in table.bounds:
            np.greater_equal(drawn, bound, out=above[: len(part)])
            part += above[: len(part)].view(np.uint8)
        undecided = np.flatnonzero(np.greater_equal(drawn, table.decided, out=above[: len(part)]))
        part[undecided] = np.searchsorted(table.cumulative, rng.random(len(undecided)), side="right")
    return counts.reshape(draws, units)


@frozen(eq=False)
class _Table:
    """How random bytes become counts.

    `bounds`: the bytes from which on the count is 1, 2 ...
    `decided`: the bytes from here on decide nothing.
    `cumulative` (counts,): the distribution of the counts of these bytes.
    """

    bounds: tuple[int, ...]
    decided: int
    cumulative: FloatArray


@cache
def _table(mean: float) -> _Table:
    """Return the table of a mean. The chunks of a run have two sizes, so that two tables are kept for it."""
    chances = np.exp(-mean) * np.cumprod([1.0, *(mean / np.arange(1, _MOST))])
    # a byte decides a count where the whole 256ths of its chance allow; what is left is drawn by a float
    whole = np.floor(256 * chances)
    rest = np.cumsum(256 * chances - whole)
    rest /= rest[-1]
    bounds = whole.cumsum().astype(int)
    bounds = bounds[: int(np.count_nonzero(bounds < bounds[-1]))]
    return _Table(tuple(bounds.tolist()), int(whole.sum()), rest[: 1 + int(np.argmax(rest == 1))])

"""Blocks of unit weights: bootstrap counts, Poisson counts keyed by unit id, and exchange masks.

Draws come in blocks. The random numbers of a block depend on the seed and on its number alone, so that any number of
workers computes the same bits. The size of a block depends on the number of units alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.batches.base import IntArray
from qeframe.resampling.memory import CELLS_IN_CACHE

__all__ = [
    "DrawBlock",
    "Key",
    "all_masks",
    "bootstrap_counts",
    "draw_blocks",
    "exchange_blocks",
    "exchange_masks",
    "mix_bits",
    "poisson_counts",
    "seed_key",
]

_MOST_DRAWS = 256
"""The most draws in a block, however few units there are: a part of the random stream."""

Key = tuple[int, ...]


@frozen
class DrawBlock:
    """Draws `start` to ``start + draws - 1`` of a stream."""

    key: Key
    number: int
    start: int
    draws: int

    def rng(self) -> np.random.Generator:
        """Return the block's own generator."""
        return np.random.Generator(np.random.SFC64(np.random.SeedSequence(self.key, spawn_key=(self.number,))))


def seed_key(rng: np.random.Generator) -> Key:
    """Draw a key for a stream from a generator."""
    return tuple(int(word) for word in rng.integers(0, 2**32, size=4))


def draw_blocks(key: Key, draws: int, units: int) -> Iterator[DrawBlock]:
    """Yield the blocks of a stream of draws on `units` units, which fit into the cache."""
    size = max(1, min(_MOST_DRAWS, CELLS_IN_CACHE // max(1, units)))
    for number, start in enumerate(range(0, draws, size)):
        yield DrawBlock(key, number, start, min(size, draws - start))


def bootstrap_counts(block: DrawBlock, units: int) -> IntArray:
    """Draw multinomial counts: how often each unit occurs in a sample of the same size that is drawn with replacement.

    Returns
    -------
    (draws, units) int64
        Every row sums to `units`.
    """
    drawn = block.rng().integers(units, size=(block.draws, units), dtype=np.int64)
    drawn += np.arange(block.draws)[:, None] * units
    return np.bincount(drawn.ravel(), minlength=block.draws * units).reshape(block.draws, units)


def poisson_counts(block: DrawBlock, ids: IntArray) -> IntArray:
    """Draw Poisson(1) counts that depend on the key, the draw's number and the unit's id only.

    A shard draws for its own units exactly what the whole would have drawn for them.

    Returns
    -------
    (draws, units) int64
    """
    stream = mix_bits(ids.astype(np.uint64) ^ mix_bits(np.asarray(_fold(block.key), dtype=np.uint64)))
    number = np.arange(block.start + 1, block.start + block.draws + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        bits = mix_bits(stream + number[:, None] * _GOLDEN)
    uniform = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return np.searchsorted(_POISSON, uniform, side="right").astype(np.int64)


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_POISSON = np.cumsum(np.exp(-1.0) / np.cumprod([1.0, *range(1, 18)]))


def mix_bits(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64 bits (the finalizer of SplitMix64): a counter-based generator, a value for each key and counter."""
    with np.errstate(over="ignore"):
        x = x + _GOLDEN
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _fold(key: Key) -> int:
    return int(np.random.SeedSequence(key).generate_state(1, np.uint64)[0])


def exchange_masks(block: DrawBlock, cells: int) -> NDArray[np.uint8]:
    """Draw exchanges: each cell is swapped (1) or kept (0) with equal chance.

    Returns
    -------
    (draws, cells) uint8
    """
    width = (cells + 7) // 8
    packed = np.frombuffer(block.rng().bytes(block.draws * width), dtype=np.uint8).reshape(block.draws, width)
    return np.unpackbits(packed, axis=1, count=cells)


def all_masks(cells: int, start: int, stop: int) -> NDArray[np.uint8]:
    """Return exchanges `start` to ``stop - 1`` of all 2**cells; number 0 keeps everything.

    Returns
    -------
    (stop - start, cells) uint8
    """
    return ((np.arange(start, stop)[:, None] >> np.arange(cells)) & 1).astype(np.uint8)


def exchange_blocks(key: Key, draws: int, cells: int, *, enumerable: bool) -> tuple[list[DrawBlock], int, bool]:
    """Return the blocks of a stream of exchanges, their total, and whether they are all 2**cells exchanges."""
    exhaustive = enumerable and cells < 60 and 2**cells <= draws
    total = 2**cells if exhaustive else draws
    return list(draw_blocks(key, total, cells)), total, exhaustive

"""Counts of permutations for all pairs of submissions that mix their scores, on whole numbers of two bytes.

A permutation of two systems reaches their observed difference if the flipped cells sum to at most 0. The flipped cells
of a mixed submission are those it kept and those it received, so that the count compares sums kept by one submission
with sums given by another one, for all pairs of submissions at once. A function that never falls maps both sides to
whole numbers of two bytes. Where these differ, the sums differ in the same direction. Only where they are equal, or
within the tolerance, sums are compared in double precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray
from qeframe.plugin.resampling import bounded_slices

_LANES = 8
"""How many truth values are added at once, as the bytes of one word."""

_MOST = _LANES * 255
"""How many permutations are counted at once: a byte counts up to 255."""

_CELLS = 2**18
"""How many comparisons are held at once: 256 kB, which stay in the cache."""

_LEVELS = 2.0**15 - 8
"""Sums are mapped to whole numbers from minus this to this."""

_FILL = 2**15 - 1
"""Above all mapped numbers."""

_SHORTEST = 2**10
"""If the sums of a submission take a shorter range of these numbers, single precision tells more of them apart."""

_ROUNDING = 1e-9
"""A bound on the rounding of a mapped number."""

_EVEN_BYTES = np.uint64(0x00FF00FF00FF00FF)
_ONES = np.uint64(0x0001000100010001)
"""A product with it has the sum of the four numbers of two bytes of a word in the two highest bytes."""


class ReachedCounter:
    """Count how many sums of kept and given cells are below 0, plus how many are at most 0, up to rounding.

    Parameters
    ----------
    submissions, draws : int
        How many there are; the memory for temporary arrays is taken once.
    """

    def __init__(self, submissions: int, draws: int) -> None:
        width = -(-min(draws, _MOST) // _LANES) * _LANES
        self._scaled = np.empty((submissions, width))
        self._mapped = np.empty((3, submissions, width), dtype=np.int16)
        self._rows = max(1, _CELLS // max(1, submissions * width))
        self._truths = np.empty(self._rows * submissions * width, dtype=np.bool_)

    def __call__(self, kept: FloatArray, given: FloatArray, slack: FloatArray) -> FloatArray:
        """Return the counts, (K, K) float64 from 0 to twice the number of draws.

        Parameters
        ----------
        kept, given : (K, draws) float64
            The sums that each submission keeps, and that it gives away. Finite.
        slack : (K, K) float64
            Sums of row (kept) and column (given) within that distance of 0 are 0.
        """
        total = np.zeros(slack.shape)
        for start in range(0, kept.shape[1], _MOST):
            part = slice(start, start + _MOST)
            total += self._count(kept[:, part], given[:, part], slack)
        return total

    def _count(self, kept: FloatArray, given: FloatArray, slack: FloatArray) -> IntArray:
        draws, margin = kept.shape[1], float(slack.max())
        own, below, up_to = self._map(kept, given, margin, self._mapped)
        least, most, lowest, highest = _ends(own, below, up_to, draws)
        if min((most - least).min(), (highest - lowest).min()) < _SHORTEST:
            own, below, up_to = self._map(kept, given, margin, np.empty(self._mapped.shape, dtype=np.float32))
            least, most, lowest, highest = _ends(own, below, up_to, draws)
        rows, columns = np.argsort(least + most), np.argsort(lowest + highest)
        own, below, up_to = own[rows], below[columns], up_to[columns]
        reached = most[rows, None] < lowest[columns]  # every sum is below 0
        undecided = ~reached & (least[rows, None] <= highest[columns])
        words = self._compare(own, below, up_to, undecided)
        sorted_total = np.where(undecided, 2 * _add_bytes(words[1]), 2 * draws * reached)
        unclear = np.argwhere(undecided & (words[0] != words[1]))
        for part in bounded_slices(len(unclear), own.shape[1], most=_CELLS):
            a, b = unclear[part].T
            nth, draw = np.divmod(np.flatnonzero((own[a] >= below[b]) & (own[a] <= up_to[b])), own.shape[1])
            a, b = a[nth], b[nth]
            sums = kept[rows[a], draw] + given[columns[b], draw]
            near = slack[rows[a], columns[b]]
            np.subtract.at(sorted_total, (a, b), (sums >= -near).astype(np.int64) + (sums > near))
        total = np.empty_like(sorted_total)
        total[rows[:, None], columns] = sorted_total
        return total

    def _map(self, kept: FloatArray, given: FloatArray, slack: float, mapped: NDArray[Any]) -> NDArray[Any]:
        """Return the kept sums, what they are below if a sum is below 0, and what they are above if it is above 0.

        They are written to `mapped`, (3, K, draws); the last axis is filled up to whole words.
        """
        draws = kept.shape[1]
        ends = kept.min(), kept.max(), -given.max(), -given.min()
        low, high = min(ends) - slack, max(ends) + slack
        middle, scale = low + (high - low) / 2, _LEVELS / max((high - low) / 2, 1e-300)
        margin, scaled = slack * scale + _ROUNDING, self._scaled[:, :draws]
        np.multiply(np.subtract(kept, middle, out=scaled), scale, out=scaled)
        mapped[0, :, :draws] = scaled
        np.multiply(np.add(given, middle, out=scaled), -scale, out=scaled)
        mapped[1, :, :draws] = np.subtract(scaled, margin, out=scaled)
        mapped[2, :, :draws] = np.add(scaled, 2 * margin, out=scaled)
        mapped[0, :, draws:], mapped[1:, :, draws:] = _FILL, -_FILL
        return mapped

    def _compare(
        self, own: NDArray[Any], below: NDArray[Any], up_to: NDArray[Any], undecided: BoolArray
    ) -> NDArray[np.uint64]:
        """Return how often each row of `own` is less, and not greater, (2, K, K): the bytes of a word are to be added.

        Only undecided pairs are compared, and what lies between them.
        """
        words = np.zeros((2, *undecided.shape), dtype=np.uint64)
        for part in bounded_slices(len(own), 1, most=self._rows):
            there = np.flatnonzero(undecided[part].any(axis=0))
            if not len(there):
                continue
            span = slice(there[0], there[-1] + 1)
            one, many = own[part, None], (below[span], up_to[span])
            shape = len(one), *many[0].shape
            truths = self._truths[: shape[0] * shape[1] * shape[2]].reshape(shape)
            np.less(one, many[0], out=truths)
            np.einsum("abw->ab", truths.view(np.uint64), out=words[0, part, span])
            np.less_equal(one, many[1], out=truths)
            np.einsum("abw->ab", truths.view(np.uint64), out=words[1, part, span])
        return words


def _ends(own: NDArray[Any], below: NDArray[Any], up_to: NDArray[Any], draws: int) -> tuple[FloatArray, ...]:
    """Return the least and the largest kept sum, and the least and the largest bound, of each submission."""
    ends = own.min(axis=1), own[:, :draws].max(axis=1), below[:, :draws].min(axis=1), up_to.max(axis=1)
    return tuple(end.astype(np.float64) for end in ends)


def _add_bytes(words: NDArray[np.uint64]) -> IntArray:
    """Return the sums of the eight bytes of each word."""
    by_two = (words & _EVEN_BYTES) + ((words >> np.uint64(8)) & _EVEN_BYTES)
    return ((by_two * _ONES) >> np.uint64(48)).astype(np.int64)

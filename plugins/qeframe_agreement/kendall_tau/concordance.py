"""Concordant pairs minus discordant ones, with weights and without.

Without weights the discordant pairs are counted by sorting, in n log n steps. Under item weights w the numbers of
concordant and of untied pairs are quadratic forms, w' K w / 2, where K holds sums over the pairs of cells of two items.
Copies of an item are tied with each other and add nothing, so that whole weights count like repeated items. Without an
item the counts are those of all cells less those of the pairs of its cells, for which each cell is counted by sorting.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray
from qeframe.plugin.resampling import bounded_slices
from qeframe_agreement.grids import flatten, signs

Variant = Literal["b", "c"]
_ARRAYS = 2  # how many arrays of one number a pair of cells live at once: the signs of both sides, and their products

_MOST_KEPT = 2**21
"""How many pairs of items at most have their matrices kept for the next weights: 24 MB in single precision."""


def discordances(ranks: IntArray) -> IntArray:
    """Return for each position of a sequence, (n,), how many others form a falling pair with it.

    The sequence is sorted bit by bit, the highest first. The ranks of a run agree in all bits before. Two of them that
    this bit tells apart form a falling pair where the high one comes first.
    """
    places = np.arange(len(ranks))
    order, counts = places, np.zeros_like(places)
    for bit in reversed(range(int(ranks.max(initial=0)).bit_length())):
        values = ranks[order]
        high, starts = (values >> bit) & 1, np.flatnonzero(np.diff(values >> (bit + 1), prepend=-1))
        sizes = np.diff(starts, append=len(ranks))
        highs = np.cumsum(high) - high
        above = highs - np.repeat(highs[starts], sizes)
        below = places - np.repeat(starts, sizes) - above
        lows = np.repeat(sizes - np.add.reduceat(high, starts), sizes)
        counts[order] += np.where(high, lows - below, above)
        # the low half of a run comes first; both halves keep their order
        moved = np.empty_like(order)
        moved[places - np.where(high, below - lows, above)] = order
        order = moved
    return counts


def count_pairs(x: FloatArray, y: FloatArray) -> IntArray:
    """Return of each cell its concordant minus its discordant pairs, and those untied in x and in y, (3, n)."""
    a, b = (np.unique(side, return_inverse=True)[1].astype(np.int64) for side in (x, y))
    both = np.unique(a * (b.max(initial=0) + 1) + b, return_inverse=True)[1]
    tied_x, tied_y, tied = (np.bincount(ranks)[ranks] for ranks in (a, b, both))  # each cell with itself
    # ties in a are in rising order of b, so that they form no falling pair
    order, discordant = np.lexsort((b, a)), np.empty_like(a)
    discordant[order] = discordances(b[order])
    # pairs untied on both sides are concordant or discordant
    return np.stack([len(a) - tied_x - tied_y + tied - 2 * discordant, len(a) - tied_x, len(a) - tied_y])


@frozen(kw_only=True, eq=False)
class Counts:
    """The counts of a tau, arrays of one shape."""

    excess: FloatArray  # concordant minus discordant pairs
    untied_x: FloatArray
    untied_y: FloatArray
    cells: FloatArray
    distinct: FloatArray  # the smaller number of distinct values of a side

    def tau(self, variant: Variant) -> FloatArray:
        """Return tau-b or tau-c; NaN where a side is constant."""
        defined = (self.untied_x > 0) & (self.untied_y > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            if variant == "b":
                spread = np.sqrt(self.untied_x) * np.sqrt(self.untied_y)
            else:
                spread = self.cells**2 / 2 * ((self.distinct - 1) / self.distinct)
            tau = np.clip(self.excess / spread, -1.0, 1.0)
        return np.where(defined, tau, np.nan)


def _pairs_within(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return concordant minus discordant pairs of every row, and those untied in x and in y, (3, n)."""
    first, second = np.triu_indices(x.shape[1], 1)
    a, b = (signs(side[:, first], side[:, second]).astype(np.float64) for side in (x, y))
    return np.stack([np.einsum("np,np->n", *sides) for sides in ((a, b), (a, a), (b, b))])


def taus_of_items(variant: Variant, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the tau of every row, (n,), of two sides (n, systems) with NaN; NaN where undefined."""
    excess, untied_x, untied_y = _pairs_within(x, y)
    counts = Counts(
        excess=excess,
        untied_x=untied_x,
        untied_y=untied_y,
        cells=(~np.isnan(x)).sum(axis=1).astype(np.float64),
        distinct=np.minimum(_distinct(x), _distinct(y)),
    )
    return counts.tau(variant)


def _distinct(side: FloatArray) -> FloatArray:
    """Return how many distinct values each row has."""
    present = ~np.isnan(side)
    jumps = np.diff(np.sort(side, axis=1), axis=1) > 0  # NaN is sorted last and is above nothing
    return np.asarray(jumps.sum(axis=1) + present.any(axis=1), dtype=np.float64)


@frozen(eq=False)
class Concordance:
    """Kendall's tau of a group of cells, (n, columns), NaN on both sides where one is missing."""

    variant: Variant
    x: FloatArray
    y: FloatArray

    def __call__(self, weights: FloatArray) -> FloatArray:
        scores = np.full(len(weights), np.nan)
        level = (weights == weights[:, :1]).all(axis=1) if weights.shape[1] else np.zeros(len(weights), dtype=np.bool_)
        scores[level & (weights[:, :1] > 0).all(axis=1)] = self._unweighted if level.any() else np.nan
        if not level.all():
            scores[~level] = self._weighted(weights[~level])
        return scores

    @cached_property
    def _pairs(self) -> IntArray:
        """(3, cells) int64: of the pairs of each cell, those that `count_pairs` counts."""
        return count_pairs(*flatten(self.x, self.y)[:2])

    @cached_property
    def _unweighted(self) -> float:
        once = np.ones((1, len(self.x)))
        return float(self._taus(self._pairs.sum(axis=1, keepdims=True) / 2, once)[0])

    def jackknife(self) -> FloatArray:
        """Return the scores with each item left out, (n,)."""
        items, item = len(self.x), flatten(self.x, self.y)[2]
        by_item = np.stack([np.bincount(item, weights=counts, minlength=items) for counts in self._pairs])
        # a pair of cells of one item is among those of both
        left_out = self._pairs.sum(axis=1, keepdims=True) / 2 - by_item + _pairs_within(self.x, self.y)
        every, parts = np.arange(items), bounded_slices(items, self.x.size)
        taus = [self._taus(left_out[:, part], every[part, None] != every) for part in parts]
        return np.concatenate([np.empty(0), *taus])

    def _taus(self, pairs: FloatArray, weights: FloatArray | BoolArray) -> FloatArray:
        """Return the taus of counts of pairs, (3, draws), under weights of the items, (draws, n)."""
        excess, untied_x, untied_y = pairs
        counts = Counts(
            excess=excess,
            untied_x=untied_x,
            untied_y=untied_y,
            cells=weights @ (~np.isnan(self.x)).sum(axis=1),
            distinct=np.ones(len(weights)) if self.variant == "b" else self._distinct(weights),
        )
        return counts.tau(self.variant)

    def _weighted(self, weights: FloatArray) -> FloatArray:
        forms = np.zeros((3, len(weights)))
        for rows, block in self._blocks():
            left = weights[:, rows]
            for form, matrix in zip(forms, block, strict=True):
                # halved: the sum over all ordered pairs of items has each pair twice
                form += np.einsum("bn,bn->b", left @ matrix.astype(np.float64), weights) / 2
        return self._taus(forms, weights)

    def _distinct(self, weights: FloatArray | BoolArray) -> FloatArray:
        """Return the fewer of the distinct values with weight on either side, (draws,)."""
        x, y, item = flatten(self.x, self.y)
        if not len(x):
            return np.ones(len(weights))
        drawn = weights[:, item] > 0
        return np.minimum(_values_drawn(x, drawn), _values_drawn(y, drawn))

    def _blocks(self) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        """Yield the matrices; those of several columns take long to compute, and small ones are kept."""
        return iter(self._kept) if self.x.shape[1] > 1 and self.x.shape[0] ** 2 <= _MOST_KEPT else self._computed()

    @cached_property
    def _kept(self) -> list[tuple[slice, NDArray[np.float32]]]:
        return list(self._computed())

    def _computed(self) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        """Yield items and their sums with all items, (3, rows, n): of products of signs, of untied pairs on a side."""
        items, columns = self.x.shape
        shape = (-1, columns, items, columns)
        for rows in bounded_slices(items, _ARRAYS * items * columns**2):
            a, b = (signs(s[rows].reshape(-1, 1), s.reshape(1, -1)).reshape(shape) for s in (self.x, self.y))
            sums = [part.sum(axis=(1, 3), dtype=np.int32) for part in (a * b, a * a, b * b)]
            yield rows, np.stack(sums).astype(np.float32)


def _values_drawn(side: FloatArray, drawn: BoolArray) -> FloatArray:
    """Return how many distinct values of a side, (n,), are drawn, (draws,)."""
    order = np.argsort(side, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(side[order]) > 0))
    return np.logical_or.reduceat(drawn[:, order], starts, axis=1).sum(axis=1).astype(np.float64)

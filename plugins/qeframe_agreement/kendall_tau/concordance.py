"""Concordant pairs minus discordant ones, with weights and without.

Without weights the discordant pairs are counted by merging, in n log n steps. Under item weights w the numbers of
concordant and of untied pairs are quadratic forms, w' K w / 2, where K holds sums over the pairs of cells of two items.
Copies of an item are tied with each other and add nothing, so that whole weights count like repeated items.
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


def _inversions(values: IntArray) -> int:
    """Return how many pairs are in falling order, counted by merging; `values`, (n,), are whole numbers below n."""
    # runs of equal length, so that each level is one sort; the padding is above all values and in no falling pair
    size = 1 << max(0, len(values) - 1).bit_length()
    runs = np.concatenate([values, np.full(size - len(values), size, dtype=np.int64)])[:, None]
    inversions = 0
    while len(runs) > 1:
        halves = runs.reshape(-1, 2, runs.shape[1])
        # each pair of runs in a range of its own: one search then serves all of them
        apart = np.arange(len(halves))[:, None] * (size + 1)
        left, right = (halves[:, side] + apart for side in (0, 1))
        not_above = np.searchsorted(left.ravel(), right.ravel(), side="right")
        inversions += int((np.arange(1, len(halves) + 1) * left.shape[1]).repeat(left.shape[1]).sum() - not_above.sum())
        runs = np.sort(halves.reshape(len(halves), -1), axis=1)
    return inversions


def _tied(*ranks: IntArray) -> int:
    """Return how many pairs are tied in all of the given ranks."""
    joint = ranks[0]
    for other in ranks[1:]:
        joint = joint * (other.max(initial=0) + 1) + other
    counts = np.unique(joint, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def count_pairs(x: FloatArray, y: FloatArray) -> tuple[int, int, int, int]:
    """Return concordant minus discordant pairs, pairs untied in x, pairs untied in y, and the fewer distinct values."""
    a, b = (np.unique(side, return_inverse=True)[1].astype(np.int64) for side in (x, y))
    total = len(a) * (len(a) - 1) // 2
    untied_x, untied_y = total - _tied(a), total - _tied(b)
    # ties in a are in rising order of b, so that they form no falling pair
    discordant = _inversions(b[np.lexsort((b, a))])
    # pairs untied on both sides are untied_x + untied_y - total + tied on both: concordant or discordant
    concordant = untied_x + untied_y - total + _tied(a, b) - discordant
    distinct = min(int(side.max(initial=-1)) + 1 for side in (a, b))
    return concordant - discordant, untied_x, untied_y, distinct


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


def taus_of_items(variant: Variant, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return the tau of every row, (n,), of two sides (n, systems) with NaN; NaN where undefined."""
    first, second = np.triu_indices(x.shape[1], 1)
    a, b = (signs(side[:, first], side[:, second]).astype(np.float64) for side in (x, y))
    counts = Counts(
        excess=np.einsum("np,np->n", a, b),
        untied_x=np.einsum("np,np->n", a, a),
        untied_y=np.einsum("np,np->n", b, b),
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
    def _unweighted(self) -> float:
        x, y, _ = flatten(self.x, self.y)
        excess, untied_x, untied_y, distinct = (np.array([count], dtype=np.float64) for count in count_pairs(x, y))
        counts = Counts(
            excess=excess, untied_x=untied_x, untied_y=untied_y, cells=np.array([float(len(x))]), distinct=distinct
        )
        return float(counts.tau(self.variant)[0])

    def _weighted(self, weights: FloatArray) -> FloatArray:
        forms = np.zeros((3, len(weights)))
        for rows, block in self._blocks():
            left = weights[:, rows]
            for form, matrix in zip(forms, block, strict=True):
                # halved: the sum over all ordered pairs of items has each pair twice
                form += np.einsum("bn,bn->b", left @ matrix.astype(np.float64), weights) / 2
        counts = Counts(
            excess=forms[0],
            untied_x=forms[1],
            untied_y=forms[2],
            cells=weights @ (~np.isnan(self.x)).sum(axis=1),
            distinct=np.ones(len(weights)) if self.variant == "b" else self._distinct(weights),
        )
        return counts.tau(self.variant)

    def _distinct(self, weights: FloatArray) -> FloatArray:
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

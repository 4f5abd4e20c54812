"""Kendall's tau of one group of cells under exchanges: all scores of two metrics are sorted once for all draws.

Of the two scores of a cell a draw chooses one for each metric. In the merged order of both metrics a draw is therefore
a choice of n of 2n scores, and the discordant pairs are the inversions of the gold in that order. Every draw has the
same gold, so that the nodes of a tree over the gold have the same size in every draw, and many draws pass through it as
one array. The other metric has the scores that are not chosen: its discordant pairs are those of the chosen scores,
less a sum over the chosen scores, plus a constant.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray
from qeframe_agreement.kendall_tau.concordance import Counts, Variant

_LEAF = 64
"""Nodes of at most that many cells are compared pair by pair."""


def inversions(values: NDArray[np.unsignedinteger], counts: IntArray) -> IntArray:
    """Return how many pairs are in falling order in each row.

    Parameters
    ----------
    values : (rows, n) unsigned integers
        Classes, 0 to k - 1; each row has the same values in another order.
    counts : (k,) int64
        How often each class occurs in a row.

    Returns
    -------
    (rows,) int64
    """
    total = np.zeros(len(values), dtype=np.int64)
    ends = np.append(0, np.cumsum(counts))
    nodes = [(values, 0, len(counts))]
    leaves: dict[int, list[NDArray[np.unsignedinteger]]] = {}
    while nodes:
        node, low, high = nodes.pop()
        size = node.shape[1]
        if high - low < 2:
            continue
        if size <= _LEAF:
            leaves.setdefault(size, []).append(node)
            continue
        half = int(np.searchsorted(ends[low + 1 : high], ends[low] + size // 2)) + low + 1
        middle = min(half, high - 1)
        positions = np.flatnonzero(node < middle).reshape(len(node), -1)
        small = positions.shape[1]
        total += positions.sum(axis=1) - small * (np.arange(len(node)) * size) - small * (small - 1) // 2
        flat = node.ravel()
        nodes.append((flat.take(positions), low, middle))
        nodes.append((flat.take(np.flatnonzero(node >= middle)).reshape(len(node), -1), middle, high))
    for found in leaves.values():
        total += _compared(np.stack(found))
    return total


def _compared(leaves: NDArray[np.unsignedinteger]) -> IntArray:
    """Return how many pairs are in falling order, (rows,), in leaves (count, rows, size): every pair is compared."""
    count, rows, size = leaves.shape
    by_position = np.ascontiguousarray(leaves.reshape(-1, size).T)
    falling = np.zeros(count * rows, dtype=np.int64)
    for apart in range(1, size):
        above = by_position[:-apart] > by_position[apart:]
        falling += np.add.reduce(above.view(np.uint8), axis=0, dtype=np.uint8)
    total: IntArray = falling.reshape(count, rows).sum(axis=0)
    return total


def discordances(ranks: IntArray) -> IntArray:
    """Return for each position of a sequence, (n,), how many others form a falling pair with it; found by merging."""
    count = len(ranks)
    size = 1 << max(0, count - 1).bit_length()
    most = int(ranks.max(initial=0)) + 1
    counts = np.zeros(size, dtype=np.int64)
    runs = np.concatenate([ranks, np.full(size - count, most)])[:, None]  # the padding forms no falling pair
    places = np.arange(size)[:, None]
    while len(runs) > 1:
        half = runs.shape[1]
        apart = np.arange(len(runs) // 2)[:, None] * (most + 1)
        left, right = (runs[side::2] + apart for side in (0, 1))
        starts = np.arange(len(left))[:, None] * half
        above = starts + half - np.searchsorted(left.ravel(), right.ravel(), side="right").reshape(right.shape)
        below = np.searchsorted(right.ravel(), left.ravel(), side="left").reshape(left.shape) - starts
        counts[places[0::2]] += below
        counts[places[1::2]] += above
        runs, places = runs.reshape(len(left), -1), places.reshape(len(left), -1)
        order = np.argsort(runs, axis=1, kind="stable")
        runs, places = (np.take_along_axis(each, order, axis=1) for each in (runs, places))
    return counts[:count]


@frozen(eq=False)
class _Ties:
    """The scores that are equal to others.

    Parameters
    ----------
    shared : (m,) int64
        The positions of scores that are equal to another one, group after group.
    starts, size : (g,) int64
        Where each group begins in `shared`, and how many scores it has.
    alone : (2n - m,) int64
        The positions of the other scores.
    """

    shared: IntArray
    starts: IntArray
    size: IntArray
    alone: IntArray

    def members(self, chosen: BoolArray) -> IntArray:
        """Return how many scores of each group are chosen, (draws, g)."""
        if not len(self.size):
            return np.zeros((len(chosen), 0), dtype=np.int64)
        drawn = chosen.take(self.shared, axis=1).view(np.uint8)
        return np.add.reduceat(drawn, self.starts, axis=1, dtype=np.int32).astype(np.int64)


def _ties(fresh: BoolArray) -> _Ties:
    """Return the ties of sorted scores, given where one differs from the score before it."""
    size = np.diff(np.append(np.flatnonzero(fresh), len(fresh)))
    shared = np.repeat(size > 1, size)
    size = size[size > 1]
    return _Ties(np.flatnonzero(shared), np.cumsum(size) - size, size, np.flatnonzero(~shared))


def _pairs(counts: IntArray) -> IntArray:
    """Return how many pairs there are in groups (..., g), (...)."""
    total: IntArray = (counts * (counts - 1) // 2).sum(axis=-1)
    return total


@frozen(kw_only=True, eq=False)
class MergedScores:
    """The scores of two metrics in one order, by score and then by gold.

    Parameters
    ----------
    order : (2n,) int64
        The cell of each score; those of the second metric are n higher.
    gold : (2n,) unsigned integers
        The class of the gold of each score.
    classes : (k,) int64
        How many cells each class of the gold has.
    ties, joint : _Ties
        Equal scores, and equal scores of cells with equal gold.
    discordant : (2n,) int64
        With how many other scores each score forms a discordant pair; by cell, those of the first metric first.
    """

    order: IntArray
    gold: NDArray[np.unsignedinteger]
    classes: IntArray
    ties: _Ties
    joint: _Ties
    discordant: IntArray

    def taus(self, swapped: NDArray[np.bool_], variant: Variant) -> tuple[FloatArray, FloatArray]:
        """Return the taus of both metrics, (draws,) each, for swaps of cells (draws, n)."""
        draws, cells = swapped.shape
        chosen = np.concatenate([~swapped, swapped], axis=1).take(self.order, axis=1)
        positions = np.flatnonzero(chosen).reshape(draws, cells)
        positions -= np.arange(draws)[:, None] * (2 * cells)
        falling = inversions(self.gold.take(positions), self.classes)
        first, second = self.discordant[:cells].astype(np.float64), self.discordant[cells:].astype(np.float64)
        touched = first.sum() + swapped @ (second - first)  # whole numbers, exact below 2**53
        others = falling - touched.astype(np.int64) + int(self.discordant.sum()) // 2
        tied, joint = self.ties.members(chosen), self.joint.members(chosen)
        theirs = ~chosen if variant == "c" else chosen
        return (
            self._tau(falling, tied, joint, chosen, variant),
            self._tau(others, self.ties.size - tied, self.joint.size - joint, theirs, variant),
        )

    def _tau(
        self, discordant: IntArray, tied: IntArray, joint: IntArray, chosen: BoolArray, variant: Variant
    ) -> FloatArray:
        """Return the taus of the chosen scores, (draws,), from how many of each group are chosen."""
        draws, cells = len(tied), len(self.order) // 2
        pairs = cells * (cells - 1) // 2
        untied, untied_y = pairs - _pairs(tied), pairs - int(_pairs(self.classes))
        distinct = np.ones(draws, dtype=np.int64)
        if variant == "c":
            values = np.count_nonzero(chosen.take(self.ties.alone, axis=1), axis=1) + np.count_nonzero(tied, axis=1)
            distinct = np.minimum(values, len(self.classes))
        counts = Counts(
            excess=(untied + untied_y - pairs + _pairs(joint) - 2 * discordant).astype(np.float64),
            untied_x=untied.astype(np.float64),
            untied_y=np.full(draws, float(untied_y)),
            cells=np.full(draws, float(cells)),
            distinct=distinct.astype(np.float64),
        )
        return counts.tau(variant)


def merge(gold: FloatArray, one: FloatArray, other: FloatArray) -> MergedScores:
    """Return the merged order of two metrics, (n,) each, without NaN."""
    classes, counts = np.unique(gold, return_inverse=True, return_counts=True)[1:]
    both, kind = np.concatenate([one, other]), np.min_scalar_type(max(0, len(counts) - 1))
    ranks = np.tile(classes, 2)
    order = np.lexsort((ranks, both))
    scores, ranks = both[order], ranks[order]
    fresh = np.append(True, scores[1:] != scores[:-1])[: len(scores)]
    joint = fresh | np.append(True, ranks[1:] != ranks[:-1])[: len(scores)]
    discordant = np.empty(len(order), dtype=np.int64)
    discordant[order] = discordances(ranks)
    return MergedScores(
        order=order,
        gold=ranks.astype(kind),
        classes=counts.astype(np.int64),
        ties=_ties(fresh),
        joint=_ties(joint),
        discordant=discordant,
    )

"""Kendall's tau under exchanges of cells or systems: of one group of cells, and of items.

All scores of two metrics are sorted once for all draws of a group. Of the two scores of a cell a draw chooses one for
each metric. In the merged order of both metrics a draw is therefore a choice of n of 2n scores, and the discordant
pairs are the inversions of the gold in that order. Every draw has the same gold, so that the nodes of a tree over the
gold have the same size in every draw, and many draws pass through it as one array. The other metric has the scores that
are not chosen: its discordant pairs are those of the chosen scores, less a sum over the chosen scores, plus a constant.

For tau-b by item let s be +1 where a system keeps its score and -1 where it is swapped. The relation of two systems
after an exchange is one of four known ones, which is (c0 + ci si + cj sj + cij si sj) / 4. Sums over the pairs of
systems are then s' Q s plus g' s. The other metric has the same counts at -s: its even part is the same, and its odd
part has the other sign. All counts are small whole numbers, exact in single precision.
"""

from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray, ratio
from qeframe.plugin.resampling import bounded_slices
from qeframe_agreement.exchanges.axes import CellExchange
from qeframe_agreement.grids import signs
from qeframe_agreement.kendall_tau.concordance import Counts, Variant, discordances

_LEAF = 64  # nodes of at most that many cells are compared pair by pair


def inversions(values: NDArray[np.unsignedinteger], counts: IntArray) -> IntArray:
    """Return how many pairs are in falling order in each row, (rows,), of classes (rows, n) from 0 to k - 1.

    Each row has the same values in another order: each class as often as its count, (k,).
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
        # the class at which half of the cells of the node are reached
        half = int(np.searchsorted(ends[low + 1 : high], ends[low] + size // 2)) + low + 1
        middle = min(half, high - 1)
        positions = np.flatnonzero(node < middle).reshape(len(node), -1)
        small = positions.shape[1]
        # the low values, moved to the front, pass the high ones before them: the sum of their places less 0 + 1 + ...
        total += positions.sum(axis=1) - small * (np.arange(len(node)) * size) - small * (small - 1) // 2
        flat = node.ravel()
        nodes.append((flat.take(positions), low, middle))
        nodes.append((flat.take(np.flatnonzero(node >= middle)).reshape(len(node), -1), middle, high))
    for of_size in leaves.values():
        total += _compared(np.stack(of_size))
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


@frozen(eq=False)
class _Ties:
    """The scores that are equal to others."""

    shared: IntArray  # the positions of scores that are equal to another one, group after group
    starts: IntArray  # where each group begins in `shared`
    size: IntArray  # how many scores each group has
    alone: IntArray  # the positions of the other scores

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
    """The scores of two metrics in one order, by score and then by gold; (2n,)."""

    order: IntArray  # the cell of each score; those of the second metric are n higher
    gold: NDArray[np.unsignedinteger]  # the class of the gold of each score
    classes: IntArray  # how many cells each class of the gold has
    ties: _Ties  # equal scores
    joint: _Ties  # equal scores of cells with equal gold
    discordant: IntArray  # with how many other scores each forms a discordant pair

    def taus(self, swapped: NDArray[np.bool_], variant: Variant) -> tuple[FloatArray, FloatArray]:
        """Return the taus of both metrics, (draws,) each, for swaps of cells (draws, n)."""
        draws, cells = swapped.shape
        chosen = np.concatenate([~swapped, swapped], axis=1).take(self.order, axis=1)
        positions = np.flatnonzero(chosen).reshape(draws, cells)
        positions -= np.arange(draws)[:, None] * (2 * cells)
        falling = inversions(self.gold.take(positions), self.classes)
        touched = self.discordant.take(positions).sum(axis=1)
        # those left over: all pairs, less those with a chosen member, and those with two again, which were taken twice
        others = falling - touched + int(self.discordant.sum()) // 2
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


def merge(gold: FloatArray, first: FloatArray, second: FloatArray) -> MergedScores:
    """Return the merged order of two metrics, (n,) each, without NaN."""
    classes, counts = np.unique(gold, return_inverse=True, return_counts=True)[1:]
    both, kind = np.concatenate([first, second]), np.min_scalar_type(max(0, len(counts) - 1))
    ranks = np.tile(classes, 2)
    order = np.lexsort((ranks, both))
    scores, ranks = both[order], ranks[order]
    fresh = np.append(True, scores[1:] != scores[:-1])[: len(scores)]
    joint = fresh | np.append(True, ranks[1:] != ranks[:-1])[: len(scores)]
    return MergedScores(
        order=order,
        gold=ranks.astype(kind),
        classes=counts.astype(np.int64),
        ties=_ties(fresh),
        joint=_ties(joint),
        discordant=discordances(ranks),
    )


_ARRAYS = 4
"""How many arrays of one number a draw, item and system live at once: signs and their products with two forms."""

_CELLS = 2**18  # how many numbers the arrays of one block hold: 1 MB in single precision, which stays in the cache


@frozen(eq=False)
class _Forms:
    """The counts of items for one pair of metrics: even parts s' Q s, odd parts g' s.

    Coefficients, (n, 2, systems + 1, systems), are Q and g, of concordant minus discordant pairs, then of untied pairs.
    Q has its constant in its corner.
    """

    coefficients: NDArray[np.float32]

    @property
    def varied(self) -> BoolArray:
        """(n,) bool: the items whose number of untied pairs depends on the exchange."""
        of_untied = self.coefficients[:, 1].reshape(len(self.coefficients), -1)
        return np.asarray(of_untied[:, 1:].any(axis=1))

    @property
    def constant(self) -> IntArray:
        """(n,) int64: the number of untied pairs where it does not depend on the exchange."""
        return self.coefficients[:, 1, 0, 0].astype(np.int64)

    def counts(self, kept: NDArray[np.float32], items: IntArray, kinds: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return even and odd parts, (items, kinds, draws) each, for signs (items, systems, draws).

        The counts of the first metric are their sums, those of the second one their differences. Of two kinds the
        second one is untied pairs.
        """
        rows, systems, draws = kept.shape
        chosen = self.coefficients[items, :kinds].reshape(rows, -1, systems)
        sums = (chosen @ kept).reshape(rows, kinds, systems + 1, draws)
        products = sums[:, :, :-1]
        products *= kept[:, None]
        return products.sum(axis=2), sums[:, :, -1]


def _forms(human: NDArray[np.int8], first: FloatArray, second: FloatArray) -> _Forms:
    """Return the forms of two metrics, (n, systems) each, for relations of the humans (n, systems, systems)."""
    items, systems = first.shape
    above = np.triu(np.ones((systems, systems), dtype=np.int8), 1)
    relations = [  # of both systems kept, the first swapped, the second swapped, both swapped
        above * signs(left[:, :, None], right[:, None, :])
        for left, right in ((first, first), (second, first), (first, second), (second, second))
    ]
    forms = np.empty((items, 2, systems + 1, systems), dtype=np.float32)
    for kind in (0, 1):
        a, b, c, d = (relation * human if kind == 0 else np.abs(relation) for relation in relations)
        forms[:, kind, :-1] = a - b - c + d
        forms[:, kind, 0, 0] += (a + b + c + d).sum(axis=(1, 2))  # the square of a sign is 1
        forms[:, kind, -1] = (a - b + c - d).sum(axis=2) + (a + b - c - d).sum(axis=1)
    forms /= 4
    return _Forms(forms)


@frozen(kw_only=True, eq=False)
class ItemTauExchange(CellExchange):
    """The exchange of cells or systems for the mean of tau-b over items; NaN marks missing cells."""

    zero: bool  # whether an undefined item of two cells or more counts 0; else it is dropped

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        human = signs(self.gold[:, :, None], self.gold[:, None, :])
        untied = np.triu(np.abs(human)).sum(axis=(1, 2))
        answered = float(((~np.isnan(self.gold)).sum(axis=1) > 1).sum())
        rows = 1 if self.axis == "system" else len(self.gold)
        swapped = np.ascontiguousarray(masks.T).reshape(rows, self.gold.shape[1], len(masks))
        differences = np.empty((len(masks), len(first)))
        for column, (a, b) in enumerate(zip(first, second, strict=True)):
            sums = self._sums(_forms(human, self.predicted[a], self.predicted[b]), swapped, untied)
            mine, theirs = (ratio(tau, np.full_like(tau, answered) if self.zero else count) for count, tau in sums)
            differences[:, column] = mine - theirs
        return differences

    def _signs(self, swapped: NDArray[Any], items: IntArray) -> NDArray[np.float32]:
        """Return +1 for kept and -1 for swapped cells, (items, systems, draws), of masks (n or 1, systems, draws)."""
        kept = (swapped if self.axis == "system" else swapped[items]).astype(np.float32)
        kept *= -2
        kept += 1
        return np.broadcast_to(kept, (len(items), *kept.shape[1:]))

    def _sums(self, forms: _Forms, swapped: NDArray[Any], untied: IntArray) -> FloatArray:
        """Return how many items have a tau, and the sum of their taus, of both metrics: (2, 2, draws)."""
        systems, draws = swapped.shape[1:]
        shares = _inverse_roots(systems * (systems - 1) // 2)
        sums, varied = np.zeros((2, 2, draws)), forms.varied
        for items in _blocks((untied > 0) & varied, _ARRAYS * draws * systems):
            even, odd = forms.counts(self._signs(swapped, items), items, 2)
            for total, counts in zip(sums, (even + odd, even - odd), strict=True):
                apart = counts[:, 1].astype(np.intp)
                total[0] += np.count_nonzero(apart, axis=0)
                total[1] += shares[untied[items]] @ (counts[:, 0] * shares.take(apart))
        for items in _blocks((untied > 0) & ~varied, _ARRAYS * draws * systems):
            even, odd = forms.counts(self._signs(swapped, items), items, 1)
            share = shares[untied[items]] * shares[forms.constant[items]]
            sums[:, 0] += np.count_nonzero(share)
            sums[:, 1] += share @ (even + odd)[:, 0], share @ (even - odd)[:, 0]
        return sums


def _blocks(chosen: BoolArray, cells_each: int) -> list[IntArray]:
    """Return the positions of the chosen items, in blocks of bounded size."""
    items = np.flatnonzero(chosen)
    return [items[part] for part in bounded_slices(len(items), cells_each, most=_CELLS)]


def _inverse_roots(most: int) -> FloatArray:
    """Return 1 / sqrt(k) for k of 0 to `most`; 0 for 0."""
    roots = np.sqrt(np.arange(most + 1, dtype=np.float64))
    return np.divide(1.0, roots, out=np.zeros(most + 1), where=roots > 0)

"""Kendall's tau under exchanges of cells or systems: of one group of cells, and of items.

All scores of two metrics are sorted once for all draws of a group. Of the two scores of a cell a draw chooses one for
each metric. In the merged order of both metrics a draw is therefore a choice e of n of 2n scores, and the discordant
pairs are those in which the gold falls: a sum e' F e. F is the same for all draws. Within blocks of that order it is
multiplied as it is; between two blocks it depends on how many chosen scores of each class of the gold they have. The
other metric has the scores that are not chosen: its discordant pairs are those of the chosen scores, less a sum over
the chosen scores, plus a constant.

For tau-b by item let s be +1 where a system keeps its score and -1 where it is swapped. The relation of two systems
after an exchange is one of four known ones, which is (c0 + ci si + cj sj + cij si sj) / 4. Sums over the pairs of
systems are then s' Q s plus g' s. The other metric has the same counts at -s: its even part is the same, and its odd
part has the other sign. All counts are small whole numbers, exact in single precision.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray, ratio
from qeframe.plugin.resampling import bounded_slices
from qeframe_agreement.exchanges.axes import CellExchange
from qeframe_agreement.grids import signs
from qeframe_agreement.kendall_tau.concordance import Counts, Variant, discordances

_WIDTH = 64  # how many positions a block has at most: their pairs are counted one by one
_EXACT_IN_FLOAT32 = 2**24


@frozen(eq=False)
class Blocks:
    """Positions of a sequence in blocks, whose falling pairs are counted for many choices of positions at once.

    The classes of the sequence are split into branches. A falling pair of two blocks is one of a higher branch before a
    lower one.
    """

    positions: IntArray  # (blocks, width), in order; filled up with the position after the last one
    # (blocks, width + branches, width): which pairs of positions fall, and which branches are at least 0, 1, ...
    forms: NDArray[np.uint8]

    def count(self, chosen: NDArray[Any]) -> FloatArray:
        """Return how many pairs of the chosen positions fall, (draws,), of 0 and 1, (length + 1, draws), the last 0."""
        draws, width, rows = chosen.shape[1], self.positions.shape[1], self.forms.shape[1]
        falling, above = np.zeros(draws), np.zeros((1, max(1, rows - width) - 1, draws), dtype=chosen.dtype)
        for part in bounded_slices(len(self.forms), rows * draws, most=_CELLS):
            inside = chosen.take(self.positions[part], axis=0)
            sums = self.forms[part].astype(chosen.dtype) @ inside
            falling += np.einsum("bpd,bpd->bd", sums[:, :width], inside).sum(axis=0, dtype=np.float64)
            if rows > width + 1:
                above = np.concatenate([above[-1:], sums[:, width + 1 :]])
                for before, of_block in pairwise(above):
                    of_block += before
                of_branch = sums[:, width:-1] - sums[:, width + 1 :]
                falling += np.einsum("bkd,bkd->bd", above[:-1], of_branch).sum(axis=0, dtype=np.float64)
        return falling


def falling_pairs(classes: IntArray) -> list[Blocks]:
    """Return blocks that have each falling pair of a sequence of classes, (n,), once."""
    found, small = list[Blocks](), [np.empty((2, 0), dtype=np.int64)]
    nodes = [np.arange(len(classes))]
    while nodes:
        node = nodes.pop()
        values, index, counts = np.unique(classes[node], return_inverse=True, return_counts=True)
        if len(values) < 2:
            continue
        if len(node) <= _WIDTH:
            if small[-1].shape[1] + len(node) > _WIDTH:
                small.append(small[0][:, :0])
            # pairs of two nodes do not fall
            labels = index + small[-1][1].max(initial=0)
            small[-1] = np.hstack([small[-1], [node, labels]])
            continue
        branches = min(len(values), _WIDTH, -(-len(node) // _WIDTH))
        middles = np.arange(branches) if branches == len(values) else np.cumsum(counts) - counts / 2
        branch = (middles if branches == len(values) else middles * branches // len(node)).astype(np.int64)[index]
        found.append(_in_blocks([np.stack([node, branch])], branches, len(classes)))
        nodes += [node[branch == nth] for nth in range(branches)]
    return [*found, _in_blocks(small, 0, len(classes))]


def _in_blocks(nodes: Sequence[IntArray], branches: int, length: int) -> Blocks:
    """Return the blocks of positions and their labels, (2, positions) each: pairs with falling labels are counted."""
    rows = [np.pad(node, ((0, 0), (0, -node.shape[1] % _WIDTH)), constant_values=length) for node in nodes]
    positions, labels = (side.reshape(-1, _WIDTH) for side in np.concatenate(rows, axis=1))
    falls = np.triu(labels[:, :, None] > labels[:, None, :])
    at_least = labels[:, None, :] >= np.arange(branches)[:, None]
    return Blocks(positions, np.concatenate([falls, at_least], axis=1).view(np.uint8))


@frozen(eq=False)
class _Ties:
    """The groups of scores that are equal to others."""

    groups: Any  # a sparse array (g, 2n + 1): which scores are of each group
    size: FloatArray  # how many scores each group has, (g, 1)
    alone: IntArray  # the other scores


def _ties(fresh: BoolArray, order: IntArray) -> _Ties:
    """Return the ties of sorted scores, given where one differs from the score before it, and which score it is."""
    from scipy.sparse import csr_array

    size = np.diff(np.append(np.flatnonzero(fresh), len(fresh)))
    shared = np.repeat(size > 1, size)
    size = size[size > 1]
    where = (np.ones(int(size.sum()), dtype=np.float32), order[shared], np.append(0, np.cumsum(size)))
    groups = csr_array(where, shape=(len(size), len(order) + 1))
    return _Ties(groups, size[:, None].astype(np.float64), order[~shared])


def _pairs(counts: FloatArray) -> FloatArray:
    """Return how many pairs there are in groups (g, draws), (draws,)."""
    return np.asarray(np.einsum("gd,gd->d", counts, counts - 1) / 2)


@frozen(kw_only=True, eq=False)
class MergedScores:
    """The scores of two metrics in one order, by score and then by gold; (2n,), those of the second metric last."""

    falling: list[Blocks]  # the falling pairs of the gold in that order
    classes: FloatArray  # how many cells each class of the gold has
    ties: _Ties  # equal scores
    joint: _Ties  # equal scores of cells with equal gold
    discordant: IntArray  # with how many other scores each forms a discordant pair

    def taus(self, swapped: NDArray[Any], variant: Variant) -> tuple[FloatArray, FloatArray]:
        """Return the taus of both metrics, (draws,) each, for swaps of cells, (n, draws) of 0 and 1."""
        cells, draws = swapped.shape
        exact = np.float32 if cells * _WIDTH < _EXACT_IN_FLOAT32 else np.float64
        chosen = np.empty((2 * cells + 1, draws), dtype=exact)
        chosen[:cells], chosen[cells:-1], chosen[-1] = 1 - swapped, swapped, 0
        falling = sum((blocks.count(chosen) for blocks in self.falling), np.zeros(draws))
        kept, received = np.split(self.discordant, 2)
        touched = kept.sum() + (received - kept) @ swapped.astype(np.float64)
        # those left over: all pairs, less those with a chosen member, and those with two again, which were taken twice
        others = falling - touched + int(self.discordant.sum()) // 2
        tied, joint = ((ties.groups @ chosen).astype(np.float64) for ties in (self.ties, self.joint))
        alone = chosen[self.ties.alone] if variant == "c" else None
        return (
            self._tau(falling, tied, joint, alone, cells),
            self._tau(
                others, self.ties.size - tied, self.joint.size - joint, None if alone is None else 1 - alone, cells
            ),
        )

    def _tau(
        self, discordant: FloatArray, tied: FloatArray, joint: FloatArray, alone: NDArray[Any] | None, cells: int
    ) -> FloatArray:
        """Return the taus of the chosen scores, (draws,), from how many of each group are chosen; tau-c if `alone`."""
        draws, pairs = len(discordant), cells * (cells - 1) // 2
        untied, untied_y = pairs - _pairs(tied), pairs - _pairs(self.classes[:, None])
        distinct = np.ones(draws)
        if alone is not None:
            values = np.count_nonzero(alone, axis=0) + np.count_nonzero(tied, axis=0)
            distinct = np.minimum(values, len(self.classes)).astype(np.float64)
        counts = Counts(
            excess=untied + untied_y - pairs + _pairs(joint) - 2 * discordant,
            untied_x=untied,
            untied_y=np.broadcast_to(untied_y, draws),
            cells=np.full(draws, float(cells)),
            distinct=distinct,
        )
        return counts.tau("b" if alone is None else "c")


def merge(gold: FloatArray, first: FloatArray, second: FloatArray) -> MergedScores:
    """Return the merged order of two metrics, (n,) each, without NaN."""
    classes, counts = np.unique(gold, return_inverse=True, return_counts=True)[1:]
    both, ranks = np.concatenate([first, second]), np.tile(classes, 2)
    order = np.lexsort((ranks, both))
    scores, in_order = both[order], ranks[order]
    fresh = np.append(True, scores[1:] != scores[:-1])[: len(scores)]
    joint = fresh | np.append(True, in_order[1:] != in_order[:-1])[: len(scores)]
    discordant, place = np.empty_like(order), np.append(order, len(order))
    discordant[order] = discordances(in_order)
    return MergedScores(
        falling=[attrs.evolve(of, positions=place[of.positions]) for of in falling_pairs(in_order)],
        classes=counts.astype(np.float64),
        ties=_ties(fresh, order),
        joint=_ties(joint, order),
        discordant=discordant,
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

"""Tau-b by item under exchanges of cells: the counts of an item are quadratic forms of signs.

Let s be +1 where a system keeps its score and -1 where it is swapped. The relation of two systems after an exchange is
one of four known ones, which is (c0 + ci si + cj sj + cij si sj) / 4. Sums over the pairs of systems are then s' Q s
plus g' s. The other metric has the same counts at -s: its even part is the same, and its odd part has the other sign.
All counts are small whole numbers, exact in single precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray, ratio
from qeframe.plugin.resampling import bounded_slices
from qeframe_agreement.exchanges.axes import Axis
from qeframe_agreement.grids.pairing import signs

_ARRAYS = 4
"""How many arrays of one number a draw, item and system live at once: signs and their products with two forms."""

_CELLS = 2**18
"""How many numbers the arrays of one block hold: 1 MB in single precision, which stays in the cache."""


@frozen(eq=False)
class _Forms:
    """The counts of items for one pair of metrics: even parts s' Q s, odd parts g' s.

    Parameters
    ----------
    coefficients : (n, 2, systems + 1, systems) float32
        Q and g, of concordant minus discordant pairs, then of untied pairs. Q has its constant in its corner.
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


def _forms(human: NDArray[np.int8], one: FloatArray, other: FloatArray) -> _Forms:
    """Return the forms of two metrics, (n, systems) each, for relations of the humans (n, systems, systems)."""
    items, systems = one.shape
    above = np.triu(np.ones((systems, systems), dtype=np.int8), 1)
    same, first, second, both = (
        above * signs(left[:, :, None], right[:, None, :])
        for left, right in ((one, one), (other, one), (one, other), (other, other))
    )
    forms = np.empty((items, 2, systems + 1, systems), dtype=np.float32)
    for kind in (0, 1):
        a, b, c, d = (each * human if kind == 0 else np.abs(each) for each in (same, first, second, both))
        forms[:, kind, :-1] = a - b - c + d
        forms[:, kind, 0, 0] += (a + b + c + d).sum(axis=(1, 2))  # the square of a sign is 1
        forms[:, kind, -1] = (a - b + c - d).sum(axis=2) + (a + b - c - d).sum(axis=1)
    forms /= 4
    return _Forms(forms)


@frozen(kw_only=True, eq=False)
class ItemTauExchange:
    """The exchange of cells or systems for the mean of tau-b over items.

    Parameters
    ----------
    gold, predicted : (n, systems), (S, n, systems) float64
        NaN where a cell is missing; all submissions have the same cells.
    axis : str
        cell or system.
    zero : bool
        Whether an undefined item that has a cell counts 0; else it is dropped.
    """

    gold: FloatArray
    predicted: FloatArray
    axis: Axis
    zero: bool

    @property
    def cells(self) -> int:
        """One cell for each system, or for each cell of the grid."""
        return self.gold.shape[1] if self.axis == "system" else self.gold.size

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        human = signs(self.gold[:, :, None], self.gold[:, None, :])
        untied = np.triu(np.abs(human)).sum(axis=(1, 2))
        there = float((~np.isnan(self.gold)).any(axis=1).sum())
        rows = 1 if self.axis == "system" else len(self.gold)
        swapped = np.ascontiguousarray(masks.T).reshape(rows, self.gold.shape[1], len(masks))
        differences = np.empty((len(masks), len(first)))
        for column, (a, b) in enumerate(zip(first, second, strict=True)):
            sums = self._sums(_forms(human, self.predicted[a], self.predicted[b]), swapped, untied)
            mine, theirs = (ratio(tau, np.full_like(tau, there) if self.zero else count) for count, tau in sums)
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

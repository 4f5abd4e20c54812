"""Exchanges of two submissions under Kendall's tau: the concordance of mixed answers is a quadratic form.

With t = 1 for a unit that keeps its answer and -1 for one that swaps it, every pair of units (i, j) has four outcomes
sign(gold_i - gold_j) sign(answer_i - answer_j), by whose answer each of both has. Their sum over pairs is constant +
linear . t + t' quadratic t; for the other submission t has the other sign. One matrix product serves all draws of a
pair of submissions. All numbers are whole and exact in single precision.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray, Scores
from qeframe.plugin.resampling import tie_groups

MOST_UNITS = 4000
"""With more units sums are no longer exact in single precision, and counts by merging are nearly as fast."""
_PARTS = 8
_MOST_BYTES = 2**27
"""Up to here the quadratic forms of all pairs are kept; more are made again for each block of draws."""


def tau_b(surplus: FloatArray, untied_gold: FloatArray, untied_predicted: FloatArray) -> FloatArray:
    """Return tau-b from the surplus of concordant pairs, (draws,), and the pairs that each side does not tie."""
    most = np.sqrt(untied_gold) * np.sqrt(untied_predicted)
    return _divided(surplus, most, (untied_gold > 0) & (untied_predicted > 0))


def tau_c(
    surplus: FloatArray, untied_gold: FloatArray, untied_predicted: FloatArray, fewer: FloatArray, total: FloatArray
) -> FloatArray:
    """Return tau-c; `fewer` is the smaller one of the numbers of distinct values, `total` the number of units."""
    most = total**2 * (fewer - 1) / (2 * np.maximum(fewer, 1))
    return _divided(surplus, most, (untied_gold > 0) & (untied_predicted > 0))


def _divided(surplus: FloatArray, most: FloatArray, defined: BoolArray) -> FloatArray:
    scores = np.full(len(surplus), np.nan)
    np.divide(surplus, most, out=scores, where=defined)
    return np.clip(scores, -1.0, 1.0)


@frozen(eq=False)
class _Form:
    """Eight times the surplus of concordant pairs of two submissions, and which of their answers are tied.

    `quadratic` (n, n): Symmetric.
    `linear` (n,).
    `tied` (k,): the answers that are tied with another one, lowest first: i < n of the first submission, n + i of the
      second.
    `starts` (g,): where in `tied` each group begins.
    """

    quadratic: NDArray[np.int8]
    linear: FloatArray
    constant: float
    tied: IntArray
    starts: IntArray


@frozen(eq=False)
class TauExchange:
    """The exchange of units under tau-b or tau-c.

    `batches`: of one gold.
    """

    batches: Sequence[Scores]
    variant: Literal["b", "c"]
    _forms: dict[tuple[int, int], _Form] = field(factory=dict, init=False)

    @property
    def cells(self) -> int:
        """One cell for each unit."""
        return len(self.batches[0])

    @cached_property
    def _of_gold(self) -> tuple[NDArray[np.int8], float, int]:
        """The signs of all pairs of the gold, how many are not tied, and the number of distinct values."""
        gold = self.batches[0].gold
        sizes = np.diff(np.append(tie_groups(gold).starts, len(gold)))
        return _signs(gold, gold), float((sizes * (len(gold) - sizes)).sum() / 2), len(sizes)

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        swapped = masks.astype(np.float32)
        signs = 1 - 2 * swapped
        weights = np.vstack([1 - swapped.T, swapped.T])
        keep = len(first) * self.cells**2 <= _MOST_BYTES
        differences = np.empty((len(masks), len(first)))
        for column, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            form = self._forms.get((a, b)) or self._form(a, b)
            if keep:
                self._forms[a, b] = form
            differences[:, column] = self._difference(form, signs, weights)
        return differences

    def _form(self, a: int, b: int) -> _Form:
        answers = [self.batches[submission].predicted for submission in (a, b)]
        joint = tie_groups(np.concatenate(answers))
        ranks = joint.group_of_unit.astype(np.int16)
        x, y = ranks[: self.cells], ranks[self.cells :]
        kept, mixed, swapped = (self._of_gold[0] * _signs(*sides) for sides in ((x, x), (x, y), (y, y)))
        sums = [
            form.sum(axis=axis, dtype=np.float64) for form, axis in ((kept, 1), (mixed, 1), (mixed, 0), (swapped, 1))
        ]
        linear = 2 * (sums[0] + sums[1] - sums[2] - sums[3])
        sizes = np.diff(np.append(joint.starts, len(joint.order)))
        several = sizes > 1
        starts = np.concatenate([[0], np.cumsum(sizes[several])[:-1]]) if several.any() else np.zeros(0, np.int64)
        tied = joint.order[np.repeat(several, sizes)]
        return _Form(kept + swapped - mixed - mixed.T, linear, float(np.sum(sums)), tied, starts)

    def _difference(self, form: _Form, signs: NDArray[np.float32], weights: NDArray[np.float32]) -> FloatArray:
        even = form.constant + _quadratic(form.quadratic, signs)
        odd = signs @ form.linear
        sizes = np.zeros((0, len(signs)), dtype=np.float32)
        if len(form.starts):
            sizes = np.add.reduceat(weights[form.tied], form.starts, axis=0)
        whole = np.diff(np.append(form.starts, len(form.tied)))[:, None]
        # the other submission has all signs turned, which changes the sign of the odd part alone
        return self._scores((even + odd) / 8, sizes) - self._scores((even - odd) / 8, whole - sizes)

    def _scores(self, surplus: FloatArray, sizes: NDArray[np.floating[Any]]) -> FloatArray:
        """Return the scores from the surplus of concordant pairs and the sizes of the groups of tied answers."""
        n, (_, untied_gold, distinct_gold) = self.cells, self._of_gold
        alone = n - sizes.sum(axis=0, dtype=np.float64)
        squares = np.einsum("gd,gd->d", sizes, sizes, dtype=np.float64)
        untied = (n * n - alone - squares) / 2
        of_gold = np.full(len(alone), untied_gold)
        if self.variant == "b":
            return tau_b(surplus, of_gold, untied)
        fewer = np.minimum(distinct_gold, alone + (sizes > 0).sum(axis=0))
        return tau_c(surplus, of_gold, untied, fewer, np.full(len(alone), float(n)))


def _signs(left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.int8]:
    """Return the signs of all differences, (n, m)."""
    above, below = left[:, None] > right, left[:, None] < right
    return above.view(np.int8) - below.view(np.int8)


def _quadratic(form: NDArray[np.int8], signs: NDArray[np.float32]) -> FloatArray:
    """Return the values of a symmetric quadratic form, (draws,), by its upper half."""
    values = np.zeros(len(signs))
    step = -(-len(form) // _PARTS)
    for begin in range(0, len(form), step):
        part = slice(begin, begin + step)
        upper = form[: begin + step, part].astype(np.float32)
        # the form is symmetric: one triangle, what is off the diagonal block doubled
        upper[:begin] *= 2
        values += np.einsum("dn,dn->d", signs[:, : begin + step] @ upper, signs[:, part])
    return values

"""Kendall's tau-b and Stuart's tau-c of gold and predicted numbers, under weights.

The units are ordered by their gold, and by their prediction where the gold is tied. Pairs of units in falling order of
the prediction are then the discordant ones. They are counted by merging: in each of log n steps neighboring blocks are
joined, and every unit of the right block is counted with the units of the left one that are above it. The order of the
units in each step does not depend on the weights. It is found once, and all draws are counted together.

A unit of whole weight w counts as w units that are tied with each other.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, IntArray, Metric, Scores
from qeframe.plugin.resampling import Exchange, ExchangeByWeights, TieGroups, bounded_slices, flatten_draws, tie_groups

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


_ARRAYS = 4
"""How many arrays of one number a unit and draw live at once."""


@frozen(eq=False)
class _Step:
    """One step of merging.

    `left`, `right` (m,) and (k,): the units of all left and of all right halves, block by block, each from its lowest
      to its highest prediction.
    `below` (k,): for each unit of a right half, how many of `left` are in earlier blocks, or in its block and not above
      it.
    `end` (k,): the same, with all of `left` in its block.
    """

    left: IntArray
    right: IntArray
    below: IntArray
    end: IntArray

    def discordant(self, columns: FloatArray) -> FloatArray:
        """Return the weight of pairs of a unit of a right half and a higher one of its left half, (draws,)."""
        cumulated = np.zeros((len(self.left) + 1, columns.shape[1]))
        np.cumsum(columns[self.left], axis=0, out=cumulated[1:])
        above = cumulated[self.end]
        above -= cumulated[self.below]
        return np.einsum("ud,ud->d", columns[self.right], above)


@frozen(eq=False)
class TauStatistic:
    """Tau-b or tau-c as a statistic."""

    steps: tuple[_Step, ...]
    gold: TieGroups
    predicted: TieGroups
    both: TieGroups
    variant: Literal["b", "c"]
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        flat = flatten_draws(weights)
        scores = np.full(len(flat), np.nan)
        for part in bounded_slices(len(flat), _ARRAYS * self.units) if self.units else []:
            scores[part] = self._scores(np.ascontiguousarray(flat[part].T))
        return scores.reshape(weights.shape[:-1])

    def _scores(self, columns: FloatArray) -> FloatArray:
        total = columns.sum(axis=0)
        by_gold, by_predicted, by_both = (ties.sum(columns) for ties in (self.gold, self.predicted, self.both))
        untied_gold, untied_predicted = (_untied(total, groups) for groups in (by_gold, by_predicted))
        untied = untied_gold + untied_predicted - _untied(total, by_both)
        discordant = sum((step.discordant(columns) for step in self.steps), np.zeros(len(total)))
        surplus = untied - 2 * discordant
        if self.variant == "b":
            return tau_b(surplus, untied_gold, untied_predicted)
        fewer = np.minimum((by_gold > 0).sum(axis=0), (by_predicted > 0).sum(axis=0))
        return tau_c(surplus, untied_gold, untied_predicted, fewer, total)


def _untied(total: FloatArray, groups: FloatArray) -> FloatArray:
    """Return the weight of the pairs of units in different groups, (draws,)."""
    return np.asarray((groups * (total - groups)).sum(axis=0) / 2)


def _bind(batch: Scores, *, variant: Literal["b", "c"]) -> TauStatistic:
    gold, predicted = tie_groups(batch.gold), tie_groups(batch.predicted)
    both = tie_groups((gold.group_of_unit * (len(batch) + 1) + predicted.group_of_unit).astype(np.float64))
    steps = _steps(both.order, predicted.group_of_unit)
    return TauStatistic(tuple(steps), gold, predicted, both, variant, len(batch), batch.unit)


def _steps(order: IntArray, rank: IntArray) -> list[_Step]:
    """Return the steps that merge units in this order, whose predictions have these ranks."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    steps, half = [], 1
    while half < len(order):
        block, is_right = place // (2 * half), place // half % 2
        # of equal ranks those of the left half first: they are then not above those of the right half
        merged = np.lexsort((is_right, rank, block))
        of_left = is_right[merged] == 0
        counted = np.cumsum(of_left)
        last = np.minimum((block[merged] + 1) * 2 * half, len(order)) - 1
        steps.append(_Step(merged[of_left], merged[~of_left], counted[~of_left], counted[last[~of_left]]))
        half *= 2
    return steps


def _exchange(batches: Sequence[Scores], *, variant: Literal["b", "c"]) -> Exchange:
    """Return the exchange of units, by quadratic forms where there are not too many of one gold."""
    gold = batches[0].gold
    if 1 < len(gold) <= MOST_UNITS and all(np.array_equal(batch.gold, gold) for batch in batches):
        return TauExchange(batches, variant)
    return ExchangeByWeights(partial(_bind, variant=variant))(batches)


_PAIRS = (
    "$C$ is the number of pairs of units that the predictions $x$ order as the gold $y$ does, and $D$ the number of "
    "those that they order the other way."
)


_KNOWN: Mapping[str, Mapping[str, float]] = {"kendall_tau_b": {"cosmetic": 0.05}, "kendall_tau_c": {"cosmetic": 0.2}}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _tau(name: str, variant: Literal["b", "c"], summary: str, source: str, formula: str, more: str) -> Metric:
    bind = partial(_bind, variant=variant)
    return Metric(
        name=name,
        summary=summary,
        source=source,
        kind=Scores,
        bind=bind,
        smooth=True,
        exchange=partial(_exchange, variant=variant),
        bounds=(-1.0, 1.0),
        claims=("constant_proof", "blind_proof", "location_scale_invariant"),
        formula=formula,
        symbols=f"{_PAIRS} {more}",
        known_weaknesses=_KNOWN[name],
    )


kendall_tau_b = _tau(
    "kendall_tau_b",
    "b",
    "Kendall's tau-b of gold and predicted numbers; undefined for a constant side",
    "WMT23-24 QE sentence level (secondary); Kendall (1945)",
    r"\tau_b = \frac{C - D}{\sqrt{(P - T_x)(P - T_y)}}",
    "$P = n(n-1)/2$ is the number of all pairs of $n$ units; $T_x$ and $T_y$ are those that a side ties.",
)

kendall_tau_c = _tau(
    "kendall_tau_c",
    "c",
    "Stuart's tau-c of gold and predicted numbers; undefined for a constant side",
    "Stuart (1953), for sides with different numbers of values",
    r"\tau_c = \frac{2 m (C - D)}{n^2 (m - 1)}",
    "$n$ is the number of units, and $m$ is the smaller one of the numbers of distinct values of both sides.",
)

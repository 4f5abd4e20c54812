"""Kendall's tau-b and tau-c on grids."""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, FloatArray, Grid, IntArray, Metric, ratio
from qeframe.plugin.resampling import Exchange, bounded_slices
from qeframe_agreement.exchanges.axes import (
    Axis,
    Bind,
    CellExchange,
    GridExchange,
    by_segments,
    make_stacked,
    same_cells,
    stacked_exchange,
    standardized,
)
from qeframe_agreement.grids import Average, Grouping, Undefined, bind_groups, cells_of, claims_of
from qeframe_agreement.kendall_tau.concordance import Concordance, Variant, taus_of_items
from qeframe_agreement.kendall_tau.exchanges import ItemTauExchange, MergedScores, merge

_CELLS = 2**22  # how many scores of both metrics a block of draws holds
_MOST_KEPT = 2**17  # of so many cells, over all pairs of metrics, the merged scores are kept: in some 100 MB


@frozen(kw_only=True, eq=False)
class GroupTauExchange(CellExchange):
    """The exchange of cells or systems for tau over all cells, or its mean over systems; NaN marks missing cells."""

    by_system: bool
    variant: Variant
    zero: bool  # whether an undefined system of two cells or more counts 0; else it is dropped

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        swapped, groups = self.swapped(masks), self._groups()
        taus = np.empty((len(groups), 2, len(first), len(masks)))
        for of_group, group in zip(taus, groups, strict=True):
            cells = np.ascontiguousarray(swapped[:, group].T)
            for column, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
                merged = self._merged(group, *pair)
                for part in bounded_slices(len(masks), 2 * len(cells), most=_CELLS):
                    of_group[:, column, part] = merged.taus(cells[:, part], self.variant)
        mine, theirs = self._means(taus)
        return np.asarray((mine - theirs).T)

    def _groups(self) -> list[BoolArray]:
        """Return the cells of each group that can count, (n, systems) bool each."""
        present = ~np.isnan(self.gold)
        groups = [present & column for column in np.eye(present.shape[1], dtype=np.bool_)]
        least = 2 if self.zero else 1
        return [group for group in (groups if self.by_system else [present]) if group.sum() >= least]

    @cached_property
    def _known(self) -> dict[tuple[bytes, int, int], MergedScores]:
        return {}

    def _merged(self, group: BoolArray, a: int, b: int) -> MergedScores:
        """Return the merged scores of two metrics in a group of cells; the next draws need them again."""
        key = group.tobytes(), a, b
        if key not in self._known:
            merged = merge(self.gold[group], self.predicted[a][group], self.predicted[b][group])
            if (1 + len(self._known)) * int(group.sum()) > _MOST_KEPT:
                return merged
            self._known[key] = merged
        return self._known[key]

    def _means(self, taus: FloatArray) -> FloatArray:
        """Return the means over groups, (2, ...), of taus (groups, 2, ...)."""
        defined = ~np.isnan(taus)
        counted = np.ones_like(defined) if self.zero else defined
        return ratio(np.where(defined, taus, 0.0).sum(axis=0), counted.sum(axis=0).astype(np.float64))


def tau_exchange(
    variant: Variant, grouping: Grouping, undefined: Undefined, bind: Bind, batches: Sequence[Grid]
) -> GridExchange:
    """Return the exchange: on the stacked items by segments, through counts by cells and systems.

    Submissions that lack different cells, tau-c by item, and means that a group without tau makes undefined are bound
    and scored again by cells and systems.
    """
    make = partial(_along, bind, variant, grouping, undefined, batches)
    return GridExchange(len(batches[0]), partial(by_segments, batches, bind), make)


def _along(
    bind: Bind,
    variant: Variant,
    grouping: Grouping,
    undefined: Undefined,
    batches: Sequence[Grid],
    axis: Axis,
    standardize: bool,
) -> Exchange:
    counted = undefined != "propagate" and (variant == "b" or grouping != "item")
    zero = undefined == "zero"
    if axis == "segment" or not counted or not same_cells(batches):
        return make_stacked(batches, bind, axis, standardize)
    sides = [cells_of(batch) for batch in (standardized(batches) if standardize else batches)]
    gold, predicted = sides[0][0], np.stack([side for _, side in sides])
    if grouping == "item":
        return ItemTauExchange(gold=gold, predicted=predicted, axis=axis, zero=zero)
    return GroupTauExchange(
        gold=gold, predicted=predicted, axis=axis, by_system=grouping == "system", variant=variant, zero=zero
    )


_FORMULAS = {"b": r"\tau_b = \frac{C - D}{\sqrt{(P - T_x)(P - T_y)}}", "c": r"\tau_c = \frac{2 m (C - D)}{n^2 (m - 1)}"}
_SYMBOLS = (
    "Of all $P = n(n-1)/2$ pairs of $n$ cells, $C$ have the same order in the metric scores $x$ as in the human scores "
    "$y$, and $D$ the opposite order; $T_x$ and $T_y$ are the pairs that a side ties, and $m$ is the smaller number of "
    "distinct values of a side. With `grouping` it is the mean over items, or over systems, of tau within each."
)


_KNOWN: Mapping[str, Mapping[str, float]] = {"tau_b": {"cosmetic": 0.19}, "tau_c": {"cosmetic": 0.22}}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _tau(
    name: str, summary: str, source: str, variant: Variant, grouping: Grouping, undefined: Undefined, average: Average
) -> Metric:
    make, of_items = partial(Concordance, variant), partial(taus_of_items, variant)
    bind = partial(bind_groups, make, of_items, grouping, undefined, average)
    micro = average == "micro" and grouping != "none"
    make_exchange = stacked_exchange if micro else partial(tau_exchange, variant, grouping, undefined)
    return Metric(
        name=name,
        summary=summary,
        source=source,
        kind=Grid,
        bind=bind,
        smooth=True,
        exchange=partial(make_exchange, bind),
        bounds=(-1.0, 1.0),
        claims=claims_of(grouping, undefined),
        formula=_FORMULAS[variant],
        symbols=_SYMBOLS,
        known_weaknesses=_KNOWN[name],
    )


def tau_b(*, grouping: Grouping = "none", undefined: Undefined = "drop", average: Average = "macro") -> Metric:
    """Kendall's tau-b: concordant minus discordant pairs over the geometric mean of the pairs untied on each side.

    Parameters
    ----------
    grouping : {"none", "item", "system"}
        none: all pairs of cells. item: the mean over items of tau over its systems. system: the mean over systems of
        tau over the items.
    undefined : {"drop", "zero", "propagate"}
        As for `segment_pearson`.
    average : {"macro", "micro"}
        macro: all groups count alike. micro: each counts as often as it has cells, as in the micro average of
        mt-metrics-eval.

    Returns
    -------
    Metric
        On `Grid`, or two flat sequences, in [-1, 1]. A group is undefined if a side is constant or it has fewer than
        two cells; a group without any cell is left out in any case. NaN if no group is left.

    References
    ----------
    Kendall (1945), The treatment of ties in ranking problems; metrics tasks 2021-22.
    """
    summary = "Kendall's tau-b over all cells, by item or by system; undefined for a constant side"
    return _tau("tau_b", summary, "Kendall (1945); metrics tasks 2021-22", "b", grouping, undefined, average)


def tau_c(*, grouping: Grouping = "none", undefined: Undefined = "drop", average: Average = "macro") -> Metric:
    """Kendall's (Stuart's) tau-c: concordant minus discordant pairs, normed for sides with few distinct values.

    Parameters
    ----------
    grouping, undefined, average
        As for `tau_b`.

    Returns
    -------
    Metric
        On `Grid`, or two flat sequences: 2 (C - D) m / (n^2 (m - 1)) with n cells, m the smaller number of distinct
        values of a side, in [-1, 1]. Undefined groups as for `tau_b`.

    References
    ----------
    Stuart (1953), The estimation and comparison of strengths of association in contingency tables.
    """
    summary = "Stuart's tau-c over all cells, by item or by system; undefined for a constant side"
    return _tau("tau_c", summary, "Stuart (1953)", "c", grouping, undefined, average)

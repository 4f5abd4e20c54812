"""Kendall's tau-b and tau-c on grids."""

from __future__ import annotations

from functools import partial

from qeframe.plugin import Grid, Metric
from qeframe_agreement.exchanges.axes import stacked_exchange
from qeframe_agreement.grids.groups import Average, Grouping, Undefined, bind_groups, claims_of
from qeframe_agreement.kendall_tau.concordance import Concordance, Variant, taus_of_items
from qeframe_agreement.kendall_tau.exchange import tau_exchange

_FORMULAS = {
    "b": r"\tau_b = \frac{C - D}{\sqrt{(P - T_x)(P - T_y)}}",
    "c": r"\tau_c = \frac{2 m (C - D)}{n^2 (m - 1)}",
}
_SYMBOLS = (
    "Of all $P = n(n-1)/2$ pairs of $n$ cells, $C$ have the same order in the metric scores $x$ as in the human scores "
    "$y$, and $D$ the opposite order; $T_x$ and $T_y$ are the pairs that a side ties, and $m$ is the smaller number of "
    "distinct values of a side. With `grouping` it is the mean over items, or over systems, of tau within each."
)


def _tau(
    name: str,
    summary: str,
    source: str,
    variant: Variant,
    grouping: Grouping,
    undefined: Undefined,
    average: Average,
) -> Metric:
    make, of_items = partial(Concordance, variant), partial(taus_of_items, variant)
    bind = partial(bind_groups, make, of_items, grouping, undefined == "zero", average)
    micro = average == "micro" and grouping != "none"
    make_exchange = stacked_exchange if micro else partial(tau_exchange, variant, grouping, undefined == "zero")
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
    )


def tau_b(*, grouping: Grouping = "none", undefined: Undefined = "drop", average: Average = "macro") -> Metric:
    """Kendall's tau-b: concordant minus discordant pairs over the geometric mean of the pairs untied on each side.

    Parameters
    ----------
    grouping : {"none", "item", "system"}
        none: all pairs of cells. item: the mean over items of tau over its systems. system: the mean over systems of
        tau over the items.
    undefined : {"drop", "zero"}
        How a group with a constant side counts: it is left out of the mean, or counts 0.
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

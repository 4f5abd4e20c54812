"""Counts of the pairs of systems within items: Kendall-like scores with a threshold, and two F1 scores of ties."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, FloatArray, Grid, Metric, mean_of_sums, ratio
from qeframe_agreement.exchanges.axes import rows_exchange
from qeframe_agreement.grids import ACC23, Average, check_epsilon, item_pairs

Score = Callable[[FloatArray], FloatArray]


@frozen
class _Cells:
    """How many pairs of each item are in each of the nine cells, (n, 9): human relation by metric relation."""

    threshold: float  # pairs that the human scores less than that apart are left out
    epsilon: float  # two metric scores tie if they are at most that far apart

    def __call__(self, batch: Grid) -> FloatArray:
        pairs = item_pairs(batch, ACC23)
        difference = pairs.differences(batch.predicted)
        cell = pairs.middle - (difference > self.epsilon) + (difference < -self.epsilon)
        cell[~pairs.counted] = 9
        if self.threshold:
            with np.errstate(invalid="ignore"):
                cell[np.abs(pairs.differences(batch.gold)) < self.threshold] = 9
        return np.stack([np.count_nonzero(cell == number, axis=0) for number in range(9)], axis=1).astype(np.float64)


@frozen
class _Macro:
    """Whether each item has a score, and the score, (n, 2)."""

    cells: _Cells
    score: Score

    def __call__(self, batch: Grid) -> FloatArray:
        values = self.score(batch.rows(self.cells))
        return np.stack([~np.isnan(values), np.nan_to_num(values)], axis=1)


def _kendall(cells: FloatArray) -> FloatArray:
    """Return concordant minus all other pairs, over all pairs."""
    pairs = cells.sum(axis=-1)
    return ratio(2 * (cells[..., 0] + cells[..., 8]) - pairs, pairs)


def _tie_f1(cells: FloatArray) -> FloatArray:
    """Return the harmonic mean of the shares of metric ties and of human ties that the other side has too."""
    human, metric, both = cells[..., 3:6].sum(axis=-1), cells[..., 1::3].sum(axis=-1), cells[..., 4]
    return ratio(2 * both, human + metric)


def _correct_rank_f1(cells: FloatArray) -> FloatArray:
    """Return the harmonic mean of the shares of pairs decided by metric and by human that are concordant."""
    pairs = cells.sum(axis=-1)
    human, metric = pairs - cells[..., 3:6].sum(axis=-1), pairs - cells[..., 1::3].sum(axis=-1)
    return ratio(2 * (cells[..., 0] + cells[..., 8]), human + metric)


def _bind(cells: _Cells, score: Score, average: Average, batch: Grid) -> Additive:
    if average == "micro":
        return Additive(batch.rows(cells), score, batch.unit)
    return Additive(batch.rows(_Macro(cells, score)), mean_of_sums, batch.unit)


def _details(cells: _Cells, batch: Grid) -> Mapping[str, Any]:
    counts = batch.rows(cells).sum(axis=0)
    return {"cells": counts.reshape(3, 3).tolist(), "pairs": float(counts.sum()), "unanswered": float(batch.unanswered)}


def _without_pairs(cells: _Cells, batch: Grid) -> bool:
    """Return whether no pair is far enough apart."""
    return not batch.rows(cells).any()


def _metric(name: str, cells: _Cells, score: Score, average: Average, **declared: Any) -> Metric:
    bind = partial(_bind, cells, score, average)
    return Metric(
        name=name,
        kind=Grid,
        bind=bind,
        smooth=True,
        exchange=partial(rows_exchange, bind),
        details=partial(_details, cells),
        **declared,
    )


def kendall_like(*, threshold: float = 0.0, average: Average = "micro") -> Metric:
    """Kendall-like agreement on pairs of systems within items that the human scores far enough apart.

    Parameters
    ----------
    threshold : float
        Pairs whose human scores differ by at least that much count: 25 for raw direct assessments (official). With 0
        all pairs count, also those that the human ties.
    average : {"micro", "macro"}
        micro: all pairs of all items together (official). macro: the mean over items with a pair.

    Returns
    -------
    Metric
        On `Grid`: concordant pairs minus all others, over all pairs, in [-1, 1]. A pair that the metric or the human
        ties is not concordant, as in the official program. Undefined (NaN) without a pair.

    References
    ----------
    Metrics tasks 2017-20, segment level (DARR); KendallLike of mt-metrics-eval.
    """
    cells = _Cells(check_epsilon(threshold), 0.0)
    return _metric(
        "kendall_like",
        cells,
        _kendall,
        average,
        summary="Kendall-like agreement on pairs of systems within items, with a threshold of human differences",
        source="Metrics tasks 2017-20; mt-metrics-eval",
        formula=r"\frac{C - (P - C)}{P}",
        symbols="$P$ is the number of pairs of systems within items whose human scores differ by at least "
        "`threshold`, and $C$ the number of those that the metric orders as the human does. All others, ties too, "
        "count against it.",
        bounds=(-1.0, 1.0),
        undefined=partial(_without_pairs, cells),
        claims=("constant_proof", "abstention_proof", "monotone"),  # a tie of the metric is the worst answer
        known_weaknesses={"blind": 0.18, "cosmetic": 0.08},
    )


def tie_f1(*, epsilon: float = 0.0, average: Average = "micro") -> Metric:
    """F1 of ties: of the pairs of systems within items that the metric ties, and of those that the human ties.

    Parameters
    ----------
    epsilon : float
        Two metric scores tie if they are at most that far apart.
    average : {"micro", "macro"}
        micro: all pairs of all items together. macro: the mean over items with a tie on a side.

    Returns
    -------
    Metric
        On `Grid`, in [0, 1]: with b pairs tied on both sides, precision is b over the metric's ties and recall b over
        the human's ties. Undefined (NaN) without any tie.

    References
    ----------
    Deutsch, Foster and Freitag (2023), Ties matter.
    """
    return _metric(
        "tie_f1",
        _Cells(0.0, check_epsilon(epsilon)),
        _tie_f1,
        average,
        summary="F1 of ties of systems within items; undefined without any tie",
        source="Deutsch, Foster and Freitag (2023)",
        formula=r"F_1 = \frac{2 B}{T_x + T_y}",
        symbols="Of the pairs of systems within items, $T_x$ are tied by the metric, $T_y$ by the human, and $B$ by "
        "both.",
        bounds=(0.0, 1.0),
        known_weaknesses={"blind": 0.17, "cosmetic": 0.33},
    )


def correct_rank_f1(*, epsilon: float = 0.0, average: Average = "micro") -> Metric:
    """F1 of order: of the pairs of systems within items that the metric orders, and of those that the human orders.

    Parameters
    ----------
    epsilon, average
        As for `tie_f1`; macro is the mean over items with a pair that a side orders.

    Returns
    -------
    Metric
        On `Grid`, in [0, 1]: with c concordant pairs, precision is c over the pairs that the metric orders and recall
        c over those that the human orders. Undefined (NaN) if neither orders a pair.

    References
    ----------
    Deutsch, Foster and Freitag (2023), Ties matter.
    """
    return _metric(
        "correct_rank_f1",
        _Cells(0.0, check_epsilon(epsilon)),
        _correct_rank_f1,
        average,
        summary="F1 of the order of systems within items; undefined if no side orders a pair",
        source="Deutsch, Foster and Freitag (2023)",
        formula=r"F_1 = \frac{2 C}{(P - T_x) + (P - T_y)}",
        symbols="$P$ is the number of pairs of systems within items; $T_x$ of them are tied by the metric and $T_y$ "
        "by the human, and $C$ are ordered by both in the same way.",
        bounds=(0.0, 1.0),
        claims=("constant_proof",),
        known_weaknesses={"blind": 0.08, "cosmetic": 0.07},
    )

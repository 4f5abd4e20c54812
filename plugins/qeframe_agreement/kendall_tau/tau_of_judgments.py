"""The nine cells of the Kendall family: human relation by metric relation, counted once for every tie policy."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, Claim, FloatArray, Judgments, Metric, Parametric, TiePolicy, additive, ratio
from qeframe_agreement.grids import WMT14, Table, bounds_of, check_epsilon, coefficients

_NAMES = ("<<", "<=", "<>", "=<", "==", "=>", "><", ">=", ">>")


@frozen
class CellRows:
    """The cell of every judgment, as rows; an object that compares equal, so that all tie policies share the rows."""

    epsilon: float

    def __call__(self, batch: Judgments) -> FloatArray:
        rows = np.zeros((len(batch), 9))
        cell = 4 - 3 * batch.human - batch.metric_relations(self.epsilon)
        rows[np.arange(len(batch)), cell] = 1.0
        return rows


@frozen
class TableScore:
    """A tie policy as a score of the sums of the nine cells; NaN if no pair counts."""

    table: Table

    def __call__(self, sums: FloatArray) -> FloatArray:
        weights, counted = coefficients(self.table)
        pairs = sums @ counted.ravel().astype(np.float64)
        return ratio(sums @ weights.ravel(), pairs)


def confusion(batch: Judgments, *, epsilon: float = 0.0) -> FloatArray:
    """Return how often each human relation (rows) met each metric relation (columns), (3, 3), in the order ``<=>``."""
    relations = batch.metric_relations(epsilon)
    metric = [relations == sign for sign in (1, 0, -1)]
    humans = (batch.human == sign for sign in (1, 0, -1))
    return np.array([[np.count_nonzero(human & column) for column in metric] for human in humans], dtype=np.float64)


def _details(table: Table, epsilon: float, batch: Judgments) -> Mapping[str, Any]:
    cells = confusion(batch, epsilon=epsilon)
    return {
        "cells": cells.tolist(),
        "pairs": float(cells[coefficients(table)[1]].sum()),
        "table": [[np.nan if entry is None else entry for entry in row] for row in table],
    }


def _per_judgment(table: Table, epsilon: float, batch: Judgments) -> FloatArray:
    return CellRows(epsilon)(batch) @ coefficients(table)[0].ravel()


def _outcomes(table: Table, epsilon: float, batch: Judgments) -> FloatArray:
    """Return the coefficients of the judgments that the human does not exclude."""
    weights, counted = coefficients(table)
    return (CellRows(epsilon)(batch) @ weights.ravel())[counted[:, 0][1 - batch.human]]


def kendall(*, ties: TiePolicy = WMT14, epsilon: float = 0.0) -> Metric:
    """Kendall's tau over human judgments, with ties counted by a tie policy.

    Parameters
    ----------
    ties : TiePolicy
        The table of coefficients: wmt12, wmt13, wmt14, hties, darr, acc23, tau23, ``custom(table=...)`` ...
    epsilon : float
        Two metric scores tie if they are at most that far apart.

    Returns
    -------
    Metric
        On `Judgments`: the sum of the coefficients over the number of pairs that are not excluded, within the smallest
        and the largest coefficient. Undefined (NaN) if every pair is excluded: no judgment at all, or human ties only
        under wmt12, wmt13, wmt14 and darr, or metric ties only under wmt13.

    Notes
    -----
    Equation 3 of Machacek and Bojar (2014) sums over the relations ``<`` and ``>`` only. It must be ``<``, ``=`` and
    ``>``, as here: else the ties of a metric would never count.

    References
    ----------
    Machacek and Bojar (2014), Results of the WMT14 metrics shared task; metrics tasks 2009-20.
    """
    check_epsilon(epsilon)
    numbers = [entry for row in ties.table for entry in row if entry is not None]
    total = all(entry is not None for row in ties.table for entry in row)
    counted = coefficients(ties.table)[1]
    by_human = bool((counted.any(axis=1) == counted.all(axis=1)).all())
    return Metric(
        name=f"kendall(ties={ties})",
        summary="Kendall's tau over human judgments: nine cells, and a tie policy that weighs them",
        source="Metrics tasks 2009-20; Machacek and Bojar (2014)",
        formula=r"\tau = \frac{\sum_{h, m} c_{hm} n_{hm}}{\sum_{(h, m) \in K} n_{hm}}",
        symbols="$n_{hm}$ is the number of judgments with human relation $h$ and metric relation $m$ (better, tie, "
        "worse), and $c_{hm}$ the coefficient that the table `ties` gives to them. $K$ are the cells of the table "
        "that are not left out; the others count nowhere.",
        kind=Judgments,
        bind=additive(columns=_NAMES, extract=CellRows(epsilon), score=TableScore(ties.table)),
        smooth=True,
        per_unit=partial(_per_judgment, ties.table, epsilon) if total else None,
        outcomes=partial(_outcomes, ties.table, epsilon) if by_human else None,
        details=partial(_details, ties.table, epsilon),
        bounds=bounds_of(numbers),
        claims=_claims(ties.table),
        known_weaknesses={"cosmetic": 0.05} if "tie_neutral" in ties.claims else {"blind": 0.19, "cosmetic": 0.88},
    )


KENDALL = Parametric(kendall, always_named=("ties",))  # the metric; results are distinguished by their tie policy


def _claims(table: Table) -> tuple[Claim, ...]:
    """Return the claims that a table keeps, derived from its entries.

    A constant metric ties every pair. It is not above chance in three cases: ties are excluded; ties are the worst
    answer; or a tie is worth as much as a guess, left or right, and the table is symmetric. In the last case no metric
    that is independent of the humans is above chance either, as long as it cannot distinguish the two sides.
    """
    weights, counted = coefficients(table)
    rows = [(row, counts) for row, counts in zip(weights, counted, strict=True) if counts.any()]
    neutral = all(counts.all() and row[1] == (row[0] + row[2]) / 2 for row, counts in rows)
    mirrored = (weights == weights[::-1, ::-1]).all() and weights[0, 0] >= weights[0, 2]
    worst = all(counts[1] and row[1] == row[counts].min() for row, counts in rows)
    kept: dict[Claim, bool] = {
        "tie_neutral": neutral,
        "constant_proof": (neutral and mirrored) or worst or not counted[:, 1].any(),
        "blind_proof": neutral and mirrored,
        "monotone": _monotone(weights, counted),
    }
    return tuple(claim for claim, holds in kept.items() if holds)


def _monotone(weights: FloatArray, counted: BoolArray) -> bool:
    """Return whether the correction of a relation never lowers the score: it neither lowers a sum nor dilutes it."""
    highest = weights[counted].max(initial=-np.inf)
    for right, (row, counts) in enumerate(zip(weights, counted, strict=True)):
        best = row[right] == row.max() if counts.all() else counts[right] and row[right] == highest
        if counts.any() and not best:
            return False
    return True

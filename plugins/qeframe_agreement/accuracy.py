"""Pairwise agreement with ties within items: acc_eq and its relatives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.batch import FloatArray
from qeframe.components import Metric, TiePolicy
from qeframe.errors import CapabilityError
from qeframe.grid import Grid
from qeframe.statistic import Statistic, additive
from qeframe_agreement.calibration import Calibrated, calibrate, find_changes
from qeframe_agreement.cells import ACC23, check_epsilon, coefficients
from qeframe_agreement.pairing import check_table, item_pairs
from qeframe_agreement.swaps import agreement_exchange, stacked_exchange

__all__ = ["acc_eq", "mean_of_sums"]


def mean_of_sums(sums: FloatArray) -> FloatArray:
    """Return the second sum over the first, NaN where that is 0."""
    count = sums[..., 0]
    return np.divide(sums[..., 1], count, out=np.full(count.shape, np.nan), where=count > 0)


@frozen
class _ItemRows:
    """Whether each item has a pair, and its score: (n, 2)."""

    ties: TiePolicy
    epsilon: float

    def __call__(self, batch: Grid) -> FloatArray:
        pairs = item_pairs(batch, self.ties)
        return np.stack([pairs.defined, pairs.values(batch.predicted, self.epsilon)], axis=1)


def _bind_calibrated(ties: TiePolicy, crossed: bool, batch: Grid) -> Statistic:
    changes = find_changes(item_pairs(batch, ties), batch.predicted)
    half = batch.ids % 2 == 0 if crossed else None
    return Calibrated(changes=changes, half=half, units=len(batch), unit=batch.unit)


def _details(ties: TiePolicy, epsilon: float | None, batch: Grid) -> Mapping[str, Any]:
    pairs = item_pairs(batch, ties)
    return {
        "epsilon": calibrate(batch, ties)[0] if epsilon is None else epsilon,
        "items": float(pairs.defined.sum()),
        "pairs": float(pairs.counted.sum()),
        "unanswered": float(batch.unanswered),
    }


def _details_of_halves(ties: TiePolicy, batch: Grid) -> Mapping[str, Any]:
    halves = (batch.take(np.flatnonzero(batch.ids % 2 == parity)) for parity in (0, 1))
    even, odd = (calibrate(half, ties)[0] for half in halves)
    return {**_details(ties, np.nan, batch), "epsilon": [even, odd]}


def _per_item(ties: TiePolicy, epsilon: float | None, batch: Grid) -> FloatArray:
    pairs = item_pairs(batch, ties)
    if not pairs.defined.all():
        raise CapabilityError("an item without a pair of systems has no value of its own: leave such items out")
    return pairs.values(batch.predicted, calibrate(batch, ties)[0] if epsilon is None else epsilon)


def acc_eq(*, ties: TiePolicy = ACC23, epsilon: float | Literal["calibrated", "crossed"] = "calibrated") -> Metric:
    """Pairwise accuracy with ties, within items: the mean over items of the share of pairs with the human's relation.

    Parameters
    ----------
    ties : TiePolicy
        The table of coefficients; acc23 is accuracy, tau23 the same from -1 to 1. Rows are excluded as a whole or not
        at all.
    epsilon : float or {"calibrated", "crossed"}
        When two metric scores of an item tie: if they are at most that far apart. calibrated: at the threshold that
        suits the submission best on these very items, the smallest of equally good ones (official; it flatters), and
        again under the weights of every resample. crossed: the items with even ids at the threshold that suits those
        with odd ids, and the other way round.

    Returns
    -------
    Metric
        On `Grid`, within the smallest and the largest coefficient. Items without a pair are left out; undefined (NaN)
        if there is no other, crossed also if a half has none.

    References
    ----------
    Deutsch, Foster and Freitag (2023), Ties matter; metrics tasks 2023-25.
    """
    check_table(ties)
    rows = None if isinstance(epsilon, str) else _ItemRows(ties, check_epsilon(epsilon))
    crossed = epsilon == "crossed"
    fixed = None if isinstance(epsilon, str) else epsilon
    bind = (
        additive(columns=("items", "score"), extract=rows, score=mean_of_sums)
        if rows
        else partial(_bind_calibrated, ties, crossed)
    )
    weights, counted = coefficients(ties.table)
    inside = weights[counted]
    return Metric(
        name="acc_eq",
        summary="Pairwise accuracy with ties within items, the threshold of ties calibrated or fixed",
        source="Deutsch, Foster and Freitag (2023); metrics tasks 2023-25",
        kind=Grid,
        bind=bind,
        exchange=partial(stacked_exchange, bind) if fixed is None else partial(agreement_exchange, bind, ties, fixed),
        per_unit=None if crossed else partial(_per_item, ties, fixed),
        details=partial(_details_of_halves, ties) if crossed else partial(_details, ties, fixed),
        bounds=(float(inside.min(initial=0.0)), float(inside.max(initial=0.0))),
    )

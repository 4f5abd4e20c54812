"""MT metrics of equal quality on segments by systems, with effects of their own on segments and on systems."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from qeframe.plugin import DataError, Grid
from qeframe.plugin.audit import NullModel


def _metrics(
    systems: int, items: float, columns: float, rng: np.random.Generator, units: int, submissions: int
) -> Sequence[Grid]:
    gold = rng.normal(size=(units, systems)) + 0.5 * rng.normal(size=(units, 1)) + 0.5 * rng.normal(size=systems)
    predicted = (
        0.5 * gold
        + rng.normal(size=(submissions, units, systems))
        + items * rng.normal(size=(submissions, units, 1))
        + columns * rng.normal(size=(submissions, 1, systems))
    )
    ids = np.arange(units)
    return [Grid(ids=ids, gold=gold, predicted=one) for one in predicted]


def equal_metrics(*, systems: int = 10, segment_effect: float = 0.0, system_effect: float = 0.0) -> NullModel:
    """Metrics with the same relation to the human scores, each with effects of its own on segments and on systems.

    Parameters
    ----------
    systems : int
        At least 2.
    segment_effect, system_effect : float
        The standard deviations of the effects, relative to that of a single cell's error.
    """
    if systems < 2 or segment_effect < 0 or system_effect < 0:
        raise DataError("systems must be at least 2, effects must not be negative")
    return NullModel(
        name="equal_metrics",
        summary="Metrics of equal quality with effects of their own on segments and on systems",
        kind=Grid,
        draw=partial(_metrics, systems, segment_effect, system_effect),
        one_truth=False,  # the systems of a data set are its own
    )

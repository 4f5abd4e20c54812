"""Tables of tie policies: their coefficients, the default ones, and the threshold below which two scores tie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qeframe.plugin import BoolArray, DataError, FloatArray, TiePolicy

Table = tuple[tuple[float | None, ...], ...]

WMT14 = TiePolicy(
    name="wmt14",
    summary="Human ties excluded, metric ties count 0 in the numerator and 1 in the denominator",
    source="Metrics tasks 2014-16; Machacek and Bojar (2014), equation 3 with sums over <, = and >",
    table=((1.0, 0.0, -1.0), (None, None, None), (-1.0, 0.0, 1.0)),
    claims=("tie_neutral",),
)
"""The default of `kendall`. Plugins do not import each other, so it is repeated here; a test compares both."""

ACC23 = TiePolicy(
    name="acc23",
    summary="The share of pairs with the relation that the human gave, ties included",
    source="Metrics tasks 2023-25; Deutsch, Foster and Freitag (2023)",
    table=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
)
"""The default of `acc_eq`, repeated for the same reason."""


def coefficients(table: Table) -> tuple[FloatArray, BoolArray]:
    """Return the coefficients, (3, 3) with 0 for None, and which cells count as pairs, (3, 3)."""
    flat = [entry for row in table for entry in row]
    counted = np.array([entry is not None for entry in flat]).reshape(3, 3)
    return np.array([0.0 if entry is None else entry for entry in flat]).reshape(3, 3), counted


def bounds_of(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the smallest and the largest coefficient; -1 and 1 if there is none, and wider ones if all are equal."""
    low, high = min(numbers, default=-1.0), max(numbers, default=1.0)
    return (low, high) if low < high else (low - 1.0, high + 1.0)


def check_epsilon(epsilon: float) -> float:
    """Return a threshold of ties; raise a `DataError` for an invalid one."""
    if not 0 <= epsilon < np.inf:
        raise DataError(f"epsilon must be a finite number of at least 0, not {epsilon}")
    return epsilon

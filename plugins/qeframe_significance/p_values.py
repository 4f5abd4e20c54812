"""The conventions for p-values of sampled and enumerated tests, in one place."""

from __future__ import annotations

import numpy as np

from qeframe.plugin import BoolArray, FloatArray, Sided

__all__ = ["at_least", "least_share", "share", "tolerance"]


def tolerance(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return how far two equal differences of each pair of scores may be apart by rounding, (pairs,).

    1e-12 times the larger magnitude of the two, at least 1: what other submissions score does not matter.
    """
    larger = np.maximum(np.abs(first), np.abs(second))
    return 1e-12 * np.maximum(1.0, np.where(np.isfinite(larger), larger, 1.0))


def at_least(differences: FloatArray, observed: FloatArray, sided: Sided, slack: FloatArray) -> BoolArray:
    """Say which differences, (B, pairs), are at least as extreme as the observed ones, (pairs,).

    An undefined one counts as extreme. `slack`, (pairs,), is what `tolerance` allows.
    """
    if sided == "two":
        differences, observed = np.abs(differences), np.abs(observed)
    return ~(differences < observed - slack)


def share(counts: FloatArray, total: int, observed: FloatArray, *, exhaustive: bool = False) -> FloatArray:
    """Return p: (1 + count) / (1 + total) when sampled, count / total when all were enumerated; NaN if undefined."""
    p = counts / total if exhaustive else (1 + counts) / (1 + total)
    return np.where(np.isnan(observed), np.nan, p)


def least_share(total: int, sided: Sided) -> float:
    """Return the smallest p of so many enumerated exchanges: two-sided each one has its reverse."""
    return 1 / total if sided == "one" else min(1.0, 2 / total)

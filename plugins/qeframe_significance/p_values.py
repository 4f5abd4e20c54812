"""The conventions for p-values of sampled and enumerated tests, in one place."""

from __future__ import annotations

import numpy as np

from qeframe.batch import BoolArray, FloatArray
from qeframe.components import Sided

__all__ = ["at_least", "share", "tolerance"]


def tolerance(scores: FloatArray) -> float:
    """Return how far two equal differences may be apart by rounding: 1e-12 times the largest score, at least 1."""
    finite = np.abs(scores[np.isfinite(scores)])
    return 1e-12 * max(1.0, float(finite.max(initial=0.0)))


def at_least(differences: FloatArray, observed: FloatArray, sided: Sided, slack: float) -> BoolArray:
    """Say which differences are at least as extreme as the observed ones; an undefined one counts as extreme."""
    if sided == "two":
        differences, observed = np.abs(differences), np.abs(observed)
    return ~(differences < observed - slack)


def share(counts: FloatArray, total: int, observed: FloatArray, *, exhaustive: bool = False) -> FloatArray:
    """Return p: (1 + count) / (1 + total) when sampled, count / total when all were enumerated; NaN if undefined."""
    p = counts / total if exhaustive else (1 + counts) / (1 + total)
    return np.where(np.isnan(observed), np.nan, p)

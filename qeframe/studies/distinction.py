"""How well a metric tells submissions apart: the system distinction coefficient of Logacheva et al. (2016).

A measure that cannot be gamed is of little use if it cannot tell good from bad. With all pairs of submissions tested,
d is the share of pairs that differ significantly, d_top and d_bottom the same within the halves of the ranking.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.batches.base import BoolArray, FloatArray, IntArray
from qeframe.errors import DataError

__all__ = ["Distinction", "distinction"]


@frozen
class Distinction:
    """The share of pairs of submissions that differ significantly.

    Parameters
    ----------
    d : float
        Among all; NaN where no pair could be tested.
    d_top, d_bottom : float
        Within the better and the worse half of the submissions that have a score; NaN for a half without a tested pair.
        With an odd number the middle one is in the worse.
    """

    d: float
    d_top: float
    d_bottom: float


def distinction(oriented: ArrayLike, p: ArrayLike, *, alpha: float = 0.05) -> Distinction:
    """Return the system distinction coefficient.

    Parameters
    ----------
    oriented : (S,) array_like
        Scores turned so that higher is better; ties keep their order. Undefined ones (NaN) are left out.
    p : (S, S) array_like
        Unadjusted p-value of every pair, symmetric; a pair with NaN was not tested and does not count. Alpha is
        divided by the number of tested pairs of the set that is looked at (Bonferroni): all pairs for d, those of a
        half for d_top and d_bottom.
    alpha : float

    Raises
    ------
    DataError
        If the shapes do not fit.

    References
    ----------
    Logacheva, Lukasik and Specia (2016), Metrics for Evaluation of Word-level Machine Translation Quality Estimation.
    """
    scores, values = np.asarray(oriented, dtype=np.float64), np.asarray(p, dtype=np.float64)
    if values.shape != (len(scores), len(scores)):
        raise DataError(f"{len(scores)} scores need p-values of shape {(len(scores),) * 2}, not {values.shape}")
    scored = np.flatnonzero(~np.isnan(scores))
    order = scored[np.argsort(-scores[scored], kind="stable")]
    half = len(order) // 2
    return Distinction(*(_share(values, part, alpha) for part in (order, order[:half], order[half:])))


def _share(p: FloatArray, members: IntArray, alpha: float) -> float:
    """Return the share of tested pairs of the members whose p is below alpha over the number of these pairs."""
    first, second = np.triu_indices(len(members), 1)
    pairs: FloatArray = p[np.ix_(members, members)][first, second]
    pairs = pairs[~np.isnan(pairs)]
    if not len(pairs):
        return float("nan")
    significant: BoolArray = pairs < alpha / len(pairs)
    return float(significant.mean())

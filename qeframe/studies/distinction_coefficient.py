"""How well a metric separates submissions: the system distinction coefficient of Logacheva et al. (2016).

All pairs of submissions are tested. The coefficient d is the share of pairs that differ significantly; d_top and
d_bottom are the same share within the two halves of the ranking. A robust metric is of little use if d is low.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.core.batches.base import BoolArray, FloatArray, IntArray
from qeframe.core.errors import DataError


@frozen
class Distinction:
    """The share of pairs of submissions that differ significantly.

    Parameters
    ----------
    d : float
        Among all pairs; NaN if no pair could be tested.
    d_top, d_bottom : float
        Within the better and within the worse half of the submissions that have a score. Of an odd number, the middle
        one is in the worse half. NaN if no pair of the half was tested.
    """

    d: float
    d_top: float
    d_bottom: float


def distinction_coefficient(oriented: ArrayLike, p: ArrayLike, *, alpha: float = 0.05) -> Distinction:
    """Return the system distinction coefficient.

    Parameters
    ----------
    oriented : (S,) array_like
        Scores turned so that higher is better. Ties keep their order. Undefined scores (NaN) are left out.
    p : (S, S) array_like
        The unadjusted p-value of every pair, symmetric. A pair with NaN was not tested and does not count.
    alpha : float
        The level of each family. Bonferroni's correction divides it by the number of tested pairs: of all submissions
        for d, of a half for d_top and d_bottom.

    Returns
    -------
    Distinction
        Shares in [0, 1].

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
        what = f"{len(scores)} scores need p-values of shape {(len(scores),) * 2}, not {values.shape}"
        raise DataError(what, remedy="give one p-value for each pair of submissions")
    scored = np.flatnonzero(~np.isnan(scores))
    order = scored[np.argsort(-scores[scored], kind="stable")]
    half = len(order) // 2
    return Distinction(*(_share(values, part, alpha) for part in (order, order[:half], order[half:])))


def _share(p: FloatArray, members: IntArray, alpha: float) -> float:
    """Return the share of the tested pairs among `members` whose p is below alpha divided by their number."""
    first, second = np.triu_indices(len(members), 1)
    pairs: FloatArray = p[np.ix_(members, members)][first, second]
    pairs = pairs[~np.isnan(pairs)]
    if not len(pairs):
        return float("nan")
    significant: BoolArray = pairs < alpha / len(pairs)
    return float(significant.mean())

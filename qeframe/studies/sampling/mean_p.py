"""The mean p-value of the unpaired t-test between two samples of normal scores, without drawing the samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qeframe.core.batches.base import FloatArray

_NODES_OF_P, _NODES_OF_ERROR = 96, 24
"""Nodes of Gauss-Legendre quadrature over p, and over the estimated error."""


def mean_p_of_t_test(effect: ArrayLike, size: int) -> FloatArray:
    """Return the mean two-sided p of Student's unpaired t-test between two samples of normal values.

    Parameters
    ----------
    effect : (...) array_like
        The difference of the means over sqrt(variance + other variance): not the pooled deviation, but the deviation of
        the difference of one value from each sample. NaN stays NaN, infinite effects have p 0.
    size : int
        How many values each sample has; at least 2.

    Returns
    -------
    (...) float64
        In [0, 1/2]: p is uniform without an effect.

    Notes
    -----
    Let T0 follow Student's t with df = 2 size - 2, and let T follow the noncentral t that the statistic has, with
    noncentrality effect * sqrt(size). Then p is P(abs(T0) > abs(t)), and its mean is P(abs(T0) > abs(T)). It is
    integrated over the quantiles of abs(T0) and, for the distribution of T, over those of the estimated variance.

    References
    ----------
    Logacheva et al. (2016), Algorithm 1: p-values are averaged over repetitions.
    """
    from scipy.special import gammaincinv, ndtr, stdtrit

    freedom = 2 * size - 2
    shift = np.atleast_1d(np.abs(np.asarray(effect, dtype=np.float64))).astype(np.float64) * np.sqrt(size)
    share, weight = _nodes(_NODES_OF_P)
    bounds = stdtrit(freedom, (1 + share) / 2)
    level, level_weight = _nodes(_NODES_OF_ERROR)
    errors = np.sqrt(gammaincinv(freedom / 2, level) * 2 / freedom)
    limits = bounds[:, None] * errors
    found = np.empty(shift.shape)
    for position, one in np.ndenumerate(shift):
        found[position] = weight @ (ndtr(limits - one) - ndtr(-limits - one)) @ level_weight
    return found.reshape(np.shape(effect))


def _nodes(count: int) -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights of Gauss-Legendre quadrature from 0 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (nodes + 1) / 2, weights / 2

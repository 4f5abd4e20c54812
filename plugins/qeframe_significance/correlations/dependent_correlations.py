"""The z tests of two dependent correlations that share one variable: Steiger, Meng and others, Hittner and others."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from qeframe.plugin import DataError, FloatArray

Method = Literal["steiger", "meng", "hittner"]


def dependent_correlations_z(r_a: ArrayLike, r_b: ArrayLike, r_ab: ArrayLike, n: int, method: Method) -> FloatArray:
    """Return the normal score of the difference of two correlations with the same gold.

    Parameters
    ----------
    r_a, r_b : (...) array_like
        The correlation of each submission with the gold.
    r_ab : (...) array_like
        The correlation of the two submissions with each other.
    n : int
        The number of units.
    method : {"steiger", "meng", "hittner"}

    Returns
    -------
    (...) float64
        Positive if the first correlation is larger. NaN for n <= 3, where a correlation is NaN, and where r_a or r_b is
        1 or -1. 0 for equal correlations.

    Raises
    ------
    DataError
        If a correlation lies outside [-1, 1], or the method is unknown.

    Notes
    -----
    With z = arctanh r and d = z_a - z_b,

    * steiger: d sqrt((n - 3) / (2 - 2 c)), where c is the correlation of z_a and z_b,
      c = (r_ab (1 - 2 r^2) - r^2 (1 - 2 r^2 - r_ab^2) / 2) / (1 - r^2)^2 at the mean r of r_a and r_b;
    * hittner: the same with r = tanh of the mean of z_a and z_b;
    * meng: d sqrt((n - 3) / (2 (1 - r_ab) h)), where h = (1 - f q) / (1 - q), q is the mean of r_a^2 and r_b^2, and
      f = (1 - r_ab) / (2 (1 - q)), at most 1.

    All assume normality, as Williams' test does, and reject too often on the same data.

    References
    ----------
    Steiger (1980), Tests for comparing elements of a correlation matrix; Meng, Rosenthal and Rubin (1992), Comparing
    correlated correlation coefficients; Hittner, May and Silver (2003), A Monte Carlo evaluation of tests for comparing
    dependent correlations.
    """
    a, b, ab = np.broadcast_arrays(*(np.asarray(r, dtype=np.float64) for r in (r_a, r_b, r_ab)))
    if any((np.abs(r) > 1 + 1e-12).any() for r in (a, b, ab)):
        raise DataError("a correlation lies outside [-1, 1]")
    if method not in _SPREADS:
        raise DataError(f"unknown method '{method}'", remedy=f"give one of {', '.join(_SPREADS)}")
    if n <= 3:
        return np.full(a.shape, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        z_a, z_b = np.arctanh(a), np.arctanh(b)
        z = (z_a - z_b) * np.sqrt((n - 3) / np.maximum(_SPREADS[method](a, b, ab), 0.0))
        # the last term is 0, or NaN where a correlation is undefined or perfect
        return np.where((np.abs(a - b) <= 1e-12) & np.isfinite(z_a), 0.0, z) + 0.0 * (z_a * z_b + ab)


def _covariance(r: FloatArray, ab: FloatArray) -> FloatArray:
    """Return the correlation of z_a and z_b where both correlations are r."""
    square = r**2
    return np.asarray((ab * (1 - 2 * square) - square * (1 - 2 * square - ab**2) / 2) / (1 - square) ** 2)


def _steiger(a: FloatArray, b: FloatArray, ab: FloatArray) -> FloatArray:
    return 2 - 2 * _covariance((a + b) / 2, ab)


def _hittner(a: FloatArray, b: FloatArray, ab: FloatArray) -> FloatArray:
    return 2 - 2 * _covariance(np.tanh((np.arctanh(a) + np.arctanh(b)) / 2), ab)


def _meng(a: FloatArray, b: FloatArray, ab: FloatArray) -> FloatArray:
    square = (a**2 + b**2) / 2
    f = np.minimum((1 - ab) / (2 * (1 - square)), 1.0)
    return np.asarray(2 * (1 - ab) * (1 - f * square) / (1 - square))


_SPREADS = {"steiger": _steiger, "meng": _meng, "hittner": _hittner}

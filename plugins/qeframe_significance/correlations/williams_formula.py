"""Williams' test of two correlations with the same gold."""

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.plugin import DataError, FloatArray, Sided
from qeframe_significance.p_values import p_of_t


@frozen
class WilliamsResult:
    """The outcome of Williams' test.

    Parameters
    ----------
    t : float or array
        Positive if the first correlation is larger.
    p_one : float or array
        One-sided p for the claim that the first correlation is larger.
    p_two : float or array
        Two-sided p.
    degrees_of_freedom : int
        n - 3.
    """

    t: FloatArray | float
    p_one: FloatArray | float
    p_two: FloatArray | float
    degrees_of_freedom: int


def williams(r_a: ArrayLike, r_b: ArrayLike, r_ab: ArrayLike, n: int) -> WilliamsResult:
    """Test whether two dependent correlations that share one variable differ.

    Parameters
    ----------
    r_a, r_b : float or array
        The correlation of each submission with the gold.
    r_ab : float or array
        The correlation of the two submissions with each other.
    n : int
        The number of units.

    Returns
    -------
    WilliamsResult
        Numbers for numbers, arrays for arrays. All NaN for n <= 3, and where a correlation is NaN. Two submissions that
        are perfectly correlated (r_ab = 1) do not differ: t 0, p_one .5, p_two 1. If one is the reverse of the other
        (r_ab = -1, so that r_b = -r_a), t is undefined, NaN, with two exceptions: it is 0 for r_a = 0, and infinite
        with the sign of r_a for r_a = 1 or -1.

    Raises
    ------
    DataError
        If a correlation lies outside [-1, 1].

    Notes
    -----
    With K = 1 - r_a^2 - r_b^2 - r_ab^2 + 2 r_a r_b r_ab,

    t = (r_a - r_b) sqrt((n - 1)(1 + r_ab)) / sqrt(2 K (n - 1)/(n - 3) + (r_a + r_b)^2 / 4 (1 - r_ab)^3)

    has n - 3 degrees of freedom (some published examples used n - 2). At r_ab = -1 it is 0 / 0. Its limit depends on
    the path: along r_b = -r_a it is r_a sqrt((n - 3) / (1 - r_a^2)), along K = 0 it is
    r_a sqrt((n - 1) / (1 - r_a^2)). The test assumes normality. On real predictions with heavy tails it rejects a true
    null hypothesis more often than alpha (.10 to .13 at .05); a randomization test does not.

    References
    ----------
    Williams (1959), The Comparison of Regression Variables; Graham and Baldwin (2014); Graham (2015).
    """
    a, b, ab = (np.asarray(r, dtype=np.float64) for r in (r_a, r_b, r_ab))
    if any((np.abs(r) > 1 + 1e-12).any() for r in (a, b, ab)):
        raise DataError("a correlation lies outside [-1, 1]")
    t = williams_t(a, b, ab, n)
    p_one, p_two = p_values(t, n - 3, sided="one"), p_values(t, n - 3, sided="two")
    if t.ndim == 0:
        return WilliamsResult(float(t), float(p_one), float(p_two), n - 3)
    return WilliamsResult(t, p_one, p_two, n - 3)


def williams_t(r_a: FloatArray, r_b: FloatArray, r_ab: FloatArray, n: int) -> FloatArray:
    """Return Williams' t for arrays of correlations; NaN for n <= 3."""
    if n <= 3:
        return np.full(np.broadcast_shapes(r_a.shape, r_b.shape, r_ab.shape), np.nan)
    # the determinant of the three correlations, 0 or more but for rounding
    k = 1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab
    spread = 2 * np.maximum(k, 0) * (n - 1) / (n - 3) + (r_a + r_b) ** 2 / 4 * (1 - r_ab) ** 3
    difference = (r_a - r_b) * np.sqrt((n - 1) * np.maximum(1 + r_ab, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = difference / np.sqrt(spread)
    same = (np.abs(r_ab) >= 1 - 1e-12) & (np.abs(r_a - r_b) <= 1e-9)
    # 1 + r_ab is then rounding alone, and t is 0 / 0; with two perfect correlations it is set to infinity
    reverse = r_ab <= -1 + 1e-12
    if reverse.any():
        perfect = (np.abs(r_a) >= 1 - 1e-12) & (np.abs(r_b) >= 1 - 1e-12)
        t = np.where(reverse, np.where(perfect, np.copysign(np.inf, r_a - r_b), np.nan), t)
    # the last term is 0, or NaN where a correlation is undefined
    return np.where(same | (r_a == r_b), 0.0, t) + 0.0 * (r_a + r_b + r_ab)


def p_values(t: FloatArray, degrees_of_freedom: int, *, sided: Sided) -> FloatArray:
    """Return the p-values of Student's t, one-sided or two-sided; NaN without a degree of freedom."""
    return np.full_like(t, np.nan) if degrees_of_freedom < 1 else p_of_t(t, degrees_of_freedom, sided)

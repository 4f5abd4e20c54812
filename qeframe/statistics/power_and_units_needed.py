"""Equivalence of two scores, the smallest difference that can be detected, and how many units detect one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.errors import DataError, counted
from qeframe.statistics.jackknife_variance import FEWEST_UNITS
from qeframe.statistics.scale_transforms import from_working_scale, on_working_scale

if TYPE_CHECKING:
    from qeframe.core.contest import Contest


@frozen
class Equivalence:
    """The outcome of two one-sided tests.

    `p`: the larger p-value of the two one-sided tests.
    `low`, `high`: the interval of the difference with confidence 1 - 2 alpha.
    `equivalent`: whether the interval lies strictly within -delta and delta.
    """

    p: FloatArray | float
    low: FloatArray | float
    high: FloatArray | float
    equivalent: FloatArray | bool


def equivalence(
    difference: ArrayLike, error: ArrayLike, freedom: ArrayLike, delta: float, *, alpha: float = 0.05
) -> Equivalence:
    """Test whether a difference is smaller in size than `delta`: two one-sided t-tests (TOST).

    Parameters
    ----------
    difference, error, freedom : float or array
        The difference, its standard error and its degrees of freedom.
    delta : float
        The smallest difference that matters; positive.
    alpha : float
        In (0, .5).

    Returns
    -------
    Equivalence
        Numbers for numbers, arrays for arrays. NaN and not equivalent where the standard error is undefined. An error
        of 0 says that nothing varies: p is 0 or 1.

    Raises
    ------
    DataError
        If `delta` is not positive, or `alpha` is outside (0, .5).

    References
    ----------
    Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach.
    """
    from scipy.special import stdtr, stdtrit

    if not delta > 0:
        raise DataError(f"delta must be positive, not {delta}", remedy="give the smallest difference that matters")
    if not 0 < alpha < 0.5:
        raise DataError(f"alpha must lie between 0 and .5, not {alpha}", remedy="common values are 0.05 and 0.01")
    d, s, nu = (np.asarray(value, dtype=np.float64) for value in (difference, error, freedom))
    with np.errstate(divide="ignore", invalid="ignore"):
        # the larger p of both one-sided tests: that of the side on which d lies
        p = stdtr(nu, -(delta - np.abs(d)) / s)
        half = stdtrit(nu, 1 - alpha) * s
    low, high = d - half, d + half
    equivalent = (low > -delta) & (high < delta)
    if p.ndim == 0:
        return Equivalence(float(p), float(low), float(high), bool(equivalent))
    return Equivalence(p, low, high, equivalent)


def minimum_detectable_difference(
    error: ArrayLike, freedom: ArrayLike = math.inf, *, alpha: float = 0.05, power: float = 0.8
) -> FloatArray:
    """Return the difference that a two-sided test at `alpha` finds with the given power.

    Parameters
    ----------
    error : float or array
        The standard error of the difference.
    freedom : float or array
        The degrees of freedom of the test; infinite for normal quantiles.
    alpha, power : float
        In (0, 1).

    Returns
    -------
    float64 array
        (t(1 - alpha / 2) + t(power)) error. NaN where the error is.
    """
    return _factor(np.asarray(freedom, dtype=np.float64), alpha, power) * np.asarray(error, dtype=np.float64)


def units_needed(
    difference: ArrayLike,
    error: ArrayLike,
    units: int,
    freedom: ArrayLike = math.inf,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
) -> FloatArray:
    """Return how many units would find an observed difference with the given power.

    Parameters
    ----------
    difference, error : float or array
        The difference and its standard error at `units` units.
    units : int
        The number of units that gave the error.

    Returns
    -------
    float64 array
        The smallest whole number m with power at least `power`, if the error falls as 1 / sqrt(m). Infinite for a
        difference of 0, 2 for an error of 0, NaN where either is.
    """
    least = minimum_detectable_difference(error, freedom, alpha=alpha, power=power)
    with np.errstate(divide="ignore", invalid="ignore"):
        # an error falls with the root of the units; 1e-9 spares a unit for a ratio that is whole but for rounding
        m = np.ceil(units * (least / np.abs(np.asarray(difference, dtype=np.float64))) ** 2 - 1e-9)
    return np.where(np.isnan(m), m, np.maximum(m, 2.0))


def power_at(
    difference: ArrayLike, error: ArrayLike, share: ArrayLike, freedom: ArrayLike = math.inf, *, alpha: float = 0.05
) -> FloatArray:
    """Return the power of a two-sided test with `share` times as many units.

    Parameters
    ----------
    share : float or array
        The number of units relative to the number that gave `error`; positive.

    Returns
    -------
    float64 array
        In [alpha / 2, 1]: the chance of a significant difference in the direction of `difference`, if that is the true
        difference.
    """
    from scipy.special import stdtr, stdtrit

    nu = np.asarray(freedom, dtype=np.float64)
    scale = np.asarray(error, dtype=np.float64) / np.sqrt(np.asarray(share, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.abs(np.asarray(difference, dtype=np.float64)) / scale
    power: FloatArray = stdtr(nu, distance - stdtrit(nu, 1 - alpha / 2))
    return power


def ends_of_planned_difference(
    difference: ArrayLike, error: ArrayLike, freedom: ArrayLike, *, confidence: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Return both ends of the true difference for plans, the lower one at least 0.

    Plans need the ratio of difference and standard error, and the error is estimated, too.

    `difference`, `error`, `freedom`: the difference, its standard error and its degrees of freedom. `confidence`: in
    (0, 1). Returns `low, high`: |d| -+ t s sqrt(1 + (d / s)^2 / (2 nu)), t the quantile of Student's t with nu degrees
    of freedom. |d| twice for an error of 0, NaN where either is.

    References
    ----------
    Johnson and Welch (1940), Applications of the non-central t-distribution: the variance of d / s.
    """
    from scipy.special import stdtrit

    d, s, nu = (np.asarray(value, dtype=np.float64) for value in (np.abs(difference), error, freedom))
    # s^2 (1 + (d / s)^2 / (2 nu)): the variance of d, and what the estimated s adds to it
    half = stdtrit(nu, (1 + confidence) / 2) * np.sqrt(s * s + d * d / (2 * nu))
    half = np.where(s == 0, 0.0, half)
    return np.maximum(d - half, 0.0), d + half


def predictive_probability(
    difference: ArrayLike, error: ArrayLike, share: ArrayLike, freedom: ArrayLike, units: int, *, alpha: float = 0.05
) -> FloatArray:
    """Return the chance that `share` times as many new units show a significant difference, in either direction.

    The true difference is unknown here: it is spread around the observed one by its standard error.

    `difference`, `error`, `freedom`: the difference, its standard error and its degrees of freedom at `units` units.
    `share`: the number of new units relative to `units`; positive. Result: F((sqrt(k) |d| / s - c) / sqrt(1 + k)) and
    the same for -|d|; k is `share`, F the distribution of Student's t with nu degrees of freedom, c the quantile of t
    at 1 - alpha / 2 with the smaller of nu k and k units - 1 degrees of freedom, at least 1. 1 for an error of 0; NaN
    where a value is, or difference and error are 0.

    References
    ----------
    Spiegelhalter, Freedman and Blackburn (1986), Monitoring clinical trials: conditional or predictive power?
    """
    from scipy.special import stdtr, stdtrit

    k, nu = np.asarray(share, dtype=np.float64), np.asarray(freedom, dtype=np.float64)
    # the future test has its own degrees of freedom, at most one less than its units
    critical = stdtrit(np.maximum(np.minimum(nu * k, k * units - 1), 1.0), 1 - alpha / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.sqrt(k) * np.abs(np.asarray(difference, dtype=np.float64)) / np.asarray(error, dtype=np.float64)
    # the variance of the future t: 1 of its own, and k of the observed difference that it is expected from
    upper, lower = (stdtr(nu, (side - critical) / np.sqrt(1 + k)) for side in (distance, -distance))
    probability: FloatArray = upper + lower
    return probability


def _factor(freedom: FloatArray, alpha: float, power: float) -> FloatArray:
    """Return the sum of the quantiles of Student's t at 1 - alpha / 2 and at the power."""
    from scipy.special import stdtrit

    for name, value in (("alpha", alpha), ("power", power)):
        if not 0 < value < 1:
            raise DataError(f"{name} must lie between 0 and 1, not {value}")
    factor: FloatArray = stdtrit(freedom, 1 - alpha / 2) + stdtrit(freedom, power)
    return factor


def no_error(contest: Contest) -> str:
    """Return why differences have no jackknife error: the scores are not smooth, or units are few; else empty text."""
    if not contest.smooth:
        return "the score is not smooth in the weights of units, so that the jackknife gives no standard error"
    units = sum(contest.sizes)
    if units < FEWEST_UNITS:
        return f"{counted(units, 'unit')}: a jackknife error needs at least {FEWEST_UNITS}"
    return ""


def in_units_of_score(contest: Contest, better: IntArray, differences: FloatArray) -> FloatArray:
    """Return differences on the working scale below the scores of some submissions, as differences of scores.

    Parameters
    ----------
    contest : Contest
    better : (m,) int64
        The positions of the submissions with the better score.
    differences : (m,) float64
        Not negative, on the working scale.
    """
    scale, scores = contest.working_scale, contest.oriented[better]
    with np.errstate(invalid="ignore"):
        return scores - from_working_scale(on_working_scale(scores, scale) - differences, scale)

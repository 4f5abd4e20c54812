"""Scores on the scale on which tests and intervals work, and back."""

import numpy as np

from qeframe.core.batch import FloatArray
from qeframe.core.ranking import ROUNDING
from qeframe.core.standard_errors import IntervalScale


def magnitude_of(values: FloatArray, *, axis: int) -> FloatArray:
    """Return a power of two near the largest finite magnitude along an axis; 1 where there is none but 0.

    Numbers that are divided by it keep their digits, and their squares and fourth powers neither overflow nor vanish.
    """
    largest = np.max(np.abs(values), axis=axis, initial=0.0, where=np.isfinite(values))
    return np.ldexp(1.0, np.where(largest > 0, np.frexp(largest)[1], 0))


def size_on_scale(values: FloatArray, scale: IntervalScale, *, axis: int) -> FloatArray:
    """Return what the rounding of values is measured by: the largest magnitude along an axis, or 1 on curved scales.

    A z of 0 comes from sums of size 1, and the logarithm of a score has the relative errors of the score.
    """
    largest = np.max(np.abs(values), axis=axis, initial=0.0, where=np.isfinite(values))
    return np.asarray(largest if scale == "identity" else np.maximum(largest, 1.0))


def on_working_scale(scores: FloatArray, scale: IntervalScale) -> FloatArray:
    """Return scores on their working scale.

    Parameters
    ----------
    scores : (...) float64
        Oriented, so that higher is better.
    scale : {"identity", "arctanh", "logit", "log"}

    Returns
    -------
    (...) float64
        With arctanh, scores of 1 and -1 are infinite, and so are those that differ from them by rounding: a perfect
        correlation has no finite value, whatever its last bit. With logit and log, scores at an end of `RANGE_OF_SCALE`
        are infinite. Scores outside of the range are NaN; NaN stays NaN.

    References
    ----------
    Fisher (1915), Frequency distribution of the values of the correlation coefficient.
    """
    if scale == "identity":
        return scores
    if scale == "log":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(-np.log(-scores))
    if scale == "logit":
        with np.errstate(divide="ignore", invalid="ignore"):
            # log1p keeps the digits of a share near 0
            return np.asarray(np.log(scores) - np.log1p(-scores))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(np.arctanh(scores))
    perfect = np.abs(np.abs(scores) - 1) <= ROUNDING
    return np.where(perfect, np.copysign(np.inf, scores), values) if perfect.any() else values


def from_working_scale(values: FloatArray, scale: IntervalScale) -> FloatArray:
    """Return oriented scores from values on a scale: the inverse of `on_working_scale`."""
    if scale == "log":
        return np.asarray(-np.exp(-values))
    if scale == "logit":
        # the logistic function: exp(-values) would overflow
        return np.asarray((1 + np.tanh(values / 2)) / 2)
    return values if scale == "identity" else np.asarray(np.tanh(values))

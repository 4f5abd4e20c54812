"""Intervals of smooth scores on the interval scale of the metric, corrected for skewness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.plugin import Comparable, FloatArray
from qeframe.plugin.resampling import FEWEST_UNITS, from_working_scale, jackknife_variance, on_working_scale


def interval_by_scale(comparable: Comparable, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the ends of the intervals of all scores, low and high, (S,) each, and no draws.

    Notes
    -----
    On the interval scale of the metric, an interval is the score -+ q s, with s the jackknife error and q Student's
    quantile for its degrees of freedom. For scores of a single task on arctanh, it is the hull of that interval and of
    Hall's, which corrects for the skewness of the leave-one-out values. Undefined where a score, whole or without one
    unit, is at an end of the range of the scale.

    References
    ----------
    Hall (1992), On the removal of skewness by transformation.
    """
    from scipy.special import stdtrit

    scale = comparable.interval_scale
    scores, left_out = (on_working_scale(v, scale) for v in (comparable.oriented, comparable.jackknife()))
    found = jackknife_variance(left_out, comparable.sizes)
    defined = (found.error > 0) & np.isfinite(scores) & (sum(comparable.sizes) >= FEWEST_UNITS)
    error = np.where(defined, found.error, np.nan)
    quantile = stdtrit(found.freedom, (1 + confidence) / 2)
    low, high = scores - quantile * error, scores + quantile * error
    if scale == "arctanh" and len(comparable.sizes) == 1:
        slope = _skewness(-left_out) / (3 * np.sqrt(len(left_out)))
        low = np.minimum(low, scores - error * _unskewed(quantile, slope))
        high = np.maximum(high, scores - error * _unskewed(-quantile, slope))
    return from_working_scale(low, scale), from_working_scale(high, scale), np.empty((0, len(scores)))


def on_intervals_by_scale(comparable: Comparable) -> Sequence[Mapping[str, Any]]:
    """Return why scores have no interval on the interval scale."""
    return on_intervals(comparable, comparable.interval_scale)


def on_intervals(comparable: Comparable, scale: Any) -> Sequence[Mapping[str, Any]]:
    """Return the details of each score that say what its jackknife interval on a scale does not promise."""
    units = sum(comparable.sizes)
    whole = on_working_scale(comparable.oriented, scale)
    if units < FEWEST_UNITS:
        why = f"{units} units or groups: a jackknife error needs at least {FEWEST_UNITS}"
        return [{"no_interval": why} if not np.isnan(score) else {} for score in whole]
    left_out = comparable.jackknife()
    on_scale, error = on_working_scale(left_out, scale), jackknife_variance(left_out, comparable.sizes).error
    details: list[dict[str, Any]] = [{} for _ in whole]
    for i, score in enumerate(whole):
        if np.isnan(comparable.oriented[i]):
            continue
        if not np.isfinite(left_out[:, i]).all():
            details[i]["no_interval"] = "the score is undefined when one unit is left out"
        elif not (np.isfinite(score) and np.isfinite(on_scale[:, i]).all()):
            details[i]["no_interval"] = f"{_AT_END[scale]}, whole or when one unit is left out"
        elif error[i] == 0:
            details[i]["no_interval"] = _CONSTANT
    return details


_CONSTANT = "the score is the same whichever unit is left out, so that it has no standard error"
_AT_END = {
    "arctanh": "the score is perfect",
    "logit": "the score is 0 or 1",
    "log": "the score is 0",
}
"""By scale, which scores it has no finite value for."""


def _skewness(values: FloatArray) -> FloatArray:
    """Return the skewness of each column; 0 where it does not vary."""
    with np.errstate(invalid="ignore"):
        away = values - values.mean(axis=0)
    square = np.mean(away**2, axis=0)
    return np.divide(np.mean(away**3, axis=0), square**1.5, out=np.zeros_like(square), where=square > 0)


def _unskewed(quantile: FloatArray, slope: FloatArray) -> FloatArray:
    """Return what Hall's cubic maps to the quantile: (cbrt(1 + 3 a (q - a / 2)) - 1) / a, and q where a is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        root = (np.cbrt(1 + 3 * slope * (quantile - slope / 2)) - 1) / slope
    return np.where(slope == 0, quantile, root)

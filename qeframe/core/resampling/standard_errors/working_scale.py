"""The scale on which differences of scores are compared: arctanh for correlations, the score itself for the rest."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from qeframe.core.batches.base import FloatArray
from qeframe.core.resampling.ranks import ROUNDING

WorkingScale = Literal["identity", "arctanh"]
"""identity: the score itself. arctanh: Fisher's z, on which the error of a correlation depends little on its size."""

_PERFECT = math.atanh(1.0 - ROUNDING)


def on_working_scale(scores: FloatArray, scale: WorkingScale) -> FloatArray:
    """Return scores on their working scale.

    Parameters
    ----------
    scores : (...) float64
    scale : {"identity", "arctanh"}

    Returns
    -------
    (...) float64
        With arctanh, scores of 1 and -1 are infinite, and so are those that differ from them by rounding: a perfect
        correlation has no finite value, whatever its last bit. Scores outside [-1, 1] are NaN; NaN stays NaN.

    References
    ----------
    Fisher (1915), Frequency distribution of the values of the correlation coefficient.
    """
    if scale == "identity":
        return scores
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(np.arctanh(scores))
        perfect = np.abs(values) > _PERFECT
    return np.where(perfect, np.copysign(np.inf, values), values) if perfect.any() else values


def from_working_scale(values: FloatArray, scale: WorkingScale) -> FloatArray:
    """Return scores from values on their working scale: the inverse of `on_working_scale`."""
    return values if scale == "identity" else np.asarray(np.tanh(values))

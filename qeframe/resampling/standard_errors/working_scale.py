"""The scale on which differences of scores are compared: arctanh for correlations, the score itself for the rest."""

from __future__ import annotations

from typing import Literal

import numpy as np

from qeframe.batches.base import FloatArray

__all__ = ["WorkingScale", "from_working_scale", "on_working_scale"]

WorkingScale = Literal["identity", "arctanh"]
"""identity: the score itself. arctanh: Fisher's z, on which the error of a correlation depends little on its size."""


def on_working_scale(scores: FloatArray, scale: WorkingScale) -> FloatArray:
    """Return scores on their working scale.

    Parameters
    ----------
    scores : (...) float64
    scale : {"identity", "arctanh"}

    Returns
    -------
    (...) float64
        With arctanh, scores of 1 and -1 are infinite, scores outside [-1, 1] NaN; NaN stays NaN.

    References
    ----------
    Fisher (1915), Frequency distribution of the values of the correlation coefficient.
    """
    if scale == "identity":
        return scores
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.arctanh(scores))


def from_working_scale(values: FloatArray, scale: WorkingScale) -> FloatArray:
    """Return scores from values on their working scale: the inverse of `on_working_scale`."""
    return values if scale == "identity" else np.asarray(np.tanh(values))

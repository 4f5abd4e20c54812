"""Aggregation within a task: all units at once, or each group of units separately."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from qeframe.plugin import Aggregation, DataError, FloatArray

Undefined = Literal["propagate", "drop", "zero"]


def weighted_mean(
    scores: FloatArray, weights: FloatArray, higher_is_better: bool = True, *, undefined: Undefined = "propagate"
) -> FloatArray:
    """Return the weighted mean over the last axis.

    Parameters
    ----------
    scores : (..., parts) float64
    weights : (parts,) float64
        A part of weight 0 does not change the result, even if it is undefined.
    undefined : {"propagate", "drop", "zero"}
        propagate: an undefined part makes the mean undefined. drop: it is left out. zero: it counts as 0.

    Returns
    -------
    (...) float64
        NaN where no part has a weight above 0.
    """
    missing = np.isnan(scores)
    filled = np.where(missing, 0.0, scores)
    shares = np.where(missing, 0.0, weights) if undefined == "drop" else np.broadcast_to(weights, scores.shape)
    total = shares.sum(axis=-1)
    mean = np.divide((filled * shares).sum(axis=-1), total, out=np.full(total.shape, np.nan), where=total > 0)
    if undefined == "propagate":
        mean = np.where((missing & (weights > 0)).any(axis=-1), np.nan, mean)
    return mean


def _single(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    return weighted_mean(scores, weights)


micro = Aggregation(
    name="micro",
    summary="All units of a task at once: counts are pooled",
    aggregate=_single,
    pools=True,
)


def macro(*, by: str = "document", undefined: Undefined = "propagate") -> Aggregation:
    """Score each group of a grouping separately and return the mean, all groups with the same weight.

    Parameters
    ----------
    by : str
        The grouping, as the reader names it: document, domain, judge ...
    undefined : {"propagate", "drop", "zero"}
        propagate: a group with an undefined score makes the mean undefined. drop: it is left out. zero: it counts as 0.
        drop can be gamed: the score of a submission that is constant on hard groups leaves them out.
    """
    if not by:
        raise DataError("macro: parameter by must name a grouping, such as document")
    return Aggregation(
        name="macro",
        summary="The plain mean of the scores of groups of units",
        aggregate=partial(weighted_mean, undefined=undefined),
        by=by,
    )

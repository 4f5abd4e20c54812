"""AutoRank: the preliminary rankings of translation systems by automatic metrics, each metric a task."""

from __future__ import annotations

from typing import Literal

import numpy as np

from qeframe.plugin import Aggregation, FloatArray
from qeframe_aggregations.within import weighted_mean


def autorank(*, scaling: Literal["interquantile", "range"] = "interquantile") -> Aggregation:
    """Place each system between the best and the worst by several metrics: 1 is the best.

    Parameters
    ----------
    scaling : {"interquantile", "range"}
        interquantile: a metric is scaled by its median and the distance of its 25 % quantile to its best value; the
        weighted mean over metrics is placed between 1, the best system, and the number of systems N, the worst one, as
        in 2025. range: each metric is placed between 1 and N + 1, and the weighted mean taken, as in 2024: the
        description says N, the published tables have N + 1.

    Returns
    -------
    Aggregation
        Lower is better. Undefined for a system without a score under a metric that counts; it is not one of the N.
        Equal systems have 1. A metric whose upper three quarters are equal has its distance replaced by the smallest
        positive number of double precision relative to 1, so that it outweighs all others: as in the program.

    References
    ----------
    WMT24 and WMT25 general MT tasks, preliminary rankings.
    """
    return Aggregation(
        name="autorank",
        summary="AutoRank: scaled scores of metrics, placed between 1, the best system, and the worst; lower is better",
        source="WMT24-25 general MT task, preliminary ranking",
        aggregate=_of_2025 if scaling == "interquantile" else _of_2024,
        linear=False,
        higher_is_better=False,
    )


_EPSILON = float(np.finfo(np.float64).eps)


def _complete(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    """Return scores of which higher is better, NaN in all tasks for a system without a score in one that counts."""
    lacking = (np.isnan(scores) & (weights > 0)).any(axis=-1, keepdims=True)
    return np.where(lacking, np.nan, scores if higher_is_better else -scores)


def _of_2025(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    oriented = _complete(scores, weights, higher_is_better)
    z = np.full(oriented.shape, np.nan)
    for place in np.ndindex(oriented.shape[:-2]):
        for task in range(oriented.shape[-1]):
            column = oriented[(*place, slice(None), task)]
            known = column[~np.isnan(column)]
            if len(known):
                low, middle, high = np.percentile(known, [25, 50, 100])
                z[(*place, slice(None), task)] = (column - middle) / max(_EPSILON, high - low)
    return _placed(weighted_mean(z, weights), last=0)


def _of_2024(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    oriented = np.moveaxis(_complete(scores, weights, higher_is_better), -1, 0)
    return weighted_mean(np.stack([_placed(column, last=1) for column in oriented], axis=-1), weights)


def _placed(z: FloatArray, *, last: int) -> FloatArray:
    """Return the place of every system between the highest value, 1, and the lowest, N + `last`, (..., S)."""
    known = ~np.isnan(z)
    count = known.sum(axis=-1, keepdims=True)
    high = np.where(known, z, -np.inf).max(axis=-1, keepdims=True, initial=-np.inf)
    low = np.where(known, z, np.inf).min(axis=-1, keepdims=True, initial=np.inf)
    with np.errstate(invalid="ignore"):
        spread = high - low
        share = np.divide(high - z, spread, out=np.zeros_like(z), where=known & (spread > 0))
    return np.where(known, 1 + share * (count - 1 + last), np.nan)

"""Aggregations within a task, all units at once or each group separately, and across tasks."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np

from qeframe.plugin import Aggregation, DataError, FloatArray
from qeframe.plugin.resampling import ROUNDING, mid_ranks

Undefined = Literal["propagate", "drop", "zero"]


def weighted_mean(
    scores: FloatArray, weights: FloatArray, higher_is_better: bool = True, *, undefined: Undefined = "propagate"
) -> FloatArray:
    """Return the weighted mean over the last axis.

    `scores` (..., parts).
    `weights` (parts,): a part of weight 0 does not change the result, even if it is undefined.
    `undefined`: propagate: an undefined part makes the mean undefined. drop: it is left out. zero: it counts as 0.

    Result: NaN where no part has a weight above 0.
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
    name="micro", summary="All units of a task at once: counts are pooled", aggregate=_single, pools=True
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


Replicate = Literal["none", "mean_of_half_widths"]


def _mean(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    return weighted_mean(scores, weights)


def _itself(scores: FloatArray, higher_is_better: bool) -> FloatArray:
    return scores


def mean(
    *,
    exclude: tuple[str, ...] = (),
    undefined: Literal["propagate", "drop"] = "propagate",
    replicate: Replicate = "none",
) -> Aggregation:
    """Plain mean over tasks.

    Parameters
    ----------
    exclude : list of str
        Tasks that are left out: ``mean(exclude=["en-yo"])``.
    undefined : {"propagate", "drop"}
        propagate: the mean is undefined if a task has no score. drop: such a task is left out, as in the script of
        2015. Then means over different tasks are compared, which rewards a submission that leaves out the hard ones.
    replicate : {"none", "mean_of_half_widths"}
        mean_of_half_widths: the interval is the mean plus and minus the mean half width of the tasks' intervals, as in
        the tables of 2014 and 2015. For five tasks it is about twice as wide as the interval of the mean. Tasks that
        are left out of the mean are also left out of the width.

    Returns
    -------
    Aggregation
        Undefined for a submission that lacks a score in any task that counts; under ``drop``, in all of them.

    References
    ----------
    Machacek and Bojar (2014), Results of the WMT14 metrics shared task, tables 2 to 5.
    """
    return Aggregation(
        name="mean",
        summary="Plain mean over tasks, of submissions that have a score in all of them",
        source="QE multilingual tracks 2020-; metrics tasks",
        aggregate=partial(weighted_mean, undefined=undefined),
        part=_itself,
        exclude=exclude,
        linear=undefined == "propagate",
        interval="joint" if replicate == "none" else replicate,
    )


def pooled(*, count: str = "system_pairs", exclude: tuple[str, ...] = ()) -> Aggregation:
    """Mean over tasks, weighted by a count of their readers: it turns shares of each task into the share of all.

    Parameters
    ----------
    count : str
        system_pairs: the number of pairs of systems. With it, ``pairwise_accuracy`` is the share of system pairs of all
        language pairs that are ordered right. Other readers count "decided" or "segments".
    exclude : list of str
        Tasks that are left out.

    Returns
    -------
    Aggregation
        Undefined for a submission that lacks a score in any task that counts.

    References
    ----------
    Kocmi et al. (2021), To ship or not to ship; metrics tasks 2021 to 2023, system level.
    """
    return Aggregation(
        name="pooled",
        summary="Mean over tasks weighted by a count of their readers: shares pooled over tasks",
        source="Metrics tasks 2021-23, accuracy over the pairs of systems of all language pairs",
        aggregate=_mean,
        part=_itself,
        exclude=exclude,
        weighting="counted",
        count=count,
    )


def weighted(*, exclude: tuple[str, ...] = ()) -> Aggregation:
    """Weighted mean over tasks.

    Parameters
    ----------
    exclude : list of str
        Tasks that are left out.

    Returns
    -------
    Aggregation
        The weights are those of the profile. A task without one has its number of units as weight.
    """
    return Aggregation(
        name="weighted",
        summary="Mean over tasks with the profile's weights, or the numbers of units",
        source="Metrics tasks 2022-23",
        aggregate=_mean,
        part=_itself,
        exclude=exclude,
        weighting="declared",
    )


def _mean_of_parts(
    scores: FloatArray,
    weights: FloatArray,
    higher_is_better: bool,
    *,
    part: Callable[[FloatArray, bool], FloatArray],
    undefined: Undefined = "propagate",
) -> FloatArray:
    numbers = np.empty(scores.shape)
    for task in range(scores.shape[-1]):  # one at a time, to save memory
        numbers[..., task] = part(scores[..., task], higher_is_better)
    return weighted_mean(numbers, weights, undefined=undefined)


def _ranks(scores: FloatArray, higher_is_better: bool) -> FloatArray:
    return mid_ranks(-scores if higher_is_better else scores, slack=ROUNDING)


average_rank = Aggregation(
    name="average_rank",
    summary="Mean over tasks of the rank by score, ties at their mean rank; lower is better",
    source="Metrics task 2022; QE result pages 2021-22",
    aggregate=partial(_mean_of_parts, part=_ranks),
    part=_ranks,
    weighting="declared",
    linear=False,
    higher_is_better=False,
)


def _shares_better(scores: FloatArray, higher_is_better: bool) -> FloatArray:
    oriented = scores if higher_is_better else -scores
    taking_part = (~np.isnan(oriented)).sum(axis=-1, keepdims=True)
    better = (oriented[..., None, :] > oriented[..., :, None]).sum(axis=-1)
    share = np.divide(better, taking_part, out=np.zeros(oriented.shape), where=taking_part > 0)
    return np.where(np.isnan(oriented), np.nan, share)


share_better = Aggregation(
    name="share_better",
    summary="Mean over the tasks of a system of the share of systems with a higher score; lower is better",
    source="WMT26 general MT task, global order of systems",
    aggregate=partial(_mean_of_parts, part=_shares_better, undefined="drop"),
    part=_shares_better,
    linear=False,
    higher_is_better=False,
)
"""Tasks in which a system does not take part are left out of its mean."""


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

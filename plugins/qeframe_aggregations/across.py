"""Aggregation across tasks, usually language pairs."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from qeframe.plugin import Aggregation, FloatArray
from qeframe.plugin.resampling import ROUNDING, mid_ranks
from qeframe_aggregations.within import weighted_mean

Replicate = Literal["none", "mean_of_half_widths"]


def _mean(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    return weighted_mean(scores, weights)


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
        exclude=exclude,
        weighting="declared",
    )


def _average_rank(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    ranks = np.empty(scores.shape)
    for part in range(scores.shape[-1]):  # one task at a time, to save memory
        ranks[..., part] = mid_ranks(-scores[..., part] if higher_is_better else scores[..., part], slack=ROUNDING)
    return weighted_mean(ranks, weights)


average_rank = Aggregation(
    name="average_rank",
    summary="Mean over tasks of the rank by score, ties at their mean rank; lower is better",
    source="Metrics task 2022; QE result pages 2021-22",
    aggregate=_average_rank,
    weighting="declared",
    linear=False,
    higher_is_better=False,
)

"""Aggregation across tasks, usually language pairs."""

from __future__ import annotations

import numpy as np

from qeframe.batch import FloatArray
from qeframe.components import Aggregation
from qeframe.ranks import mid_ranks
from qeframe_aggregations.within import weighted_mean

__all__ = ["average_rank", "mean", "weighted"]


def _mean(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    return weighted_mean(scores, weights)


def mean(*, exclude: tuple[str, ...] = ()) -> Aggregation:
    """Plain mean over tasks.

    Parameters
    ----------
    exclude : list of str
        Tasks that have no say: ``mean(exclude=["en-yo"])``.

    Returns
    -------
    Aggregation
        Undefined for a submission that lacks a score in any task that counts.
    """
    return Aggregation(
        name="mean",
        summary="Plain mean over tasks, of submissions that have a score in all of them",
        source="QE multilingual tracks 2020-; metrics tasks",
        aggregate=_mean,
        exclude=exclude,
    )


def weighted(*, exclude: tuple[str, ...] = ()) -> Aggregation:
    """Weighted mean over tasks.

    Parameters
    ----------
    exclude : list of str
        Tasks that have no say.

    Returns
    -------
    Aggregation
        Weights are the profile's; where it states none, the number of units of each task.
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
    for part in range(scores.shape[-1]):  # one task at a time: only its ranks are beside the scores of all
        ranks[..., part] = mid_ranks(-scores[..., part] if higher_is_better else scores[..., part])
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

"""`Aggregation`: from the scores of groups, tasks or columns to one score; checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from attrs import frozen

from qeframe.core.batch import FloatArray
from qeframe.core.component import Component, at_work, check_returned
from qeframe.core.ragged import read_only_view


@frozen(kw_only=True, repr=False)
class Aggregation(Component):
    """How scores combine, within a task (over groups of units) or across tasks (over language pairs).

    Parameters
    ----------
    aggregate : callable
        From scores (..., submissions, groups) and weights (groups,), none negative, to (..., submissions), where groups
        are those of the units of a task, or the tasks. It treats every draw in the same way. A group of weight 0 does
        not change the result. Within a task whose groups are resampled, every draw has weights of its own,
        (..., 1, groups). If a group is undefined (NaN), so is the result, unless the component's documentation says
        otherwise.
    part : callable, optional
        From the scores of one part (..., submissions), and whether higher is better, to numbers (..., submissions) of
        which `aggregate` is the weighted mean over the parts where they are defined, if it is defined. With it the
        aggregates without each unit of each task take time in proportion to the units, not to units times tasks.
    by : str
        Within a task: the grouping that is scored group by group ("document"); empty if there is none.
    pools : bool
        Within a task: whether all units are scored at once, so that there are no groups and `aggregate` is not called.
    exclude : tuple of str
        Across tasks: tasks that get weight 0.
    weighting : {"equal", "declared", "counted"}
        Across tasks, the weight of a task. equal: 1. declared: the weight in the profile; if the profile has none, the
        number of units if `linear`, else 1. counted: the count named `count` that the reader made.
    count : str
        The reader's count that is the weight; empty unless `weighting` is "counted".
    interval : {"joint", "mean_of_half_widths"}
        Across tasks, the interval of the result. joint: from joint draws of all tasks. mean_of_half_widths, for
        replication: the result plus and minus the mean half width of the intervals of the tasks with a weight above 0.
    linear : bool
        Whether the result is a weighted mean of the groups. If so, differences are aggregated as scores are.
    higher_is_better : bool or None
        None: as for the metric. False for average ranks, for example, which are better when lower.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import Aggregation
    >>> mean = qeframe.load().get(Aggregation, "mean")
    >>> mean.aggregate(np.array([[0.2, 0.4]]), np.ones(2), True).round(3).tolist()
    [0.3]
    """

    aggregate: Callable[[FloatArray, FloatArray, bool], FloatArray]
    part: Callable[[FloatArray, bool], FloatArray] | None = None
    by: str = ""
    pools: bool = False
    exclude: tuple[str, ...] = ()
    weighting: Literal["equal", "declared", "counted"] = "equal"
    count: str = ""
    interval: Literal["joint", "mean_of_half_widths"] = "joint"
    linear: bool = True
    higher_is_better: bool | None = None


def aggregate(aggregation: Aggregation, scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    """Aggregate scores (..., submissions, parts) to (..., submissions), finite or NaN."""
    with at_work(aggregation, "aggregate"):
        returned = aggregation.aggregate(read_only_view(scores), read_only_view(weights), higher_is_better)
        return check_returned("aggregate", returned, scores.shape[:-1])


def of_part(aggregation: Aggregation, scores: FloatArray, higher_is_better: bool) -> FloatArray:
    """Return what an aggregation with a `part` is the mean of, for scores (..., submissions) of one part."""
    assert aggregation.part is not None
    with at_work(aggregation, "part"):
        return check_returned("part", aggregation.part(read_only_view(scores), higher_is_better), scores.shape)

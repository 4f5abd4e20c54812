"""`Aggregation`: from scores of groups, tasks or columns to one; `RankingRule`: from scores to ranks and winners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from attrs import field, frozen
from attrs.converters import optional

from qeframe.core.batch import BoolArray, FloatArray, IntArray
from qeframe.core.component import Component, WrongReturnError, at_work, check_returned, describe
from qeframe.core.ragged import freeze, read_only, read_only_array, read_only_view


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


def _equal(scores: FloatArray) -> FloatArray:
    return freeze(without_rounding(np.asarray(scores, dtype=np.float64)))


@frozen(kw_only=True, eq=False)
class RankingInput:
    """The input of a ranking rule: scores and comparisons of S submissions.

    Parameters
    ----------
    oriented : (S,) float64
        The scores, negated if the metric is better when lower, so that higher is better; NaN where undefined. Scores
        that differ by rounding alone are made equal, so that no rule needs a tolerance: see `without_rounding`.
    better : (S, S) bool
        ``better[i, j]``: i is significantly better than j. All false where no pair was tested.
    draws : (B, S) float64, optional
        The oriented scores in every draw of the intervals, made equal in the same way. None without intervals; without
        draws, (0, S), for intervals of the jackknife.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import RankingInput
    >>> given = RankingInput(oriented=np.array([0.5, 0.4]), better=np.array([[False, True], [False, False]]))
    >>> bool(given.better[0, 1])
    True
    """

    oriented: FloatArray = field(converter=_equal)
    better: BoolArray = field(converter=read_only_array)
    draws: FloatArray | None = field(default=None, converter=optional(_equal))


@frozen(kw_only=True, eq=False)
class Ranking:
    """The result of a ranking rule. All arrays are in the order of the submissions.

    Parameters
    ----------
    rank : (S,) int64
        From 1. Equal scores share the smaller rank. Undefined scores are last.
    cluster : (S,) int64
        From 1; the winners are in cluster 1. A rule that only finds winners gives clusters 1 and 2. 0 where the score
        is undefined.
    shares : (S, S) float64, optional
        ``shares[i, r]``: the share of draws in which submission i has rank r + 1.
    ranges : pair of (S,) int64, optional
        The first and the last rank of each submission by the rule; 0 where the score is undefined. Ranges of a rule
        need not hold with any confidence.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import Ranking
    >>> Ranking(rank=np.array([1, 2]), cluster=np.array([1, 1])).rank.tolist()
    [1, 2]
    """

    rank: np.ndarray[Any, np.dtype[np.int64]] = field(converter=read_only)
    cluster: np.ndarray[Any, np.dtype[np.int64]] = field(converter=read_only)
    shares: FloatArray | None = field(default=None, converter=read_only)
    ranges: tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.int64]]] | None = None


@frozen(kw_only=True, repr=False)
class RankingRule(Component):
    """How scores and comparisons become ranks, winners, clusters.

    Parameters
    ----------
    rank : callable
        From a `RankingInput` to a `Ranking`.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import RankingInput, RankingRule
    >>> rule = qeframe.load().get(RankingRule, "clusters")
    >>> given = RankingInput(oriented=np.array([0.5, 0.4]), better=np.array([[False, True], [False, False]]))
    >>> rule.rank(given).cluster.tolist()
    [1, 2]
    """

    rank: Callable[[RankingInput], Ranking]


def rank(rule: RankingRule, given: RankingInput) -> Ranking:
    """Rank submissions: ranks and clusters are whole numbers, at least 1 and 0, at most the number of submissions."""
    submissions = len(given.oriented)
    with at_work(rule, "rank"):
        ranking = rule.rank(given)
        if not isinstance(ranking, Ranking):
            raise WrongReturnError("rank", describe(ranking), "a Ranking")
        check_returned("rank", ranking.rank, (submissions,), most=submissions)
        check_returned("cluster", ranking.cluster, (submissions,), most=submissions)
        if (ranges := ranking.ranges) is not None:
            if not (isinstance(ranges, (tuple, list)) and len(ranges) == 2):
                raise WrongReturnError("ranges", describe(ranges), "two arrays, of first and of last ranks")
            for position, ends in enumerate(ranges):
                check_returned("ranges", ends, (submissions,), name=f"ranges[{position}]", most=submissions)
        if ranking.shares is not None:
            check_returned("shares", ranking.shares, (submissions, submissions))
    return ranking


ROUNDING = 1e-12
"""Equal scores differ by less than this, in proportion to the larger one."""


def shared_positions(differs: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the first and the last position of the values that each sorted value is equal to.

    Parameters
    ----------
    differs : (..., n) bool
        Where a value differs from the one before it; the first position of every row counts as such.

    Returns
    -------
    first, last : (..., n) int64
        From 1.
    """
    positions = np.arange(1, differs.shape[-1] + 1)
    starts = differs | (positions == 1)
    ends = np.concatenate([starts[..., 1:], np.ones_like(starts[..., :1])], axis=-1)
    # a start holds until the next one; an end, read from the right, until the one before it
    first = np.maximum.accumulate(np.where(starts, positions, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, positions, positions.size)[..., ::-1], axis=-1)[..., ::-1]
    return first, last


def rounding_slack(first: FloatArray | float, second: FloatArray | float) -> FloatArray:
    """Return how far two equal scores may lie apart by rounding.

    Two scores that are equal in exact arithmetic differ in their last bits: the correlations of a submission and of a
    linear function of it. Ranks, tests and tables call scores equal that differ by at most this.

    Parameters
    ----------
    first, second : (...) float64

    Returns
    -------
    (...) float64
        1e-12 times the larger magnitude of the two, so that a factor of all scores changes nothing. It does not depend
        on any other score. Tables show six decimals at most, or three digits of numbers from 1e7 on.
    """
    larger = np.maximum(np.abs(first), np.abs(second))
    return np.asarray(ROUNDING * np.where(np.isfinite(larger), larger, 1.0))


def without_rounding(scores: FloatArray) -> FloatArray:
    """Return scores in which those that are equal up to `rounding_slack` are equal in every bit.

    `scores` (..., S): NaN where undefined. Result: every score is the largest of those it is equal to. Sorted neighbors
    are compared, so that a chain of near neighbors is one score. NaN and infinities stay as they are.
    """
    order = np.argsort(-scores, axis=-1, kind="stable")  # NaN is last
    ordered = np.take_along_axis(scores, order, axis=-1)
    high, low = ordered[..., :-1], ordered[..., 1:]
    differs = np.ones(ordered.shape, dtype=np.bool_)
    with np.errstate(invalid="ignore"):  # two equal infinities are apart, and stay the same
        differs[..., 1:] = ~(high - low <= rounding_slack(high, low))
    # the whole run takes its highest value, so that equality is transitive
    first = shared_positions(differs)[0] - 1
    equal = np.empty(scores.shape)
    np.put_along_axis(equal, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return equal

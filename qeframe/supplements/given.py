"""What functions are given that compute more of an evaluation than scores and comparisons."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from qeframe.core.batch import BoolArray, IntArray
from qeframe.core.comparison import ComparisonRules
from qeframe.core.contest import Contest
from qeframe.core.findings import Unit
from qeframe.core.ranking import RankingRule
from qeframe.core.statistic_stack import StatisticStack


@frozen(kw_only=True, eq=False)
class TaskScores:
    """The scores of one task under the primary metric: what explains them is given this.

    Parameters
    ----------
    contest : Contest
        The submissions of the task, with their scores.
    stack : StatisticStack
        The metric on single units, one statistic for each submission.
    ids : (n,) int64
        The ids of the units.
    groups : mapping of str to sequence of str
        By grouping, the group of every unit.
    unit_name : callable
        From the id of a unit to what tables call it.
    """

    contest: Contest
    stack: StatisticStack
    ids: IntArray
    groups: Mapping[str, Sequence[str]]
    unit_name: Callable[[int], str]


Explain: TypeAlias = Callable[[TaskScores], Sequence[Mapping[str, Any]]]
"""From the scores of a task to more details of each, as values of JSON."""


@frozen(kw_only=True, eq=False)
class ComparedTask:
    """The submissions of one task, and which is better than which.

    Parameters
    ----------
    name : str
    submissions : sequence of str
        Their names.
    contest : Contest
        The submissions in this task, with their scores.
    groups : mapping of str to sequence of str
        By grouping, the group of every unit.
    better, valid : (S, S) bool or None
        Whether i is significantly better than j, by the rules of the profile, and by its valid ones; None if that was
        not tested, and for `valid` also where the rules of the profile are valid themselves.
    """

    name: str
    submissions: Sequence[str]
    contest: Contest
    groups: Mapping[str, Sequence[str]]
    better: BoolArray | None
    valid: BoolArray | None


@frozen(kw_only=True, eq=False)
class SupplementInput:
    """A whole evaluation under the primary metric.

    Parameters
    ----------
    contest : Contest
        The submissions over all tasks, with their scores.
    submissions : sequence of str
        Their names.
    metric, unit : str
        The metric, and what the units are that are resampled: "segment", "document".
    describe : callable
        From the position of such a unit, sample after sample, to the `Unit`.
    rules : ComparisonRules or None
        How pairs are compared; None without a test.
    alpha : float
        That of the profile, also without a test.
    not_left_out : str
        Why scores are not computed without single units: it would take too long, or they are units of several parts.
        Empty where they can be.
    ranking : RankingRule or None
        That of the profile; None where the submissions are not ranked by tasks.
    compared : callable
        Returns the `ComparedTask` of each task; none for the parts of a task set.
    """

    contest: Contest
    submissions: Sequence[str]
    metric: str
    unit: str
    describe: Callable[[int], Unit]
    rules: ComparisonRules | None
    alpha: float
    not_left_out: str = ""
    ranking: RankingRule | None = None
    compared: Callable[[], Sequence[ComparedTask]] = tuple

"""The ranked submissions of tasks under the primary metric of a profile, or under the overall score of a task set."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.components.comparable import Comparable
from qeframe.core.components.loading.registry import Registry
from qeframe.core.errors import DataError
from qeframe.core.evaluation.scoreboard import scoreboard_of
from qeframe.core.profiles.absent_names import with_names_of_tasks
from qeframe.core.profiles.resolved import ResolvedProfile, resolve
from qeframe.core.profiles.schema import OVERALL, Profile
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Task, check_task_names
from qeframe.task_sets.overall import ComparableOverParts
from qeframe.task_sets.parts import bind_task_set


@frozen(kw_only=True, eq=False)
class ScoredSubmissions:
    """Submissions under one score.

    Parameters
    ----------
    names : tuple of str
    metric : str
    unit : str
        What is resampled.
    sign : float
        1 if higher is better, else -1.
    comparable : Comparable
    weighted : callable, optional
        From weights of the units, sample after sample, (..., n), to oriented scores, (..., S); None for overall scores
        of a task set, whose parts share units.
    """

    names: tuple[str, ...]
    metric: str
    unit: str
    sign: float
    comparable: Comparable
    weighted: Callable[[FloatArray], FloatArray] | None


def scored_submissions(
    profile: Profile, tasks: Sequence[Task], registry: Registry, *, seed: int, runner: Runner
) -> ScoredSubmissions:
    """Score the ranked submissions of tasks by the rules of a profile.

    Raises
    ------
    DataError
        If there is no submission, two tasks have one name, or a task set has no overall score.
    """
    check_task_names(tasks)
    honest = [task.only(lambda s: s.is_ranked) for task in tasks]
    resolved = resolve(profile, registry, reads=False)
    if profile.parts:
        return _over_parts(resolved, honest, seed, runner)
    if resolved.assembler is not None:
        what = f"profile '{profile.name}' is evaluated by the assembler '{resolved.assembler.name}'"
        raise DataError(what, remedy="give a profile of one metric")
    resolved, _ = with_names_of_tasks(resolved, [task.name for task in tasks])
    scoreboard = scoreboard_of(resolved, honest, seed, runner)
    if scoreboard is None:
        raise DataError("there is no submission to compare", remedy="give a task with submissions")
    comparable = scoreboard.comparables[0]
    return ScoredSubmissions(
        names=tuple(submission.name for submission in scoreboard.submissions),
        metric=scoreboard.metrics[0].name,
        unit=scoreboard.scored_tasks[0].stack.unit,
        sign=comparable.sign,
        comparable=comparable,
        weighted=comparable.weighted,
    )


def _over_parts(resolved: ResolvedProfile, tasks: Sequence[Task], seed: int, runner: Runner) -> ScoredSubmissions:
    if resolved.profile.overall != "mean":
        what = f"the overall score of '{resolved.profile.name}' is a mean of cluster ranks, which has no standard error"
        raise DataError(what, remedy="run a profile with the metric of one part")
    task_set = bind_task_set(resolved, tasks, seed, runner)
    names = tuple(submission.name for submission in task_set.submissions)
    parts = tuple(part for part in task_set.parts if part.weight)
    overall = ComparableOverParts(parts=parts, submissions=len(names))
    return ScoredSubmissions(
        names=names, metric=OVERALL, unit="unit", sign=overall.sign, comparable=overall, weighted=None
    )

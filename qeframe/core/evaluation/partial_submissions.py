"""Submissions that took part in some of several tasks: what they have over all tasks, without a word on the others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import attrs
import numpy as np

from qeframe.core.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.core.evaluation.entered_alone import entered_alone
from qeframe.core.evaluation.result import Result, ScoredSubmission
from qeframe.core.evaluation.scoreboard import Scoreboard, scoreboard_of
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.profiles.schema import Partial
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Task


def absent_from(tasks: Sequence[Task], weights: Sequence[float]) -> dict[str, tuple[str, ...]]:
    """Return the weighted tasks that each partial submission lacks, by its name.

    Empty if all submissions lack a task.
    """
    weighted = [task for task, weight in zip(tasks, weights, strict=True) if weight > 0]
    names = {submission.name: None for task in tasks for submission in task.batches}
    entered = {task.name: {submission.name for submission in task.batches} for task in weighted}
    lacking = {name: tuple(task for task, present in entered.items() if name not in present) for name in names}
    partial = {name: absent for name, absent in lacking.items() if absent}
    return partial if len(partial) < len(names) else {}


def complete_scoreboard(
    resolved: ResolvedProfile,
    tasks: Sequence[Task],
    absent: Collection[str],
    seed: int,
    runner: Runner,
    compared_with_all: str = "",
) -> Scoreboard:
    """Return the scoreboard of the submissions to all tasks with a weight; `absent` are the others."""
    kept = [task.only(lambda submission: submission.name not in absent) for task in tasks]
    scoreboard = scoreboard_of(resolved, kept, seed, runner, compared_with_all=compared_with_all)
    assert scoreboard is not None, "some submission is in all tasks"
    return scoreboard


def listed_apart(
    rule: Partial,
    absent: Mapping[str, Sequence[str]],
    everyone: Scoreboard,
    results: Sequence[Sequence[Result]],
    complete: Scoreboard,
) -> Iterator[ScoredSubmission]:
    """Yield the submissions that lack a task: scores without intervals, no cluster and no rank set.

    `rule`: as in `Profile`.
    `absent`: the tasks that each of them lacks.
    `everyone`: with all submissions.
    `results` (metrics, submissions): theirs.
    `complete`: with the submissions to all tasks.
    """
    last = 1 + len(complete.submissions)
    for i, submission in enumerate(everyone.submissions):
        if submission.name not in absent:
            continue
        of_submission = [_alone(rule, complete, nth, of_metric[i]) for nth, of_metric in enumerate(results)]
        scores = {metric.name: result for metric, result in zip(everyone.metrics, of_submission, strict=True)}
        overall = complete.comparables[0]
        entered = entered_alone(submission, scores, overall.sign * of_submission[0].value, overall.oriented)
        stated = {task.name: s for task in everyone.tasks if (s := task.stated.get(submission.name))}
        # apart: the rank only sorts, and tables do not show it
        rank = entered.rank if rule == "mean_of_own" else last
        yield attrs.evolve(entered, rank=rank, stated=stated, absent=tuple(absent[submission.name]))


def _alone(rule: Partial, complete: Scoreboard, nth: int, result: Result) -> Result:
    """Return what the aggregation makes of the scores in some tasks, entered alone among the complete submissions."""
    overall = complete.comparables[nth]
    if not isinstance(overall, ComparableAcrossTasks):  # the only task with a weight, which it lacks
        return Result(value=np.nan, tasks=result.tasks)
    scores = [result.tasks[t.name].value if t.name in result.tasks else np.nan for t in complete.tasks]
    if rule == "mean_of_own":
        overall = attrs.evolve(overall, weights=np.where(np.isnan(scores), 0.0, overall.weights))
    value = float(overall.sign * overall.oriented_with(scores)[-1]) if overall.weights.any() else np.nan
    return Result(value=value, tasks=result.tasks)

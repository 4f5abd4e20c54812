"""The rank that a submission takes when it is entered alone: an attack, and one that some tasks do not have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import attrs
import numpy as np

from qeframe.core.batches.base import FloatArray
from qeframe.core.evaluation.contest import Contest
from qeframe.core.evaluation.result import Result, ScoredSubmission
from qeframe.core.evaluation.scoreboard import Scoreboard, scoreboard_of
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.profiles.schema import Partial
from qeframe.core.resampling.parallel import Runner
from qeframe.core.resampling.rounding import rounding_slack
from qeframe.core.tasks.task import Submission, Task


def entered_alone(
    submission: Submission, scores: Mapping[str, Result], oriented: float, others: FloatArray
) -> ScoredSubmission:
    """Return a submission that is not ranked with the rank that it takes among the ranked ones.

    It has no cluster, since it is not compared. If its score is undefined, all defined scores precede it.

    `scores`: its score under each metric.
    `oriented`: its score under the primary metric, turned so that higher is better.
    `others` (S,): those of the ranked submissions.
    """
    ahead = ~np.isnan(others) if np.isnan(oriented) else others > oriented + rounding_slack(others, oriented)
    return ScoredSubmission(name=submission.name, kind=submission.kind, scores=scores, rank=1 + int(ahead.sum()))


def ranked_alone(unranked: Scoreboard | None, ranked: Scoreboard) -> Iterator[ScoredSubmission]:
    """Yield the submissions that are not ranked, such as attacks, with the rank of each entered alone among the ranked.

    `unranked`: None if there are none. `ranked`: the others, under the same metrics and rules. Yields without a
    cluster: they are not compared.
    """
    if unranked is None:
        return
    results = [unranked.results(nth) for nth in range(len(unranked.metrics))]
    for i, submission in enumerate(unranked.submissions):
        entered = [_among_ranked(ranked, nth, unranked, by_submission[i]) for nth, by_submission in enumerate(results)]
        _, oriented = entered[0]
        scores = {m.name: result for m, (result, _) in zip(unranked.metrics, entered, strict=True)}
        alone = entered_alone(submission, scores, float(oriented[-1]), oriented[:-1])
        yield attrs.evolve(alone, stated=stated_in(unranked.tasks, submission.name))


def stated_in(tasks: Sequence[Task], name: str) -> dict[str, Mapping[str, float]]:
    """Return what a submission states about itself, by task."""
    return {task.name: stated for task in tasks if (stated := task.stated.get(name))}


def _among_ranked(ranked: Scoreboard, nth: int, unranked: Scoreboard, result: Result) -> tuple[Result, FloatArray]:
    """Enter one submission; return its result, and the oriented scores (S + 1,) of the ranked ones, then its own.

    An aggregate that depends on the other submissions, such as an average rank, is computed among these, without
    an interval. So is that of a submission without a task of ranked ones: what is made of a score that is lacking.
    """
    overall = ranked.contests[nth]
    by_task = result.tasks or {unranked.tasks[0].name: result}
    absent = Result(value=np.nan)
    if overall.is_single:
        in_first_task = by_task.get(ranked.tasks[0].name, absent)
        result = attrs.evolve(in_first_task, tasks=result.tasks)
        return result, np.append(overall.oriented, overall.sign * in_first_task.value)
    oriented = oriented_with(overall, [by_task.get(task.name, absent).value for task in ranked.tasks])
    lacks_task = any(task.name not in by_task for task in ranked.tasks)
    if lacks_task or not overall.linear:
        value = float(overall.sign * oriented[-1])
        result = Result(value=value, details={} if lacks_task else result.details, tasks=by_task)
    return result, oriented


def oriented_with(contest: Contest, scores: Sequence[float]) -> FloatArray:
    """Return the oriented scores of all submissions and of one more, (S + 1,); the new one is last.

    `scores` (terms,): the scores of the new submission under every term of the contest, NaN where it has none.
    """
    with_scores = zip(contest.terms, scores, strict=True)
    added = [np.append(term.oriented, term.sign * score) for term, score in with_scores]
    parts = [attrs.evolve(part, positions=np.append(part.positions, contest.submissions)) for part in contest.parts]
    return attrs.evolve(contest, submissions=contest.submissions + 1, parts=tuple(parts)).combine(added)


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
        of_submission = [_among_complete(rule, complete, nth, of_metric[i]) for nth, of_metric in enumerate(results)]
        scores = {metric.name: result for metric, result in zip(everyone.metrics, of_submission, strict=True)}
        overall = complete.contests[0]
        entered = entered_alone(submission, scores, overall.sign * of_submission[0].value, overall.oriented)
        # apart: the rank only sorts, and tables do not show it
        rank = entered.rank if rule == "mean_of_own" else last
        stated = stated_in(everyone.tasks, submission.name)
        yield attrs.evolve(entered, rank=rank, stated=stated, absent=tuple(absent[submission.name]))


def _among_complete(rule: Partial, complete: Scoreboard, nth: int, result: Result) -> Result:
    """Return what the aggregation makes of the scores in some tasks, entered alone among the complete submissions."""
    overall = complete.contests[nth]
    if overall.is_single:  # the only task with a weight, which it lacks
        return Result(value=np.nan, tasks=result.tasks)
    scores = [result.tasks[t.name].value if t.name in result.tasks else np.nan for t in complete.tasks]
    if rule == "mean_of_own":
        overall = attrs.evolve(overall, weights=np.where(np.isnan(scores), 0.0, overall.weights))
    value = float(overall.sign * oriented_with(overall, scores)[-1]) if overall.weights.any() else np.nan
    return Result(value=value, tasks=result.tasks)

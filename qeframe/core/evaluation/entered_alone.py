"""The rank that a submission that is not ranked, such as an attack, takes when it is entered alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs
import numpy as np

from qeframe.core.batches.base import FloatArray
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.result import Result, ScoredSubmission
from qeframe.core.evaluation.scoreboard import Scoreboard
from qeframe.core.resampling.rounding import rounding_slack
from qeframe.core.tasks.task import Submission


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
        entered = [_entered_alone(ranked, nth, unranked, by_submission[i]) for nth, by_submission in enumerate(results)]
        _, oriented = entered[0]
        scores = {m.name: result for m, (result, _) in zip(unranked.metrics, entered, strict=True)}
        yield entered_alone(submission, scores, float(oriented[-1]), oriented[:-1])


def _entered_alone(ranked: Scoreboard, nth: int, unranked: Scoreboard, result: Result) -> tuple[Result, FloatArray]:
    """Enter one submission; return its result, and the oriented scores (S + 1,) of the ranked ones, then its own.

    An aggregate that depends on the other submissions, such as an average rank, is computed among these, without
    an interval. So is that of a submission without a task of ranked ones: what is made of a score that is lacking.
    """
    overall = ranked.comparables[nth]
    by_task = result.tasks or {unranked.tasks[0].name: result}
    absent = Result(value=np.nan)
    if isinstance(overall, ComparableInTask):
        in_first_task = by_task.get(ranked.tasks[0].name, absent)
        result = attrs.evolve(in_first_task, tasks=result.tasks)
        return result, np.append(overall.oriented, overall.sign * in_first_task.value)
    oriented = overall.oriented_with([by_task.get(task.name, absent).value for task in ranked.tasks])
    lacks_task = any(task.name not in by_task for task in ranked.tasks)
    if lacks_task or not overall.aggregation.linear:
        value = float(overall.sign * oriented[-1])
        result = Result(value=value, details={} if lacks_task else result.details, tasks=by_task)
    return result, oriented

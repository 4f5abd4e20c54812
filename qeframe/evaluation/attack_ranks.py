"""The ranks that attacks would have taken, each entered alone among the real submissions."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import numpy as np

from qeframe.batches.base import FloatArray
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.result import Result, ScoredSubmission
from qeframe.evaluation.scoreboard import Scoreboard

__all__ = ["ranked_attacks"]


def ranked_attacks(attacks: Scoreboard | None, real: Scoreboard) -> Iterator[ScoredSubmission]:
    """Yield the attacks with the ranks that they would have taken, each entered alone among the real submissions."""
    if attacks is None:
        return
    results = [attacks.results(nth) for nth in range(len(attacks.metrics))]
    for i, submission in enumerate(attacks.submissions):
        entered = [_entered(real, nth, attacks, of[i]) for nth, of in enumerate(results)]
        theirs, mine = entered[0][1][:-1], entered[0][1][-1]
        ahead = ~np.isnan(theirs) if np.isnan(mine) else theirs > mine
        yield ScoredSubmission(
            name=submission.name,
            kind=submission.kind,
            scores={m.name: result for m, (result, _) in zip(attacks.metrics, entered, strict=True)},
            rank=1 + int(ahead.sum()),
        )


def _entered(real: Scoreboard, nth: int, attacks: Scoreboard, result: Result) -> tuple[Result, FloatArray]:
    """Enter one attack among the real submissions.

    Returns
    -------
    result : Result
        Its result under a metric. Where aggregates depend on who else is there, as average ranks do, its own is that
        among the real submissions, and has no interval.
    oriented : (S + 1,) float64
        Of the real submissions beside it, and its own.
    """
    overall = real.comparables[nth]
    if isinstance(overall, ComparableInTask):
        return result, np.append(overall.oriented, overall.sign * result.value)
    by_task = result.tasks or {attacks.tasks[0].name: result}
    absent = Result(value=np.nan)
    oriented = overall.oriented_with([by_task.get(task.name, absent).value for task in real.tasks])
    if not overall.aggregation.linear:
        result = attrs.evolve(result, value=float(overall.sign * oriented[-1]), low=np.nan, high=np.nan)
    return result, oriented

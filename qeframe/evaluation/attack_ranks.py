"""The rank of each attack: the rank that it takes when it is entered alone among the real submissions."""

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
    """Yield the attacks with their ranks, each entered alone among the real submissions.

    Parameters
    ----------
    attacks : Scoreboard or None
        None if there are no attacks.
    real : Scoreboard
        The other submissions, under the same metrics and rules.

    Yields
    ------
    ScoredSubmission
        Without a cluster: attacks are not compared.
    """
    if attacks is None:
        return
    results = [attacks.results(nth) for nth in range(len(attacks.metrics))]
    for i, submission in enumerate(attacks.submissions):
        entered = [_entered(real, nth, attacks, by_submission[i]) for nth, by_submission in enumerate(results)]
        _, oriented = entered[0]
        others, own = oriented[:-1], oriented[-1]
        ahead = ~np.isnan(others) if np.isnan(own) else others > own
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
        The result of the attack under the metric. An aggregate that depends on the other submissions, such as an
        average rank, is computed among the real submissions and has no interval.
    oriented : (S + 1,) float64
        The oriented scores of the real submissions, then that of the attack.
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

"""Attacks entered in a task as submissions of the kind "attack", and the rank that each takes alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

import attrs
import numpy as np

from qeframe.batches.base import Batch, FloatArray
from qeframe.components.attack import Attack
from qeframe.components.checks.attack import answer
from qeframe.components.component import name_with_origin
from qeframe.errors import DataError
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.result import Result, ScoredSubmission
from qeframe.evaluation.scoreboard import Scoreboard
from qeframe.resampling.draws import checked_seed
from qeframe.tasks.task import Submission, Task

__all__ = ["enter_attacks", "ranked_attacks"]

_MANNERS = ("blind", "informed")
"""The manners of attack that do not transform an honest submission."""


def enter_attacks(tasks: Sequence[Task], attacks: Sequence[Attack], *, seed: int = 0) -> list[Task]:
    """Return the tasks with each attack as one more submission, of the kind "attack".

    Parameters
    ----------
    tasks : sequence of Task
        A task without submissions is returned unchanged.
    attacks : sequence of Attack
        Attacks for another kind of batch are left out. So are attacks that transform an honest submission, and attacks
        whose settings an audit chooses by the gold.
    seed : int
        The draws of an attack depend only on the seed, the name of the attack and the name of the task.

    Returns
    -------
    list of Task
        In the order given.

    Raises
    ------
    DataError
        If a submission already has the name of an attack.
    """
    seed = checked_seed(seed)
    return [_entered(task, attacks, seed) for task in tasks]


def _entered(task: Task, attacks: Sequence[Attack], seed: int) -> Task:
    if not task.batches:
        return task
    batch = next(iter(task.batches.values()))
    chosen = [a for a in attacks if isinstance(batch, a.kind) and a.manner in _MANNERS and not a.settings]
    taken = {submission.name for submission in task.batches}
    for name in (name for attack in chosen for name in (attack.name, name_with_origin(attack))):
        if name in taken:
            raise DataError(
                f"a submission of task '{task.name}' has the name of the attack '{name}'",
                remedy=f"give the submission another name than {name}",
            )
    answers: dict[Submission, Batch] = {
        Submission(name_with_origin(attack), "attack"): answer(attack, batch, _generator(seed, attack.name, task.name))
        for attack in chosen
    }
    return attrs.evolve(task, batches={**task.batches, **answers})


def _generator(seed: int, *names: str) -> np.random.Generator:
    return np.random.default_rng([seed, *(crc32(name.encode()) for name in names)])


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
        entered = [_entered_alone(real, nth, attacks, by_submission[i]) for nth, by_submission in enumerate(results)]
        _, oriented = entered[0]
        others, own = oriented[:-1], oriented[-1]
        ahead = ~np.isnan(others) if np.isnan(own) else others > own
        yield ScoredSubmission(
            name=submission.name,
            kind=submission.kind,
            scores={m.name: result for m, (result, _) in zip(attacks.metrics, entered, strict=True)},
            rank=1 + int(ahead.sum()),
        )


def _entered_alone(real: Scoreboard, nth: int, attacks: Scoreboard, result: Result) -> tuple[Result, FloatArray]:
    """Enter one attack among the real submissions.

    Returns
    -------
    result : Result
        The result of the attack under the metric. An aggregate that depends on the other submissions, such as an
        average rank, is computed among the real submissions and has no interval. The same holds if the attack lacks a
        task in which there are real submissions: its aggregate is then what the aggregation makes of a lacking score.
    oriented : (S + 1,) float64
        The oriented scores of the real submissions, then that of the attack.
    """
    overall = real.comparables[nth]
    if isinstance(overall, ComparableInTask):
        return result, np.append(overall.oriented, overall.sign * result.value)
    by_task = result.tasks or {attacks.tasks[0].name: result}
    absent = Result(value=np.nan)
    oriented = overall.oriented_with([by_task.get(task.name, absent).value for task in real.tasks])
    lacks_task = any(task.name not in by_task for task in real.tasks)
    if lacks_task or not overall.aggregation.linear:
        value = float(overall.sign * oriented[-1])
        result = Result(value=value, details={} if lacks_task else result.details, tasks=by_task)
    return result, oriented

"""The place of a submission of the user's own: its comparisons with each ranked one, a family of their own."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from qeframe.core.evaluation.result import Entered, Evaluation, ScoredSubmission
from qeframe.core.evaluation.run import EvaluationRequest, evaluate_tasks
from qeframe.core.profiles.resolved import ResolvedProfile, resolve
from qeframe.core.tasks.task import UNRANKED, Task


def with_places(
    evaluation: Evaluation, resolved: ResolvedProfile, tasks: Sequence[Task], request: EvaluationRequest
) -> Evaluation:
    """Return an evaluation that says which place each entered submission takes.

    Parameters
    ----------
    evaluation : Evaluation
        Of the tasks: an entered submission has a score in it, and the rank that it takes alone.
    resolved : ResolvedProfile
    tasks : sequence of Task
    request : EvaluationRequest
        What the evaluation was asked for.

    Notes
    -----
    Each entered submission is ranked in an evaluation of its own, without the others that are entered, in which it is
    compared with each ranked submission and no other pair is. The correction is that of the profile, for these pairs.
    """
    names = dict.fromkeys(each.name for task in tasks for each in task.batches if each.kind == "entered")
    rules = attrs.evolve(resolved.profile, interval="", own=resolved.profile.own - {"interval"})
    plain = resolve(rules, request.registry, reads=False)
    entered = []
    for name in names:
        alone = evaluate_tasks(
            plain,
            [_ranked(task, name) for task in tasks],
            attrs.evolve(
                request,
                supplements=(),
                additions=lambda result, _: result,
                runner=attrs.evolve(request.runner, on_result=lambda _: None),
                alone=name,
            ),
        )
        scored = next(each for each in alone.submissions if each.name == name)
        if scored.absent:
            evaluation = _listed_apart(evaluation, scored)
        entered.append(
            Entered(
                name=name,
                rank=next(each.rank for each in evaluation.submissions if each.name == name),
                of=sum(each.kind not in UNRANKED and not each.absent for each in evaluation.submissions),
                rank_set=scored.rank_set,
                comparisons=tuple(one for one in alone.comparisons if name in (one.a, one.b)),
            )
        )
    return attrs.evolve(evaluation, entered=tuple(entered))


def _listed_apart(evaluation: Evaluation, scored: ScoredSubmission) -> Evaluation:
    """Return an evaluation in which an entered submission that lacks a task is listed apart, as a ranked one is."""
    submissions = [
        attrs.evolve(each, rank=scored.rank, absent=scored.absent, scores=scored.scores)
        if each.name == scored.name
        else each
        for each in evaluation.submissions
    ]
    return attrs.evolve(evaluation, submissions=tuple(sorted(submissions, key=lambda each: each.rank)))


def _ranked(task: Task, name: str) -> Task:
    """Return a task with the ranked submissions and one that is entered, as one of them."""
    batches = {
        attrs.evolve(submission, kind="unofficial") if submission.name == name else submission: batch
        for submission, batch in task.batches.items()
        if submission.is_ranked or submission.name == name
    }
    return attrs.evolve(task, batches=batches)

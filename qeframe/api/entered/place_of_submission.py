"""The place of a submission of the user's own: its comparisons with each ranked one, a family of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.additions.notices import notices
from qeframe.api.entered.gains import gains_of
from qeframe.core.components.supplement import Supplement, SupplementInput
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.entered_place import Entered, InfluentialUnit, ValidPlace
from qeframe.core.evaluation.result import Evaluation, ScoredSubmission
from qeframe.core.evaluation.run import EvaluationRequest, evaluate_tasks
from qeframe.core.profiles.defaults import by_valid_rules
from qeframe.core.profiles.resolved import ResolvedProfile, resolve
from qeframe.core.profiles.schema import Profile
from qeframe.core.resampling.rounding import rounding_slack
from qeframe.core.tasks.task import UNRANKED, Submission, Task

_MOST_UNITS = 5
"""The influential units that are kept."""


def with_places(
    evaluation: Evaluation, resolved: ResolvedProfile, tasks: Sequence[Task], request: EvaluationRequest
) -> Evaluation:
    """Return an evaluation that says which place each entered submission takes.

    `evaluation`: of the tasks: an entered submission has a score in it, and the rank that it takes alone. `request`:
    what the evaluation was asked for.

    Notes
    -----
    Each entered submission is ranked in an evaluation of its own, without the others that are entered, in which it is
    compared with each ranked submission and no other pair is. The correction is that of the profile, for these pairs.
    """
    entered = []
    names = dict.fromkeys(s.name for task in tasks for s in task.batches if s.kind == "entered")
    for name in names:
        ranked = [_ranked(task, name) for task in tasks]
        alone = _alone(name, resolved.profile, ranked, request, influence=True)
        scored = next(submission for submission in alone.submissions if submission.name == name)
        if scored.absent:
            evaluation = _listed_apart(evaluation, scored)
        influence = alone.supplements.get(_INFLUENCE, _Influence())
        entered.append(
            Entered(
                name=name,
                rank=next(submission.rank for submission in evaluation.submissions if submission.name == name),
                of=sum(s.kind not in UNRANKED and not s.absent for s in evaluation.submissions),
                rank_set=scored.rank_set,
                comparisons=tuple(pair for pair in alone.comparisons if name in (pair.a, pair.b)),
                absent=scored.absent,
                ranks=_ranks(evaluation, name),
                valid=_valid(name, evaluation, resolved.profile, ranked, request),
                influential=influence.units,
                changing=influence.changing,
                unit=influence.unit,
                gains=() if scored.absent else gains_of(name, evaluation, resolved, tasks, request),
            )
        )
        evaluation = _with_notices(evaluation, name, resolved, ranked)
    return attrs.evolve(evaluation, entered=tuple(entered))


def _alone(
    name: str, profile: Profile, tasks: Sequence[Task], request: EvaluationRequest, *, influence: bool = False
) -> Evaluation:
    """Return the evaluation in which a submission is compared with each other one, and no other pair is."""
    rules = attrs.evolve(profile, interval="", own=profile.own - {"interval"})
    asked = Supplement(name=_INFLUENCE, summary="", source="", of_evaluation=partial(_influence, name))
    return evaluate_tasks(
        resolve(rules, request.registry, reads=False),
        tasks,
        attrs.evolve(
            request,
            supplements=(asked,) if influence else (),
            additions=lambda result, _: result,
            runner=attrs.evolve(request.runner, on_result=lambda _: None),
            alone=name,
        ),
    )


_INFLUENCE = "influence_on_entered"


@frozen
class _Influence:
    """Influential units, how many change the rank, and what they are."""

    units: tuple[InfluentialUnit, ...] = ()
    changing: int = 0
    unit: str = "unit"


def _influence(name: str, given: SupplementInput) -> _Influence:
    """Return the units without which a submission takes another rank, then those that move its score, and how many."""
    if given.not_left_out or name not in given.submissions:
        return _Influence()
    position, left_out = list(given.submissions).index(name), given.comparable.jackknife()
    ahead = left_out > left_out[:, [position]] + rounding_slack(left_out, left_out[:, [position]])
    ranks, scores = 1 + ahead.sum(axis=1), left_out[:, position]
    oriented = given.comparable.oriented
    rank = 1 + int((oriented > oriented[position] + rounding_slack(oriented, oriented[position])).sum())
    changes = (ranks != rank) & ~np.isnan(scores)
    moves = np.nan_to_num(np.abs(scores - oriented[position]))
    order = np.lexsort((-moves, ~changes))[:_MOST_UNITS]
    units = tuple(
        InfluentialUnit(unit=given.describe(int(i)), score=float(given.comparable.sign * scores[i]), rank=int(ranks[i]))
        for i in order
        if moves[i] > 0
    )
    return _Influence(units, int(changes.sum()), given.unit)


def _valid(
    name: str, evaluation: Evaluation, profile: Profile, tasks: Sequence[Task], request: EvaluationRequest
) -> ValidPlace | None:
    """Return the place of a submission by the valid rules of a profile; None where its own rules are valid."""
    shown = evaluation.valid_clusters
    if shown is None:
        return None
    try:
        alone = _alone(name, by_valid_rules(profile, request.registry), tasks, request)
    except CapabilityError:
        return None
    scored = next(submission for submission in alone.submissions if submission.name == name)
    pairs = [pair for pair in alone.comparisons if pair.significant and not pair.task]
    return ValidPlace(
        test=shown.test,
        sided=shown.sided,
        correction=shown.correction,
        rank_set=scored.rank_set,
        beats=tuple(pair.b for pair in pairs if pair.a == name),
        beaten_by=tuple(pair.a for pair in pairs if pair.b == name),
    )


def _ranks(evaluation: Evaluation, name: str) -> dict[str, int]:
    """Return the rank that the score of a submission takes in each of several tasks that it has."""
    by_task: Mapping[str, Any] = {
        scored.name: scored.scores[evaluation.primary].tasks
        for scored in evaluation.submissions
        if scored.name == name or scored.kind not in UNRANKED
    }
    falling = {part.name for part in evaluation.parts if not part.higher_is_better}
    rises = evaluation.higher_in_tasks.get(evaluation.primary, True)
    ranks = {}
    for task, result in by_task[name].items():
        way = 1.0 if rises and task not in falling else -1.0
        others = np.array([way * of[task].value for who, of in by_task.items() if who != name and task in of])
        oriented = way * result.value
        ahead = ~np.isnan(others) if np.isnan(oriented) else others > oriented + rounding_slack(others, oriented)
        ranks[task] = 1 + int(ahead.sum())
    return ranks


def _with_notices(evaluation: Evaluation, name: str, resolved: ResolvedProfile, tasks: Sequence[Task]) -> Evaluation:
    """Return an evaluation with what is remarkable about the answers of an entered submission, such as copies."""
    signs = all(metric.vectors is None for metric in resolved.metrics)
    named = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    found = [
        text
        for text in dict.fromkeys(notices(tasks, signs=signs))
        if named.search(text) and text not in evaluation.warnings
    ]
    return attrs.evolve(evaluation, warnings=(*evaluation.warnings, *found))


def _listed_apart(evaluation: Evaluation, scored: ScoredSubmission) -> Evaluation:
    """Return an evaluation in which an entered submission that lacks a task is listed apart, as a ranked one is."""
    submissions = [
        attrs.evolve(submission, rank=scored.rank, absent=scored.absent, scores=scored.scores)
        if submission.name == scored.name
        else submission
        for submission in evaluation.submissions
    ]
    return attrs.evolve(evaluation, submissions=tuple(sorted(submissions, key=lambda each: each.rank)))


def _ranked(task: Task, name: str) -> Task:
    """Return a task with the ranked submissions and one that is entered, as one of them."""
    batches = {
        Submission(name, "unofficial") if submission.name == name else submission: batch
        for submission, batch in task.batches.items()
        if submission.is_ranked or submission.name == name
    }
    return attrs.evolve(task, batches=batches)

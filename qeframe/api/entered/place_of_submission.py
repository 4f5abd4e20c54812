"""The place of a submission of the user's own: its comparisons with each ranked one, a family of their own."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.assembly.columns import add_columns
from qeframe.assembly.evaluate import EvaluationRequest, assemble
from qeframe.assembly.notices import notices
from qeframe.assembly.places import sort_by_rank
from qeframe.core.batches.base import Batch
from qeframe.core.components.attack import Attack, answer, generator
from qeframe.core.components.checks.metric import bind
from qeframe.core.components.component import is_foreign, name_with_origin
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.supplement import Supplement, SupplementInput
from qeframe.core.errors import CapabilityError, DataError, PluginError
from qeframe.core.evaluation.entered_result import AttackGain, Entered, InfluentialUnit, ValidPlace
from qeframe.core.evaluation.result import Evaluation, ScoredSubmission
from qeframe.core.profiles.defaults import by_valid_rules
from qeframe.core.profiles.resolved import ResolvedProfile, resolve
from qeframe.core.profiles.schema import Profile
from qeframe.core.resampling.rounding import rounding_slack
from qeframe.core.tasks.task import UNRANKED, Submission, Task

_SAME = 1e-9
"""Settings whose scores differ by less than this share are equally good; the first is taken."""


def gains_of(
    name: str, evaluation: Evaluation, resolved: ResolvedProfile, tasks: Sequence[Task], request: EvaluationRequest
) -> tuple[AttackGain, ...]:
    """Return what a submission would gain by each cosmetic attack on its answers, the largest gain first.

    Attacks of third parties are left out: what they state to know is checked by an audit alone.

    `name`: an entered submission of all tasks that have submissions. `evaluation`: with its score.
    """
    attacks = [a for a in request.registry.all(Attack) if a.manner == "cosmetic" and not is_foreign(a)]
    entered = Submission(name, "entered")
    batches = {nth: task.batches[entered] for nth, task in enumerate(tasks) if entered in task.batches}
    metrics = {nth: _metric_on(tasks[nth], resolved) for nth in batches}
    rivals = [task.only(lambda who: who.is_ranked) for task in tasks]
    rows: dict[str, tuple[Attack, str]] = {}
    answers: list[dict[Submission, Batch]] = [{} for _ in tasks]
    for attack in attacks:
        try:
            of_tasks = [
                _answers(attack, batch, metrics[nth], request.seed, tasks[nth].name)
                for nth, batch in batches.items()
                if attack.changes_all_of(type(batch))
            ]
        except (DataError, PluginError):  # it cannot be made of these answers
            continue
        for nth in range(max(map(len, of_tasks), default=0) if len(of_tasks) == len(batches) else 0):
            chosen = [list(in_task.items())[min(nth, len(in_task) - 1)] for in_task in of_tasks]
            row = f"{name_with_origin(attack)} {nth} of {name}"
            rows[row] = attack, " or ".join(dict.fromkeys(filter(None, (setting for setting, _ in chosen))))
            for place, (_, batch) in zip(batches, chosen, strict=True):
                answers[place][Submission(row, "attack")] = batch
    if not rows:
        return ()
    attacked = [
        attrs.evolve(task, batches={**task.batches, **more}) for task, more in zip(rivals, answers, strict=True)
    ]
    alone = _primary_alone(resolved, request.registry)
    scored, _ = assemble(alone, attacked, attrs.evolve(request, supplements=()))
    return _gains(name, evaluation, rows, scored)


def _primary_alone(resolved: ResolvedProfile, registry: Registry) -> ResolvedProfile:
    """Return the rules by which the attacks are scored and ranked: without tests, intervals and other metrics."""
    profile = resolved.profile
    parts = tuple({key: value for key, value in part.items() if key != "test"} for part in profile.parts)
    own, secondary = profile.own - {"interval", "test"}, profile.secondary if profile.columns else ()
    rules = attrs.evolve(profile, interval="", test="", secondary=secondary, parts=parts, own=own)
    return resolve(rules, registry, reads=False)


def _metric_on(task: Task, resolved: ResolvedProfile) -> Metric:
    """Return the metric by which settings are chosen: that of the first part of these readings, or the primary one."""
    of_task = [part.metric for part in resolved.parts if part.rule.selection == task.selection]
    return of_task[0] if of_task else resolved.metrics[0]


def _answers(attack: Attack, batch: Batch, metric: Metric, seed: int, task: str) -> Mapping[str, Batch]:
    """Return the answers of an attack with the setting that is best on each half of the units, by the setting."""

    def made(setting: str) -> Batch:
        return answer(attack, batch, generator(seed, attack.name, task), setting=setting)

    if not attack.settings:
        return {"": made("")}
    half = np.random.default_rng([seed, len(batch)]).permutation(len(batch)) % 2
    halves = np.stack([half == nth for nth in (0, 1)]).astype(np.float64)
    settings = {setting: made(setting) for setting in attack.settings}
    scores = np.stack([bind(metric, of_setting)(halves) for of_setting in settings.values()])
    scores = np.where(np.isnan(scores), -np.inf, scores if metric.higher_is_better else -scores)
    best = scores.max(axis=0)
    slack = _SAME * np.abs(np.where(np.isfinite(best), best, 0.0))
    names = list(settings)
    return {names[i]: settings[names[i]] for i in np.argmax(scores >= best - slack, axis=0)}


def _gains(
    name: str, evaluation: Evaluation, rows: Mapping[str, tuple[Attack, str]], attacked: Evaluation
) -> tuple[AttackGain, ...]:
    """Return the gain of each attack; of two settings that halves of the units chose, that of the worse one."""
    way = 1.0 if evaluation.higher_is_better.get(evaluation.primary, True) else -1.0
    before = next(scored for scored in evaluation.submissions if scored.name == name).scores[evaluation.primary].value
    by_name = {scored.name: scored for scored in attacked.submissions}
    gains: dict[str, AttackGain] = {}
    for row, (attack, setting) in rows.items():
        score, shown = by_name[row].scores[evaluation.primary].value, name_with_origin(attack)
        gain = way * (score - before) if abs(score - before) > rounding_slack(score, before) else 0.0 * score
        if np.isfinite(gain) and (shown not in gains or gain < gains[shown].gain):
            gains[shown] = AttackGain(
                attack=shown, summary=attack.summary, setting=setting, score=score, gain=gain, rank=by_name[row].rank
            )
    return tuple(sorted(gains.values(), key=lambda best_gain: (-best_gain.gain, best_gain.attack)))


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
        with_entered = _with_one_entered(name, resolved.profile, ranked, request, influence=True)
        scored = next(submission for submission in with_entered.submissions if submission.name == name)
        if scored.absent:
            evaluation = _listed_apart(evaluation, scored)
        elif resolved.across_columns is not None and resolved.across_columns.name in evaluation.metrics:
            evaluation = _with_column(evaluation, scored, resolved.across_columns.name)
        influence = with_entered.supplements.get(_INFLUENCE, _Influence())
        entered.append(
            Entered(
                name=name,
                rank=next(submission.rank for submission in evaluation.submissions if submission.name == name),
                of=sum(s.kind not in UNRANKED and not s.absent for s in evaluation.submissions),
                rank_set=scored.rank_set,
                comparisons=tuple(pair for pair in with_entered.comparisons if name in (pair.a, pair.b)),
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


def _with_one_entered(
    name: str, profile: Profile, tasks: Sequence[Task], request: EvaluationRequest, *, influence: bool = False
) -> Evaluation:
    """Return the evaluation in which a submission is compared with each other one, and no other pair is."""
    rules = attrs.evolve(profile, interval="", own=profile.own - {"interval"})
    asked = Supplement(name=_INFLUENCE, summary="", source="", of_evaluation=partial(_influence, name))
    chosen = attrs.evolve(request, supplements=(asked,) if influence else (), alone=name)
    evaluation, made = assemble(resolve(rules, request.registry, reads=False), tasks, chosen)
    assert made is not None, "one is entered"
    return add_columns(evaluation, made.board, made.results, made.resolved)  # they depend on who takes part


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
    position, left_out = list(given.submissions).index(name), given.contest.jackknife()
    ahead = left_out > left_out[:, [position]] + rounding_slack(left_out, left_out[:, [position]])
    ranks, scores = 1 + ahead.sum(axis=1), left_out[:, position]
    oriented = given.contest.oriented
    rank = 1 + int((oriented > oriented[position] + rounding_slack(oriented, oriented[position])).sum())
    changes = (ranks != rank) & ~np.isnan(scores)
    moves = np.nan_to_num(np.abs(scores - oriented[position]))
    order = np.lexsort((-moves, ~changes))[:_MOST_UNITS]
    units = tuple(
        InfluentialUnit(unit=given.describe(int(i)), score=float(given.contest.sign * scores[i]), rank=int(ranks[i]))
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
        with_entered = _with_one_entered(name, by_valid_rules(profile, request.registry), tasks, request)
    except CapabilityError:
        return None
    scored = next(submission for submission in with_entered.submissions if submission.name == name)
    pairs = [pair for pair in with_entered.comparisons if pair.significant and not pair.task]
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
    on_answers = [
        text
        for text in dict.fromkeys(notices(tasks, signs=signs))
        if named.search(text) and text not in evaluation.warnings
    ]
    return attrs.evolve(evaluation, warnings=(*evaluation.warnings, *on_answers))


def _with_column(evaluation: Evaluation, entered: ScoredSubmission, column: str) -> Evaluation:
    """Return an evaluation with the aggregate over columns that an entered submission has among the ranked ones.

    A warning names what is not stated of it, without which there is none.
    """
    result, name = entered.scores[column], entered.name
    columns = [key for key in evaluation.signature.rules.get("columns", ()) if key not in evaluation.metrics]
    unstated = [key for key in columns if any(key not in of for of in entered.stated.values() or [{}])]
    warnings = [*evaluation.warnings]
    if math.isnan(result.value) and unstated:
        warnings.append(f"{name} has no {column}: it does not state {', '.join(unstated)}")
    submissions = [
        attrs.evolve(scored, scores={**scored.scores, column: result}) if scored.name == name else scored
        for scored in evaluation.submissions
    ]
    return attrs.evolve(evaluation, submissions=tuple(submissions), warnings=tuple(warnings))


def _listed_apart(evaluation: Evaluation, scored: ScoredSubmission) -> Evaluation:
    """Return an evaluation in which an entered submission that lacks a task is listed apart, as a ranked one is."""
    submissions = [
        attrs.evolve(submission, rank=scored.rank, absent=scored.absent, scores=scored.scores)
        if submission.name == scored.name
        else submission
        for submission in evaluation.submissions
    ]
    sign = 1.0 if evaluation.higher_is_better.get(evaluation.primary, True) else -1.0
    return attrs.evolve(evaluation, submissions=sort_by_rank(submissions, evaluation.primary, sign))


def _ranked(task: Task, name: str) -> Task:
    """Return a task with the ranked submissions and one that is entered, as one of them."""
    batches = {
        Submission(name, "unofficial") if submission.name == name else submission: batch
        for submission, batch in task.batches.items()
        if submission.is_ranked or submission.name == name
    }
    return attrs.evolve(task, batches=batches)

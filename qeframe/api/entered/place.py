"""The place of a submission of the user's own: its comparisons with each ranked one, a family of their own."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from qeframe.api.attacks import answer, generator, name_with_origin
from qeframe.assembly.compare import compare_by_valid_rules, whole_evaluation
from qeframe.assembly.evaluate import Assembled, EvaluationRequest, assemble
from qeframe.assembly.places import add_columns, rank_among, sort_by_rank
from qeframe.core.batch import Batch
from qeframe.core.component import is_foreign
from qeframe.core.errors import DataError, PluginError
from qeframe.core.findings import AttackGain, Entered, InfluentialUnit, ValidPlace
from qeframe.core.metric import Attack, Metric
from qeframe.core.metric_calls import bind
from qeframe.core.ranking import rounding_slack
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile, resolve
from qeframe.core.result import Evaluation, Result, ScoredSubmission
from qeframe.core.task import UNRANKED, Submission, Task
from qeframe.data.notices import notices
from qeframe.supplements.given import SupplementInput

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
    scored, _ = assemble(alone, attacked, attrs.evolve(request, asked={}, explain=None, equivalence=None))
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


def place_entered(
    evaluation: Evaluation, resolved: ResolvedProfile, tasks: Sequence[Task], request: EvaluationRequest
) -> Evaluation:
    """Return an evaluation that says which place each entered submission takes.

    `evaluation`: of the tasks: an entered submission has a score in it, and the rank that it takes alone. `request`:
    what the evaluation was asked for.

    Notes
    -----
    Each entered submission has contests of its own, without the others that are entered, in which it is compared with
    each ranked submission and no other pair is. The correction is that of the profile, for these pairs.
    """
    rules = attrs.evolve(resolved.profile, interval="", own=resolved.profile.own - {"interval"})
    without_intervals = resolve(rules, request.registry, reads=False)
    entered = []
    for name in dict.fromkeys(s.name for task in tasks for s in task.batches if s.kind == "entered"):
        alone = attrs.evolve(request, asked={}, explain=None, equivalence=None, alone=name)
        own, made = assemble(without_intervals, [_rank(task, name) for task in tasks], alone)
        assert made is not None, "one is entered"
        own = add_columns(own, made.board, made.results, made.resolved)  # they depend on who takes part
        scored = next(submission for submission in own.submissions if submission.name == name)
        evaluation = _show_own(evaluation, scored, resolved)
        units, changing, unit = _find_influence(name, whole_evaluation(made.whole, made.rules, resolved.profile.alpha))
        entered.append(
            Entered(
                name=name,
                rank=next(submission.rank for submission in evaluation.submissions if submission.name == name),
                of=sum(s.kind not in UNRANKED and not s.absent for s in evaluation.submissions),
                rank_set=scored.rank_set,
                comparisons=tuple(pair for pair in own.comparisons if name in (pair.a, pair.b)),
                absent=scored.absent,
                ranks=_rank_by_task(evaluation, name),
                valid=None if evaluation.valid_rules is None else _place_by_valid_rules(name, made),
                influential=units,
                changing=changing,
                unit=unit,
                gains=() if scored.absent else gains_of(name, evaluation, resolved, tasks, request),
            )
        )
        evaluation = _add_notices(evaluation, name, resolved, made.tasks)
    return attrs.evolve(evaluation, entered=tuple(entered))


def _rank(task: Task, name: str) -> Task:
    """Return a task with the ranked submissions and one that is entered, as one of them."""
    batches = {
        Submission(name, "unofficial") if submission.name == name else submission: batch
        for submission, batch in task.batches.items()
        if submission.is_ranked or submission.name == name
    }
    return attrs.evolve(task, batches=batches)


def _show_own(evaluation: Evaluation, own: ScoredSubmission, resolved: ResolvedProfile) -> Evaluation:
    """Return an evaluation with what only the contest of an entered submission has: it is listed apart, or a column.

    One that lacks a task is listed as a ranked one is. The aggregate over columns is that among the ranked ones; a
    warning names what is not stated, without which there is none.
    """
    column = "" if resolved.across_columns is None else resolved.across_columns.name
    in_column, warnings = not own.absent and column in evaluation.metrics, [*evaluation.warnings]
    if in_column and math.isnan(own.scores[column].value):
        columns = [key for key in evaluation.signature.rules.get("columns", ()) if key not in evaluation.metrics]
        unstated = [key for key in columns if any(key not in of for of in own.stated.values() or [{}])]
        if unstated:
            warnings.append(f"{own.name} has no {column}: it does not state {', '.join(unstated)}")

    def show(scored: ScoredSubmission) -> ScoredSubmission:
        if scored.name != own.name:
            return scored
        if own.absent:
            return attrs.evolve(scored, rank=own.rank, absent=own.absent, scores=own.scores)
        return attrs.evolve(scored, scores={**scored.scores, column: own.scores[column]}) if in_column else scored

    submissions = tuple(map(show, evaluation.submissions))
    sign = 1.0 if evaluation.higher_is_better.get(evaluation.primary, True) else -1.0
    ordered = sort_by_rank(submissions, evaluation.primary, sign) if own.absent else submissions
    return attrs.evolve(evaluation, submissions=ordered, warnings=tuple(warnings))


def _find_influence(name: str, given: SupplementInput) -> tuple[tuple[InfluentialUnit, ...], int, str]:
    """Return the units that change the rank of a submission, then those that move its score; how many; their name."""
    if given.not_left_out or name not in given.submissions:
        return (), 0, "unit"
    position, left_out = list(given.submissions).index(name), given.contest.jackknife()
    ahead = left_out > left_out[:, [position]] + rounding_slack(left_out, left_out[:, [position]])
    ranks, scores = 1 + ahead.sum(axis=1), left_out[:, position]
    oriented = given.contest.oriented
    rank = 1 + int((oriented > oriented[position] + rounding_slack(oriented, oriented[position])).sum())
    changes = (ranks != rank) & ~np.isnan(scores)
    moves = np.nan_to_num(np.abs(scores - oriented[position]))
    units = tuple(
        InfluentialUnit(unit=given.describe(int(i)), score=float(given.contest.sign * scores[i]), rank=int(ranks[i]))
        for i in np.lexsort((-moves, ~changes))[:_MOST_UNITS]
        if moves[i] > 0
    )
    return units, int(changes.sum()), given.unit


def _place_by_valid_rules(name: str, made: Assembled) -> ValidPlace | None:
    """Return the place of a submission by the valid rules of a profile; None where they do not apply to it."""
    found = compare_by_valid_rules(made)
    if found is None or name not in found[0].names:
        return None
    compared, places = found
    pairs = [
        (compared.names[i], compared.names[j])
        for i, j, better in zip(*compared.contest.pairs, compared.significant, strict=True)
        if better
    ]
    return ValidPlace(
        test=compared.rules.test.name,
        sided=compared.rules.side,
        correction=compared.rules.correction.name,
        rank_set=places.rank_set(list(compared.names).index(name)),
        beats=tuple(other for who, other in pairs if who == name),
        beaten_by=tuple(who for who, other in pairs if other == name),
    )


def _rank_by_task(evaluation: Evaluation, name: str) -> dict[str, int]:
    """Return the rank that the score of a submission takes in each of several tasks that it has."""
    by_name: Mapping[str, Mapping[str, Result]] = {
        scored.name: scored.scores[evaluation.primary].tasks
        for scored in evaluation.submissions
        if scored.name == name or scored.kind not in UNRANKED
    }
    falling = {part.name for part in evaluation.parts if not part.higher_is_better}
    rises = evaluation.higher_in_tasks.get(evaluation.primary, True)
    ranks = {}
    for task, result in by_name[name].items():
        way = 1.0 if rises and task not in falling else -1.0
        others = np.array([way * of[task].value for who, of in by_name.items() if who != name and task in of])
        ranks[task] = rank_among(way * result.value, others)
    return ranks


def _add_notices(evaluation: Evaluation, name: str, resolved: ResolvedProfile, tasks: Sequence[Task]) -> Evaluation:
    """Return an evaluation with what is remarkable about the answers of an entered submission, such as copies."""
    signs = all(metric.vectors is None for metric in resolved.metrics)
    named = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    on_answers = [
        text
        for text in dict.fromkeys(notices(tasks, signs=signs))
        if named.search(text) and text not in evaluation.warnings
    ]
    return attrs.evolve(evaluation, warnings=(*evaluation.warnings, *on_answers))

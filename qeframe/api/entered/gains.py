"""What a submission would gain by known transformations of its answers, by the rules of its evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zlib import crc32

import attrs
import numpy as np

from qeframe.core.batches.base import Batch
from qeframe.core.components.checks.metric import bind
from qeframe.core.components.component import is_foreign, name_with_origin
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError, PluginError
from qeframe.core.evaluation.entered_place import AttackGain
from qeframe.core.evaluation.result import Evaluation
from qeframe.core.evaluation.run import EvaluationRequest, evaluate_tasks
from qeframe.core.profiles.resolved import ResolvedProfile, resolve
from qeframe.core.resampling.rounding import rounding_slack
from qeframe.core.tasks.task import Submission, Task
from qeframe.extensions.attack import Attack, answer

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
    scored = attrs.evolve(request, supplements=(), additions=lambda result, _: result)
    return _gains(name, evaluation, rows, evaluate_tasks(_primary_alone(resolved, request.registry), attacked, scored))


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
        rng = np.random.default_rng([seed, crc32(attack.name.encode()), crc32(task.encode())])
        return answer(attack, batch, rng, setting=setting)

    if not attack.settings:
        return {"": made("")}
    half = np.random.default_rng([seed, len(batch)]).permutation(len(batch)) % 2
    halves = np.stack([half == nth for nth in (0, 1)]).astype(np.float64)
    settings = {setting: made(setting) for setting in attack.settings}
    scores = np.stack([bind(metric, each)(halves) for each in settings.values()])
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
    return tuple(sorted(gains.values(), key=lambda each: (-each.gain, each.attack)))

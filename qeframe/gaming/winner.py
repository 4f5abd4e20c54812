"""Could the winner have gained without being better? Attacks are entered beside it, by the rules of its evaluation."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from qeframe.core.batches.base import Batch
from qeframe.core.components.component import name_with_origin
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.evaluation.result import Evaluation, ScoredSubmission
from qeframe.core.profiles.resolved import resolve
from qeframe.core.profiles.schema import Profile
from qeframe.core.resampling.rounding import rounding_slack
from qeframe.core.tasks.task import UNRANKED, Submission, Task
from qeframe.extensions.attack import Attack, answer
from qeframe.gaming.audit_gold import audit_golds_of, generator, within_knowledge
from qeframe.gaming.expected import MetricOnGold
from qeframe.gaming.measurement import PreparedGold, chosen_settings

Rows = dict[str, tuple[Attack, tuple[str, ...]]]
"""By the name of an entered submission, its attack and the settings that it has in the tasks."""


def winner_audit(
    profile: Profile,
    tasks: Sequence[Task],
    evaluation: Evaluation,
    evaluate: Callable[[Profile, Sequence[Task]], Evaluation],
    *,
    seed: int,
    registry: Registry,
) -> dict[str, Any]:
    """Enter the cosmetic attacks on the first submission, and the blind attacks, and score them as submissions.

    `profile`: the rules; intervals and tests are not computed.
    `evaluation`: of these tasks by these rules.
    `evaluate`: from rules and tasks to their evaluation.

    Result: values of JSON. ``metric``, ``higher_is_better``; ``winner``, its ``score``, and ``of``, the number of
    ranked submissions; ``second`` and the ``lead`` over it, if there is one; ``attacks``, the best first, each with
    ``attack``, ``summary``, ``manner``, ``setting``, ``score``, ``gain`` over the winner (above 0 is better) and the
    ``rank`` that it would take; ``failed``, the attacks without a defined score. Raises DataError if the profile has
    parts, nothing is ranked, or a task has no gold.

    Notes
    -----
    A setting is chosen on each half of the units. Where the halves choose differently, both are entered, and the worse
    one counts. The rank of an attack on the winner is that among the others; that of a blind attack is among all.
    """
    check_audited(profile)
    first = _ranked(evaluation)[:1]
    if not first:
        raise DataError("no submission is ranked, so that there is no winner", remedy="leave out --audit")
    (winner,) = first
    attacks = [attack for attack in registry.all(Attack) if attack.manner in ("cosmetic", "blind")]
    metric = resolve(profile, registry, reads=False).metrics[0]
    attacks, _ = within_knowledge(attacks, [metric.kind], seed, must=False)
    plain = [_without_attacks(task) for task in tasks]
    entered, rows = _entered(plain, winner.name, metric, attacks, seed)
    rules = attrs.evolve(profile, interval="", test="", own=frozenset())
    return _found(evaluate(rules, entered), winner.name, rows)


def check_audited(profile: Profile) -> None:
    """Raise a `DataError` if a profile has parts."""
    if profile.is_assembled:
        what = f"profile '{profile.name}' is a task set, whose parts have metrics of their own"
        raise DataError(what, remedy="audit the winner by a profile of one metric, such as that of one level")


def _without_attacks(task: Task) -> Task:
    return attrs.evolve(task, batches={who: batch for who, batch in task.batches.items() if who.kind != "attack"})


def _ranked(evaluation: Evaluation) -> list[ScoredSubmission]:
    """Return the ranked submissions that answered every task and have a score, the best first."""
    real = [
        submission
        for submission in evaluation.submissions
        if submission.kind not in UNRANKED and not submission.absent and math.isfinite(_value(submission, evaluation))
    ]
    return sorted(real, key=lambda submission: submission.rank)


def _value(scored: ScoredSubmission, evaluation: Evaluation) -> float:
    result = scored.scores.get(evaluation.primary)
    return math.nan if result is None else result.value


def _entered(
    tasks: Sequence[Task], winner: str, metric: Metric, attacks: Sequence[Attack], seed: int
) -> tuple[list[Task], Rows]:
    """Return the tasks with one or two submissions for each attack that can be made in all of them."""
    golds = [_prepared(task, winner, metric, seed) for task in tasks]
    rows: Rows = {}
    answers: list[dict[Submission, Batch]] = [{} for _ in tasks]
    for attack in attacks:
        try:
            made = [_answers(gold, attack, seed) for gold in golds if attack.changes_all_of(type(gold.scored.batch))]
        except DataError:
            continue
        for nth in range(max(map(len, made), default=0) if len(made) == len(golds) else 0):
            chosen = [of_gold[min(nth, len(of_gold) - 1)] for of_gold in made]
            name = f"{name_with_origin(attack)} {nth} on {winner}"
            rows[name] = (attack, tuple(setting for setting, _ in chosen))
            for of_task, (_, batch) in zip(answers, chosen, strict=True):
                of_task[Submission(name, "attack")] = batch
    return [
        attrs.evolve(task, batches={**task.batches, **more}) for task, more in zip(tasks, answers, strict=True)
    ], rows


def _prepared(task: Task, winner: str, metric: Metric, seed: int) -> PreparedGold:
    (gold,) = audit_golds_of(task, metric)
    return PreparedGold(MetricOnGold(metric, gold.batch), gold, seed, (gold.real[winner],))


def _answers(gold: PreparedGold, attack: Attack, seed: int) -> list[tuple[str, Batch]]:
    """Return the answers of an attack in a task with the setting that each half of the units chooses."""
    cosmetic = attack.manner == "cosmetic"
    batch = gold.honest[0] if cosmetic else gold.scored.batch
    chosen = dict.fromkeys(setting for setting, _ in chosen_settings(gold, attack, batch, 0 if cosmetic else -1))
    rng = generator(seed, attack.name, gold.gold.name)
    return [(setting, answer(attack, batch, rng, setting=setting)) for setting in chosen]


def _found(evaluation: Evaluation, winner: str, rows: Rows) -> dict[str, Any]:
    """Return what `winner_audit` returns, from the evaluation with the attacks."""
    better_high = evaluation.higher_is_better.get(evaluation.primary, True)
    way = 1.0 if better_high else -1.0
    scores = {scored.name: _value(scored, evaluation) for scored in evaluation.submissions}
    ranked = [scored.name for scored in _ranked(evaluation)]
    others = [way * scores[name] for name in ranked if name != winner]
    score, attacks, failed = way * scores[winner], dict[str, dict[str, Any]](), list[str]()
    for name, (attack, settings) in rows.items():
        value, shown = way * scores[name], name_with_origin(attack)
        if not math.isfinite(value):
            failed += [shown]
            continue
        rivals = others if attack.manner == "cosmetic" else [score, *others]
        entry = {
            "attack": shown,
            "summary": attack.summary,
            "manner": attack.manner,
            "setting": " or ".join(dict.fromkeys(filter(None, settings))),
            "score": scores[name],
            "gain": value - score,
            "rank": 1 + sum(rival > value + rounding_slack(rival, value) for rival in rivals),
        }
        if shown not in attacks or entry["gain"] < attacks[shown]["gain"]:
            attacks[shown] = entry
    second = max(others, default=math.nan)
    named = next((name for name in ranked if name != winner and way * scores[name] == second), "")
    return {
        "metric": evaluation.primary,
        "higher_is_better": better_high,
        "winner": winner,
        "score": scores[winner],
        "of": len(ranked),
        "second": named,
        "lead": score - second if named else None,
        "attacks": sorted(attacks.values(), key=lambda each: (-each["gain"], each["attack"])),
        "failed": sorted(set(failed) - attacks.keys()),
    }

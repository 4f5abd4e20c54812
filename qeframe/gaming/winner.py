"""Could the winner have gained without being better? What attacks gain beside it, by the rules of its evaluation."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.api.attacks import answer, generator, name_with_origin
from qeframe.core.batch import Batch
from qeframe.core.display import canonical_json
from qeframe.core.errors import DataError
from qeframe.core.loader import load
from qeframe.core.metric import Attack, Metric
from qeframe.core.profile import Profile
from qeframe.core.ranking import rounding_slack
from qeframe.core.registry import Registry
from qeframe.core.resolve import resolve
from qeframe.core.result import Evaluation, ScoredSubmission
from qeframe.core.runner import Runner
from qeframe.core.task import UNRANKED, Submission, Task
from qeframe.gaming.audit_gold import Case, audit_golds_of, within_knowledge
from qeframe.gaming.given_gold import CHANCE, MetricOnGold
from qeframe.gaming.indices import COUNTING, jackknife_influence, mean_error
from qeframe.gaming.scoring import rank_among

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
    attacks = [attack for attack in registry.all(Attack) if attack.manner in COUNTING]
    metric = resolve(profile, registry, reads=False).metrics[0]
    attacks, _ = within_knowledge(attacks, [metric.kind], seed, must=False)
    plain = [task.only(lambda submission: submission.kind != "attack") for task in tasks]
    entered, rows = _entered(plain, winner.name, metric, attacks, seed)
    rules = attrs.evolve(profile, interval="", test="", own=frozenset())
    return _found(evaluate(rules, entered), winner.name, rows)


def check_audited(profile: Profile) -> None:
    """Raise a `DataError` if a profile has parts."""
    if profile.parts:
        what = f"profile '{profile.name}' is a task set, whose parts have metrics of their own"
        raise DataError(what, remedy="leave out --audit, and name metrics of one: qeframe audit PROFILE PATH METRIC")


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
    given = [gold for task in tasks for gold in audit_golds_of(task, metric)]
    golds = [MetricOnGold(metric, gold, seed, honest=(gold.real[winner],)) for gold in given]
    rows: Rows = {}
    answers: list[dict[Submission, Batch]] = [{} for _ in tasks]
    for attack in attacks:
        try:
            of_golds = [
                _answers(gold, attack, seed) for gold in golds if attack.changes_all_of(type(gold.batch(CHANCE)))
            ]
        except DataError:
            continue
        for nth in range(max(map(len, of_golds), default=0) if len(of_golds) == len(golds) else 0):
            chosen = [of_gold[min(nth, len(of_gold) - 1)] for of_gold in of_golds]
            name = f"{name_with_origin(attack)} {nth} on {winner}"
            rows[name] = (attack, tuple(setting for setting, _ in chosen))
            for of_task, (_, batch) in zip(answers, chosen, strict=True):
                of_task[Submission(name, "attack")] = batch
    return [
        attrs.evolve(task, batches={**task.batches, **more}) for task, more in zip(tasks, answers, strict=True)
    ], rows


def _answers(on_gold: MetricOnGold, attack: Attack, seed: int) -> list[tuple[str, Batch]]:
    """Return the answers of an attack in a task with the setting that each half of the units chooses."""
    start = 0 if attack.manner == "cosmetic" else CHANCE
    batch, chosen = on_gold.batch(start), dict.fromkeys(setting for setting, _ in on_gold.settings(attack, start))
    rng = generator(seed, attack.name, on_gold.gold.name)
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
        "attacks": sorted(attacks.values(), key=lambda row: (-row["gain"], row["attack"])),
        "failed": sorted(set(failed) - attacks.keys()),
    }


@frozen(kw_only=True)
class Gain:
    """What one submission gains by one cosmetic attack, under one metric on one task.

    `setting`: the setting that was chosen; two, if the halves of the units chose differently.
    `score`, `attacked`: the scores on all units: the submission's own one, and that of the transformed answers.
    `gain`: the difference, above 0 where the attack helps, also if low scores are good; 0 if the attacked score is
      undefined.
    `error`: its standard error.
    `index`: the gain as a share of the way from the submission's own score to the perfect one; NaN without headroom.
    `rank`, `attacked_rank`: the rank of the submission among all, and the rank that it would have if only it attacked.
    """

    metric: str
    task: str
    submission: str
    attack: str
    setting: str
    score: float
    attacked: float
    gain: float
    error: float
    index: float
    rank: int
    attacked_rank: int


@frozen(kw_only=True)
class Gains:
    """The gains of all submissions, in the order of metrics, tasks, submissions and attacks.

    `gold`: the tasks, and the seed. `notes`: what was left out, and why.
    """

    gold: Mapping[str, Any]
    gains: tuple[Gain, ...]
    notes: tuple[str, ...] = field(default=())

    def to_json(self) -> str:
        """Return canonical JSON."""
        return canonical_json({"gold": self.gold, "gains": self.gains, "notes": self.notes})


def gains_of_submissions(
    metrics: Sequence[str | Metric],
    tasks: Sequence[Task],
    *,
    attacks: Sequence[str | Attack] = (),
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> Gains:
    """Try cosmetic attacks on every real submission.

    `tasks`: each with submissions. `attacks`: by default all cosmetic attacks that fit. Attacks of another manner do
    not transform a submission. Raises DataError if no attack is cosmetic, a metric has another kind of batch than the
    tasks, or a task has no submission.
    """
    registry = registry or load()
    asked = [registry.get(Attack, attack) for attack in attacks] or registry.all(Attack)
    cosmetic = [attack for attack in asked if attack.manner == "cosmetic"]
    kinds = [registry.get(Metric, metric).kind for metric in metrics]
    cosmetic, left_out = within_knowledge(cosmetic, kinds, seed, must=bool(attacks))
    if not cosmetic:
        raise DataError("no attack transforms a submission", remedy="name a cosmetic attack")
    by_name = {str(metric): registry.get(Metric, metric) for metric in metrics}
    golds = {name: audit_golds_of(list(tasks), metric) for name, metric in by_name.items()}
    cases = [
        Case(name=name, metric=by_name[name], golds=[gold], attacks=cosmetic)
        for name in by_name
        for gold in golds[name]
    ]
    results = (runner or Runner()).map(partial(_gains, seed=seed), cases)
    sets = {gold.name: gold.description for case in cases for gold in case.golds}
    return Gains(
        gold={"seed": seed, "sets": sets},
        gains=tuple(gain for result in results for gain in result),
        notes=tuple(left_out),
    )


def _gains(case: Case, *, seed: int) -> list[Gain]:
    (gold,), metric = case.golds, case.metric
    submissions = list(gold.real)
    on_gold = MetricOnGold(metric, gold, seed, honest=tuple(gold.real.values()))
    honest = [float(on_gold.known(start, -1)[0]) for start in range(len(submissions))]
    way = 1.0 if metric.higher_is_better else -1.0
    gains: list[Gain] = []
    for attack in filter(case.fits, case.attacks):
        try:
            measured = on_gold.measure(attack)
        except DataError:
            continue
        for start, of_one in enumerate(measured):
            gain, attacked = way * (of_one.score - of_one.base), float(of_one.score[0])
            failed = bool(np.isnan(attacked) and not np.isnan(of_one.base[0]))
            others = [*honest[:start], *honest[start + 1 :]]
            gains.append(
                Gain(
                    metric=case.name,
                    task=gold.name,
                    submission=submissions[start],
                    attack=name_with_origin(attack),
                    setting=of_one.setting,
                    score=honest[start],
                    attacked=attacked,
                    gain=0.0 if failed else float(gain[0]),
                    error=np.nan if failed else mean_error(jackknife_influence(gain)),
                    index=float(of_one.index[0]),
                    rank=rank_among(metric, honest[start], others),
                    attacked_rank=rank_among(metric, attacked, others),
                )
            )
    return sorted(gains, key=lambda gain: (gain.rank, submissions.index(gain.submission)))

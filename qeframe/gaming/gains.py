"""What each real submission would gain by each cosmetic attack: which of them leave something to be added.

A gain is the difference of two scores on the same units. Settings are chosen on one half of the units and scored on the
other half; errors are those of a jackknife over ten blocks of units.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import field, frozen

from qeframe.core.components.component import name_with_origin
from qeframe.core.components.loading.loader import load
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.evaluation.canonical_json import canonical_json
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Task
from qeframe.extensions.attack import Attack
from qeframe.gaming.audit_gold import AuditGold, audit_golds_of, within_knowledge
from qeframe.gaming.bounds import jackknife_influence, mean_error
from qeframe.gaming.expected import MetricOnGold, oriented
from qeframe.gaming.gaming_index import NO_HEADROOM, index_of
from qeframe.gaming.measurement import PreparedGold, measure


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
    work = [(name, gold) for name in by_name for gold in golds[name]]
    results = (runner or Runner()).map(partial(_gains, metrics=by_name, attacks=cosmetic, seed=seed), work)
    sets = {gold.name: gold.description for of_name in golds.values() for gold in of_name}
    return Gains(
        gold={"seed": seed, "sets": sets},
        gains=tuple(gain for result in results for gain in result),
        notes=tuple(left_out),
    )


def _gains(
    item: tuple[str, AuditGold], *, metrics: Mapping[str, Metric], attacks: Sequence[Attack], seed: int
) -> list[Gain]:
    name, gold = item
    metric = metrics[name]
    prepared = PreparedGold(MetricOnGold(metric, gold.batch), gold, seed, tuple(gold.real.values()))
    honest = [prepared.base(start, -1).scores[0] for start in range(len(gold.real))]
    gains: list[Gain] = []
    for attack in attacks:
        if not attack.changes_all_of(type(gold.batch)):
            continue
        try:
            measurements = measure(prepared, attack)
        except DataError:
            continue
        for start, (submission, measured) in enumerate(zip(gold.real, measurements, strict=True)):
            way = 1.0 if metric.higher_is_better else -1.0
            gain = way * (measured.attack.scores - measured.base.scores)
            failed = bool(np.isnan(measured.attack.scores[0]) and not np.isnan(measured.base.scores[0]))
            attacked = float(measured.attack.scores[0])
            others = [score for other, score in enumerate(honest) if other != start]
            gains.append(
                Gain(
                    metric=name,
                    task=gold.name,
                    submission=submission,
                    attack=name_with_origin(attack),
                    setting=" or ".join(measured.settings),
                    score=float(honest[start]),
                    attacked=attacked,
                    gain=0.0 if failed else float(gain[0]),
                    error=np.nan if failed else mean_error(jackknife_influence(gain)),
                    index=float(index_of(measured.attack.scores, measured.base.scores, measured.perfect)[0]),
                    rank=_rank(metric, float(honest[start]), others),
                    attacked_rank=_rank(metric, attacked, others),
                )
            )
    order = {submission: place for place, submission in enumerate(gold.real)}
    return sorted(gains, key=lambda gain: (gain.rank, order[gain.submission]))


def _rank(metric: Metric, score: float, others: Sequence[float]) -> int:
    value = oriented(metric, score)
    return 1 + sum(oriented(metric, float(other)) > value + NO_HEADROOM for other in others)

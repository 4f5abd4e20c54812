"""Attacks on one metric, measured on golds that are given: those of a shared task, or of the caller.

There are no more golds to draw. The error is that of a jackknife over ten blocks of units, and the settings are chosen
on one half of the units and scored on the other half.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import field, frozen

from qeframe.api.attacks import answer, generator, name_with_origin
from qeframe.core.batch import FloatArray
from qeframe.core.errors import DataError
from qeframe.core.metric import Attack, Metric
from qeframe.gaming.audit_gold import NO_HEADROOM, Attacked, AuditGold, index_of
from qeframe.gaming.expected import BLOCKS, jackknife_influence, mean_error, oriented, with_bounds
from qeframe.gaming.one_gold import Measurement, PreparedGold, measure, prepare

_SELECTED_DRAWS = 32


def attack_on_given_gold(
    metric: Metric, attacks: Sequence[Attack], golds: Sequence[AuditGold], *, seed: int = 0
) -> tuple[Attacked, ...]:
    """Try attacks on a metric, on golds that are given.

    `attacks`: those that cannot be made on this gold are left out.
    `golds`: scores are means over them.
    `seed`: what an attack draws depends on the seed, its name and the gold's name only.

    Result: in the order of the attacks.
    """
    attacked_metric = _AttackedMetric(metric, tuple(golds), seed)
    results = [attacked_metric.try_attack(attack) for attack in attacks]
    return with_bounds([result for result in results if result is not None], seed)


@frozen(eq=False)
class _AttackedMetric:
    """One metric and the golds that attacks are tried on; every gold is prepared once."""

    metric: Metric
    golds: tuple[AuditGold, ...]
    seed: int
    _prepared: dict[str, PreparedGold] = field(factory=dict)

    def try_attack(self, attack: Attack) -> tuple[Attacked, FloatArray] | None:
        try:
            if attack.manner == "selection":
                return self._select(attack)
            measurements = [measurement for gold in self.golds for measurement in measure(self._prepare(gold), attack)]
        except DataError:
            return None
        return self._attacked(attack, measurements)

    @property
    def _blocks(self) -> int:
        """The smallest gold sets the number of blocks: scores without a block are averaged over the golds."""
        return min(BLOCKS, *(len(gold.batch) for gold in self.golds))

    def _prepare(self, gold: AuditGold) -> PreparedGold:
        if gold.name not in self._prepared:
            self._prepared[gold.name] = prepare(self.metric, gold, self.seed, blocks=self._blocks)
        return self._prepared[gold.name]

    def _attacked(self, attack: Attack, measurements: Sequence[Measurement]) -> tuple[Attacked, FloatArray]:
        scores = np.mean([measurement.attack.scores for measurement in measurements], axis=0)
        base = np.mean([measurement.base.scores for measurement in measurements], axis=0)
        best = np.mean([measurement.perfect for measurement in measurements], axis=0)
        index = index_of(scores, base, best)
        influence = jackknife_influence(index)
        undefined = float(np.mean([measurement.attack.undefined for measurement in measurements]))
        settings = dict.fromkeys(setting for measurement in measurements for setting in measurement.settings)
        numbers = (float(scores[0]), float(base[0]), float(best[0]), float(index[0]))
        return self._result(attack, numbers, influence, setting=" or ".join(settings), undefined=undefined)

    def _result(
        self, attack: Attack, numbers: tuple[float, float, float, float], influence: FloatArray, **more: Any
    ) -> tuple[Attacked, FloatArray]:
        """Return the result of an attack from its score, base, perfect score and index, with the influences."""
        score, base, best, index = numbers
        attacked = Attacked(
            attack=name_with_origin(attack),
            kind=attack.manner,
            knowledge=attack.knowledge,
            summary=attack.summary,
            score=score,
            base=base,
            perfect=best,
            index=index,
            error=mean_error(influence),
            golds=len(self.golds),
            rank=self._rank(score),
            refutes=attack.refutes,
            **more,
        )
        return attacked, influence

    def _rank(self, score: float) -> int | None:
        """Return the rank of a score among the real submissions that answered every task."""
        if not all(gold.real for gold in self.golds):
            return None
        everywhere = set.intersection(*(set(gold.real) for gold in self.golds))
        theirs = [
            np.mean([self._prepare(gold).scored.value(gold.real[name]) for gold in self.golds])
            for name in sorted(everywhere)
        ]
        value = oriented(self.metric, score)
        slack = NO_HEADROOM * max(1.0, abs(score)) if np.isfinite(score) else 0.0
        return 1 + sum(oriented(self.metric, float(their)) > value + slack for their in theirs)

    def _select(self, attack: Attack) -> tuple[Attacked, FloatArray]:
        """Keep the best of several worthless answers."""
        prepared = [self._prepare(gold) for gold in self.golds]
        values = [[self._best_of(gold, attack, draw) for draw in range(_SELECTED_DRAWS)] for gold in prepared]
        base = float(np.mean([gold.base(-1, -1).scores[0] for gold in prepared]))
        best = float(np.mean([gold.perfect(-1)[0] for gold in prepared]))
        scores = np.mean(values, axis=0)
        index = index_of(scores, np.full(_SELECTED_DRAWS, base), np.full(_SELECTED_DRAWS, best))
        numbers = (float(scores.mean()), base, best, float(index.mean()))
        return self._result(attack, numbers, index - index.mean())

    def _best_of(self, prepared: PreparedGold, attack: Attack, draw: int) -> float:
        rng = partial(generator, self.seed, attack.name, prepared.gold.name)
        answers = (answer(attack, prepared.scored.batch, rng(f"{draw} {n}")) for n in range(attack.tries))
        return max(map(prepared.scored.value, answers), key=partial(oriented, self.metric))

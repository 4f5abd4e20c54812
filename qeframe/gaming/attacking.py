"""Attacks on one metric: each is measured on every gold, on more units until its error is small, and ranked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from attrs import field, frozen

from qeframe.components.attack import Attack
from qeframe.components.metric import Metric
from qeframe.errors import DataError
from qeframe.gaming.audit_gold import AuditGold, generator
from qeframe.gaming.index import NO_HEADROOM, Attacked, index_of, standard_error
from qeframe.gaming.measurement import Measurement, PreparedGold, measure, oriented, prepare

__all__ = ["attack_metric"]

_ENOUGH = 0.005
"""An index with an error of at most this needs no more units."""
_SELECTED_UNITS = 200
"""Selection is measured on a small test set of the generated gold, since luck evens out on a large one."""
_SELECTED_DRAWS = 32


def attack_metric(
    metric: Metric, attacks: Sequence[Attack], golds: Sequence[AuditGold], *, seed: int = 0
) -> tuple[Attacked, ...]:
    """Try attacks on a metric.

    Parameters
    ----------
    attacks : sequence of Attack
        Those for another kind of batch, or that cannot be made on this gold, are left out.
    golds : sequence of AuditGold
        Scores are means over them.
    seed : int
        What an attack draws depends on the seed, its name and the gold's name only.

    Returns
    -------
    tuple of Attacked
        In the order of the attacks.
    """
    attacked_metric = _AttackedMetric(metric, tuple(golds), seed)
    fitting = [attack for attack in attacks if all(isinstance(gold.batch, attack.kind) for gold in golds)]
    results = [attacked_metric.try_attack(attack) for attack in fitting]
    return tuple(attacked for attacked in results if attacked is not None)


@frozen(eq=False)
class _AttackedMetric:
    """One metric and the golds that attacks are tried on; every gold is prepared once for each size."""

    metric: Metric
    golds: tuple[AuditGold, ...]
    seed: int
    _prepared: dict[tuple[str, int], PreparedGold] = field(factory=dict)

    def try_attack(self, attack: Attack) -> Attacked | None:
        if attack.manner == "selection":
            return self._select(attack)
        for step in range(max(len(gold.sizes()) for gold in self.golds)):
            prepared = [self._prepare(gold, gold.sizes()[min(step, len(gold.sizes()) - 1)]) for gold in self.golds]
            try:
                results = [measure(each, attack) for each in prepared]
            except DataError:
                return None
            measurements = [measurement for each, _ in results for measurement in each]
            attacked = self._attacked(attack, measurements, [settings for _, settings in results])
            if not (attacked.error > _ENOUGH and attacked.index + 4 * attacked.error > 0):
                break
        return attacked

    def _prepare(self, gold: AuditGold, size: int) -> PreparedGold:
        if (gold.name, size) not in self._prepared:
            self._prepared[gold.name, size] = prepare(self.metric, gold, size, self.seed)
        return self._prepared[gold.name, size]

    def _attacked(self, attack: Attack, measurements: Sequence[Measurement], settings: Sequence[str]) -> Attacked:
        scores, base, best = (
            np.mean(rows, axis=0)
            for rows in (
                [measurement.attack.scores for measurement in measurements],
                [measurement.base.scores for measurement in measurements],
                [measurement.perfect for measurement in measurements],
            )
        )
        index = index_of(scores, base, best)
        undefined = float(np.mean([measurement.attack.undefined for measurement in measurements]))
        return Attacked(
            attack=attack.name,
            kind=attack.manner,
            knowledge=attack.knowledge,
            setting=" or ".join(dict.fromkeys(filter(None, settings))),
            score=float(scores[0]),
            base=float(base[0]),
            perfect=float(best[0]),
            index=float(index[0]),
            error=standard_error(index),
            rank=self._rank(float(scores[0])),
            undefined=undefined,
            refutes=attack.refutes,
        )

    def _rank(self, score: float) -> int | None:
        """Return the rank of a score among the real submissions that answered every task."""
        if not all(gold.real for gold in self.golds):
            return None
        everywhere = set.intersection(*(set(gold.real) for gold in self.golds))
        theirs = [
            np.mean([self._prepare(gold, len(gold.batch)).scored.value(gold.real[name]) for gold in self.golds])
            for name in sorted(everywhere)
        ]
        own = oriented(self.metric, score)
        slack = NO_HEADROOM * max(1.0, abs(score)) if np.isfinite(score) else 0.0
        return 1 + sum(oriented(self.metric, float(their)) > own + slack for their in theirs)

    def _select(self, attack: Attack) -> Attacked:
        """Keep the best of several worthless answers, on a small test set of a generated gold."""
        values, bases, bests = [], [], []
        for gold in self.golds:
            size = len(gold.batch) if gold.real else min(_SELECTED_UNITS, len(gold.batch))
            prepared = self._prepare(gold, size)
            values.append([self._best_of(prepared, attack, draw) for draw in range(_SELECTED_DRAWS)])
            bases.append(prepared.chance.scores[0])
            bests.append(prepared.perfect[0])
        scores, base, best = np.mean(values, axis=0), float(np.mean(bases)), float(np.mean(bests))
        way = best - base
        index = (scores.mean() - base) / way if abs(way) > NO_HEADROOM else np.nan
        error = scores.std(ddof=1) / np.sqrt(len(scores)) / abs(way) if abs(way) > NO_HEADROOM else np.nan
        return Attacked(
            attack=attack.name,
            kind=attack.manner,
            knowledge=attack.knowledge,
            score=float(scores.mean()),
            base=base,
            perfect=best,
            index=float(index),
            error=float(error),
            rank=self._rank(float(scores.mean())),
            refutes=attack.refutes,
        )

    def _best_of(self, prepared: PreparedGold, attack: Attack, draw: int) -> float:
        answers = (
            attack.answer(prepared.scored.batch, generator(self.seed, attack.name, prepared.gold.name, f"{draw} {n}"))
            for n in range(attack.tries)
        )
        return max((prepared.scored.value(answer) for answer in answers), key=partial(oriented, self.metric))

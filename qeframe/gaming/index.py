"""The gaming index: how far a strategy that is no better gets from honest chance, or from honesty, to perfect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from attrs import field, frozen

from qeframe.batches.base import Batch, BoolArray, FloatArray
from qeframe.components.attack import Attack
from qeframe.components.metric import Metric
from qeframe.errors import DataError
from qeframe.gaming.audit_gold import AuditGold, generator
from qeframe.gaming.expected import Expected, MetricOnGold, mean_of
from qeframe.gaming.honest import mirrored, perfect, rearranged

__all__ = ["NO_HEADROOM", "Attacked", "attack_metric", "gaming_index"]

NO_HEADROOM = 1e-12
"""Where perfect and base are no farther apart there is nothing to gain: no index."""

_ENOUGH = 0.005
_SAME = 1e-9
"""Settings whose gains differ by less than this share are equally good; the first is taken."""
_SELECTED_UNITS = 200
"""Selection is measured on a small test set of the generated gold: on a large one luck evens out."""
_SELECTED_DRAWS = 32

Answer = Callable[[Batch, np.random.Generator], Batch]


@frozen(kw_only=True)
class Attacked:
    """What one attack makes of one metric.

    Parameters
    ----------
    attack, kind, knowledge : str
        The attack's name, its manner and what it knows.
    setting : str
        The setting that the audit chose; two, if the halves of the gold chose differently; empty if there is none.
    score : float
        Expected score; NaN if it is undefined: the attack has failed.
    base, perfect : float
        Honest chance, or the honest submission that was transformed, and the gold handed in.
    index : float
        (score - base) / (perfect - base), 0 for a failed attack; NaN if there is no headroom.
    error : float
        The standard error of the index.
    rank : int or None
        The rank that it would have taken among the real submissions.
    undefined : float
        The share of units or groups that lost a score of their own by the attack.
    refutes : str or None
        The claim that is refuted if the index is above 0.
    """

    attack: str
    kind: str
    knowledge: str
    setting: str = ""
    score: float
    base: float
    perfect: float
    index: float
    error: float
    rank: int | None = None
    undefined: float = 0.0
    refutes: str | None = None

    @property
    def counts(self) -> bool:
        """Whether it is among those that the metric's gaming index is the largest of."""
        return self.kind in ("blind", "cosmetic")


def gaming_index(attacks: Sequence[Attacked]) -> float:
    """Return the largest of 0 and all blind and cosmetic indices; NaN if none of them has headroom."""
    indices = [attacked.index for attacked in attacks if attacked.counts and not np.isnan(attacked.index)]
    return max([0.0, *indices]) if indices else np.nan


@frozen(kw_only=True, eq=False)
class _Bout:
    """An attack's score, what it is measured from, and the perfect score, on one gold."""

    attack: Expected
    base: Expected
    perfect: FloatArray


@frozen(eq=False)
class _Field:
    """A metric on the first units of a gold, with what all attacks on it share."""

    scored: MetricOnGold
    arena: AuditGold
    size: int
    seed: int
    perfect: FloatArray
    chance: Expected
    honest: tuple[tuple[Batch, Expected], ...]


def _field(metric: Metric, arena: AuditGold, size: int, seed: int) -> _Field:
    batch = arena.batch if size == len(arena.batch) else arena.batch.take(np.arange(size))
    scored = MetricOnGold(metric, batch)
    chance = scored.expected(partial(_blind, batch, rearranged, (seed, arena.name, "chance")))
    if arena.real:
        best = max(arena.real.values(), key=lambda b: _oriented(metric, scored.value(b)))
        transformed = [best]
    else:
        transformed = arena.honest(size, seed)
    honest = tuple((answer, Expected(scored.under(answer, scored.weights))) for answer in transformed)
    return _Field(scored, arena, size, seed, scored.under(perfect(batch), scored.weights), chance, honest)


def _oriented(metric: Metric, score: float) -> float:
    return -np.inf if np.isnan(score) else score if metric.higher_is_better else -score


def _blind(batch: Batch, answer: Answer, key: tuple[int, str, str], number: int) -> Batch:
    """Return a draw of an answer that does not know the gold; draws come in pairs that balance each other out."""
    seed, *names = key
    given = answer(batch, generator(seed, *names, str(number // 2)))
    if number % 2 == 0:
        return given
    opposite: Batch | None = mirrored(given)
    return answer(batch, generator(seed, *names, str(number // 2), "again")) if opposite is None else opposite


def _drawn(batch: Batch, answer: Answer, key: tuple[int, str, str], number: int) -> Batch:
    seed, *names = key
    return answer(batch, generator(seed, *names, str(number)))


def attack_metric(
    metric: Metric, attacks: Sequence[Attack], arenas: Sequence[AuditGold], *, seed: int = 0
) -> tuple[Attacked, ...]:
    """Try attacks on a metric.

    Parameters
    ----------
    attacks : sequence of Attack
        Those made for another kind of batch, or that cannot be made on this gold, are left out.
    arenas : sequence of AuditGold
        Scores are means over them.
    seed : int
        What an attack draws depends on the seed, its name and the gold's name only.

    Returns
    -------
    tuple of Attacked
        In the order of the attacks.
    """
    camp = _Camp(metric, tuple(arenas), seed)
    fitting = [attack for attack in attacks if all(isinstance(arena.batch, attack.kind) for arena in arenas)]
    found = [camp.try_attack(attack) for attack in fitting]
    return tuple(attacked for attacked in found if attacked is not None)


@frozen(eq=False)
class _Camp:
    """Where attacks on one metric are tried; fields are laid out once."""

    metric: Metric
    arenas: tuple[AuditGold, ...]
    seed: int
    _fields: dict[tuple[str, int], _Field] = field(factory=dict)

    def try_attack(self, attack: Attack) -> Attacked | None:
        if attack.manner == "selection":
            return self._select(attack)
        for step in range(max(len(arena.sizes()) for arena in self.arenas)):
            fields = [self._laid_out(arena, arena.sizes()[min(step, len(arena.sizes()) - 1)]) for arena in self.arenas]
            try:
                found = [_bouts(place, attack) for place in fields]
            except DataError:
                return None
            attacked = self._judge(attack, [bout for bouts, _ in found for bout in bouts], [s for _, s in found])
            if not (attacked.error > _ENOUGH and attacked.index + 4 * attacked.error > 0):
                break
        return attacked

    def _laid_out(self, arena: AuditGold, size: int) -> _Field:
        if (arena.name, size) not in self._fields:
            self._fields[arena.name, size] = _field(self.metric, arena, size, self.seed)
        return self._fields[arena.name, size]

    def _judge(self, attack: Attack, bouts: Sequence[_Bout], settings: Sequence[str]) -> Attacked:
        scores, base, best = (
            np.mean(rows, axis=0)
            for rows in (
                [bout.attack.scores for bout in bouts],
                [bout.base.scores for bout in bouts],
                [bout.perfect for bout in bouts],
            )
        )
        index = _index(scores, base, best)
        undefined = float(np.mean([bout.attack.undefined for bout in bouts]))
        return Attacked(
            attack=attack.name,
            kind=attack.manner,
            knowledge=attack.knowledge,
            setting=" or ".join(dict.fromkeys(filter(None, settings))),
            score=float(scores[0]),
            base=float(base[0]),
            perfect=float(best[0]),
            index=float(index[0]),
            error=_error(index),
            rank=self._rank(float(scores[0])),
            undefined=undefined,
            refutes=attack.refutes,
        )

    def _rank(self, score: float) -> int | None:
        """Return the rank of a score among the real submissions that answered every task."""
        if not all(arena.real for arena in self.arenas):
            return None
        everywhere = set.intersection(*(set(arena.real) for arena in self.arenas))
        theirs = [
            np.mean([self._laid_out(arena, len(arena.batch)).scored.value(arena.real[name]) for arena in self.arenas])
            for name in sorted(everywhere)
        ]
        mine = _oriented(self.metric, score)
        slack = NO_HEADROOM * max(1.0, abs(score)) if np.isfinite(score) else 0.0
        return 1 + sum(_oriented(self.metric, float(their)) > mine + slack for their in theirs)

    def _select(self, attack: Attack) -> Attacked:
        """Keep the best of several worthless answers, on a small test set of a generated gold."""
        values, bases, bests = [], [], []
        for arena in self.arenas:
            size = len(arena.batch) if arena.real else min(_SELECTED_UNITS, len(arena.batch))
            place = self._laid_out(arena, size)
            values.append([self._best_of(place, attack, draw) for draw in range(_SELECTED_DRAWS)])
            bases.append(place.chance.scores[0])
            bests.append(place.perfect[0])
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

    def _best_of(self, place: _Field, attack: Attack, draw: int) -> float:
        answers = (
            attack.answer(place.scored.batch, generator(self.seed, attack.name, place.arena.name, f"{draw} {n}"))
            for n in range(attack.tries)
        )
        return max((place.scored.value(answer) for answer in answers), key=partial(_oriented, self.metric))


def _bouts(place: _Field, attack: Attack) -> tuple[list[_Bout], str]:
    """Return an attack's bouts on one gold, and the settings that were chosen.

    One bout for each honest submission if it transforms those, else one in all.
    """
    if attack.manner == "cosmetic":
        grounds = [(answer, base, _drawn) for answer, base in place.honest]
    else:
        grounds = [(place.scored.batch, place.chance, _blind if attack.manner == "blind" else _drawn)]
    bouts, settings = [], []
    for batch, base, drawn in grounds:
        scale = float(place.perfect[0] - base.scores[0])
        parts = []
        for how, setting, within in _chosen(place, attack, batch, scale):
            draw = partial(drawn, batch, how, (place.seed, attack.name, place.arena.name))
            parts.append(place.scored.expected(draw, scale, within))
            settings.append(setting)
        bouts.append(_Bout(attack=mean_of(parts), base=base, perfect=place.perfect))
    return bouts, " or ".join(dict.fromkeys(filter(None, settings)))


def _chosen(place: _Field, attack: Attack, batch: Batch, scale: float) -> list[tuple[Answer, str, BoolArray | None]]:
    """Return how to answer: the setting that is best on one half of the units, to be scored on the other half.

    Returns
    -------
    list of (answer, setting, units)
        Units None: all of them, where both halves chose the same or there is nothing to choose.
    """
    if not attack.settings:
        return [(attack.answer, "", None)]
    units = len(batch)
    halves = np.random.default_rng([place.seed, units]).permutation(units) % 2 == np.arange(2)[:, None]
    names = list(attack.settings)
    tried = (attack.settings[name](batch, generator(place.seed, attack.name, name)) for name in names)
    gains = np.sign(scale) * np.stack([place.scored.under(answer, 1.0 * halves) for answer in tried])
    gains = np.where(np.isnan(gains), -np.inf, gains)
    enough = gains.max(axis=0) - _SAME * abs(scale)
    first, second = (names[i] for i in np.argmax(gains >= enough, axis=0))
    if first == second:
        return [(attack.settings[first], first, None)]
    return [(attack.settings[second], second, halves[0]), (attack.settings[first], first, halves[1])]


def _index(scores: FloatArray, base: FloatArray, best: FloatArray) -> FloatArray:
    """Return indices; 0 for a failed attack, NaN without headroom."""
    way = best - base
    room = np.abs(way) > NO_HEADROOM
    gain = np.where(np.isnan(scores) & ~np.isnan(way), 0.0, scores - base)
    return np.divide(gain, way, out=np.full(way.shape, np.nan), where=room)


def _error(index: FloatArray) -> float:
    """Return the standard error of the first index from those without each block."""
    parts = index[1:]
    if np.isnan(index[0]) or len(parts) < 2:
        return np.nan
    return float(np.sqrt((len(parts) - 1) / len(parts) * ((parts - parts.mean()) ** 2).sum()))

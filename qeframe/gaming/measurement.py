"""The measurement of one attack on one given gold: its score, the score that it starts from, and the perfect score.

All three are always on the same units. If the halves of the gold choose different settings, the attack, its base and
the perfect score are means over the halves.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import Batch, BoolArray, FloatArray
from qeframe.core.components.metric import Metric
from qeframe.extensions.attack import Attack
from qeframe.extensions.attack import answer as answer_of
from qeframe.gaming.audit_gold import AuditGold, generator, honest_answers, mirrored, perfect, rearranged
from qeframe.gaming.expected import BLOCKS, Expected, MetricOnGold, mean_of, oriented

_SAME = 1e-9
"""Settings whose gains differ by less than this share are equally good; the first is taken."""

Answer = Callable[[Batch, np.random.Generator], Batch]
Draw = Callable[[Batch, Answer, tuple[int, str, str], int], Batch]


@frozen(kw_only=True, eq=False)
class Measurement:
    """An attack's score, the score that it starts from, and the perfect score, on one gold; and the settings chosen."""

    attack: Expected
    base: Expected
    perfect: FloatArray
    settings: tuple[str, ...] = ()


@frozen(eq=False)
class PreparedGold:
    """A metric on a given gold, with the scores that all attacks on it share.

    `honest`: the submissions that cosmetic attacks transform.
    """

    scored: MetricOnGold
    gold: AuditGold
    seed: int
    honest: tuple[Batch, ...]
    _known: dict[tuple[int, int], Expected] = field(factory=dict, init=False)

    def base(self, start: int, half: int) -> Expected:
        """Return the score of an honest submission, or honest chance (-1), on all units (-1) or on a half (0, 1)."""
        if (start, half) not in self._known:
            self._known[start, half] = self._base(start, half)
        return self._known[start, half]

    def _base(self, start: int, half: int) -> Expected:
        if start >= 0:
            return Expected(self.scored.under(self.honest[start], self.weights(half)))
        batch = self.scored.batch
        draw = partial(_blind_draw, batch, rearranged, (self.seed, self.gold.name, "chance"))
        return self.scored.expected(draw, within=self.units(half))

    def perfect(self, half: int) -> FloatArray:
        """Return the scores of the gold handed in, on all units (-1) or on a half."""
        return self.scored.under(perfect(self.scored.batch), self.weights(half))

    def units(self, half: int) -> BoolArray | None:
        """Return which units are in a half, drawn at random; None for all units (-1)."""
        units = len(self.scored.batch)
        return None if half < 0 else np.random.default_rng([self.seed, units]).permutation(units) % 2 == half

    def weights(self, half: int) -> FloatArray:
        """Return the weights of the units of a half, (1 + blocks, n)."""
        within = self.units(half)
        return self.scored.weights if within is None else self.scored.weights * within


def prepare(
    metric: Metric, gold: AuditGold, seed: int, *, size: int | None = None, blocks: int = BLOCKS
) -> PreparedGold:
    """Return a metric on a gold, or on its first units. Of real submissions cosmetic attacks transform the best."""
    batch = gold.batch if size is None else gold.batch.take(np.arange(size))
    scored = MetricOnGold(metric, batch, blocks)
    if gold.real:
        transformed = [max(gold.real.values(), key=lambda b: oriented(metric, scored.value(b)))]
    else:
        transformed = honest_answers(batch, seed, gold.name)
    return PreparedGold(scored, gold, seed, tuple(transformed))


def _blind_draw(batch: Batch, answer: Answer, key: tuple[int, str, str], number: int) -> Batch:
    """Return a draw of an answer that does not know the gold; draws come in pairs that balance each other out."""
    seed, *names = key
    given = answer(batch, generator(seed, *names, str(number // 2)))
    if number % 2 == 0:
        return given
    opposite: Batch | None = mirrored(given)
    return answer(batch, generator(seed, *names, str(number // 2), "again")) if opposite is None else opposite


def _independent_draw(batch: Batch, answer: Answer, key: tuple[int, str, str], number: int) -> Batch:
    seed, *names = key
    return answer(batch, generator(seed, *names, str(number)))


def measure(prepared: PreparedGold, attack: Attack) -> list[Measurement]:
    """Return an attack's measurements on one gold.

    A cosmetic attack has one measurement for each honest submission, any other attack has one.
    """
    draw = _blind_draw if attack.manner == "blind" else _independent_draw
    starts = range(len(prepared.honest)) if attack.manner == "cosmetic" else (-1,)
    measurements = []
    for start in starts:
        batch = prepared.scored.batch if start < 0 else prepared.honest[start]
        parts = chosen_settings(prepared, attack, batch, start)
        scored = [_on_part(prepared, attack, batch, draw, start, *part) for part in parts]
        measurements.append(
            Measurement(
                attack=mean_of([scores.attack for scores in scored]),
                base=mean_of([scores.base for scores in scored]),
                perfect=np.mean([scores.perfect for scores in scored], axis=0),
                settings=tuple(dict.fromkeys(setting for setting, _ in parts if setting)),
            )
        )
    return measurements


def _on_part(
    prepared: PreparedGold, attack: Attack, batch: Batch, draw: Draw, start: int, setting: str, half: int
) -> Measurement:
    """Return the measurement of a setting on all units or on a half."""
    base, best = prepared.base(start, half), prepared.perfect(half)
    answer = partial(answer_of, attack, setting=setting)
    draws = partial(draw, batch, answer, (prepared.seed, attack.name, prepared.gold.name))
    scale = float(best[0] - base.scores[0])
    return Measurement(attack=prepared.scored.expected(draws, scale, prepared.units(half)), base=base, perfect=best)


def chosen_settings(prepared: PreparedGold, attack: Attack, batch: Batch, start: int) -> list[tuple[str, int]]:
    """Return settings and the halves that they are scored on: for each half the setting that is best on the other one.

    The half is -1, all units, if both halves chose the same setting or there is no setting.
    """
    if not attack.settings:
        return [("", -1)]
    scale = float(prepared.perfect(-1)[0] - prepared.base(start, -1).scores[0])
    halves = np.stack([prepared.weights(half)[0] for half in (0, 1)])
    names = list(attack.settings)
    tried = (answer_of(attack, batch, generator(prepared.seed, attack.name, name), setting=name) for name in names)
    gains = np.sign(scale) * np.stack([prepared.scored.under(answer, halves) for answer in tried])
    gains = np.where(np.isnan(gains), -np.inf, gains)
    enough = gains.max(axis=0) - _SAME * abs(scale)
    first, second = (names[i] for i in np.argmax(gains >= enough, axis=0))
    return [(first, -1)] if first == second else [(second, 0), (first, 1)]

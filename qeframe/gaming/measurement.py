"""The measurement of one attack on one gold: its score, the score that it starts from, and the perfect score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from attrs import frozen

from qeframe.batches.base import Batch, BoolArray, FloatArray
from qeframe.components.attack import Attack
from qeframe.components.metric import Metric
from qeframe.gaming.answers import mirrored, perfect, rearranged
from qeframe.gaming.audit_gold import AuditGold, generator
from qeframe.gaming.expected import Expected, MetricOnGold, mean_of

__all__ = ["Measurement", "PreparedGold", "measure", "oriented", "prepare"]

_SAME = 1e-9
"""Settings whose gains differ by less than this share are equally good; the first is taken."""

Answer = Callable[[Batch, np.random.Generator], Batch]


@frozen(kw_only=True, eq=False)
class Measurement:
    """An attack's score, the score that it starts from, and the perfect score, on one gold."""

    attack: Expected
    base: Expected
    perfect: FloatArray


@frozen(eq=False)
class PreparedGold:
    """A metric on the first units of a gold, with the scores that all attacks on them share.

    Parameters
    ----------
    scored : MetricOnGold
    gold : AuditGold
    seed : int
    perfect : (1 + blocks,) float64
        The scores of the gold handed in.
    chance : Expected
        Honest chance.
    honest : tuple of (Batch, Expected)
        The submissions that cosmetic attacks transform, with their scores.
    """

    scored: MetricOnGold
    gold: AuditGold
    seed: int
    perfect: FloatArray
    chance: Expected
    honest: tuple[tuple[Batch, Expected], ...]


def prepare(metric: Metric, gold: AuditGold, size: int, seed: int) -> PreparedGold:
    """Return a metric on the first `size` units of a gold. Of real submissions cosmetic attacks transform the best."""
    batch = gold.first(size)
    scored = MetricOnGold(metric, batch)
    chance = scored.expected(partial(_blind_draw, batch, rearranged, (seed, gold.name, "chance")))
    if gold.real:
        transformed = [max(gold.real.values(), key=lambda b: oriented(metric, scored.value(b)))]
    else:
        transformed = gold.honest(size, seed)
    honest = tuple((answer, Expected(scored.under(answer, scored.weights))) for answer in transformed)
    return PreparedGold(scored, gold, seed, scored.under(perfect(batch), scored.weights), chance, honest)


def oriented(metric: Metric, score: float) -> float:
    """Return a score, turned so that high is good; NaN is worst."""
    return -np.inf if np.isnan(score) else score if metric.higher_is_better else -score


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


def measure(prepared: PreparedGold, attack: Attack) -> tuple[list[Measurement], str]:
    """Return an attack's measurements on one gold, and the settings that were chosen.

    A cosmetic attack has one measurement for each honest submission, any other attack has one.
    """
    if attack.manner == "cosmetic":
        starts = [(answer, base, _independent_draw) for answer, base in prepared.honest]
    else:
        draw = _blind_draw if attack.manner == "blind" else _independent_draw
        starts = [(prepared.scored.batch, prepared.chance, draw)]
    measurements, settings = [], []
    for batch, base, drawn in starts:
        scale = float(prepared.perfect[0] - base.scores[0])
        parts = []
        for answer, setting, within in _chosen(prepared, attack, batch, scale):
            draws = partial(drawn, batch, answer, (prepared.seed, attack.name, prepared.gold.name))
            parts.append(prepared.scored.expected(draws, scale, within))
            settings.append(setting)
        measurements.append(Measurement(attack=mean_of(parts), base=base, perfect=prepared.perfect))
    return measurements, " or ".join(dict.fromkeys(filter(None, settings)))


def _chosen(
    prepared: PreparedGold, attack: Attack, batch: Batch, scale: float
) -> list[tuple[Answer, str, BoolArray | None]]:
    """Return the answers of an attack: for each half of the units the setting that is best on the other half.

    Returns
    -------
    list of (answer, setting, units)
        `units` is None for all units, if both halves chose the same setting or there is no setting.
    """
    if not attack.settings:
        return [(attack.answer, "", None)]
    units = len(batch)
    halves = np.random.default_rng([prepared.seed, units]).permutation(units) % 2 == np.arange(2)[:, None]
    names = list(attack.settings)
    tried = (attack.settings[name](batch, generator(prepared.seed, attack.name, name)) for name in names)
    gains = np.sign(scale) * np.stack([prepared.scored.under(answer, 1.0 * halves) for answer in tried])
    gains = np.where(np.isnan(gains), -np.inf, gains)
    enough = gains.max(axis=0) - _SAME * abs(scale)
    first, second = (names[i] for i in np.argmax(gains >= enough, axis=0))
    if first == second:
        return [(attack.settings[first], first, None)]
    return [(attack.settings[second], second, halves[0]), (attack.settings[first], first, halves[1])]

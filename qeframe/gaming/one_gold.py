"""The scores of attacks on one gold of many: each with its base and the perfect score on the same units."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from attrs import field, frozen

from qeframe.api.attacks import answer as answer_of
from qeframe.api.attacks import generator
from qeframe.core.batch import Batch, BoolArray, FloatArray
from qeframe.core.errors import DataError
from qeframe.core.metric import Attack, Metric
from qeframe.gaming.audit_gold import AuditGold, generated_batch, honest_answers, mirrored, perfect, rearranged
from qeframe.gaming.expected import BLOCKS, Expected, MetricOnGold, mean_of, oriented, own_scores, value_of

SCORED = ("gain", "headroom", "score", "base", "perfect", "undefined")
"""The numbers of one attack on one gold, means over its bases."""
_SELECTED_UNITS = 200
"""Selection is measured on a small test set, since luck evens out on a large one."""


@frozen
class Variant:
    """An attack with one of its settings; empty: as it answers without settings."""

    attack: Attack = field(eq=str)
    setting: str = ""

    @property
    def name(self) -> str:
        """The attack with its setting, such as ``tie_scores (share=0.7)``."""
        return f"{self.attack} ({self.setting})" if self.setting else str(self.attack)

    def answers(self, batch: Batch, rng: np.random.Generator) -> Batch:
        """Return what it hands in."""
        return answer_of(self.attack, batch, rng, setting=self.setting)


GoldScores = dict[tuple[str, Variant], FloatArray]


def score_on_gold(
    gold: "ScoredGold", wanted: Mapping[str, Sequence[Variant]], *, count_undefined: bool = False
) -> GoldScores:
    """Return the numbers of `SCORED` for each metric and variant, (6,), on one gold.

    Variants that cannot be made on the gold are left out. A score that is undefined has gain 0, since the attack has
    failed. Where base or perfect are undefined, gain and headroom are NaN. The undefined share is NaN unless it is
    counted.
    """
    rows: GoldScores = {}
    for variant in dict.fromkeys(e for variants in wanted.values() for e in variants):
        names = [name for name, variants in wanted.items() if variant in variants]
        try:
            scores = gold.scored(variant, names, count_undefined=count_undefined)
        except DataError:
            continue
        rows.update({(name, variant): row for name, row in scores.items()})
    return rows


def generated(kind: type[Batch], metrics: Mapping[str, Metric], *, seed: int, name: str) -> "ScoredGold":
    """Return one of the many generated golds of a kind, by its name."""
    batch = generated_batch(kind, seed, name)
    return ScoredGold(batch, metrics, seed, name)


@frozen(eq=False)
class ScoredGold:
    """One gold; its bases are scored once for each metric, when they are asked for.

    `gold`: the gold, handed in as the submission.
    `name`: what is drawn depends on the seed and the name.
    `honest`: the submissions that cosmetic attacks transform; by default generated ones.
    """

    gold: Batch
    metrics: Mapping[str, Metric]
    seed: int
    name: str
    honest: Sequence[Batch] = ()
    _known: dict[tuple[str, ...], FloatArray] = field(factory=dict, init=False)
    _batches: dict[str, list[Batch]] = field(factory=dict, init=False)

    def scored(self, variant: Variant, names: Sequence[str], *, count_undefined: bool = False) -> dict[str, FloatArray]:
        """Return the numbers of a variant under some of the metrics, (6,) each."""
        manner = variant.attack.manner
        part = manner if manner in ("selection", "cosmetic") else "chance"
        rng = partial(generator, self.seed, variant.attack.name, self.name)
        gold = self.batches("small gold" if manner == "selection" else "gold")[0]
        if manner == "selection":
            handed = [[variant.answers(gold, rng(str(n))) for n in range(variant.attack.tries)]]
        elif manner == "cosmetic":
            handed = [[variant.answers(batch, rng())] for batch in self.batches("cosmetic")]
        else:
            handed = [self._pair(variant.answers(gold, rng())) if manner == "blind" else [variant.answers(gold, rng())]]
        rows = {}
        for name in names:
            scores = np.array([self._of(name, answers, best=manner == "selection") for answers in handed])
            base = self.known(name, part)
            best = self.known(name, "small perfect" if manner == "selection" else "perfect")
            lost = self._undefined(name, [answers[0] for answers in handed]) if count_undefined else np.nan
            rows[name] = _row(scores, base, best, lost)
        return rows

    def known(self, name: str, part: str) -> FloatArray:
        """Return the scores of a metric for the batches of a part, (bases,)."""
        if (name, part) not in self._known:
            paired = part in ("chance", "selection")
            batches = self.batches(part)
            scores = [self._of(name, batches)] if paired else [self._of(name, [batch]) for batch in batches]
            self._known[name, part] = np.array(scores)
        return self._known[name, part]

    def batches(self, part: str) -> list[Batch]:
        """Return the batches of a part of the gold: the gold itself, honest submissions, or rearranged answers."""
        if part not in self._batches:
            self._batches[part] = self._made(part)
        return self._batches[part]

    def _made(self, part: str) -> list[Batch]:
        if part == "gold":
            return [self.gold]
        gold = self.gold
        if part in ("small gold", "selection", "small perfect"):
            gold = gold.take(np.arange(min(_SELECTED_UNITS, len(gold))))
        match part:
            case "small gold":
                return [gold]
            case "perfect" | "small perfect":
                return [perfect(gold)]
            case "cosmetic":
                return list(self.honest) or honest_answers(gold, self.seed, self.name)
            case _:
                return self._pair(rearranged(gold, generator(self.seed, self.name, part)))

    def _pair(self, given: Batch) -> list[Batch]:
        """Return an answer and its opposite, where the kind of batch has one: their mean has less noise."""
        opposite = mirrored(given)
        return [given] if opposite is None else [given, opposite]

    def _of(self, name: str, batches: Sequence[Batch], *, best: bool = False) -> float:
        """Return the mean score of a metric over batches, or the best."""
        metric = self.metrics[name]
        scores = [_finite(value_of(metric, batch)) for batch in batches]
        return max(scores, key=partial(oriented, metric)) if best else float(np.mean(scores))

    def _undefined(self, name: str, answers: Sequence[Batch]) -> float:
        """Return the share of units that lose their own score by the answers."""
        honest = own_scores(self.metrics[name], self.batches("perfect")[0])
        others = [own_scores(self.metrics[name], batch) for batch in answers]
        lost = [float((honest & ~other).mean()) for other in others if len(honest) and len(honest) == len(other)]
        return float(np.mean(lost)) if lost else 0.0


def _finite(score: float) -> float:
    return score if np.isfinite(score) else np.nan


def _row(scores: FloatArray, base: FloatArray, best: FloatArray, undefined: float) -> FloatArray:
    """Return the numbers of `SCORED`: means over the bases that are defined."""
    headroom = best - base
    # a failed attack gains nothing; without headroom nothing is measured
    gain = np.where(np.isnan(scores) & ~np.isnan(headroom), 0.0, scores - base)
    defined = ~np.isnan(headroom)
    if not defined.any():
        return np.array([np.nan, np.nan, np.nan, np.nan, float(best[0]), undefined])
    score = float(scores[defined].mean())
    return np.array([gain[defined].mean(), headroom[defined].mean(), score, base[defined].mean(), best[0], undefined])


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
        # by the seed and the number of units alone: all attacks are scored on the same halves
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
    # an answer and its opposite balance each other: the mean of a pair has less noise than that of two draws
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
    # each half is scored at the setting that is best on the other one
    return [(first, -1)] if first == second else [(second, 0), (first, 1)]

"""The scores of attacks on one gold of many: each with its base and the perfect score on the same units."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from attrs import field, frozen

from qeframe.api.attacks import answer as answer_of
from qeframe.api.attacks import generator
from qeframe.core.batch import Batch, FloatArray
from qeframe.core.errors import DataError
from qeframe.core.metric import Attack, Metric
from qeframe.gaming.audit_gold import generated_batch, honest_answers, mirrored, perfect, rearranged
from qeframe.gaming.scoring import oriented, own_scores, value_of

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

    def rows(self, wanted: Mapping[str, Sequence[Variant]], *, count_undefined: bool = False) -> GoldScores:
        """Return the numbers of `SCORED` for each metric and its variants, (6,).

        Variants that cannot be made on the gold are left out. A score that is undefined has gain 0, since the attack
        has failed. Where base or perfect are undefined, gain and headroom are NaN. The undefined share is NaN unless it
        is counted.
        """
        rows: GoldScores = {}
        for variant in dict.fromkeys(e for variants in wanted.values() for e in variants):
            names = [name for name, variants in wanted.items() if variant in variants]
            try:
                scores = self._scored(variant, names, count_undefined)
            except DataError:
                continue
            rows.update({(name, variant): row for name, row in scores.items()})
        return rows

    def _scored(self, variant: Variant, names: Sequence[str], count_undefined: bool) -> dict[str, FloatArray]:
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

"""Attacks on one metric on golds that are given: those of a shared task, or of the caller.

There are no more golds to draw. An expected score is a mean over draws of the answer. It is computed on all units, and
without each of ten blocks of units: this jackknife covers the sampling of the units and the chance in the answers. If
there are many draws, only the first ones are scored without the blocks. The error is rather too large than too small:
it treats the answers as a sample of their own, although honest chance rearranges the answers of the gold itself.
Settings are chosen on one half of the units and scored on the other half.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import field, frozen

from qeframe.api.attacks import answer, generator, same_values
from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, FloatArray
from qeframe.core.errors import DataError
from qeframe.core.metric import Attack, Metric
from qeframe.gaming.audit_gold import AuditGold, Case, honest_answers, mirrored, perfect, rearranged
from qeframe.gaming.indices import Attacked, attacked_by, index_of, jackknife_influence, with_bounds
from qeframe.gaming.scoring import best_real, has_own, oriented, own_scores, rank_among, value_of

BLOCKS = 10
_LEAST_DRAWS, _MOST_DRAWS, _MOST_ANSWERS = 8, 2048, 2**24
"""How often answers are drawn, at least and at most; and the most draws times units."""
_FULL_DRAWS = 16
"""So many draws are scored without each block too; the error assumes that further draws reduce no noise."""
_NOISE = 0.0035
"""Draws are repeated until their standard error is this share of the way from honest chance to perfect."""
_SAME = 1e-9
"""Settings whose gains differ by less than this share are equally good; the first is taken."""
_SELECTED_DRAWS = 32
CHANCE, PERFECT = -1, -2
"""What is scored beside honest submissions, which are numbered from 0: honest chance, and the gold handed in."""

Draw = Callable[[int], Batch]


@frozen(eq=False)
class Measured:
    """The score of an attack, the base that it starts from, and the perfect score, on the same units.

    `score`, `base`, `perfect` (1 + blocks,): on all units, then without each block of them; of a selection (draws,),
      and one number for base and perfect.
    `undefined`: the share of units that have their own score when the gold is handed in, but not with the attack.
    `settings`: those that were chosen.
    """

    score: FloatArray
    base: FloatArray
    perfect: FloatArray
    undefined: float = 0.0
    settings: tuple[str, ...] = ()

    @property
    def index(self) -> FloatArray:
        """The index for each of its scores."""
        return index_of(self.score, self.base, self.perfect)

    @property
    def setting(self) -> str:
        """The settings in words."""
        return " or ".join(self.settings)


def mean_of(parts: Sequence[Measured]) -> Measured:
    """Return the means over the halves of a gold, over honest submissions or over golds."""
    return Measured(
        score=np.mean([part.score for part in parts], axis=0),
        base=np.mean([part.base for part in parts], axis=0),
        perfect=np.mean([part.perfect for part in parts], axis=0),
        undefined=float(np.mean([part.undefined for part in parts])),
        settings=tuple(dict.fromkeys(setting for part in parts for setting in part.settings)),
    )


@frozen(eq=False)
class MetricOnGold:
    """A metric on a given gold, with the scores that all attacks on it share.

    `blocks`: the blocks of units; fewer if there are fewer units. Golds whose scores are averaged need equal numbers.
    `honest`: the submissions that cosmetic attacks transform; by default the best real one, or generated ones.
    `weights` (1 + blocks, n): of all units, then without each block.
    """

    metric: Metric
    gold: AuditGold
    seed: int = 0
    blocks: int = BLOCKS
    honest: Sequence[Batch] = field()
    weights: FloatArray = field(init=False)
    _known: dict[tuple[int, int], FloatArray] = field(factory=dict, init=False)
    _own: list[Any] = field(factory=list, init=False)

    @honest.default
    def _transformed(self) -> Sequence[Batch]:
        best = best_real(self.metric, self.gold)
        return best or honest_answers(self.gold.batch, self.seed, self.gold.name)

    @weights.default
    def _without_blocks(self) -> FloatArray:
        units = len(self.gold.batch)
        blocks = min(self.blocks, units)
        # consecutive blocks, whose sizes differ by at most one unit
        left_out = np.arange(units) * blocks // max(1, units)
        return np.vstack([np.ones(units), left_out != np.arange(blocks)[:, None]])

    def of_half(self, half: int) -> FloatArray:
        """Return the weights of all units (-1), or of the units of a half (0, 1), drawn at random."""
        if half < 0:
            return self.weights
        units = len(self.gold.batch)
        # by the seed and the number of units alone: all attacks are scored on the same halves
        return self.weights * (np.random.default_rng([self.seed, units]).permutation(units) % 2 == half)

    def under(self, answers: Batch, weights: FloatArray) -> FloatArray:
        """Return the scores of one answer under given weights, (..., n) -> (...)."""
        return checked.scores(self.metric, checked.bind(self.metric, answers), weights)

    def known(self, start: int, half: int) -> FloatArray:
        """Return the scores of an honest submission, of `CHANCE` or `PERFECT`, on all units (-1) or on a half."""
        if (start, half) not in self._known:
            weights = self.of_half(half)
            if start == CHANCE:
                drawn = partial(self._drawn, self.gold.batch, rearranged, (self.gold.name, "chance"), True)
                scores, _ = self.expected(drawn, weights)
            else:
                batch = perfect(self.gold.batch) if start == PERFECT else self.honest[start]
                scores = self.under(batch, weights)
            self._known[start, half] = scores
        return self._known[start, half]

    def measure(self, attack: Attack) -> list[Measured]:
        """Return what an attack scores: from each honest submission if it is cosmetic, else once."""
        if attack.manner == "selection":
            return [self._selected(attack)]
        starts = range(len(self.honest)) if attack.manner == "cosmetic" else [CHANCE]
        return [mean_of([self.on_part(attack, start, *p) for p in self.settings(attack, start)]) for start in starts]

    def on_part(self, attack: Attack, start: int, setting: str, half: int) -> Measured:
        """Return what an attack with a setting scores on all units or on a half."""
        base, best = self.known(start, half), self.known(PERFECT, half)
        how, names = partial(answer, attack, setting=setting), (attack.name, self.gold.name)
        drawn = partial(self._drawn, self.batch(start), how, names, attack.manner == "blind")
        scores, undefined = self.expected(drawn, self.of_half(half), float(best[0] - base[0]))
        return Measured(scores, base, best, undefined, (setting,) if setting else ())

    def settings(self, attack: Attack, start: int) -> list[tuple[str, int]]:
        """Return settings and the halves that they are scored on: for each the setting that is best on the other one.

        The half is -1, all units, if both halves chose the same setting or there is no setting.
        """
        if not attack.settings:
            return [("", -1)]
        scale = float(self.known(PERFECT, -1)[0] - self.known(start, -1)[0])
        halves = np.stack([self.of_half(half)[0] for half in (0, 1)])
        names, batch = list(attack.settings), self.batch(start)
        tried = (answer(attack, batch, generator(self.seed, attack.name, name), setting=name) for name in names)
        gains = np.sign(scale) * np.stack([self.under(answers, halves) for answers in tried])
        gains = np.where(np.isnan(gains), -np.inf, gains)
        enough = gains.max(axis=0) - _SAME * abs(scale)
        first, second = (names[i] for i in np.argmax(gains >= enough, axis=0))
        # each half is scored at the setting that is best on the other one
        return [(first, -1)] if first == second else [(second, 0), (first, 1)]

    def batch(self, start: int) -> Batch:
        """Return what an attack answers: an honest submission, or the gold."""
        return self.gold.batch if start < 0 else self.honest[start]

    def _drawn(
        self,
        batch: Batch,
        how: Callable[[Batch, np.random.Generator], Batch],
        names: tuple[str, ...],
        paired: bool,
        number: int,
    ) -> Batch:
        """Return a draw of an answer; paired draws balance each other out."""
        rng = partial(generator, self.seed, *names)
        if not paired:
            return how(batch, rng(str(number)))
        given = how(batch, rng(str(number // 2)))
        if number % 2 == 0:
            return given
        # an answer and its opposite balance each other: the mean of a pair has less noise than that of two draws
        opposite: Batch | None = mirrored(given)
        return how(batch, rng(str(number // 2), "again")) if opposite is None else opposite

    def expected(self, draw: Draw, weights: FloatArray, scale: float | None = None) -> tuple[FloatArray, float]:
        """Return the expected scores of answers, (1 + blocks,), and the share of units without their own score.

        `draw`: from the number of a draw to its answer; the answers 0 and 1, 2 and 3 ... may be opposite. `scale`: the
        way from honest chance to perfect; by default from the first answer to perfect.
        """
        first, second = draw(0), draw(1)
        statistic = checked.bind(self.metric, first)
        lost = self._undefined(has_own(self.metric, statistic))
        drawn = [checked.scores(self.metric, statistic, weights)]
        if same_values(first, second):
            return drawn[0], lost
        drawn.append(self.under(second, weights))
        if np.isnan([drawn[0][0], drawn[1][0]]).any():
            return np.mean(drawn, axis=0), lost
        # relative to the headroom, since the index is a share of it
        batch = self.gold.batch
        goal = _NOISE * abs(scale if scale is not None else value_of(self.metric, perfect(batch)) - drawn[0][0])
        values = [scores[0] for scores in drawn]
        most = max(_LEAST_DRAWS, min(_MOST_DRAWS, _MOST_ANSWERS // len(batch)))
        while _noise(values) > goal and len(values) < most:
            for number in range(len(values), max(_LEAST_DRAWS, 2 * len(values))):
                rows = weights if number < _FULL_DRAWS else weights[:1]
                scores = self.under(draw(number), rows)
                drawn += [scores] if number < _FULL_DRAWS else []
                values.append(scores[0])
        full = np.mean(drawn, axis=0)
        # scores without a block are those of the first draws, moved by what all draws change in the score of all units
        return full + (np.mean(values) - full[0]), lost

    def _undefined(self, theirs: Any) -> float:
        if not self._own:
            self._own.append(own_scores(self.metric, perfect(self.gold.batch)))
        ours = self._own[0]
        return float((ours & ~theirs).mean()) if len(ours) and len(ours) == len(theirs) else 0.0

    def _selected(self, attack: Attack) -> Measured:
        """Return the best of several worthless answers, in some draws."""
        rng = partial(generator, self.seed, attack.name, self.gold.name)

        def best(draw: int) -> float:
            answers = (answer(attack, self.gold.batch, rng(f"{draw} {n}")) for n in range(attack.tries))
            return max((value_of(self.metric, a) for a in answers), key=partial(oriented, self.metric))

        base, best_of_all = self.known(CHANCE, -1)[0], self.known(PERFECT, -1)[0]
        return Measured(np.array([best(draw) for draw in range(_SELECTED_DRAWS)]), base, best_of_all)


def _noise(values: Sequence[float]) -> float:
    """Return the standard error of the mean of draws that come in pairs; infinite for too few."""
    if len(values) < _LEAST_DRAWS:
        return np.inf
    pairs = np.reshape(values, (-1, 2)).mean(axis=1)
    return float(pairs.std(ddof=1) / np.sqrt(len(pairs)))


def scores_everywhere(metric: Metric, golds: Sequence[AuditGold]) -> list[float]:
    """Return the mean score over golds of each real submission that answered all of them."""
    names = sorted(set.intersection(*(set(gold.real) for gold in golds)))
    return [float(np.mean([value_of(metric, gold.real[name]) for gold in golds])) for name in names]


def attack_on_given_gold(case: Case, *, seed: int = 0) -> tuple[Attacked, ...]:
    """Try the attacks of a case on its metric, on the golds that it was given.

    Scores are means over the golds. `seed`: what an attack draws depends on the seed, its name and the gold's name
    only. Result: in the order of the attacks; those that cannot be made on this gold are left out, and all of them
    where the metric refuses a real submission.
    """
    metric, golds = case.metric, case.golds
    # the smallest gold sets the number of blocks: scores without a block are averaged over the golds
    blocks = min(BLOCKS, *(len(gold.batch) for gold in golds))
    try:
        on_golds = [MetricOnGold(metric, gold, seed, blocks) for gold in golds]
        real = scores_everywhere(metric, golds)
    except DataError:  # the metric does not take a real submission
        return ()
    ranked = all(gold.real for gold in golds)
    results = []
    for attack in case.attacks:
        try:
            measured = mean_of([each for on_gold in on_golds for each in on_gold.measure(attack)])
        except DataError:
            continue
        selected = attack.manner == "selection"
        score, base, best, index = (
            float(values.mean() if selected else values[0])
            for values in (measured.score, measured.base, measured.perfect, measured.index)
        )
        influence = measured.index - index if selected else jackknife_influence(measured.index)
        numbers = {"score": score, "base": base, "perfect": best, "undefined": measured.undefined}
        rank = rank_among(metric, score, real) if ranked else None
        setting = measured.setting
        results.append(attacked_by(attack, index, influence, **numbers, golds=len(golds), rank=rank, setting=setting))
    return with_bounds(results, seed)

"""Expected scores: a metric on one gold, with standard errors.

An expected score is a mean over draws of the answer. It is computed on all units, and without each of ten blocks of
units: this jackknife covers the sampling of the units and the chance in the answers. If there are many draws, only the
first ones are scored without the blocks. The error is rather too large than too small: it treats the answers as a
sample of their own, although honest chance rearranges the answers of the gold itself.
"""

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, BoolArray, FloatArray
from qeframe.core.metric import Metric
from qeframe.core.ragged import Ragged
from qeframe.core.statistic import Additive, Statistic
from qeframe.gaming.audit_gold import NO_HEADROOM, Attacked, perfect

BLOCKS = 10
_LEAST_DRAWS, _MOST_DRAWS, _MOST_ANSWERS = 8, 2048, 2**24
"""How often answers are drawn, at least and at most; and the most draws times units."""
_FULL_DRAWS = 16
"""So many draws are scored without each block too; the error assumes that further draws reduce no noise."""
_NOISE = 0.0035
"""Draws are repeated until their standard error is this share of the way from honest chance to perfect."""


@frozen(eq=False)
class Expected:
    """An expected score.

    `scores` (1 + blocks,): on all units, then without each block of them. `undefined`: the share of units that have
    their own score when the gold is handed in, but not with this answer.
    """

    scores: FloatArray
    undefined: float = 0.0


def mean_of(parts: Sequence[Expected]) -> Expected:
    """Return the mean of expected scores on the halves of a gold."""
    scores = np.mean([part.scores for part in parts], axis=0)
    return Expected(scores, float(np.mean([part.undefined for part in parts])))


def _weights(units: int, blocks: int) -> FloatArray:
    blocks = min(blocks, units)
    # consecutive blocks, whose sizes differ by at most one unit
    left_out = np.arange(units) * blocks // max(1, units)
    return np.vstack([np.ones(units), left_out != np.arange(blocks)[:, None]])


@frozen(eq=False)
class MetricOnGold:
    """A metric on one gold.

    `batch`: the gold; its submission does not matter. `blocks`: the blocks of units; fewer if there are fewer units.
    Golds whose scores are averaged need equal numbers.
    """

    metric: Metric
    batch: Batch
    blocks: int = BLOCKS
    weights: FloatArray = field(init=False)
    _own: list[BoolArray] = field(factory=list, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "weights", _weights(len(self.batch), self.blocks))

    def value(self, answer: Batch) -> float:
        """Return the score of one answer on all units."""
        return float(self.under(answer, self.weights[0]))

    def under(self, answer: Batch, weights: FloatArray) -> FloatArray:
        """Return the scores of one answer under given weights, (..., n) -> (...)."""
        return checked.scores(self.metric, checked.bind(self.metric, answer), weights)

    def expected(
        self, draw: Callable[[int], Batch], scale: float | None = None, within: BoolArray | None = None
    ) -> Expected:
        """Return the expected score of answers.

        Parameters
        ----------
        draw : callable
            From the number of a draw to its answer. The answers 0 and 1, 2 and 3 ... may be opposite.
        scale : float, optional
            The way from honest chance to perfect; by default from the first answer to perfect.
        within : (n,) bool, optional
            The units that are scored; by default all.
        """
        weights = self.weights if within is None else self.weights * within
        first, second = draw(0), draw(1)
        statistic = checked.bind(self.metric, first)
        lost = self._undefined(statistic)
        drawn = [checked.scores(self.metric, statistic, weights)]
        if _same_answer(first, second):
            return Expected(drawn[0], lost)
        drawn.append(self.under(second, weights))
        if np.isnan([drawn[0][0], drawn[1][0]]).any():
            return Expected(np.mean(drawn, axis=0), lost)
        # relative to the headroom, since the index is a share of it
        goal = _NOISE * abs(scale if scale is not None else self.value(perfect(self.batch)) - drawn[0][0])
        values = [scores[0] for scores in drawn]
        most = max(_LEAST_DRAWS, min(_MOST_DRAWS, _MOST_ANSWERS // len(self.batch)))
        while _noise(values) > goal and len(values) < most:
            for number in range(len(values), max(_LEAST_DRAWS, 2 * len(values))):
                rows = weights if number < _FULL_DRAWS else weights[:1]
                scores = self.under(draw(number), rows)
                drawn += [scores] if number < _FULL_DRAWS else []
                values.append(scores[0])
        full = np.mean(drawn, axis=0)
        # scores without a block are those of the first draws, moved by what all draws change in the score of all units
        return Expected(full + (np.mean(values) - full[0]), lost)

    def _undefined(self, statistic: Statistic) -> float:
        if not self._own:
            self._own.append(own_scores(self.metric, perfect(self.batch)))
        ours, theirs = self._own[0], _has_own(self.metric, statistic)
        return float((ours & ~theirs).mean()) if len(ours) and len(ours) == len(theirs) else 0.0


def value_of(metric: Metric, batch: Batch) -> float:
    """Return the score of a submission on all units."""
    return float(checked.scores(metric, checked.bind(metric, batch), np.ones(len(batch))))


def oriented(metric: Metric, score: float) -> float:
    """Return a score, turned so that high is good; NaN is worst."""
    return -np.inf if np.isnan(score) else score if metric.higher_is_better else -score


def own_scores(metric: Metric, batch: Batch) -> BoolArray:
    """Return which units have a score of their own, (n,); empty if the metric is not additive."""
    return _has_own(metric, checked.bind(metric, batch))


def _has_own(metric: Metric, statistic: Statistic) -> BoolArray:
    if not isinstance(statistic, Additive):
        return np.zeros(0, dtype=np.bool_)
    return ~np.isnan(checked.unit_scores(metric, statistic))


def _noise(values: Sequence[float]) -> float:
    """Return the standard error of the mean of draws that come in pairs; infinite for too few."""
    if len(values) < _LEAST_DRAWS:
        return np.inf
    pairs = np.reshape(values, (-1, 2)).mean(axis=1)
    return float(pairs.std(ddof=1) / np.sqrt(len(pairs)))


def _same_answer(first: Any, second: Any) -> bool:
    left, right = first.predicted, second.predicted
    if isinstance(left, Ragged):
        return np.array_equal(left.offsets, right.offsets) and np.array_equal(left.values, right.values)
    if left.dtype == object:
        return bool((left == right).all())
    return np.array_equal(left, right, equal_nan=True)


_LEVEL = 0.95
_DRAWS = 1999
_NO_NOISE = 1e-12
"""A standard error up to this is rounding: the index is the same for every gold."""


def ratio_influence(gain: FloatArray, headroom: FloatArray) -> tuple[float, FloatArray]:
    """Return the ratio of the means of gains and headrooms, and the influence of each gold, (golds,).

    Golds where either is NaN are left out. The ratio is NaN without headroom, and the influences are then empty.
    """
    defined = ~(np.isnan(gain) | np.isnan(headroom))
    gain, headroom = gain[defined], headroom[defined]
    way = headroom.mean() if len(headroom) else 0.0
    if abs(way) <= NO_HEADROOM:
        return np.nan, np.empty(0)
    index = gain.mean() / way
    return float(index), (gain - index * headroom) / way


def jackknife_influence(index: FloatArray) -> FloatArray:
    """Return the influence of each block from an index on all units and without each block, (1 + blocks,)."""
    parts = index[1:]
    if np.isnan(index[0]) or len(parts) < 2:
        return np.empty(0)
    # the pseudo-value of a block less their mean
    influence: FloatArray = (len(parts) - 1) * (parts.mean() - parts)
    return influence


def mean_error(influence: FloatArray) -> float:
    """Return the standard error of a mean with these influences; NaN for fewer than two."""
    count = len(influence)
    return float(np.sqrt((influence**2).sum() / (count * (count - 1)))) if count > 1 else np.nan


def with_bounds(measured: Sequence[tuple[Attacked, FloatArray]], seed: int = 0) -> tuple[Attacked, ...]:
    """Return attacks with the simultaneous intervals of those that count.

    The quantile is that of the largest absolute t over all attacks, when the sign of each gold's influences is drawn at
    random. One sign serves all attacks, so that the quantile knows how they depend on each other. An attack that was
    measured on fewer golds has the first ones. An index without error has an interval of no width.

    `measured` (Attacked, (golds,) float64): the attacks on one metric, with the influences of their golds.
    """
    noisy = [influence for a, influence in measured if a.counts and a.error > _NO_NOISE]
    quantile = _largest_t(noisy, seed) if noisy else 0.0
    return tuple(
        attrs.evolve(a, low=a.index - quantile * a.error, high=a.index + quantile * a.error) if a.counts else a
        for a, _ in measured
    )


def _largest_t(influences: Sequence[FloatArray], seed: int) -> float:
    """Return the quantile of the largest absolute t under random signs, studentized in every draw."""
    most = max(len(influence) for influence in influences)
    signs = np.random.default_rng([seed, most]).choice(np.array([-1.0, 1.0]), (_DRAWS, most))
    largest = np.zeros(_DRAWS)
    for influence in influences:
        count, squares = len(influence), (influence**2).sum()
        sums = signs[:, :count] @ influence
        # signs leave the squares as they are: only the mean of the draw, sums / count, changes the spread
        spread = np.sqrt(np.maximum(squares - sums**2 / count, squares * _NO_NOISE) * count / (count - 1))
        np.maximum(largest, np.abs(sums) / spread, out=largest)
    return float(np.quantile(largest, _LEVEL, method="higher"))


def bounds_of(attacks: Sequence[Attacked]) -> tuple[float, float]:
    """Return the ends of the simultaneous interval of a gaming index; NaN if no index that counts has an error."""
    counted = [a for a in attacks if a.counts and not np.isnan(a.low)]
    if not counted:
        return np.nan, np.nan
    return max(0.0, *(a.low for a in counted)), max(0.0, *(a.high for a in counted))

"""Pearson's correlation as a function of sums, and its exchange: for all pairs of submissions from one product."""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from qeframe.plugin import FloatArray, IntArray, Scores, additive
from qeframe.plugin.resampling import (
    CELLS_IN_CACHE,
    NOISE,
    Exchange,
    bounded_slices,
    exchange_rows,
    moments,
    pearson_of_moments,
)


def _moments(batch: Scores) -> FloatArray:
    (of_gold, of_answers), (gold, predicted) = batch.moment_unit, batch.pivot
    return moments((batch.gold - gold) / of_gold, (batch.predicted - predicted) / of_answers)


bind_pearson = additive(columns=("units", "x", "y", "xx", "yy", "xy"), extract=_moments, score=pearson_of_moments)


def pearson_exchange(batches: Sequence[Scores]) -> Exchange:
    """Return the exchange of units.

    Answers are swapped unchanged: submissions that differ in location or scale alone differ after an exchange.
    """
    if len(batches) > 1 and len(batches[0]) > 1 and _have_one_origin(batches):
        return _FromOneOrigin(tuple(batches))
    return _exchange_by_origins(batches)


def _have_one_origin(batches: Sequence[Scores]) -> bool:
    """Return whether moments of all answers can be taken about one point without loss, beside one gold."""
    gold, predicted = batches[0].gold, np.stack([batch.predicted for batch in batches])
    means = predicted.mean(axis=1)
    near = (means - means.mean()) ** 2 <= _MOST_AWAY * predicted.var(axis=1)
    return bool(near.all()) and all(
        batch.pivot[0] == batches[0].pivot[0] and np.array_equal(batch.gold, gold) for batch in batches[1:]
    )


_MOST_AWAY = 20.0
"""How many variances the square of the distance between a mean and the common origin has at most."""

_CANCELLED = 1e-2
"""A variance below this share of the second moment has lost digits: its exchange is computed about the mean."""

_SMALL = 1e-4
"""What is kept is summed anew where its squares are a smaller share of the whole: the difference has lost digits."""

_FAR = 10.0
"""How many median distances from the median a mean is away at most that serves as an origin."""

_ARRAYS = 4
"""How many arrays of one number for each draw and two submissions live at once."""


@frozen(eq=False)
class _FromOneOrigin:
    """The exchange of answers whose moments are taken about one point, so that sums of two submissions are added.

    The gold is measured from its mean. Only three sums of a submission move then: its answers, their squares and their
    products with the gold. All mixtures of two submissions in a draw are a table of who keeps and who gives.
    """

    batches: tuple[Scores, ...]

    @property
    def cells(self) -> int:
        """One cell for each unit."""
        return len(self.batches[0])

    @cached_property
    def _distinct(self) -> tuple[list[int], IntArray]:
        """The submissions whose answers differ in a bit, and which of them each submission is."""
        positions: dict[bytes, int] = {}
        index = [positions.setdefault(batch.predicted.tobytes(), nth) for nth, batch in enumerate(self.batches)]
        chosen = list(positions.values())
        return chosen, np.searchsorted(chosen, index)

    @cached_property
    def _rows(self) -> tuple[FloatArray, float]:
        """The three values of every unit of distinct answers, (n, 3 * S), and the sum of squares of the gold.

        The sum is NaN for a constant gold.
        """
        from_pivot = (self.batches[0].gold - self.batches[0].pivot[0]) / self.batches[0].moment_unit[0]
        gold = from_pivot - from_pivot.mean()
        answers = np.stack([self.batches[nth].predicted for nth in self._distinct[0]], axis=1)
        answers -= answers.mean(axis=0).mean()
        answers /= _common_unit(self.batches)
        squares = float(gold @ gold)
        constant = squares <= NOISE * float(np.square(from_pivot).sum())
        return np.concatenate([answers, answers**2, answers * gold[:, None]], axis=1), np.nan if constant else squares

    @cached_property
    def _by_origins(self) -> Exchange:
        return _exchange_by_origins(self.batches)

    @cached_property
    def _whole(self) -> FloatArray:
        """The three sums of all units, (3, S)."""
        return self._rows[0].sum(axis=0).reshape(3, -1)

    def _sums(self, masks: NDArray[Any]) -> FloatArray:
        """Return the three sums of the units of masks, (draws, 3, S)."""
        return (masks.astype(np.float64) @ self._rows[0]).reshape(len(masks), 3, -1)

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        moved = self._sums(masks)
        kept = self._whole - moved
        inexact = (kept[:, 1] < _SMALL * self._whole[1]).any(axis=1)
        if inexact.any():
            kept[inexact] = self._sums(1 - masks[inexact])
        differences, lost = self._differences(kept, moved, first, second)
        if lost.any():
            differences[lost] = self._by_origins(masks[lost], first, second)
        return differences

    def _differences(
        self, kept: FloatArray, moved: FloatArray, first: IntArray, second: IntArray
    ) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return the differences of pairs, (draws, pairs), and which draws have lost digits."""
        of_gold, (chosen, index) = self._rows[1], self._distinct
        submissions, differences = len(chosen), np.empty((len(kept), len(first)))
        sides = _both(index[first], index[second])
        in_table = 4 * len(first) >= submissions**2
        width = submissions**2 if in_table else 2 * len(first)
        lost = np.zeros(len(kept), dtype=np.bool_)
        for part in bounded_slices(len(kept), _ARRAYS * max(1, width), most=CELLS_IN_CACHE):
            if in_table:
                scores, lost[part] = self._scores(kept[part, :, :, None], moved[part, :, None, :], of_gold)
                flat = scores.reshape(len(scores), -1)
                exchanged, back = (flat.take(own * submissions + other, axis=1) for own, other in sides)
                differences[part] = exchanged - back
            else:
                (exchanged, lost_there), (back, lost_back) = (
                    self._scores(kept[part][:, :, own], moved[part][:, :, other], of_gold) for own, other in sides
                )
                differences[part], lost[part] = exchanged - back, lost_there | lost_back
        return differences, lost

    def _scores(self, kept: FloatArray, moved: FloatArray, of_gold: float) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return the correlations of mixtures, (draws, ...), and which draws have lost digits.

        `kept`, `moved` (draws, 3, ...): sums that are broadcast against each other.
        """
        total = kept[:, 0] + moved[:, 0]
        squares = kept[:, 1] + moved[:, 1]
        np.multiply(total, total, out=total)
        total *= 1 / self.cells
        variance = np.subtract(squares, total, out=total)
        squares *= _CANCELLED
        lost = np.asarray(~(variance > squares).reshape(len(variance), -1).all(axis=1))
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = np.sqrt(variance, out=variance)
            spread *= np.sqrt(of_gold)
            scores = np.add(kept[:, 2], moved[:, 2], out=squares)
            scores /= spread
        return np.clip(scores, -1.0, 1.0, out=scores), lost


def _both(first: IntArray, second: IntArray) -> tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]:
    """Return which submission keeps and which one gives, for the mixture of either side of the pairs."""
    return (first, second), (second, first)


def _exchange_by_origins(batches: Sequence[Scores]) -> Exchange:
    """Return the exchange through moments that are measured from a pivot of each submission."""
    unit = _common_unit(batches)
    near = [
        evolve(batch, pivot=(batch.pivot[0], _middle(batch)), moment_unit=(batch.moment_unit[0], unit))
        for batch in batches
    ]
    pivots = np.array([batch.pivot[1] for batch in near]) / unit
    return exchange_rows(near, bind_pearson, mix=partial(_mix_moments, pivots))


def _common_unit(batches: Sequence[Scores]) -> float:
    """Return the unit of answers that are mixed: that of the largest ones."""
    return max(batch.moment_unit[1] for batch in batches)


def _middle(batch: Scores) -> float:
    """Return the pivot of the answers, or their median where a few answers draw the mean away from all others."""
    if not len(batch):
        return batch.pivot[1]
    median = float(np.median(batch.predicted))
    most = _FAR * float(np.median(np.abs(batch.predicted - median)))
    return median if abs(batch.pivot[1] - median) > most else batch.pivot[1]


def _mix_moments(
    pivots: FloatArray, kept: FloatArray, received: FloatArray, own: IntArray, other: IntArray
) -> FloatArray:
    """Return the moments of mixed answers about their mean, so that answers far from 0 keep their digits.

    The second moment of a constant about its mean is rounding noise: below a share of that of the parts it is set to 0.

    `kept`, `received` (6, pairs, draws): Moments about the pivots of `own` and of `other`.
    """
    mixed = kept + received
    constant = NOISE * mixed[4]
    away = (pivots[other] - pivots[own])[:, None]
    mean = (mixed[2] + away * received[0]) / mixed[0]
    for (n, x, y, *_), shift in ((kept, -mean), (received, away - mean)):
        moved = shift * n
        mixed[2] += moved
        mixed[4] += shift * (2 * y + moved)
        mixed[5] += shift * x
    mixed[4][mixed[4] <= constant] = 0.0
    return mixed

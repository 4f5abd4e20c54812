"""Errors of indices, and bounds that hold for all attacks on a metric at once.

An index is a ratio of means over golds: mean gain / mean headroom. Each gold moves it by
``(gain - index * headroom) / mean headroom``, its influence. A gold that is given is no sample of golds; there the
influences are those of ten blocks of its units, by the jackknife.
"""

from collections.abc import Sequence

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.gaming.gaming_index import NO_HEADROOM, Attacked

_LEVEL = 0.95
_DRAWS = 1999
_NO_NOISE = 1e-12
"""A standard error up to this is rounding: the index is the same for every gold."""


@frozen
class Bound:
    """The simultaneous interval of a gaming index: of the largest of 0 and all blind and cosmetic indices."""

    low: float
    high: float


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
        spread = np.sqrt(np.maximum(squares - sums**2 / count, squares * _NO_NOISE) * count / (count - 1))
        np.maximum(largest, np.abs(sums) / spread, out=largest)
    return float(np.quantile(largest, _LEVEL, method="higher"))


def bound_of(attacks: Sequence[Attacked]) -> Bound:
    """Return the interval of the largest of 0 and all indices that count; NaN if none of them has an error."""
    counted = [a for a in attacks if a.counts and not np.isnan(a.low)]
    if not counted:
        return Bound(np.nan, np.nan)
    return Bound(max(0.0, *(a.low for a in counted)), max(0.0, *(a.high for a in counted)))

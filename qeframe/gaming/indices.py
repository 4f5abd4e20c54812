"""What an attack gained: its index, the standard error, and intervals that hold for all attacks on a metric at once."""

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.api.attacks import name_with_origin
from qeframe.core.batch import FloatArray
from qeframe.core.display import Brief
from qeframe.core.metric import Attack

COUNTING = ("blind", "cosmetic")
"""The manners of attack that count in the gaming index."""
NO_HEADROOM = 1e-12
"""If the perfect score and the base differ by no more than this, nothing can be gained: there is no index."""
ASKED = 0.02
"""The standard error that an index on generated gold must have, as a share of indices above 1; else not determined."""
_HOPELESS = 4.0
"""An attack loses if its index is below 0 by more than this many standard errors."""
_LEVEL = 0.95
_DRAWS = 1999
_NO_NOISE = 1e-12
"""A standard error up to this is rounding: the index is the same for every gold."""


@frozen(kw_only=True, repr=False)
class Attacked(Brief):
    """The result of one attack on one metric.

    `attack`, `summary`, `kind`, `knowledge`: the attack's name, what it does, its manner and what it knows.
    `setting`: the setting that the audit chose on other gold; two, if the halves of a given gold chose differently;
      empty without settings.
    `score`: the expected score; NaN if it is undefined: the attack has failed.
    `base`, `perfect`: the score that the attack starts from, which is honest chance or the score of the honest
      submission that it transforms; and the score of the gold handed in. Both are on the same units as the attack.
    `index`: (score - base) / (perfect - base), 0 for a failed attack; NaN without headroom.
    `error`: the standard error of the index.
    `low`, `high`: the simultaneous interval of 95 %: it covers the indices of all blind and cosmetic attacks on the
      metric at once. NaN for attacks that do not count.
    `golds`: the number of golds that it was measured on.
    `determined`: whether the error is small enough to print the index. On gold that is given it is always printed.
    `rank`: the rank that it would have among the real submissions.
    `undefined`: the share of units or groups that lose their own score by the attack.
    `refutes`: the claim that is refuted if the index is above 0.
    """

    attack: str
    kind: str
    knowledge: str
    summary: str = ""
    setting: str = ""
    score: float
    base: float
    perfect: float
    index: float
    error: float
    low: float = np.nan
    high: float = np.nan
    golds: int = 1
    determined: bool = True
    rank: int | None = None
    undefined: float = 0.0
    refutes: str | None = None

    @property
    def counts(self) -> bool:
        """Whether it counts in the metric's gaming index."""
        return self.kind in COUNTING

    @property
    def interval(self) -> tuple[float, float]:
        """Its interval; the index itself without one."""
        return interval_of(self.index, self.low, self.high)

    @property
    def name(self) -> str:
        """The attack with its setting."""
        return f"{self.attack} ({self.setting})" if self.setting else self.attack


def interval_of(index: float, low: float, high: float) -> tuple[float, float]:
    """Return the interval of an index; the index itself where none is known."""
    return (index, index) if np.isnan(low) else (low, high)


def attacked_by(attack: Attack, index: float, influence: FloatArray, **numbers: Any) -> tuple[Attacked, FloatArray]:
    """Return the result of an attack, and the influences that its error comes from.

    `numbers`: the other fields of `Attacked` that are measured.
    """
    attacked = Attacked(
        attack=name_with_origin(attack),
        kind=attack.manner,
        knowledge=attack.knowledge,
        summary=attack.summary,
        index=index,
        error=mean_error(influence),
        refutes=attack.refutes,
        **numbers,
    )
    return attacked, influence


def gaming_index(attacks: Sequence[Attacked]) -> float:
    """Return the largest of 0 and all blind and cosmetic indices; NaN if none of them has headroom."""
    indices = [attacked.index for attacked in attacks if attacked.counts and not np.isnan(attacked.index)]
    return max([0.0, *indices]) if indices else np.nan


def index_of(scores: FloatArray, base: FloatArray, best: FloatArray) -> FloatArray:
    """Return indices, elementwise; 0 where the score is NaN (a failed attack), NaN without headroom."""
    way = best - base
    gain = np.where(np.isnan(scores) & ~np.isnan(way), 0.0, scores - base)
    return np.divide(gain, way, out=np.full(gain.shape, np.nan), where=np.abs(way) > NO_HEADROOM)


def is_settled(index: float, error: float, asked: float = ASKED) -> bool:
    """Return whether more gold would change nothing that is printed.

    An index then has the error that is asked for, of an index above 1 that share of it; or there is no headroom; or the
    attack clearly gains nothing.
    """
    precise = np.isnan(index) or error <= asked * max(1.0, abs(index))
    return bool(precise or index + _HOPELESS * error < 0)


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

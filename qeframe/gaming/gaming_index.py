"""The gaming index: the share of the way to the perfect score that an attack gains without a better answer."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.short_repr import Brief

NO_HEADROOM = 1e-12
"""If the perfect score and the base differ by no more than this, nothing can be gained: there is no index."""
ASKED = 0.02
"""The standard error that an index on generated gold must have, as a share of indices above 1; else not determined."""
_HOPELESS = 4.0
"""An attack loses if its index is below 0 by more than this many standard errors."""


@frozen(kw_only=True, repr=False)
class Attacked(Brief):
    """The result of one attack on one metric.

    `attack`, `kind`, `knowledge`: the attack's name, its manner and what it knows.
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
        return self.kind in ("blind", "cosmetic")


def gaming_index(attacks: Sequence[Attacked]) -> float:
    """Return the largest of 0 and all blind and cosmetic indices; NaN if none of them has headroom."""
    indices = [attacked.index for attacked in attacks if attacked.counts and not np.isnan(attacked.index)]
    return max([0.0, *indices]) if indices else np.nan


def index_of(scores: FloatArray, base: FloatArray, best: FloatArray) -> FloatArray:
    """Return indices, elementwise; 0 where the score is NaN (a failed attack), NaN without headroom."""
    way = best - base
    room = np.abs(way) > NO_HEADROOM
    gain = np.where(np.isnan(scores) & ~np.isnan(way), 0.0, scores - base)
    return np.divide(gain, way, out=np.full(way.shape, np.nan), where=room)


def is_precise(index: float, error: float, asked: float = ASKED) -> bool:
    """Return whether an index has the error that is asked for; of an index above 1 it may be that share."""
    return bool(np.isnan(index) or error <= asked * max(1.0, abs(index)))


def loses(index: float, error: float) -> bool:
    """Return whether an attack clearly gains nothing, so that more gold would not change the result."""
    return bool(index + _HOPELESS * error < 0)

"""The parts of a contest, and the differences of pairs after exchanges, summed over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from attrs import field, frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.draws import MOST_KEPT, Kept
from qeframe.core.errors import CapabilityError
from qeframe.core.exchange import Swap
from qeframe.core.significance import Pairs, select_pairs
from qeframe.core.term import Term

if TYPE_CHECKING:
    from qeframe.core.contest import Contest


@frozen(kw_only=True, eq=False)
class Part:
    """What a contest is made of: a term, or in a sum a contest.

    `name`: of the task, or of the part; empty where it is not needed.
    `positions` (s,): of its submissions among those of the contest; -1 for one that is not among them.
    `factor`, `origin`: it adds factor x (oriented score - origin) to a sum. Without a factor there is no sum.
    `swap`: what the test of the part swaps, and so the sum; None: the sum has no exchanges.
    """

    of: Term | Contest
    positions: IntArray
    name: str = ""
    factor: float | None = None
    origin: float = 0.0
    swap: Swap | None = None

    @property
    def exchanging(self) -> Term | Contest:
        """The term or contest whose exchanges count: in a sum along the axis that the test of the part swaps."""
        return self.of if self.swap is None else self.of.along(self.swap.unit, standardize=self.swap.standardize)

    @classmethod
    def of_term(cls, term: Term, positions: IntArray, name: str = "") -> Part:
        """Return a term as a part; `positions` (s,) of its submissions among those of the contest."""
        return cls(of=term, positions=positions, name=name)


OfPart = Callable[["Term | Contest", Pairs], FloatArray]
"""From a part and some of its pairs to their differences, (rows, pairs)."""


@frozen(eq=False)
class _Sum:
    """The differences of all pairs, (draws, pairs), summed over some parts so far; both fields grow."""

    total: FloatArray
    parts: set[int] = field(factory=set)


@frozen(eq=False)
class ExchangedSums:
    """The sums over parts of a contest, each part times its share. Those of all pairs are kept, unless they are many.

    Test and correction share what is kept, and a part that is tested by itself adds what it has exchanged before it
    frees its memory.
    """

    contest: Contest
    _kept: Kept = field(factory=Kept, init=False)

    @property
    def draws(self) -> list[int]:
        """The numbers of draws of which sums are kept."""
        return list(self._kept)

    def clear(self) -> None:
        """Free the memory."""
        self._kept.clear()

    def check(self) -> None:
        """Refuse exchanges of a score that is no sum of its parts, or of a part whose test has none."""
        rule = self.contest.aggregation
        if rule is not None and not rule.linear:
            raise CapabilityError(
                f"differences of '{rule.name}' over tasks are not sums; choose a test that needs 'bind'"
            )
        if self.contest.is_sum and (lacking := sorted(part.name for part in self.contest.parts if part.swap is None)):
            what = f"the overall score is tested by the exchanges of its parts, and the test of {lacking[0]} has none"
            raise CapabilityError(f"{what}; set test=jackknife or test=bootstrap, or one of exchanges for all parts")

    def differences(self, draws: int, pairs: Pairs) -> FloatArray:
        """Return the differences of pairs in every draw, (draws, pairs); NaN for a pair that a part does not have."""
        self.check()
        if self._fits(draws):
            for nth in range(len(self.contest.parts)):
                self.add_part(nth, draws)
            differences = select_pairs(self._sum(draws).total, self.contest.pairs, pairs)
            if differences is not None:
                return differences
        return self._over_parts(pairs, draws, lambda part, of: part.exchanged_differences(draws, of))

    def add_part(self, nth: int, draws: int) -> None:
        """Add what a part has exchanged to the sum that is kept for all pairs, unless it is in it or there are many."""
        if self._fits(draws) and nth not in self._sum(draws).parts:
            so_far = self._sum(draws)
            so_far.parts.add(nth)
            self._add_share(
                so_far.total, nth, self.contest.pairs, lambda part, of: part.exchanged_differences(draws, of)
            )

    def _fits(self, draws: int) -> bool:
        return draws * len(self.contest.pairs[0]) <= MOST_KEPT

    def _sum(self, draws: int) -> _Sum:
        return self._kept.once(draws, lambda: _Sum(np.zeros((draws, len(self.contest.pairs[0])))))

    def unexchanged(self, pairs: Pairs) -> FloatArray:
        """Return what the differences are compared with, (pairs,): the sum of what parts have without an exchange."""
        return self._over_parts(pairs, 1, lambda part, of: part.unexchanged(of))[0]

    def _over_parts(self, pairs: Pairs, rows: int, of_part: OfPart) -> FloatArray:
        """Return the sum over parts of what `of_part` gives for pairs, (rows, pairs), each times its share."""
        total = np.zeros((rows, len(pairs[0])))
        for nth in range(len(self.contest.parts)):
            self._add_share(total, nth, pairs, of_part)
        return total

    def _add_share(self, total: FloatArray, nth: int, pairs: Pairs, of_part: OfPart) -> None:
        """Add the share of a part to sums over parts, (rows, pairs); NaN for a pair that it does not have."""
        part, share = self.contest.parts[nth], self.contest.shares[nth]
        if not share:
            return
        there = np.flatnonzero(part.positions >= 0)
        position_in_part = np.full(self.contest.submissions, -1)
        position_in_part[part.positions[there]] = there
        left, right = (position_in_part[side] for side in pairs)
        both = (left >= 0) & (right >= 0)
        total[:, both] += share * of_part(part.exchanging, (left[both], right[both]))
        total[:, ~both] = np.nan


def collect(contest: Contest, nth: int) -> None:
    """Add what the test of a part has exchanged to the sums over parts, before the part frees its memory."""
    part = contest.parts[nth]
    if not contest.linear or (contest.is_sum and any(other.swap is None for other in contest.parts)):
        return
    swapped = part.exchanging.terms[0].swap
    for swap, draws in part.exchanging.kept_exchanges:
        if swap == swapped or not contest.is_sum:
            contest.along(swap.unit, standardize=swap.standardize)._sums.add_part(nth, draws)

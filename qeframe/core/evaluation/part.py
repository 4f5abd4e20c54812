"""A part of a contest: a term, or in a sum a contest of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from qeframe.core.batches.base import IntArray
from qeframe.core.evaluation.term import Term
from qeframe.core.resampling.exchange import Swap

if TYPE_CHECKING:
    from qeframe.core.evaluation.contest import Contest


@frozen(kw_only=True, eq=False)
class Part:
    """What a contest is made of: a term, or in a sum a contest.

    `name`: of the task, or of the part; empty where nobody asks.
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

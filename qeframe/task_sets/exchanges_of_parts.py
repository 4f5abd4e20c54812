"""The exchanges of all parts of a task set, collected while each part is tested.

A part is tested by its own exchanges. The differences of every draw are scaled, weighted and added to those of the
other parts: the sums are the draws of the overall score, without another permutation.
"""

from operator import attrgetter

import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.components.comparable import Comparable, IsExtreme
from qeframe.core.errors import CapabilityError
from qeframe.core.resampling.exchange import Exchange, Standardize
from qeframe.core.resampling.memory import bounded_slices
from qeframe.task_sets.parts import Part, PartComparable


class CollectedExchanges:
    """The differences of pairs of submissions in the drawn exchanges of all parts together.

    `pairs` (pairs,): the positions of the submissions of each pair among those of the set.
    """

    def __init__(self, pairs: tuple[IntArray, IntArray]) -> None:
        self.pairs = pairs
        self.parts: set[str] = set()
        self.draws = 0
        self.have_own_statistic = False
        self._differences = np.empty((0, len(pairs[0])))
        self._unexchanged = np.zeros((1, len(pairs[0])))

    def differences(self, parts: set[str], draws: int) -> FloatArray:
        """Return the differences of the overall scores, (draws, pairs).

        Raises CapabilityError if a part was not exchanged, or not as often.
        """
        self.check_parts(parts)
        self._check(draws, "the overall score")
        return self._differences

    def unexchanged(self) -> FloatArray:
        """Return what the drawn differences are compared with, (pairs,), in statistics that exchanges have as own."""
        return self._unexchanged[0]

    def check_parts(self, parts: set[str]) -> None:
        """Raise a `CapabilityError` if a part was not exchanged."""
        if lacking := sorted(parts - self.parts):
            what = f"the overall score is tested by the exchanges of its parts, and the test of {lacking[0]} has none"
            raise CapabilityError(f"{what}; set test=jackknife or test=bootstrap, or one of exchanges for all parts")

    def add(self, part: Part, chosen: slice, draws: int, differences: FloatArray, unexchanged: FloatArray) -> None:
        """Add the differences of a part for a slice of its own pairs, (draws, pairs of the slice) and (1, pairs)."""
        if not self.draws:
            self.draws, self._differences = draws, np.zeros((len(differences), len(self.pairs[0])))
        self._check(draws, part.name)
        first, second = (part.positions[side[chosen]] for side in part.comparable.pairs)
        submissions = int(max(side.max(initial=0) for side in (*self.pairs, first, second))) + 1
        column = np.full((submissions, submissions), -1)
        compared = np.flatnonzero((first >= 0) & (second >= 0))
        first, second = first[compared], second[compared]
        column[first, second] = column[second, first] = compared
        sign = np.zeros((submissions, submissions))
        sign[first, second], sign[second, first] = part.factor, -part.factor
        a, b = self.pairs
        pairs = np.flatnonzero(column[a, b] >= 0)
        left, right = a[pairs], b[pairs]
        for total, added in ((self._differences, differences), (self._unexchanged, unexchanged)):
            total[:, pairs] += sign[left, right] * added[:, column[left, right]]
        self.parts.add(part.name)

    def _check(self, draws: int, who: str) -> None:
        if draws != self.draws:
            raise CapabilityError(
                f"the parts are exchanged {self.draws} times, {who} {draws} times; give all tests as many draws"
            )


@frozen(eq=False)
class CollectingComparable(Comparable):
    """The submissions of one part, all of whose answers are handed on; its exchanges are also collected."""

    part: Part
    collected: CollectedExchanges
    comparable: PartComparable = field()

    def count_exchanges(self, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
        """Count the exchanges whose differences are extreme, and collect the differences of drawn exchanges."""
        enumerated = self.comparable.enumerates(draws)
        first, second = self.pairs
        counts = np.empty(len(first))
        for chosen in bounded_slices(len(first), draws):
            pairs = first[chosen], second[chosen]
            differences = self.comparable.exchanged_differences(draws, pairs)
            self.collected.add(self.part, chosen, draws, differences, self.comparable.unexchanged(pairs)[None])
            if not enumerated:
                counts[chosen] = extreme(differences, chosen).sum(axis=0, dtype=np.float64)
        return self.comparable.count_exchanges(draws, extreme) if enumerated else (counts, draws, False)

    def exchanged_differences(
        self, draws: int, pairs: tuple[IntArray, IntArray], *, enumerable: bool = False
    ) -> FloatArray:
        """Return the differences of pairs in every draw; all exchanges are never enumerated, as in `enumerates`."""
        return self.comparable.exchanged_differences(draws, pairs)

    def along(self, unit: str, *, standardize: Standardize = False) -> "CollectingComparable":
        """Return the same submissions with exchanges along an axis."""
        moved = self.comparable.along(unit, standardize=standardize)
        self.collected.have_own_statistic |= any(task.has_own_statistic for task, _ in moved.by_task())
        return CollectingComparable(self.part, self.collected, moved)

    def unexchanged(self, pairs: tuple[IntArray, IntArray]) -> FloatArray:
        """Return the differences of pairs without an exchange, of the scores or of the exchange's own statistic."""
        return self.comparable.unexchanged(pairs)

    def exchanging(self, exchange: Exchange) -> "CollectingComparable":
        """Refuse: differences of such an exchange cannot be added to those of other parts."""
        raise CapabilityError("a test's own exchange cannot be added over parts; choose another test of the parts")


_VALUES = ("oriented", "sign", "pairs", "sizes", "smooth", "working_scale", "interval_scale", "recomputes")
_OF_UNITS = ("resample", "jackknife", "covariances", "without_groups", "left_out_of_grids", "weighted")
for _name in (*_VALUES, *_OF_UNITS, "outcomes", "vectors", "per_unit", "by_task"):  # methods too are handed on whole
    setattr(CollectingComparable, _name, property(attrgetter(f"comparable.{_name}")))

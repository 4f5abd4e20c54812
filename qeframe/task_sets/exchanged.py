"""The exchanges of all parts of a task set, collected while each part is tested.

A part is tested by its own exchanges. The differences of every draw are scaled, weighted and added to those of the
other parts: the sums are the draws of the overall score, without another permutation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.components.comparable import Comparable, IsExtreme, Scheme, parts_of_pairs
from qeframe.core.errors import CapabilityError
from qeframe.core.resampling.exchange import Exchange, Standardize
from qeframe.core.resampling.standard_errors.grid_left_out import GridLeftOut
from qeframe.core.resampling.standard_errors.working_scale import IntervalScale, WorkingScale
from qeframe.task_sets.parts import Part, PartComparable


class CollectedExchanges:
    """The differences of pairs of submissions in the drawn exchanges of all parts together.

    Parameters
    ----------
    pairs : (pairs,) int64 twice
        The positions of the submissions of each pair among those of the set.
    """

    def __init__(self, pairs: tuple[IntArray, IntArray]) -> None:
        self.pairs = pairs
        self.parts: set[str] = set()
        self.draws = 0
        self._differences = np.empty((0, len(pairs[0])))

    def differences(self, parts: set[str], draws: int) -> FloatArray:
        """Return the differences of the overall scores, (draws, pairs).

        Raises
        ------
        CapabilityError
            If a part was not exchanged, or not as often.
        """
        self.check_parts(parts)
        self._check(draws, "the overall score")
        return self._differences

    def check_parts(self, parts: set[str]) -> None:
        """Raise a `CapabilityError` if a part was not exchanged."""
        if lacking := sorted(parts - self.parts):
            what = f"the overall score is tested by the exchanges of its parts, and the test of {lacking[0]} has none"
            raise CapabilityError(f"{what}; set test=jackknife or test=bootstrap, or one of exchanges for all parts")

    def add(self, part: Part, draws: int, chosen: slice, differences: FloatArray) -> None:
        """Add the differences of a part for a slice of its own pairs, (draws, pairs of the slice)."""
        if not self.draws:
            self.draws, self._differences = draws, np.zeros((draws, len(self.pairs[0])))
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
        there = np.flatnonzero(column[a, b] >= 0)
        left, right = a[there], b[there]
        self._differences[:, there] += sign[left, right] * differences[:, column[left, right]]
        self.parts.add(part.name)

    def _check(self, draws: int, who: str) -> None:
        if draws != self.draws:
            raise CapabilityError(
                f"the parts are exchanged {self.draws} times, {who} {draws} times; give all tests as many draws"
            )


@frozen(eq=False)
class CollectingComparable:
    """The submissions of one part; its exchanges are also collected. `Comparable` documents what the methods return."""

    part: Part
    collected: CollectedExchanges
    comparable: PartComparable = field()

    @property
    def oriented(self) -> FloatArray:
        """(S,) float64: the oriented scores."""
        return self.comparable.oriented

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return self.comparable.sign

    @property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The positions of both submissions of every unordered pair."""
        return self.comparable.pairs

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of units that are resampled, by task."""
        return self.comparable.sizes

    @property
    def smooth(self) -> bool:
        """Whether the scores are smooth in the weights of units."""
        return self.comparable.smooth

    @property
    def working_scale(self) -> WorkingScale:
        """The scale on which differences of scores are compared."""
        return self.comparable.working_scale

    @property
    def interval_scale(self) -> IntervalScale:
        """The scale of the intervals of scores."""
        return self.comparable.interval_scale

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented scores of every draw."""
        return self.comparable.resample(draws, scheme)

    def jackknife(self) -> FloatArray:
        """Return the oriented scores with each unit left out."""
        return self.comparable.jackknife()

    def covariances(self, draws: int) -> FloatArray:
        """Return the covariances of the oriented scores, of all units and of each draw."""
        return self.comparable.covariances(draws)

    def without_groups(self, draws: int, groups: int) -> tuple[FloatArray, tuple[int, ...]]:
        """Return the oriented scores with each group of units left out."""
        return self.comparable.without_groups(draws, groups)

    def left_out_of_grids(self) -> tuple[GridLeftOut, ...]:
        """Return the oriented scores with each segment, system and cell left out."""
        return self.comparable.left_out_of_grids()

    def count_exchanges(self, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
        """Count the exchanges whose differences are extreme, and collect the differences of drawn exchanges."""
        enumerated = self.comparable.enumerates(draws)
        first, second = self.pairs
        counts = np.empty(len(first))
        for chosen in parts_of_pairs(len(first), draws):
            differences = self.comparable.exchanged_differences(draws, (first[chosen], second[chosen]))
            self.collected.add(self.part, draws, chosen, differences)
            if not enumerated:
                counts[chosen] = extreme(differences, chosen).sum(axis=0, dtype=np.float64)
        return self.comparable.count_exchanges(draws, extreme) if enumerated else (counts, draws, False)

    def exchanged_differences(
        self, draws: int, pairs: tuple[IntArray, IntArray], *, enumerable: bool = False
    ) -> FloatArray:
        """Return the differences of pairs in every draw."""
        return self.comparable.exchanged_differences(draws, pairs)

    def unexchanged(self, pairs: tuple[IntArray, IntArray]) -> FloatArray:
        """Return the differences of the scores of pairs."""
        return self.oriented[pairs[0]] - self.oriented[pairs[1]]

    @property
    def recomputes(self) -> bool:
        """Whether an exchange computes every score again."""
        return self.comparable.recomputes

    def enumerates(self, draws: int) -> bool:
        """Return False: the draws of a part are added to those of the others."""
        return False

    def along(self, unit: str, *, standardize: Standardize = False) -> CollectingComparable:
        """Return the same submissions with exchanges along an axis."""
        moved = self.comparable.along(unit, standardize=standardize)
        if standardize == "as_needed" and any(task.has_own_statistic for task, _ in moved.by_task()):
            what = (
                f"the exchange of part '{self.part.name}' has a statistic of its own, which cannot be added to others"
            )
            raise CapabilityError(f"{what}; choose permutation(unit=segment, standardize=true) for it")
        return CollectingComparable(self.part, self.collected, moved)

    def exchanging(self, exchange: Exchange) -> CollectingComparable:
        """Refuse: differences of such an exchange cannot be added to those of other parts."""
        raise CapabilityError("a test's own exchange cannot be added over parts; choose another test of the parts")

    def outcomes(self) -> FloatArray:
        """Return the outcomes of the part."""
        return self.comparable.outcomes()

    def vectors(self) -> tuple[FloatArray, FloatArray]:
        """Return gold and predicted vectors."""
        return self.comparable.vectors()

    def per_unit(self) -> FloatArray:
        """Return one value per unit."""
        return self.comparable.per_unit()

    def by_task(self) -> Sequence[tuple[Comparable, IntArray]]:
        """Return the submissions of each task."""
        return self.comparable.by_task()

"""`Comparable`, the input of a significance test, and functions over the differences of all pairs.

A test gets scores, draws, exchanges or vectors from a `Comparable` and computes p-values for all pairs at once. The two
subclasses of `Comparable` for one task and for several are in `qeframe.core.evaluation`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core.batches.base import BoolArray, FloatArray, IntArray
from qeframe.core.errors import CapabilityError
from qeframe.core.resampling.exchange import Exchange, Standardize
from qeframe.core.resampling.standard_errors.grid_left_out import GridLeftOut
from qeframe.core.resampling.standard_errors.working_scale import IntervalScale, WorkingScale

Scheme = Literal["multinomial", "poisson"]
IsExtreme = Callable[[FloatArray, slice], BoolArray]
"""A function that finds extreme differences: from differences (b, p) and the slice of their pairs to bool (b, p)."""


@frozen(kw_only=True, eq=False)
class Pairwise:
    """The result of a test for every pair.

    Parameters
    ----------
    p : (pairs,) float64
        NaN where the test is undefined.
    statistic : (pairs,) float64, optional
        The test statistic, positive when the first submission of the pair is better.
    least_p : float, optional
        The smallest p that is possible on these data, for the side that was asked for: 2 / 2**n two-sided where all
        2**n exchanges were enumerated, since each has an opposite one. None: that of the test.
    reasons : (pairs,) sequence of str, optional
        Why the test is undefined for each pair; empty text where it is defined.
    p_of : mapping of str to (pairs,) float64
        By the tests of which p is the largest, the p of each; NaN where it is undefined. Empty for a test of one p.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.plugin import Pairwise
    >>> Pairwise(p=np.array([0.03, np.nan]), reasons=("", "the scores are equal")).reasons
    ('', 'the scores are equal')
    """

    p: FloatArray
    statistic: FloatArray | None = None
    least_p: float | None = None
    reasons: Sequence[str] = ()
    p_of: Mapping[str, FloatArray] = field(factory=dict)


class Comparable:
    """All S submissions under one metric. All numbers are oriented: negated if the metric is better when lower.

    A subclass states `oriented`, `pairs`, `sizes` and `resample`. What else it does not state is refused with a
    `CapabilityError`, or has the value that is named here.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import Pairwise, SignificanceTest
    >>> seen = []
    >>> def run(comparable, sided):
    ...     seen.append((comparable.oriented.round(2).tolist(), comparable.sizes))
    ...     return Pairwise(p=np.ones(len(comparable.pairs[0])))
    >>> test = SignificanceTest(name="mine", summary="Keeps what it is given", needs="bind", run=run)
    >>> answers = {"good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]}
    >>> pairs = qeframe.compare("pearson", [1, 2, 3, 4], answers, test=test, correction="holm")
    >>> seen[0]
    ([0.98, 0.6], (4,))
    """

    __slots__ = ()
    whole: ClassVar[str] = "such a score"
    """What is compared, and `remedy`, what to do instead, for refusals."""
    remedy: ClassVar[str] = ""

    def lacking(self, what: str) -> CapabilityError:
        """Return the error that refuses what is not there."""
        return CapabilityError(f"{self.whole} has no {what}{self.remedy and '; '}{self.remedy}")

    @property
    def oriented(self) -> FloatArray:
        """(S,) float64: the scores, oriented so that higher is better; NaN where undefined."""
        raise NotImplementedError

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1: oriented scores times it are the scores. By default 1."""
        return 1.0

    @property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """(pairs,) int64 twice: every unordered pair once, the better submission first, or in the order given."""
        raise NotImplementedError

    @property
    def smooth(self) -> bool:
        """Whether the scores change little with the weight of one unit, so that the jackknife applies."""
        return False

    @property
    def working_scale(self) -> WorkingScale:
        """The scale on which differences of scores are nearest to normal, by default that of the scores."""
        return "identity"

    @property
    def interval_scale(self) -> IntervalScale:
        """The scale on which the error of a score is nearest to normal, for intervals alone."""
        return "identity"

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many units each independent sample (each task) has."""
        raise NotImplementedError

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented scores in every bootstrap draw, (draws, S)."""
        raise NotImplementedError

    def weighted(self, weights: FloatArray) -> FloatArray:
        """Return the oriented scores under weights (..., n), sample after sample: (..., S)."""
        raise self.lacking("scores under weights of units")

    def covariances(self, draws: int) -> FloatArray:
        """Return the covariances of the oriented scores, (1 + draws, S, S): of all units, then of each draw.

        They are those of the infinitesimal jackknife; the draws are those of `resample`. Refused unless the scores are
        smooth functions of sums over units, or a weighted mean of such scores.
        """
        raise self.lacking("covariances by influence")

    def without_groups(self, draws: int, groups: int) -> tuple[FloatArray, tuple[int, ...]]:
        """Return the oriented scores with each group of units left out in turn, in every draw.

        Parameters
        ----------
        groups : int
            How many groups each sample (task) has at most: a sample of fewer units has as many as it has units.

        Returns
        -------
        left_out : (1 + draws, groups of all samples, S) float64
            Of all units, then of each draw of `resample`.
        sizes : tuple of int
            How many groups each sample has.
        """
        raise self.lacking("scores without groups of units")

    def jackknife(self) -> FloatArray:
        """Return the oriented scores with each unit left out in turn, (n, S), sample after sample."""
        raise self.lacking("jackknife")

    def left_out_of_grids(self) -> Sequence[GridLeftOut]:
        """Return the oriented scores with each segment, system and cell left out in turn, for each task.

        The segments and systems of a task are both samples; the other tasks keep their scores.
        """
        raise self.lacking("jackknife of its grids")

    def count_exchanges(self, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
        """Count the exchanges whose differences are extreme.

        Parameters
        ----------
        draws : int
            How many exchanges are drawn. In a single task all 2**n are enumerated if there are not more than `draws`.
        extreme : callable
            From differences (b, p) and the slice of their pairs to bool (b, p).

        Returns
        -------
        counts : (pairs,) float64
        total : int
        exhaustive : bool
            Whether all exchanges were enumerated, including the one that changes nothing.
        """
        raise self.lacking("exchanges of units")

    def exchanged_differences(
        self, draws: int, pairs: tuple[IntArray, IntArray], *, enumerable: bool = False
    ) -> FloatArray:
        """Return the oriented differences of pairs in every drawn exchange, (draws, pairs).

        If they are `enumerable` and `enumerates` says so, the rows are all exchanges instead, first that of nothing.
        """
        raise self.lacking("exchanges of units")

    def exchanged_by(self, masks: NDArray[Any], pairs: tuple[IntArray, IntArray]) -> FloatArray:
        """Return the oriented differences of pairs, (draws, pairs), after exchanges by masks (draws, n) of 0 and 1."""
        raise self.lacking("exchanges of units")

    def unexchanged(self, pairs: tuple[IntArray, IntArray]) -> FloatArray:
        """Return the oriented differences of pairs without an exchange, (pairs,): what drawn ones are compared with.

        They are those of the scores, unless the exchange has a statistic of its own.
        """
        return self.oriented[pairs[0]] - self.oriented[pairs[1]]

    @property
    def recomputes(self) -> bool:
        """Whether an exchange computes every score again, which takes long; by default it is a product of sums."""
        return False

    def enumerates(self, draws: int) -> bool:
        """Return whether `count_exchanges` enumerates all exchanges, since there are not more than `draws`."""
        return False

    def along(self, unit: str, *, standardize: Standardize = False) -> Comparable:
        """Return the same scores with other exchanges: of whole segments, cells, systems or pairs, see `Swap`."""
        raise self.lacking("exchanges of units")

    def exchanging(self, exchange: Exchange) -> Comparable:
        """Return the same submissions with another exchange of their units, whose differences are oriented.

        Refused where there are several tasks, or groups of units are resampled.
        """
        raise self.lacking("exchange of a test")

    def outcomes(self) -> FloatArray:
        """Return the outcomes (S, m) that a sign test compares, one for each pair of systems or each unit."""
        raise self.lacking("outcomes of pairs or units")

    def vectors(self) -> tuple[FloatArray, FloatArray]:
        """Return gold (n,) and predicted (S, n); the scores are their correlations."""
        raise self.lacking("vectors of gold and predictions")

    def per_unit(self) -> FloatArray:
        """Return values (S, n); the oriented scores are their means."""
        raise self.lacking("values of single units")

    def by_task(self) -> Sequence[tuple[Comparable, IntArray]]:
        """Return the submissions of each task, and their positions among all submissions."""
        raise self.lacking("submissions by task")


def ordered_pairs(
    oriented: FloatArray, *, as_given: bool = False, compared_with_all: int | None = None
) -> tuple[IntArray, IntArray]:
    """Return every unordered pair once, the better first.

    `oriented` (S,).
    `as_given`: whether the first submission of a pair is the one that comes first in `oriented`.
    `compared_with_all`: the submission of which every pair has one side: its pairs are a family of their own. None: all
    pairs.

    Returns `first, second`: equal scores are in the given order, undefined ones last. The order goes by the exact
    scores: which of two that differ by rounding is first says nothing, and tests call them equal.
    """
    order = np.arange(len(oriented))
    if not as_given:
        order = np.lexsort((order, -np.nan_to_num(oriented, nan=-np.inf)))
    first, second = (order[side] for side in np.triu_indices(len(order), 1))
    if compared_with_all is None:
        return first, second
    with_it = (first == compared_with_all) | (second == compared_with_all)
    return first[with_it], second[with_it]


def select_pairs(
    differences: FloatArray, pairs: tuple[IntArray, IntArray], wanted: tuple[IntArray, IntArray]
) -> FloatArray | None:
    """Return the differences of wanted pairs from those of `pairs`, (draws, pairs) both; None if one is not among them.

    A pair is found in either order.
    """
    if wanted is pairs:  # all of them in their order: no copy is made
        return differences
    submissions = 1 + max(int(side.max(initial=0)) for side in (*pairs, *wanted))
    column, sign = np.full((submissions, submissions), -1), np.ones((submissions, submissions))
    column[pairs] = column[pairs[::-1]] = np.arange(len(pairs[0]))
    sign[pairs[::-1]] = -1.0
    chosen = column[wanted]
    return sign[wanted] * differences[:, chosen] if chosen.min(initial=0) >= 0 else None

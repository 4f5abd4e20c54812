"""A contest: submissions under a score that is made of terms. It is what a significance test is given.

A task is a contest of one term. Language pairs are one of several terms, which an aggregation combines. A task set is
one of several parts, each a contest of its own, which are scaled and added. A change of the units of a sample changes
its terms, and the terms change the score: draws, units that are left out and exchanges are the same for all three.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core import leave_out
from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.draws import Kept, bounded_slices
from qeframe.core.errors import CapabilityError
from qeframe.core.exchange import Exchange, Standardize, Swap, on_scale_of_all
from qeframe.core.metric import Metric
from qeframe.core.parts import ExchangedSums, Part, collect
from qeframe.core.ragged import freeze
from qeframe.core.ranking import Aggregation, aggregate
from qeframe.core.scales import IntervalScale, WorkingScale
from qeframe.core.significance import IsExtreme, Pairs, Scheme, ordered_pairs
from qeframe.core.term import Term

UNIT_OF_SEVERAL_PARTS = "a unit belongs to several parts of a task set; run a profile with the metric of one part"
"""Why overall scores are not computed under weights of units."""


@frozen(kw_only=True, eq=False)
class Contest:
    """All S submissions under one score. All numbers are oriented: negated if the score is better when lower.

    Parameters
    ----------
    parts : tuple of Part
        A term; several terms; or contests with factors.
    submissions : int
        S, the number of submissions.
    aggregation : Aggregation, optional
        It combines several terms, in every draw. Where there is an aggregation, it does the summing: a sum of one's own
        would change the last bit, and with it the order of submissions that are tied.
    weights : (parts,) float64, optional
        The weights of the terms under the aggregation.
    together : bool
        Whether scores that are standardized are so over all terms at once, not in each.
    as_given : bool
        Whether the pairs keep the order of the submissions. By default the better submission comes first.
    compared_with_all : int, optional
        The submission that is compared with each other one. None: all pairs are compared.

    What a score does not have is refused with a `CapabilityError`.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import Pairwise, SignificanceTest
    >>> seen = []
    >>> def run(contest, sided):
    ...     seen.append((contest.oriented.round(2).tolist(), contest.sizes))
    ...     return Pairwise(p=np.ones(len(contest.pairs[0])))
    >>> test = SignificanceTest(name="mine", summary="Keeps what it is given", needs="bind", run=run)
    >>> answers = {"good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]}
    >>> pairs = qeframe.compare("pearson", [1, 2, 3, 4], answers, test=test, correction="holm")
    >>> seen[0]
    ([0.98, 0.6], (4,))
    """

    parts: tuple[Part, ...]
    submissions: int
    aggregation: Aggregation | None = None
    weights: FloatArray = field(factory=lambda: np.ones(1))
    together: bool = False
    as_given: bool = False
    compared_with_all: int | None = None
    _kept: Kept = field(factory=Kept, init=False)

    @classmethod
    def of(cls, term: Term) -> Contest:
        """Return the submissions of one sample under one metric."""
        submissions = len(term.sample.batches)
        return cls(
            parts=(Part.of_term(term, np.arange(submissions)),),
            submissions=submissions,
            as_given=term.as_given,
            compared_with_all=term.compared_with_all,
        )

    @classmethod
    def across(
        cls, terms: Sequence[Term], positions: Sequence[IntArray], names: Sequence[str] = (), **rules: Any
    ) -> Contest:
        """Return the submissions of several tasks, a term each, combined by an aggregation; `rules` are the fields.

        `positions` (s,): for each task, the positions of its submissions among all submissions. `names`: of the tasks.
        """
        return cls(parts=tuple(map(Part.of_term, terms, positions, names or [""] * len(terms))), **rules)

    def only(self, chosen: IntArray) -> Contest:
        """Return the contest of some of the submissions, by their positions in ascending order.

        What an aggregate draws and scales is that of these submissions alone, so that the others have no effect on
        them; a task that none of them has leaves, and a single task that is left is the contest. The parts of a sum
        keep the submissions that they compare.
        """
        if len(chosen) == self.submissions:
            return self
        position = np.full(self.submissions, -1)
        position[chosen] = np.arange(len(chosen))
        alone = -1 if self.compared_with_all is None else int(position[self.compared_with_all])
        whole = attrs.evolve(self, submissions=len(chosen), compared_with_all=alone if alone >= 0 else None)
        if self.is_sum:
            moved = [attrs.evolve(part, positions=position[part.positions]) for part in self.parts]
            return attrs.evolve(whole, parts=tuple(moved))
        if self.is_single:
            return Contest.of(self.terms[0].only(chosen.tolist()))
        members = [np.flatnonzero(position[part.positions] >= 0) for part in self.parts]
        parts = tuple(
            Part.of_term(term.only(there.tolist()), position[part.positions[there]], part.name)
            for term, part, there in zip(self.terms, self.parts, members, strict=True)
            if len(there)
        )
        if len(parts) == 1:
            return Contest.of(parts[0].of.terms[0])
        return attrs.evolve(whole, parts=parts, weights=self.weights[[len(there) > 0 for there in members]])

    @property
    def is_sum(self) -> bool:
        """Whether the score is a sum of parts, each with a factor."""
        return self.parts[0].factor is not None

    @property
    def is_single(self) -> bool:
        """Whether the score is that of one metric on one sample."""
        return self.aggregation is None and not self.is_sum

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """All terms, part after part."""
        return tuple(term for part in self.parts for term in part.of.terms)

    def only_term(self, what: str) -> Term:
        """Return the only term; refuse `what` of any other score."""
        if not self.is_single:
            raise self.lacking(what)
        return self.terms[0]

    def lacking(self, what: str) -> CapabilityError:
        """Return the error that refuses what there is not over several parts or tasks."""
        whole = "an overall score over parts" if self.is_sum else "an aggregate over several tasks"
        return CapabilityError(f"{whole} has no {what}; compare within each {'part' if self.is_sum else 'task'}")

    @property
    def metric(self) -> Metric:
        """The metric; of a sum that of the first part."""
        return self.terms[0].metric

    @property
    def linear(self) -> bool:
        """Whether the score is a weighted sum of those of its parts."""
        return self.aggregation is None or self.aggregation.linear

    @property
    def shares(self) -> FloatArray:
        """(parts,) float64: by how much a difference counts in that of the whole; of an aggregate they sum to 1."""
        if self.is_sum:
            return np.array([part.factor for part in self.parts], dtype=np.float64)
        return np.asarray(self.weights / self.weights.sum())

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1: oriented scores times it are the scores."""
        declared = True if self.is_sum else None if self.aggregation is None else self.aggregation.higher_is_better
        return self.terms[0].sign if declared is None else 1.0 if declared else -1.0

    def by_task(self) -> Sequence[tuple[Contest, IntArray]]:
        """Return the submissions of each task, and their positions among all submissions."""
        if self.is_sum:
            raise self.lacking("submissions by task")
        contests = [self] if self.is_single else map(Contest.of, self.terms)
        return [(contest, part.positions) for contest, part in zip(contests, self.parts, strict=True)]

    @cached_property
    def oriented(self) -> FloatArray:
        """(S,) float64: the scores, oriented so that higher is better; NaN where undefined; read-only."""
        return freeze(self.combine([part.of.oriented for part in self.parts]))

    @cached_property
    def pairs(self) -> Pairs:
        """(pairs,) int64 twice: every unordered pair once, the better submission first, or in the order given."""
        if self.is_single:
            return self.terms[0].pairs
        return ordered_pairs(self.oriented, as_given=self.as_given, compared_with_all=self.compared_with_all)

    def combine(self, of_parts: Sequence[FloatArray]) -> FloatArray:
        """Return the oriented scores, (..., S), from those of every part, (..., s) each."""
        if self.is_single:
            return of_parts[0]
        lead = of_parts[0].shape[:-1]
        if self.is_sum:
            total = np.zeros((*lead, self.submissions))
            for part, values in zip(self.parts, of_parts, strict=True):
                total += self.add(part, values)
            return total
        scores = np.empty((*lead, self.submissions, len(self.parts)))
        for nth, values in enumerate(of_parts):
            scores[..., nth] = self.of_task(nth, values)
        assert self.aggregation is not None
        return self.sign * aggregate(self.aggregation, scores, self.weights, self.metric.higher_is_better)

    def add(self, part: Part, oriented: FloatArray) -> FloatArray:
        """Return what a part adds to a sum, (..., S), from its oriented scores, (..., s); NaN where it has none."""
        added = np.full((*oriented.shape[:-1], self.submissions), np.nan)
        there = part.positions >= 0
        assert part.factor is not None, "a part of a sum"
        added[..., part.positions[there]] = (part.factor * (oriented - part.origin))[..., there]
        return added

    def of_task(self, nth: int, oriented: FloatArray) -> FloatArray:
        """Return the scores of all submissions under a term, (..., S), NaN for those that it does not have."""
        scores = np.full((*oriented.shape[:-1], self.submissions), np.nan)
        scores[..., self.parts[nth].positions] = self.terms[nth].sign * oriented
        return scores

    @property
    def smooth(self) -> bool:
        """Whether the scores change little with the weight of one unit, so that the jackknife applies."""
        return self.linear and all(part.of.smooth for part in self.parts)

    @property
    def working_scale(self) -> WorkingScale:
        """The scale on which differences of scores are nearest to normal; that of the scores for sums and ranks."""
        return "identity" if self.is_sum or not self.linear else self.terms[0].working_scale

    @property
    def interval_scale(self) -> IntervalScale:
        """The scale on which the error of a score is nearest to normal, for intervals alone."""
        return "identity" if self.is_sum or not self.linear else self.terms[0].interval_scale

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented scores in every bootstrap draw, (draws, S).

        Samples are drawn independently. Parts on different units of one sample, such as all domains and one of them,
        take their own units from a draw on the union of them.
        """
        return self.combine([part.of.resample(draws, scheme) for part in self.parts])

    def weighted(self, weights: NDArray[Any]) -> FloatArray:
        """Return the oriented scores under weights (..., n), sample after sample: (..., S)."""
        if self.is_sum:
            raise CapabilityError(UNIT_OF_SEVERAL_PARTS)
        by_term = np.split(weights, np.cumsum(self.sizes)[:-1], axis=-1)
        return self.combine([term.weighted(of) for term, of in zip(self.terms, by_term, strict=True)])

    sizes = property(leave_out.sizes)
    jackknife = leave_out.jackknife
    without_groups = leave_out.without_groups
    covariances = leave_out.covariances
    left_out_of_grids = leave_out.left_out_of_grids
    collect = collect

    def along(self, unit: str, *, standardize: Standardize = False) -> Contest:
        """Return the same scores with other exchanges: of whole segments, cells, systems or pairs, see `Swap`.

        The parts of a sum are exchanged as their own tests say.
        """
        if self.is_sum:
            self._sums.check()
            return self
        swap = Swap(unit, standardize)
        return self if swap == self.terms[0].swap else self._kept.once(swap, lambda: self._move(swap))

    def _move(self, swap: Swap) -> Contest:
        terms = self.terms
        if self.together and swap.standardize is True:
            positions = [part.positions for part in self.parts]
            batches = on_scale_of_all([term.sample.batches for term in terms], positions)
            samples = [attrs.evolve(term.sample, batches=of) for term, of in zip(terms, batches, strict=True)]
            terms = tuple(attrs.evolve(term, sample=of) for term, of in zip(terms, samples, strict=True))
            swap = Swap(swap.unit)
        moved = zip(self.parts, (attrs.evolve(term, swap=swap) for term in terms), strict=True)
        return attrs.evolve(self, parts=tuple(attrs.evolve(part, of=term) for part, term in moved))

    def exchanging(self, exchange: Exchange) -> Contest:
        """Return the same submissions with another exchange of what is resampled, whose differences are oriented.

        Refused where there are several tasks.
        """
        return Contest.of(self.only_term("exchange of a test").exchanging(exchange))

    @property
    def recomputes(self) -> bool:
        """Whether an exchange computes every score again, which takes long; a sum has what its parts exchanged."""
        return not self.is_sum and any(term.recomputes for term in self.terms)

    @property
    def has_own_statistic(self) -> bool:
        """Whether the differences of an exchange are not those of the score."""
        return any(part.exchanging.has_own_statistic for part in self.parts)

    def enumerates(self, draws: int) -> bool:
        """Return whether `count_exchanges` enumerates all exchanges, since there are not more than `draws`."""
        return self.is_single and self.terms[0].enumerates(draws)

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
        if self.is_single:
            return self.terms[0].count_exchanges(draws, extreme)
        first, second = self.pairs
        counts = np.empty(len(first))
        for part in bounded_slices(len(first), draws):
            differences = self.exchanged_differences(draws, (first[part], second[part]))
            counts[part] = extreme(differences, part).sum(axis=0, dtype=np.float64)
        return counts, draws, False

    def exchanged_differences(self, draws: int, pairs: Pairs, *, enumerable: bool = False) -> FloatArray:
        """Return the oriented differences of pairs in every drawn exchange, (draws, pairs).

        If they are `enumerable` and `enumerates` says so, the rows are all exchanges instead, first that of nothing.
        NaN for a pair that a part does not have.
        """
        if self.is_single:
            return self.terms[0].exchanged_differences(draws, pairs, enumerable=enumerable)
        return self._sums.differences(draws, pairs)

    @cached_property
    def _sums(self) -> ExchangedSums:
        """The differences after exchanges, summed over parts."""
        return ExchangedSums(self)

    def exchanged_by(self, masks: NDArray[Any], pairs: Pairs) -> FloatArray:
        """Return the oriented differences of pairs, (draws, pairs), after exchanges by masks (draws, n) of 0 and 1."""
        return self.only_term("exchanges of units").exchanged_by(masks, pairs)

    def unexchanged(self, pairs: Pairs) -> FloatArray:
        """Return the oriented differences of pairs without an exchange, (pairs,): what drawn ones are compared with.

        They are those of the scores, unless the exchange has a statistic of its own.
        """
        if self.is_single:
            return self.terms[0].unexchanged(pairs)
        of_scores = self.oriented[pairs[0]] - self.oriented[pairs[1]]
        if not self.has_own_statistic:
            return of_scores
        of_parts = self._sums.unexchanged(pairs)
        return np.where(np.isnan(of_scores), np.nan, of_parts) if self.is_sum else of_parts

    @property
    def kept_exchanges(self) -> list[tuple[Swap, int]]:
        """What was swapped how often in the drawn exchanges whose differences are kept."""
        if self.is_single:
            return self.terms[0].kept_exchanges
        return [(self.terms[0].swap, draws) for draws in self._sums.draws]

    @property
    def swapped(self) -> set[Swap]:
        """What was swapped in the exchanges, drawn or enumerated, whose differences are kept."""
        return {key.swap for term in self.terms for key in term.sample.differences if key.metric == term.nth}

    def release_exchanges(self) -> None:
        """Free the memory of exchanges, of all parts too; they are computed again if they are asked for."""
        self._sums.clear()
        self._kept.clear()
        for part in self.parts:
            part.of.release_exchanges()

    def outcomes(self) -> FloatArray:
        """Return the outcomes (S, m) that a sign test compares, one for each pair of systems or each unit."""
        return self.only_term("outcomes of pairs or units").outcomes()

    def vectors(self) -> tuple[FloatArray, FloatArray]:
        """Return gold (n,) and predicted (S, n); the scores are their correlations."""
        return self.only_term("vectors of gold and predictions").vectors()

    def per_unit(self) -> FloatArray:
        """Return values (S, n); the oriented scores are their means."""
        return self.only_term("values of single units").per_unit()

"""A contest: submissions under a score that is made of terms. It is what a significance test is given.

A term is a contest of one metric on one sample of units: a task is one. Language pairs are several terms, which an
aggregation combines. A task set is several parts, each a contest of its own, which are scaled and added. A change of
the units of a sample changes its terms, and the terms change the score: draws, units that are left out and exchanges
are the same for all three.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core import leave_out, swaps
from qeframe.core import metric_calls as checked
from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.draws import Kept
from qeframe.core.errors import CapabilityError
from qeframe.core.exchange import AS_RESAMPLED, Exchange, Standardize, Swap, on_scale_of_all, says
from qeframe.core.metric import Metric
from qeframe.core.ragged import freeze
from qeframe.core.ranking import Aggregation, aggregate
from qeframe.core.sample import Sample
from qeframe.core.significance import Pairs, Scheme, ordered_pairs
from qeframe.core.standard_errors import GridLeftOut, IntervalScale, WorkingScale

UNIT_OF_SEVERAL_PARTS = "a unit belongs to several parts of a task set; run a profile with the metric of one part"
"""Why overall scores are not computed under weights of units."""


@frozen(kw_only=True, eq=False)
class Part:
    """What a contest over several is made of: a contest of one task, or of one part of a sum.

    `name`: of the task, or of the part; empty where it is not needed.
    `positions` (s,): of its submissions among those of the whole; -1 for one that is not among them.
    `factor`, `origin`: it adds factor x (oriented score - origin) to a sum. Without a factor there is no sum.
    `swap`: what the test of the part swaps, and so the sum; None: the sum has no exchanges.
    """

    of: Contest
    positions: IntArray
    name: str = ""
    factor: float | None = None
    origin: float = 0.0
    swap: Swap | None = None

    @property
    def exchanging(self) -> Contest:
        """The contest whose exchanges count: in a sum along the axis that the test of the part swaps."""
        return self.of if self.swap is None else self.of.along(self.swap.unit, standardize=self.swap.standardize)


@frozen(kw_only=True, eq=False)
class Contest:
    """All S submissions under one score. All numbers are oriented: negated if the score is better when lower.

    Parameters
    ----------
    submissions : int
        S, the number of submissions.
    sample, nth : Sample and int, optional
        Of a term: the sample, and the position of its metric among those of the sample.
    parts : tuple of Part, optional
        Of a score over several: terms; or contests with factors.
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
    swap : Swap
        What an exchange of a term swaps.
    stream : str
        Terms of one sample with the same stream and the same cells are exchanged by the same draws.
    own_exchange : Exchange, optional
        An exchange in the place of the metric's, whose differences are oriented.
    made, moved, exchanged : Kept
        Never given: the exchange; the same contest with others; the differences of all pairs after exchanges, or their
        sums over parts.

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

    submissions: int
    _sample: Sample | None = None
    nth: int = 0
    parts: tuple[Part, ...] = ()
    aggregation: Aggregation | None = None
    weights: FloatArray = field(factory=lambda: np.ones(1))
    together: bool = False
    as_given: bool = False
    compared_with_all: int | None = None
    swap: Swap = AS_RESAMPLED
    stream: str = ""
    own_exchange: Exchange | None = None
    made: Kept = field(factory=Kept, init=False)
    moved: Kept = field(factory=Kept, init=False)
    exchanged: Kept = field(factory=Kept, init=False)

    @classmethod
    def of(cls, sample: Sample, nth: int = 0, **rules: Any) -> Contest:
        """Return a term: the submissions of a sample under one of its metrics; `rules` are further fields."""
        return cls(submissions=len(sample.batches), sample=sample, nth=nth, **rules)

    @classmethod
    def across(
        cls, terms: Sequence[Contest], positions: Sequence[IntArray], names: Sequence[str] = (), **rules: Any
    ) -> Contest:
        """Return the submissions of several tasks, a term each, combined by an aggregation; `rules` are the fields.

        `positions` (s,): for each task, the positions of its submissions among all submissions. `names`: of the tasks.
        """
        named = zip(terms, positions, names or [""] * len(terms), strict=True)
        return cls(parts=tuple(Part(of=term, positions=there, name=name) for term, there, name in named), **rules)

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
        if self.is_single:
            return attrs.evolve(whole, sample=self.sample.only(chosen.tolist()))
        moved = [attrs.evolve(part, positions=position[part.positions]) for part in self.parts]
        if self.is_sum:
            return attrs.evolve(whole, parts=tuple(moved))
        members = [np.flatnonzero(part.positions >= 0) for part in moved]
        parts = tuple(
            attrs.evolve(part, of=part.of.only(there), positions=part.positions[there])
            for part, there in zip(moved, members, strict=True)
            if len(there)
        )
        if len(parts) == 1:
            return parts[0].of
        return attrs.evolve(whole, parts=parts, weights=self.weights[[len(there) > 0 for there in members]])

    @property
    def is_single(self) -> bool:
        """Whether the score is that of one metric on one sample."""
        return self._sample is not None

    @property
    def is_sum(self) -> bool:
        """Whether the score is a sum of parts, each with a factor."""
        return not self.is_single and self.parts[0].factor is not None

    @property
    def sample(self) -> Sample:
        """The sample of a term."""
        assert self._sample is not None, "a term"
        return self._sample

    @cached_property
    def terms(self) -> tuple[Contest, ...]:
        """All terms, part after part; of a term itself."""
        return (self,) if self.is_single else tuple(term for part in self.parts for term in part.of.terms)

    def only_term(self, what: str) -> Contest:
        """Return the only term; refuse `what` of any other score."""
        if not self.is_single:
            raise self.lacking(what)
        return self

    def lacking(self, what: str) -> CapabilityError:
        """Return the error that refuses what there is not over several parts or tasks."""
        whole = "an overall score over parts" if self.is_sum else "an aggregate over several tasks"
        return CapabilityError(f"{whole} has no {what}; compare within each {'part' if self.is_sum else 'task'}")

    @property
    def metric(self) -> Metric:
        """The metric; of a sum that of the first part."""
        return self.sample.metrics[self.nth] if self.is_single else self.terms[0].metric

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
        if self.is_sum:
            return 1.0
        declared = None if self.aggregation is None else self.aggregation.higher_is_better
        return 1.0 if (self.metric.higher_is_better if declared is None else declared) else -1.0

    def by_task(self) -> Sequence[tuple[Contest, IntArray]]:
        """Return the submissions of each task, and their positions among all submissions."""
        if self.is_sum:
            raise self.lacking("submissions by task")
        if self.is_single:
            return [(self, np.arange(self.submissions))]
        return [(part.of, part.positions) for part in self.parts]

    @cached_property
    def oriented(self) -> FloatArray:
        """(S,) float64: the scores, oriented so that higher is better; NaN where undefined; read-only."""
        if self.is_single:
            return freeze(self.sign * self.sample.scores[self.nth])
        return freeze(self.combine([part.of.oriented for part in self.parts]))

    @cached_property
    def pairs(self) -> Pairs:
        """(pairs,) int64 twice: every unordered pair once, the better submission first, or in the order given."""
        return ordered_pairs(self.oriented, as_given=self.as_given, compared_with_all=self.compared_with_all)

    def combine(self, of_parts: Sequence[FloatArray]) -> FloatArray:
        """Return the oriented scores, (..., S), from those of every part, (..., s) each; of a term its own."""
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
        if self.is_single:
            return self.metric.smooth and self.sample.is_mean
        return self.linear and all(part.of.smooth for part in self.parts)

    @property
    def working_scale(self) -> WorkingScale:
        """The scale on which differences of scores are nearest to normal; that of the scores for sums and ranks."""
        return self.metric.working_scale if self._has_scale else "identity"

    @property
    def interval_scale(self) -> IntervalScale:
        """The scale on which the error of a score is nearest to normal, for intervals alone."""
        return (self.metric.interval_scale or self.metric.working_scale) if self._has_scale else "identity"

    @property
    def _has_scale(self) -> bool:
        """Whether the score is one of the metric, or a mean of such scores: over tasks, or over groups of units."""
        return not self.is_sum and self.linear and self.terms[0].sample.is_mean

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented scores in every bootstrap draw, (draws, S).

        Samples are drawn independently. Parts on different units of one sample, such as all domains and one of them,
        take their own units from a draw on the union of them.
        """
        if self.is_single:
            return self.sign * self.sample.drawn_of(self.nth, draws, scheme)
        return self.combine([part.of.resample(draws, scheme) for part in self.parts])

    def weighted(self, weights: NDArray[Any]) -> FloatArray:
        """Return the oriented scores under weights (..., n), sample after sample: (..., S)."""
        if self.is_single:
            return self.sign * self.sample.weighted(self.nth, weights)
        if self.is_sum:
            raise CapabilityError(UNIT_OF_SEVERAL_PARTS)
        by_term = np.split(weights, np.cumsum(self.sizes)[:-1], axis=-1)
        return self.combine([term.weighted(of) for term, of in zip(self.terms, by_term, strict=True)])

    sizes = property(leave_out.sizes)
    jackknife = leave_out.jackknife
    without_groups = leave_out.without_groups
    covariances = leave_out.covariances
    left_out_of_grids = leave_out.left_out_of_grids

    @cached_property
    def left_out_of_grid(self) -> GridLeftOut:
        """The oriented scores of a term with each segment, system and cell left out."""
        return leave_out.left_out_of_grid(self)

    def along(self, unit: str, *, standardize: Standardize = False) -> Contest:
        """Return the same scores with other exchanges: of whole segments, cells, systems or pairs, see `Swap`.

        The parts of a sum are exchanged as their own tests say.
        """
        if self.is_sum:
            swaps.check_sum(self)
            return self
        swap = Swap(unit, standardize)
        return self if swap == self.terms[0].swap else self.moved.once(swap, lambda: self._move(swap))

    def _move(self, swap: Swap) -> Contest:
        if self.is_single:
            return attrs.evolve(self, swap=swap)
        terms = self.terms
        if self.together and swap.standardize is True:
            positions = [part.positions for part in self.parts]
            batches = on_scale_of_all([term.sample.batches for term in terms], positions)
            samples = [attrs.evolve(term.sample, batches=of) for term, of in zip(terms, batches, strict=True)]
            terms = tuple(attrs.evolve(term, sample=of) for term, of in zip(terms, samples, strict=True))
            swap = Swap(swap.unit)
        along = [term.along(swap.unit, standardize=swap.standardize) for term in terms]
        moved = zip(self.parts, along, strict=True)
        return attrs.evolve(self, parts=tuple(attrs.evolve(part, of=term) for part, term in moved))

    def exchanging(self, exchange: Exchange) -> Contest:
        """Return the same submissions with another exchange of what is resampled, whose differences are oriented.

        Refused where there are several tasks.
        """
        return attrs.evolve(self.only_term("exchange of a test"), own_exchange=exchange)

    @cached_property
    def recomputes(self) -> bool:
        """Whether an exchange computes every score again, which takes long; a sum has what its parts exchanged."""
        if self.is_single:
            return says(swaps.exchange_of(self), "recomputes")
        return not self.is_sum and any(term.recomputes for term in self.terms)

    @cached_property
    def has_own_statistic(self) -> bool:
        """Whether the differences of an exchange are not those of the score."""
        if self.is_single:
            return says(swaps.exchange_of(self), "own_statistic")
        return any(part.exchanging.has_own_statistic for part in self.parts)

    enumerates = swaps.enumerates
    count_exchanges = swaps.count_exchanges
    exchanged_differences = swaps.exchanged_differences
    exchanged_by = swaps.exchanged_by
    unexchanged = swaps.unexchanged
    kept_exchanges = property(swaps.kept_exchanges)
    swapped = property(swaps.swapped)
    collect = swaps.collect

    def release_exchanges(self) -> None:
        """Free the memory of exchanges, of all parts too; they are computed again if they are asked for."""
        for each in (*self.moved.values(), *(part.of for part in self.parts)):
            each.release_exchanges()
        self.exchanged.clear()
        self.made.clear()
        # others than scaled answers stay, so that what their exchanges say of themselves is not asked anew
        if self.together:
            self.moved.clear()

    outcomes = checked.outcomes_of_all
    vectors = checked.vectors_of_all
    per_unit = checked.values_of_units

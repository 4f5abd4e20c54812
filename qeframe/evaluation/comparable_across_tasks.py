"""Trials over several tasks: aggregated in every draw."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import attrs
import numpy as np
from attrs import frozen

from qeframe.batches.base import FloatArray, IntArray
from qeframe.components.aggregation import Aggregation
from qeframe.components.comparable import IsExtreme, Scheme, ordered_pairs, parts_of_pairs
from qeframe.errors import CapabilityError
from qeframe.evaluation.comparable_in_task import ComparableInTask

__all__ = ["ComparableAcrossTasks"]


@frozen(kw_only=True, eq=False)
class ComparableAcrossTasks:
    """One metric over several tasks, aggregated in every draw. See `Comparable` for what the methods return.

    Parameters
    ----------
    comparables : sequence of ComparableInTask
    places : sequence of (s,) int64
        For each task, the positions of its submissions among all; a submission that a task does not have is
        undefined there.
    submissions : int
        How many there are in all.
    weights : (tasks,) float64
    """

    comparables: tuple[ComparableInTask, ...]
    places: tuple[IntArray, ...]
    submissions: int
    aggregation: Aggregation
    weights: FloatArray
    as_given: bool = False

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher aggregate is better."""
        declared = self.aggregation.higher_is_better
        return self.comparables[0].metric.higher_is_better if declared is None else declared

    @property
    def sign(self) -> float:
        """1 if a higher aggregate is better, else -1."""
        return 1.0 if self.higher_is_better else -1.0

    def _aggregate(self, oriented: Sequence[FloatArray]) -> FloatArray:
        """Aggregate the oriented scores (..., s) of every task to oriented (..., S)."""
        lead = oriented[0].shape[:-1]
        scores = np.full((*lead, self.submissions, len(self.comparables)), np.nan)
        for task, (comparable, place, part) in enumerate(zip(self.comparables, self.places, oriented, strict=True)):
            scores[..., place, task] = comparable.sign * part
        metric = self.comparables[0].metric
        return self.sign * self.aggregation.aggregate(scores, self.weights, metric.higher_is_better)

    @cached_property
    def oriented(self) -> FloatArray:
        """The aggregates, higher is better."""
        return self._aggregate([comparable.oriented for comparable in self.comparables])

    def oriented_with(self, scores: Sequence[float]) -> FloatArray:
        """Return the oriented scores of all submissions and of one more that is entered beside them, (S + 1,).

        Parameters
        ----------
        scores : (tasks,) sequence of float
            The scores of the one on every task, NaN where it has none.
        """
        one_more = attrs.evolve(
            self,
            submissions=self.submissions + 1,
            places=tuple(np.append(place, self.submissions) for place in self.places),
        )
        return one_more._aggregate(
            [np.append(t.oriented, t.sign * score) for t, score in zip(self.comparables, scores, strict=True)]
        )

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """Every unordered pair once."""
        return ordered_pairs(self.oriented, as_given=self.as_given)

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the aggregate of every draw; the tasks are resampled independently."""
        return self._aggregate([comparable.resample(draws, scheme) for comparable in self.comparables])

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many units are resampled in each task."""
        return tuple(size for comparable in self.comparables for size in comparable.sizes)

    def jackknife(self) -> FloatArray:
        """Return the aggregates with each unit of each task left out in turn."""
        points = [comparable.oriented for comparable in self.comparables]
        parts = []
        for task, comparable in enumerate(self.comparables):
            left_out = comparable.jackknife()
            oriented = [np.broadcast_to(p, (len(left_out), len(p))) for p in points]
            parts.append(self._aggregate([*oriented[:task], left_out, *oriented[task + 1 :]]))
        return np.concatenate(parts)

    def count_exchanges(self, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
        """Count drawn exchanges, made in all tasks at once; needs a linear aggregation."""
        if not self.aggregation.linear:
            raise CapabilityError(f"differences of '{self.aggregation.name}' over tasks are not sums: use a bootstrap")
        first, second = self.pairs
        counts = np.empty(len(first))
        for part in parts_of_pairs(len(first), draws):
            differences = self._exchanged_differences(draws, first[part], second[part])
            counts[part] = extreme(differences, part).sum(axis=0, dtype=np.float64)
        return counts, draws, False

    def _exchanged_differences(self, draws: int, first: IntArray, second: IntArray) -> FloatArray:
        """Return the weighted mean over tasks of the differences of drawn exchanges, (draws, pairs)."""
        total = np.zeros((draws, len(first)))
        for comparable, place, weight in zip(
            self.comparables, self.places, self.weights / self.weights.sum(), strict=True
        ):
            if weight:
                where = np.full(self.submissions, -1)
                where[place] = np.arange(len(place))
                both = (where[first] >= 0) & (where[second] >= 0)
                total[:, both] += weight * comparable.exchanged_differences(
                    draws, (where[first[both]], where[second[both]])
                )
                total[:, ~both] = np.nan
        return total

    def along(self, unit: str, *, standardize: bool = False) -> ComparableAcrossTasks:
        """Return the same comparable with exchanges along an axis, in every task."""
        return attrs.evolve(
            self, comparables=tuple(comparable.along(unit, standardize=standardize) for comparable in self.comparables)
        )

    def outcomes(self) -> FloatArray:
        """Refuse: an aggregate over tasks has no outcomes of its own."""
        raise CapabilityError("an aggregate over several tasks has no outcomes of pairs: compare within each task")

    def vectors(self) -> tuple[FloatArray, FloatArray]:
        """Refuse: an aggregate over tasks is not a correlation."""
        raise CapabilityError("an aggregate over several tasks is not a correlation of two vectors")

    def per_unit(self) -> FloatArray:
        """Refuse: an aggregate over tasks is not a mean over units."""
        raise CapabilityError("an aggregate over several tasks is not a mean of one value a unit")

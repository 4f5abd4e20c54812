"""The submissions of several tasks under one metric, aggregated in every draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.batches.ragged import freeze
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.checks.aggregation import aggregate, of_part
from qeframe.core.components.comparable import Comparable, IsExtreme, Scheme, ordered_pairs, select_pairs
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.resampling.exchange import Standardize, Swap
from qeframe.core.resampling.memory import MOST_KEPT, bounded_slices
from qeframe.core.resampling.standard_errors.grid_left_out import GridLeftOut
from qeframe.core.resampling.standard_errors.working_scale import IntervalScale, WorkingScale

StandardizeOverTasks = Callable[[Sequence[ComparableInTask], Sequence[IntArray]], tuple[ComparableInTask, ...]]


@frozen(eq=False)
class _SumOverTasks:
    """The weighted differences of all pairs, (draws, pairs), summed over those tasks so far; both fields grow."""

    total: FloatArray
    tasks: set[int] = field(factory=set)


@frozen(kw_only=True, eq=False)
class ComparableAcrossTasks(Comparable):
    """The submissions of several tasks under one metric. `Comparable` documents what the methods return.

    The scores of the tasks are aggregated in every draw, so that intervals and tests hold for the aggregate.

    `comparables`: one for each task, all of one metric.
    `positions` (s,): for each task, the positions of its submissions among all submissions. A submission that a task
      does not have is undefined there.
    `submissions`: the number of submissions of all tasks.
    `weights` (tasks,): not negative, one at least positive.
    `as_given`: whether the pairs keep the order of the submissions. By default the better submission comes first.
    `standardize_over_tasks`: from the comparables and the positions of their submissions to comparables whose scores
      are standardized over all tasks at once. None: they are standardized in every task.
    `compared_with_all`: the submission that is compared with each other one: see `ordered_pairs`. None: all pairs are.
    """

    comparables: tuple[ComparableInTask, ...]
    positions: tuple[IntArray, ...]
    submissions: int
    aggregation: Aggregation
    weights: FloatArray
    as_given: bool = False
    standardize_over_tasks: StandardizeOverTasks | None = None
    compared_with_all: int | None = None
    # the differences after exchanges of each kind and number of draws: it grows, and `along` hands the same mapping on
    # to comparables along other axes, so that what a task has exchanged is there for all of them
    _sums: dict[tuple[Swap, int], _SumOverTasks] = field(factory=dict, init=False)
    whole: ClassVar[str] = "an aggregate over several tasks"
    remedy: ClassVar[str] = "compare within each task"

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
        """Aggregate the oriented scores of every task, (..., s) each, to oriented scores (..., S)."""
        lead = oriented[0].shape[:-1]
        scores = np.empty((*lead, self.submissions, len(self.comparables)))
        for task in range(len(self.comparables)):
            scores[..., task] = self._scores(task, oriented[task])
        metric = self.comparables[0].metric
        return self.sign * aggregate(self.aggregation, scores, self.weights, metric.higher_is_better)

    def _scores(self, task: int, oriented: FloatArray) -> FloatArray:
        """Return the scores of all submissions in a task, (..., S), NaN for those that it does not have."""
        scores = np.full((*oriented.shape[:-1], self.submissions), np.nan)
        scores[..., self.positions[task]] = self.comparables[task].sign * oriented
        return scores

    @cached_property
    def oriented(self) -> FloatArray:
        """(S,) float64: the aggregates, turned so that higher is better; read-only."""
        return freeze(self._aggregate([comparable.oriented for comparable in self.comparables]))

    def oriented_with(self, scores: Sequence[float]) -> FloatArray:
        """Return the oriented scores of all submissions and of one more, (S + 1,); the new one is last.

        `scores` (tasks,): the scores of the new submission on every task, NaN where it has none.
        """
        one_more = attrs.evolve(
            self,
            submissions=self.submissions + 1,
            positions=tuple(np.append(positions, self.submissions) for positions in self.positions),
        )
        return one_more._aggregate(
            [
                np.append(comparable.oriented, comparable.sign * score)
                for comparable, score in zip(self.comparables, scores, strict=True)
            ]
        )

    @property
    def smooth(self) -> bool:
        """Whether the metric is smooth in the weights of units and the aggregate is a mean: a rank is not smooth."""
        return self.aggregation.linear and all(comparable.smooth for comparable in self.comparables)

    @property
    def _shares(self) -> FloatArray:
        """(tasks,) float64: the weights, which sum to 1."""
        return self.weights / self.weights.sum()

    @property
    def working_scale(self) -> WorkingScale:
        """The working scale of the metric for a mean over tasks; the aggregate itself for any other aggregate."""
        return self.comparables[0].working_scale if self.aggregation.linear else "identity"

    @property
    def interval_scale(self) -> IntervalScale:
        """The interval scale of the metric for a mean over tasks; the aggregate itself for any other aggregate."""
        return self.comparables[0].interval_scale if self.aggregation.linear else "identity"

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The positions of both submissions of every unordered pair, (pairs,) each."""
        return ordered_pairs(self.oriented, as_given=self.as_given, compared_with_all=self.compared_with_all)

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented aggregate of every draw, (draws, S). The tasks are resampled independently."""
        return self._aggregate([comparable.resample(draws, scheme) for comparable in self.comparables])

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of units that are resampled, by task."""
        return tuple(size for comparable in self.comparables for size in comparable.sizes)

    def jackknife(self) -> FloatArray:
        """Return the oriented aggregates with each unit of each task left out in turn, (units of all tasks, S)."""
        replaced = self._replacing([comparable.oriented for comparable in self.comparables])
        left_out = [comparable.jackknife() for comparable in self.comparables]
        return np.concatenate([replaced(task, values) for task, values in enumerate(left_out)])

    def _replacing(self, oriented: Sequence[FloatArray]) -> Callable[[int, FloatArray], FloatArray]:
        """Return what replaces the oriented scores of one task, (..., s), and aggregates them: to (..., S).

        Where an aggregate is a mean of numbers of the tasks, it changes by the share of the task in the change of its
        number. All tasks are aggregated anew where a number becomes defined or undefined: elsewhere the weights that
        the mean is divided by stay, and are summed once.
        """

        def anew(task: int, values: FloatArray, rows: Any = ...) -> FloatArray:
            others = [np.broadcast_to(of_task, (*values.shape[:-1], of_task.shape[-1]))[rows] for of_task in oriented]
            return self._aggregate([*others[:task], values[rows], *others[task + 1 :]])

        if self.aggregation.part is None:
            return anew
        whole = self._aggregate(oriented)
        parts = [self._part(task, scores) for task, scores in enumerate(oriented)]
        # a mean changes by w_task (after - before) / (sum of the weights of the tasks where it is defined)
        total = sum(weight * ~np.isnan(part) for weight, part in zip(self.weights, parts, strict=True))
        per_weight = self.sign / np.where(total > 0, total, np.nan)

        def changed(task: int, values: FloatArray) -> FloatArray:
            before, after = parts[task], self._part(task, values)
            change = np.where(
                np.isnan(before) & np.isnan(after), 0.0, self.weights[task] * per_weight * (after - before)
            )
            replaced = np.asarray(whole + change if self.weights[task] else np.broadcast_to(whole, after.shape))
            differ = (np.isnan(before) != np.isnan(after)).any(axis=-1) & (self.weights[task] > 0)
            if differ.any():
                replaced[differ] = anew(task, values, differ)
            return replaced

        return changed

    def _part(self, task: int, oriented: FloatArray) -> FloatArray:
        """Return the numbers of one task, (..., S), of which the aggregate is the mean."""
        scores = self._scores(task, oriented)
        return of_part(self.aggregation, scores, self.comparables[0].metric.higher_is_better)

    def left_out_of_grids(self) -> tuple[GridLeftOut, ...]:
        """Return the oriented aggregates with each segment, system and cell of each task left out in turn."""
        replaced = self._replacing([comparable.oriented for comparable in self.comparables])
        return tuple(
            grid.changed(partial(replaced, task))
            for task, comparable in enumerate(self.comparables)
            for grid in comparable.left_out_of_grids()
        )

    def covariances(self, draws: int) -> FloatArray:
        """Return the covariances of the oriented means: the sum over tasks of share squared x covariance."""
        if not self.aggregation.linear:
            raise CapabilityError(f"the aggregate '{self.aggregation.name}' is no mean")
        total: FloatArray = np.zeros((1, self.submissions, self.submissions))
        for comparable, positions, share in zip(self.comparables, self.positions, self._shares, strict=True):
            if share:
                covariances = comparable.covariances(draws)
                of_task = np.full((len(covariances), *total.shape[1:]), np.nan)
                of_task[:, positions[:, None], positions] = share**2 * covariances
                total = total + of_task
        return total

    def without_groups(self, draws: int, groups: int) -> tuple[FloatArray, tuple[int, ...]]:
        """Return the oriented aggregates with each group of units of each task left out."""
        whole = [
            np.concatenate([in_task.oriented[None], in_task.resample(draws)])[:, None] for in_task in self.comparables
        ]
        replaced, aggregates, sizes = self._replacing(whole), list[FloatArray](), list[int]()
        for task, comparable in enumerate(self.comparables):
            left_out, size = comparable.without_groups(draws, groups)
            aggregates.append(replaced(task, left_out))
            sizes += size
        return np.concatenate(aggregates, axis=1), tuple(sizes)

    def weighted(self, weights: NDArray[Any]) -> FloatArray:
        """Return the oriented aggregates under weights of the units, task after task, (..., n) -> (..., S)."""
        by_task = np.split(weights, np.cumsum([comparable.sizes[0] for comparable in self.comparables])[:-1], axis=-1)
        return self._aggregate(
            [comparable.weighted(of_task) for comparable, of_task in zip(self.comparables, by_task, strict=True)]
        )

    def unexchanged(self, pairs: tuple[IntArray, IntArray]) -> FloatArray:
        """Return the differences of pairs without an exchange, of the aggregates or of own statistics."""
        if not any(comparable.has_own_statistic for comparable in self.comparables):
            return self.oriented[pairs[0]] - self.oriented[pairs[1]]
        return self._mean_of_differences(pairs, 1, lambda comparable, of_task: comparable.unexchanged(of_task))[0]

    def release_exchanges(self) -> None:
        """Free the memory of exchanges, of the tasks too; they are computed again if they are asked for."""
        self._sums.clear()
        for comparable in self.comparables:
            comparable.release_exchanges()

    @property
    def recomputes(self) -> bool:
        """Whether an exchange computes every score again."""
        return any(comparable.recomputes for comparable in self.comparables)

    def count_exchanges(self, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
        """Count the drawn exchanges whose aggregated differences are extreme; the aggregation must be linear."""
        if not self.aggregation.linear:
            raise CapabilityError(
                f"differences of '{self.aggregation.name}' over tasks are not sums; choose a test that needs 'bind'"
            )
        first, second = self.pairs
        counts = np.empty(len(first))
        for part in bounded_slices(len(first), draws):
            differences = self.exchanged_differences(draws, (first[part], second[part]))
            counts[part] = extreme(differences, part).sum(axis=0, dtype=np.float64)
        return counts, draws, False

    def exchanged_differences(
        self, draws: int, pairs: tuple[IntArray, IntArray], *, enumerable: bool = False
    ) -> FloatArray:
        """Return the weighted mean over tasks of the differences of drawn exchanges, (draws, pairs)."""
        if draws * len(self.pairs[0]) <= MOST_KEPT:
            for task, comparable in enumerate(self.comparables):
                self._add_exchanges(task, comparable, draws)
            of_all_pairs = self._sums[self.comparables[0].swap, draws].total
            differences = select_pairs(of_all_pairs, self.pairs, pairs)
            if differences is not None:
                return differences
        return self._mean_of_differences(
            pairs, draws, lambda comparable, of: comparable.exchanged_differences(draws, of)
        )

    def take_exchanges(self, task: int) -> None:
        """Add what the test of a task has exchanged to the sums over tasks, before the task frees its memory."""
        comparable = self.comparables[task]
        for key in comparable.kept_exchanges if self.aggregation.linear else ():
            if key.draws * len(self.pairs[0]) <= MOST_KEPT:
                self._add_exchanges(task, attrs.evolve(comparable, swap=key.swap), key.draws)

    def _add_exchanges(self, task: int, comparable: ComparableInTask, draws: int) -> None:
        """Add what a task has exchanged to the sum that is kept for all pairs, unless it is in it already."""
        key = comparable.swap, draws
        if key not in self._sums:
            self._sums[key] = _SumOverTasks(np.zeros((draws, len(self.pairs[0]))))
        so_far = self._sums[key]
        if task not in so_far.tasks:
            so_far.tasks.add(task)
            self._add_share(so_far.total, task, self.pairs, lambda of: comparable.exchanged_differences(draws, of))

    def _mean_of_differences(
        self,
        pairs: tuple[IntArray, IntArray],
        rows: int,
        of_task: Callable[[ComparableInTask, tuple[IntArray, IntArray]], FloatArray],
    ) -> FloatArray:
        """Return the weighted mean over tasks, (rows, pairs)."""
        total = np.zeros((rows, len(pairs[0])))
        for task, comparable in enumerate(self.comparables):
            self._add_share(total, task, pairs, partial(of_task, comparable))
        return total

    def _add_share(
        self,
        total: FloatArray,
        task: int,
        pairs: tuple[IntArray, IntArray],
        differences: Callable[[tuple[IntArray, IntArray]], FloatArray],
    ) -> None:
        """Add the share of a task to the means over tasks, (draws, pairs); NaN for a pair that it does not have."""
        positions, share, (first, second) = self.positions[task], self._shares[task], pairs
        if share:
            position_in_task = np.full(self.submissions, -1)
            position_in_task[positions] = np.arange(len(positions))
            left, right = position_in_task[first], position_in_task[second]
            both = (left >= 0) & (right >= 0)
            total[:, both] += share * differences((left[both], right[both]))
            total[:, ~both] = np.nan

    def along(self, unit: str, *, standardize: Standardize = False) -> ComparableAcrossTasks:
        """Return the same submissions and metric with exchanges along an axis, in every task."""
        if standardize is True and self.standardize_over_tasks is not None:
            joined = self.standardize_over_tasks(self.comparables, self.positions)
            return attrs.evolve(self, comparables=joined, standardize_over_tasks=None).along(unit)
        moved = attrs.evolve(
            self, comparables=tuple(comparable.along(unit, standardize=standardize) for comparable in self.comparables)
        )
        object.__setattr__(moved, "_sums", self._sums)  # of the same pairs and weights
        return moved

    def by_task(self) -> Sequence[tuple[ComparableInTask, IntArray]]:
        """Return the submissions of each task, and their positions among all submissions."""
        return list(zip(self.comparables, self.positions, strict=True))

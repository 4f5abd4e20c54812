"""The overall scores of a task set: what a significance test is given, and ranks of submissions entered alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.batches.ragged import freeze
from qeframe.core.components.comparable import Comparable, IsExtreme, Scheme, ordered_pairs
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.entered_alone import entered_alone
from qeframe.core.evaluation.result import Result, ScoredSubmission
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.profiles.schema import OVERALL, Partial
from qeframe.core.resampling.exchange import Standardize
from qeframe.core.resampling.memory import bounded_slices
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Task
from qeframe.task_sets.exchanges_of_parts import CollectedExchanges
from qeframe.task_sets.parts import Part, TaskSet, bind_task_set

UNIT_OF_SEVERAL_PARTS = "a unit belongs to several parts of a task set; run a profile with the metric of one part"
"""Why overall scores are not computed under weights of units."""


@frozen(kw_only=True, eq=False)
class ComparableOverParts(Comparable):
    """The weighted means of the scaled scores of all parts. `Comparable` documents what the methods return.

    `parts`: those with a weight. The position of a submission that is not compared over all parts is -1.
    `compared_with_all`: the submission that is compared with each other one: see `ordered_pairs`. None: all pairs are.
    """

    parts: tuple[Part, ...]
    submissions: int
    compared_with_all: int | None = None
    whole: ClassVar[str] = "an overall score over parts"
    remedy: ClassVar[str] = "compare within each part"

    @cached_property
    def oriented(self) -> FloatArray:
        """(S,) float64: the overall scores; undefined for a submission without a score in a part."""
        total = np.zeros(self.submissions)
        for part in self.parts:
            total += self._spread(part, part.comparable.oriented)
        return freeze(total)

    def _spread(self, part: Part, oriented: FloatArray) -> FloatArray:
        """Return what a part adds to the scores of all submissions, (..., S), from its oriented scores (..., s)."""
        added = np.full((*oriented.shape[:-1], self.submissions), np.nan)
        present = part.positions >= 0
        added[..., part.positions[present]] = part.weighted(oriented)[..., present]
        return added

    @property
    def smooth(self) -> bool:
        """Whether the scores of all parts are smooth in the weights of units."""
        return all(part.comparable.smooth for part in self.parts)

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The positions of both submissions of every unordered pair, the better first."""
        return ordered_pairs(self.oriented, compared_with_all=self.compared_with_all)

    @cached_property
    def collected(self) -> CollectedExchanges:
        """Where the parts put their exchanges."""
        return CollectedExchanges(self.pairs)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of units of each sample: parts of a language pair that are drawn together are one sample."""
        return tuple(_units(scored) for scored, _ in self._samples.values())

    @cached_property
    def _samples(self) -> dict[object, tuple[ScoredTask, list[tuple[Part, int]]]]:
        """Of each sample of units, a task with these units, and the parts with the position of the task in them."""
        samples: dict[object, tuple[ScoredTask, list[tuple[Part, int]]]] = {}
        for part in self.parts:
            for nth, (scored, sample) in enumerate(zip(part.scored_tasks, part.samples, strict=True)):
                units = (*sample, part.name if _units(scored) < _LEAST_UNITS else "")
                samples.setdefault(units, (scored, []))[1].append((part, nth))
        return samples

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the overall scores of every draw, (draws, S).

        Parts of a language pair have the same draws; parts on different units, such as all domains and one of them,
        take their own units from a draw on the union of them.
        """
        return np.sum([self._spread(part, part.comparable.resample(draws, scheme)) for part in self.parts], axis=0)

    def weighted(self, weights: FloatArray) -> FloatArray:
        """Refuse to compute scores under weights of units."""
        raise CapabilityError(UNIT_OF_SEVERAL_PARTS)

    def jackknife(self) -> FloatArray:
        """Return the overall scores with each unit left out in turn, (units of all samples, S), sample after sample.

        A unit is left out of all parts of its language pair that have it, also of parts on different units, such as all
        domains and one of them.
        """
        left_out = {part.name: np.split(part.comparable.jackknife(), _starts(part)) for part in self.parts}
        overall = []
        for scored, members in self._samples.values():
            values = np.tile(self.oriented, (_units(scored), 1))
            for part, nth in members:
                whole = self._spread(part, part.comparable.oriented)
                units = part.scored_tasks[nth].drawn_members if len(values) >= _LEAST_UNITS else [0]
                values[units] += self._spread(part, left_out[part.name][nth]) - whole
            overall.append(values)
        return np.concatenate(overall)

    def without_groups(self, draws: int, groups: int) -> tuple[FloatArray, tuple[int, ...]]:
        """Return the overall scores with each group of units left out of all parts that have it."""
        whole = np.concatenate([self.oriented[None], self.resample(draws)])
        left_out = {part.name: part.comparable.without_groups(draws, groups) for part in self.parts}
        overall, sizes = list[FloatArray](), list[int]()
        for scored, members in self._samples.values():
            count = min(groups, scored.drawn_units)
            values = np.repeat(whole[:, None], count, axis=1)
            for part, nth in members:
                scores = np.concatenate([part.comparable.oriented[None], part.comparable.resample(draws)])
                scores_without, of_tasks = left_out[part.name]
                without = np.split(scores_without, np.cumsum(of_tasks)[:-1], axis=1)[nth]
                values += self._spread(part, without) - self._spread(part, scores)[:, None]
            overall.append(values)
            sizes.append(count)
        return np.concatenate(overall, axis=1), tuple(sizes)

    def count_exchanges(self, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
        """Count the draws, collected from the parts, whose overall differences are extreme."""
        differences = self.collected.differences({part.name for part in self.parts}, draws)
        counts = np.empty(differences.shape[1])
        for chosen in bounded_slices(len(counts), draws):
            undefined = np.isnan(self.oriented[self.pairs[1][chosen]] + self.oriented[self.pairs[0][chosen]])
            defined = np.where(undefined, np.nan, differences[:, chosen])
            counts[chosen] = extreme(defined, chosen).sum(axis=0, dtype=np.float64)
        return counts, draws, False

    def exchanged_differences(
        self, draws: int, pairs: tuple[IntArray, IntArray], *, enumerable: bool = False
    ) -> FloatArray:
        """Return the differences of pairs of this set in every draw, collected from the parts."""
        differences = self.collected.differences({part.name for part in self.parts}, draws)
        return differences[:, self._column[pairs]]

    @cached_property
    def _column(self) -> IntArray:
        """The position of a pair among all pairs, (S, S)."""
        column = np.zeros((self.submissions, self.submissions), dtype=np.int64)
        column[self.pairs] = np.arange(len(self.pairs[0]))
        return column

    def unexchanged(self, pairs: tuple[IntArray, IntArray]) -> FloatArray:
        """Return the differences of pairs without an exchange: of the scores, or sums of what the parts exchange."""
        of_scores = super().unexchanged(pairs)
        if not self.collected.have_own_statistic:
            return of_scores
        return np.where(np.isnan(of_scores), np.nan, self.collected.unexchanged()[self._column[pairs]])

    def along(self, unit: str, *, standardize: Standardize = False) -> ComparableOverParts:
        """Return the same scores: every part is exchanged as its own test says; refuse if one has no exchanges."""
        self.collected.check_parts({part.name for part in self.parts})
        return self


def complete_positions(task_set: TaskSet) -> IntArray:
    """Return the positions of the submissions to all parts that have a weight; of all submissions if there is none."""
    weighted = [part.positions for part in task_set.parts if part.weight]
    number = np.bincount(np.concatenate(weighted), minlength=len(task_set.submissions))
    complete = np.flatnonzero(number == len(weighted))
    return complete if len(complete) else np.arange(len(task_set.submissions))


def among_complete(part: Part, task_set: TaskSet) -> Part:
    """Return a part with the positions of its submissions among the complete ones, -1 for the others."""
    complete = complete_positions(task_set)
    position = np.full(len(task_set.submissions), -1)
    position[complete] = np.arange(len(complete))
    return attrs.evolve(part, positions=position[part.positions])


def _starts(part: Part) -> IntArray:
    """Return where the units of each task of a part but the first begin among those of all its tasks."""
    return np.cumsum(part.comparable.sizes)[:-1]


def _units(scored: ScoredTask) -> int:
    """Return how many units are drawn; a row of system scores alone has one, whatever is drawn beside it."""
    return scored.drawn_units if scored.stack.units >= _LEAST_UNITS else scored.stack.units


_LEAST_UNITS = 2
"""Fewer units have no variance: such a part is a sample of its own."""


def ranked_alone(
    resolved: ResolvedProfile, tasks: Sequence[Task], task_set: TaskSet, oriented: FloatArray, seed: int, runner: Runner
) -> Iterator[ScoredSubmission]:
    """Yield attacks and other submissions that are not ranked, without clusters and intervals.

    `tasks`: with these submissions only.
    `task_set`: of the submissions that are ranked.
    `oriented` (S,): their overall scores.
    """
    if not any(task.batches for task in tasks):
        return
    others = bind_task_set(resolved, tasks, seed, runner, complete=False)
    entered = {part.name: _same(part, others.parts) for part in task_set.parts}
    for position, submission in enumerate(others.submissions):
        by_part = {name: _score(part, position) for name, part in entered.items()}
        weighted = np.sum([part.weighted(by_part[part.name]) for part in task_set.parts if part.weight])
        if resolved.profile.overall != "mean":
            weighted = np.float64(np.nan)
        signs = {part.name: part.comparable.sign for part in task_set.parts}
        results = {
            name: Result(value=float(signs[name] * score)) for name, score in by_part.items() if not np.isnan(score)
        }
        scores = {OVERALL: Result(value=float(weighted), tasks=results)}
        yield entered_alone(submission, scores, float(weighted), oriented)


def apart_over_parts(
    rule: Partial, task_set: TaskSet, position: int, by_part: Mapping[str, Result], others: FloatArray
) -> ScoredSubmission:
    """Return a submission that lacks a part: without interval, cluster and rank set.

    `rule`: as in `Profile`.
    `position`: of the submission among those of the set.
    `by_part`: its results in the parts that it has.
    `others` (S,): the overall scores of the submissions to all parts.
    """
    parts = [part for part in task_set.parts if part.weight and part.name in by_part]
    total, value = sum(part.weight for part in parts), float("nan")
    if rule == "mean_of_own" and parts:
        oriented = [part.comparable.sign * by_part[part.name].value for part in parts]
        value = sum(float(part.weighted(np.asarray(o))) for part, o in zip(parts, oriented, strict=True)) / total
    absent = tuple(part.name for part in task_set.parts if part.weight and part.name not in by_part)
    entered = entered_alone(
        task_set.submissions[position], {OVERALL: Result(value=value, tasks=by_part)}, value, others
    )
    return attrs.evolve(entered, rank=entered.rank if rule == "mean_of_own" else 1 + len(others), absent=absent)


def _same(part: Part, others: Sequence[Part]) -> Part | None:
    """Return the part of the same rule and language pairs; names depend on which other parts there are."""
    return next((other for other in others if other.rule == part.rule and other.pairs == part.pairs), None)


def _score(entered: Part | None, position: int) -> FloatArray:
    """Return the oriented score of a submission in a part; undefined unless it is in all language pairs of the part."""
    if entered is None or position not in entered.positions:
        return np.asarray(np.nan)
    return np.asarray(entered.comparable.oriented[np.flatnonzero(entered.positions == position)[0]])

"""The scoreboard: the submissions of all tasks under all metrics of a profile, with results and intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.checks.supplement import more_details
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.components.supplement import PairRules, Supplement, SupplementInput, TaskScores, Unit
from qeframe.core.errors import DataError, counted, did_you_mean
from qeframe.core.evaluation.contest import Contest
from qeframe.core.evaluation.result import Result
from qeframe.core.evaluation.sample import Sample
from qeframe.core.evaluation.scored import Scored, details_of, score_contest
from qeframe.core.evaluation.term import Term
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.resampling.draws import Key, named_key
from qeframe.core.resampling.parallel import Runner
from qeframe.core.resampling.statistic_stack import StatisticStack
from qeframe.core.tasks.task import Submission, Task, is_pair


def describe_units(tasks: Sequence[Task], samples: Sequence[Sample]) -> Callable[[int], Unit]:
    """Return a function from the position of a unit that is resampled, task after task, to what it is.

    `samples`: of the same tasks.
    """
    starts = np.cumsum([0, *(sample.stack.units for sample in samples)])

    def describe(position: int) -> Unit:
        nth = int(np.searchsorted(starts, position, side="right")) - 1
        task, sample, inside = tasks[nth], samples[nth], position - int(starts[nth])
        name = task.name if len(tasks) > 1 else ""
        if sample.grouping is not None:
            return Unit(task=name, name=sample.grouping[1][inside])
        return Unit(task=name, name=task.unit_name(sample.batches[0].ids[inside]), texts=task.contents(inside))

    return describe


_MOST_WEIGHTS = 2**27
"""The largest number of weights times scores for which scores are computed without each unit: about 20 seconds."""


class IntervalOf(Protocol):
    """A function that chooses the test that gives intervals."""

    def __call__(self, *, smooth: bool) -> SignificanceTest | None:
        """Return the test for scores that are smooth in the weights of units, or are not; None for no intervals."""


def no_interval(*, smooth: bool) -> SignificanceTest | None:
    """Return None: no score has an interval."""
    return None


@frozen(kw_only=True, eq=False)
class Scoreboard:
    """Submissions of several tasks, and the rules that score them.

    `keys`: the key of the stream of draws of each task. Equal keys give equal draws.
    `within`, `across`: combine the groups of units of a task, and the tasks.
    `weights`: the declared weights of tasks; empty if none are declared.
    `resample`: what is resampled: see `Sample`.
    `interval_of`: from whether scores are smooth in the weights of units to the test that gives their intervals; None
      without.
    `confidence`: the level of the intervals.
    `supplements`: what is added to the details of primary scores.
    `compared_with_all`: the submission that is compared with each other one, in the tasks that have it. Empty: all
      pairs are compared.
    """

    tasks: tuple[Task, ...]
    keys: tuple[Key, ...]
    metrics: tuple[Metric, ...]
    within: Aggregation
    across: Aggregation
    weights: Mapping[str, float] = field(factory=dict)
    resample: str = "unit"
    interval_of: IntervalOf = no_interval
    confidence: float = 0.95
    supplements: tuple[Supplement, ...] = ()
    runner: Runner = field(factory=Runner)
    compared_with_all: str = ""

    @cached_property
    def submissions(self) -> tuple[Submission, ...]:
        """The submissions of all tasks, in order of first occurrence."""
        by_name: dict[str, Submission] = {}
        for task in self.tasks:
            for submission in task.batches:
                by_name.setdefault(submission.name, submission)
        return tuple(by_name.values())

    @cached_property
    def samples(self) -> tuple[Sample, ...]:
        """Every task with its metrics bound to its submissions."""
        return tuple(
            Sample(
                metrics=self.metrics,
                batches=tuple(task.batches.values()),
                key=key,
                groups=task.groups,
                resample=self.resample,
                within=self.within,
                runner=self.runner,
            )
            for task, key in zip(self.tasks, self.keys, strict=True)
        )

    @cached_property
    def contests(self) -> tuple[Contest, ...]:
        """For each metric, the submissions over all tasks; with a single task, those of the task."""
        if len(self.tasks) == 1:
            return tuple(Contest.of(self._term(0, nth)) for nth in range(len(self.metrics)))
        position = {submission.name: i for i, submission in enumerate(self.submissions)}
        positions = [np.array([position[s.name] for s in task.batches]) for task in self.tasks]
        return tuple(
            Contest.across(
                [self._term(task, nth) for task in range(len(self.tasks))],
                positions,
                submissions=len(self.submissions),
                aggregation=self.across,
                weights=self.task_weights,
                compared_with_all=position.get(self.compared_with_all),
            )
            for nth in range(len(self.metrics))
        )

    def _term(self, task: int, nth: int) -> Term:
        """Return the submissions of one task under one metric."""
        names = [submission.name for submission in self.tasks[task].batches]
        return Term(
            self.samples[task],
            nth,
            compared_with_all=names.index(self.compared_with_all) if self.compared_with_all in names else None,
        )

    @cached_property
    def task_weights(self) -> FloatArray:
        """(tasks,) float64: the weight of every task in the aggregate.

        Raises DataError if a declared task does not exist, some tasks have a declared weight and others have none, or
        no weight is positive.
        """
        names = [task.name for task in self.tasks]
        unknown = sorted({*self.across.exclude, *self.weights} - set(names))
        if unknown:
            stated = "given a weight" if unknown[0] in self.weights else "excluded"
            what = f"task '{unknown[0]}' is {stated}, but there is no such task"
            raise DataError(what, remedy=did_you_mean(unknown[0], names))
        unweighted = [name for name in names if name not in {*self.across.exclude, *self.weights}]
        if unweighted and self.weights:
            what = f"task '{unweighted[0]}' has no weight, but other tasks have one"
            raise DataError(what, remedy="give it a weight; 0 leaves it out of the aggregate")
        weights = np.array([self._weight(task) for task in self.tasks])
        if weights.min() < 0 or weights.max() <= 0:
            what = "the weights of tasks must not be negative, and one must be positive"
            raise DataError(what, remedy="change 'weights', or what 'across' excludes")
        return weights

    def _weight(self, task: Task) -> float:
        """Return the weight of a task: excluded, equal, counted, declared, or by default its number of units.

        The default is 1 where the aggregate is no mean. A task without a gold is excluded if another task has one.
        """
        if task.name in self.across.exclude or (not task.has_gold and any(other.has_gold for other in self.tasks)):
            return 0.0
        if self.across.weighting == "equal":
            return 1.0
        if self.across.weighting == "counted":
            return self._counted(task)
        if self.weights:
            return self.weights[task.name]
        return float(task.units) if self.across.linear else 1.0

    def _counted(self, task: Task) -> float:
        if self.across.count not in task.counts:
            what = (
                f"'{self.across.name}' weights tasks by '{self.across.count}', which task '{task.name}' does not count"
            )
            raise DataError(what, remedy=did_you_mean(self.across.count, task.counts, "its reader counts nothing"))
        return float(task.counts[self.across.count])

    @cached_property
    def scored(self) -> tuple[Scored, ...]:
        """For each metric, the scores over all tasks; with a single task, those of the task."""
        return tuple(self._score(nth, contest, self.tasks[0]) for nth, contest in enumerate(self.contests))

    def _score(self, nth: int, contest: Contest, task: Task) -> Scored:
        """Return the scores of a contest under one metric; those of a single task have details."""
        details = _details(contest, self.supplements if nth == 0 else (), task.unit_name) if contest.is_single else ()
        return score_contest(contest, self.interval_of(smooth=contest.smooth), self.confidence, details)

    def results(self, nth: int) -> list[Result]:
        """Return the result of every submission under one metric, given by its position."""
        contest, whole = self.contests[nth], self.scored[nth].results
        if contest.is_single:
            return whole
        by_task: list[dict[str, Result]] = [{} for _ in self.submissions]
        for task, (in_task, positions) in zip(self.tasks, contest.by_task(), strict=True):
            for i, result in zip(positions, self._score(nth, in_task, task).results, strict=True):
                by_task[i][task.name] = result
        results = [attrs.evolve(result, tasks=tasks) for result, tasks in zip(whole, by_task, strict=True)]
        return results if self.across.interval == "joint" else [self._with_mean_width(result) for result in results]

    def _with_mean_width(self, result: Result) -> Result:
        """Return a result over tasks with an interval of the mean width of the intervals of its tasks."""
        weighted = {task.name for task, weight in zip(self.tasks, self.task_weights, strict=True) if weight}
        defined = [part for name, part in result.tasks.items() if name in weighted and not np.isnan(part.value)]
        widths = [part.high - part.low for part in defined]
        half = float(np.mean(widths)) / 2 if widths else np.nan
        return attrs.evolve(result, low=result.value - half, high=result.value + half)

    def supplement_input(self, rules: PairRules | None, alpha: float) -> SupplementInput:
        """Return what supplements of the evaluation are given."""
        return SupplementInput(
            contest=self.contests[0],
            submissions=[submission.name for submission in self.submissions],
            metric=self.metrics[0].name,
            unit=self.samples[0].stack.unit,
            describe=describe_units(self.tasks, self.samples),
            rules=rules,
            alpha=alpha,
            not_left_out=_too_much([sample.stack for sample in self.samples]),
        )


def scoreboard_of(
    resolved: ResolvedProfile,
    tasks: Sequence[Task],
    seed: int,
    runner: Runner,
    supplements: Sequence[Supplement] = (),
    *,
    compared_with_all: str = "",
) -> Scoreboard | None:
    """Return the scoreboard of a profile on the tasks that have submissions, None if there is no such task.

    Parameters
    ----------
    resolved : ResolvedProfile
    tasks : sequence of Task
    seed : int
        Of the draws. The draws of a task depend on its name too, unless it is the only one and no language pair.
    runner : Runner
    supplements : sequence of Supplement
        What is computed besides scores and comparisons.
    compared_with_all : str
        As in `Scoreboard`.

    Returns
    -------
    Scoreboard or None
    """
    by_name = len(tasks) != 1 or is_pair(tasks[0].name)  # else it is that of a folder
    filled = [(task, named_key(seed, task.name if by_name else "")) for task in tasks if task.batches]
    if not filled:
        return None
    empty = {task.name for task in tasks if not task.batches}  # what the profile says of them has no effect
    return Scoreboard(
        tasks=tuple(task for task, _ in filled),
        keys=tuple(key for _, key in filled),
        metrics=resolved.metrics,
        within=resolved.within,
        across=attrs.evolve(
            resolved.across, exclude=tuple(task for task in resolved.across.exclude if task not in empty)
        ),
        weights={name: weight for name, weight in resolved.profile.weights.items() if name not in empty},
        resample=resolved.profile.resample,
        interval_of=resolved.interval_of,
        confidence=resolved.profile.confidence,
        supplements=tuple(supplements),
        runner=runner,
        compared_with_all=compared_with_all,
    )


def _too_much(stacks: Sequence[StatisticStack]) -> str:
    """Return why scores are not computed without each unit; empty if they are."""
    weights = sum(stack.units**2 * stack.recomputed for stack in stacks)
    if weights <= _MOST_WEIGHTS:
        return ""
    units = counted(sum(stack.units for stack in stacks), "unit")
    return f"a metric that is not additive would be computed again without each of {units}, which takes too long"


def _details(
    contest: Contest, supplements: Sequence[Supplement], name: Callable[[int], str]
) -> Sequence[Mapping[str, Any]]:
    """Return the details of each submission of one task: what the metric reports, and what supplements add to it."""
    (term,), details = contest.terms, details_of(contest)
    for supplement in supplements:
        scores = TaskScores(
            contest=contest,
            stack=term.sample.stack_of_units(term.nth),
            ids=term.sample.batches[0].ids,
            groups=term.sample.groups,
            unit_name=name,
        )
        for values, more in zip(details, more_details(supplement, scores, term.metric), strict=True):
            values |= more
    return details

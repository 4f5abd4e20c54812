"""The scores of a task with their details, and what functions are given that compute more of an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from qeframe.assembly.scoreboard import Entry, Scoreboard
from qeframe.core.comparison import ComparisonRules, Scored, details_of, score_contest
from qeframe.core.component import StatisticError, failure_of, full_name
from qeframe.core.contest import UNIT_OF_SEVERAL_PARTS
from qeframe.core.errors import counted
from qeframe.core.findings import Unit
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.sample import Sample
from qeframe.core.statistic_stack import StatisticStack
from qeframe.core.task import Task
from qeframe.supplements.given import Explain, SupplementInput, TaskScores

_MOST_WEIGHTS = 2**27
"""The largest number of weights times scores for which scores are computed without each unit: about 20 seconds."""


def score_entry(entry: Entry, nth: int, resolved: ResolvedProfile, explain: Explain | None = None) -> Scored:
    """Return the scores of a task or of a part with their intervals, where there is something to draw.

    `nth`: the score. `explain`: what adds to the details of primary scores of tasks.
    """
    contest = entry.contests[nth]
    test = resolved.interval_of(smooth=contest.smooth) if entry.resampled else None
    details = details_of(contest)
    if explain is not None and nth == 0 and entry.rule is None:
        (term,) = contest.terms
        scores = TaskScores(
            contest=contest,
            stack=term.sample.stack_of_units(term.nth),
            ids=term.sample.batches[0].ids,
            groups=term.sample.groups,
            unit_name=entry.tasks[0].unit_name,
        )
        try:
            details = [{**values, **more} for values, more in zip(details, explain(scores), strict=True)]
        except StatisticError as error:
            raise failure_of(full_name(term.metric), "score", error.cause) from error.cause
    return score_contest(contest, test, resolved.profile.confidence, details)


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


def whole_evaluation(whole: Scoreboard, rules: ComparisonRules | None, alpha: float) -> SupplementInput:
    """Return what functions of an evaluation are given, from its complete submissions.

    A unit of several parts has no name.
    """
    overall, samples = whole.contests[0], [term.sample for term in whole.contests[0].terms]
    if overall.is_sum:
        return SupplementInput(
            contest=overall,
            submissions=whole.names,
            metric=whole.scores[0],
            unit="unit",
            describe=lambda position: Unit(name=str(position)),
            rules=rules,
            alpha=alpha,
            not_left_out=UNIT_OF_SEVERAL_PARTS,
        )
    return SupplementInput(
        contest=overall,
        submissions=whole.names,
        metric=whole.scores[0],
        unit=samples[0].stack.unit,
        describe=describe_units(whole.tasks, samples),
        rules=rules,
        alpha=alpha,
        not_left_out=_say_too_much([sample.stack for sample in samples]),
    )


def _say_too_much(stacks: Sequence[StatisticStack]) -> str:
    """Return why scores are not computed without each unit; empty if they are."""
    weights = sum(stack.units**2 * stack.recomputed for stack in stacks)
    if weights <= _MOST_WEIGHTS:
        return ""
    units = counted(sum(stack.units for stack in stacks), "unit")
    return f"a metric that is not additive would be computed again without each of {units}, which takes too long"

"""Bind a metric to submissions that are given as arrays or batches."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.batch import Batch
from qeframe.core.contest import Contest
from qeframe.core.draws import checked_seed, seed_key
from qeframe.core.errors import DataError, counted, did_you_mean
from qeframe.core.metric import Metric
from qeframe.core.runner import Runner
from qeframe.core.sample import Sample
from qeframe.core.task import Task
from qeframe.core.term import Term

GROUPED = "group"
"""What the groups are called that a caller gives as a list."""


def bind_submissions(
    metric: Metric,
    gold: Any,
    submissions: Mapping[str, Any],
    *,
    groups: Sequence[str] | None = None,
    seed: int = 0,
    runner: Runner | None = None,
) -> Contest:
    """Bind a metric to at least two submissions of the same units: see `compare`. Groups are resampled as a whole."""
    batches = tuple(_batch_of(metric, gold, name, answers) for name, answers in submissions.items())
    if len(batches) < 2:
        raise DataError(f"{counted(len(batches), 'submission')} cannot be compared", remedy="give at least two")
    _check_same_units(submissions, batches)
    if groups is not None:
        check_groups(groups, len(batches[0]))
    key = seed_key(np.random.default_rng(checked_seed(seed)))
    sample = Sample(
        metrics=(metric,),
        batches=batches,
        key=key,
        groups={GROUPED: groups} if groups else {},
        resample=GROUPED if groups else "unit",
        runner=runner or Runner(),
    )
    return Contest.of(Term(sample))


def check_groups(groups: Sequence[str], units: int) -> None:
    """Refuse groups that are not those of the units, and a single group: whole groups are resampled."""
    if len(groups) != units:
        what = f"'groups' has {counted(len(groups), 'label')} for {counted(units, 'unit')}"
        raise DataError(what, remedy="give the group of every unit")
    if len(set(groups)) < 2:
        raise DataError("'groups' has a single group", remedy="give at least two, which can be resampled")


def _batch_of(metric: Metric, gold: Any, name: str, answers: Any) -> Batch:
    """Make the batch of one submission; the message of an error begins with its name."""
    if isinstance(answers, Batch):
        return answers
    try:
        return metric.kind.from_plain(gold, answers)
    except DataError as error:
        raise DataError(f"submission '{name}': {error}") from error


def _check_same_units(submissions: Mapping[str, Any], batches: Sequence[Batch]) -> None:
    for name, batch in zip(submissions, batches, strict=True):
        if len(batch) != len(batches[0]) or (batch.ids != batches[0].ids).any():
            first = next(iter(submissions))
            units = f"'{name}' has {counted(len(batch), 'unit')}, '{first}' has {len(batches[0])}"
            raise DataError(f"length mismatch: {units}", remedy="all submissions answer the same units")


def groups_of_task(task: Task, groups: Any) -> Any:
    """Return the groups of the units of a task: those of a grouping that is named, or what was given.

    Raises DataError if the task has no such grouping.
    """
    if not isinstance(groups, str):
        return groups
    if groups not in task.groups:
        raise DataError(f"task '{task.name}' has no grouping '{groups}'", remedy=did_you_mean(groups, task.groups))
    return list(task.groups[groups])


def refuse_tasks(gold: Any, function: str) -> None:
    """Raise a `DataError` for a list of tasks in the place of a gold: each task has a score of its own."""
    if isinstance(gold, (list, tuple)) and gold and all(isinstance(task, Task) for task in gold):
        one_task = f"give one of them: {function}(metric, tasks[0])"
        remedy = one_task if len(gold) == 1 else f"{one_task}, or evaluate(profile, tasks), which joins their scores"
        raise DataError(f"{counted(len(gold), 'task')} in a list, where one task or a gold is expected", remedy=remedy)

"""What is given in place of the files of a task: the groups of its units, and lists of tasks, which are refused."""

from collections.abc import Sequence
from typing import Any

from qeframe.core.errors import DataError, counted, did_you_mean
from qeframe.core.task import Task

GROUPED = "group"
"""What the groups are called that a caller gives as a list."""


def check_groups(groups: Sequence[str], units: int) -> None:
    """Refuse groups that are not those of the units, and a single group: whole groups are resampled."""
    if len(groups) != units:
        what = f"'groups' has {counted(len(groups), 'label')} for {counted(units, 'unit')}"
        raise DataError(what, remedy="give the group of every unit")
    if len(set(groups)) < 2:
        raise DataError("'groups' has a single group", remedy="give at least two, which can be resampled")


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

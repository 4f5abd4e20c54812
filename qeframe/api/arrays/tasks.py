"""What a task brings along where a gold is given."""

from typing import Any

from qeframe.core.errors import DataError, counted, did_you_mean
from qeframe.core.tasks.task import Task


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
        one = f"give one of them: {function}(metric, tasks[0])"
        remedy = one if len(gold) == 1 else f"{one}, or evaluate(profile, tasks), which joins their scores"
        raise DataError(f"{counted(len(gold), 'task')} in a list, where one task or a gold is expected", remedy=remedy)

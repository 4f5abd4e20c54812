"""What a task brings along where a gold is given."""

from __future__ import annotations

from typing import Any

from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.tasks.task import Task


def groups_of_task(task: Task, groups: Any) -> Any:
    """Return the groups of the units of a task: those of a grouping that is named, or what was given.

    Raises
    ------
    DataError
        If the task has no such grouping.
    """
    if not isinstance(groups, str):
        return groups
    if groups not in task.groups:
        what = f"task '{task.name}' has no grouping '{groups}'"
        raise DataError(what, remedy=did_you_mean(groups, list(task.groups), "it has none"))
    return list(task.groups[groups])

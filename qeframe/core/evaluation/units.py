"""What the units that are resampled are called, and what they hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from qeframe.core.components.supplement import Unit
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.core.tasks.task import Task


def describe_units(tasks: Sequence[Task], scored_tasks: Sequence[ScoredTask]) -> Callable[[int], Unit]:
    """Return a function from the position of a unit that is resampled, task after task, to what it is.

    Parameters
    ----------
    tasks : sequence of Task
    scored_tasks : sequence of ScoredTask
        The same tasks, scored.
    """
    starts = np.cumsum([0, *(scored_task.stack.units for scored_task in scored_tasks)])

    def describe(position: int) -> Unit:
        nth = int(np.searchsorted(starts, position, side="right")) - 1
        task, scored_task, own = tasks[nth], scored_tasks[nth], position - int(starts[nth])
        name = task.name if len(tasks) > 1 else ""
        if scored_task.grouping is not None:
            return Unit(task=name, name=scored_task.grouping[1][own])
        return Unit(task=name, name=task.unit_name(scored_task.batches[0].ids[own]), texts=task.contents(own))

    return describe

"""What a unit of a task is called, and what it holds on each side, for a reader of results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from qeframe.core.batches.base import Batch
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.core.evaluation.supplements.influence import Unit
from qeframe.core.tasks.task import Task
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.spans import Spans
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts

__all__ = ["describe_units", "texts_of_unit"]


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
        return Unit(task=name, name=task.unit_name(scored_task.batches[0].ids[own]), texts=texts_of_unit(task, own))

    return describe


def texts_of_unit(task: Task, position: int) -> dict[str, str]:
    """Return what a unit holds, by side: the gold, and the answer of every submission.

    Returns
    -------
    dict
        For texts the references and the candidates, for spans the text of the segment where it is known, for scores the
        numbers, for tags the tags; empty for every other kind of batch.
    """
    contents: dict[str, str] = {}
    for submission, batch in task.batches.items():
        contents |= _contents(batch, submission.name, position)
    return contents


def _contents(batch: Batch, submission: str, position: int) -> dict[str, str]:
    if isinstance(batch, Texts):
        references = batch.gold[position]
        numbered = {f"reference {i + 1}": str(text) for i, text in enumerate(references)}
        own = {"reference": str(references[0])} if len(references) == 1 else numbered
        return {**own, submission: str(batch.predicted[position])}
    if isinstance(batch, Spans):
        return {"text": str(batch.content[position])} if batch.content[position] else {}
    if isinstance(batch, Scores):
        return {"gold": f"{batch.gold[position]:g}", submission: f"{batch.predicted[position]:g}"}
    if isinstance(batch, Tags):
        sides = {"gold": batch.gold[position], submission: batch.predicted[position]}
        return {side: " ".join(batch.classes[code] for code in codes) for side, codes in sides.items()}
    return {}

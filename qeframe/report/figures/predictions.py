"""Gold and predictions of the submissions of a task, for figures of units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.tasks.task import Task
from qeframe.kinds.scores.batch import Scores, Values


@frozen(eq=False)
class Predictions:
    """The numbers of one submission.

    Parameters
    ----------
    name : str
    predicted : (n,) float64
    gold : (n,) float64 or None
        None for a kind of batch without gold.
    """

    name: str
    predicted: FloatArray
    gold: FloatArray | None

    @property
    def constant(self) -> bool:
        """Whether all predictions are equal."""
        return bool(np.ptp(self.predicted) == 0)


def predictions(task: Task, order: Sequence[str] = ()) -> list[Predictions]:
    """Return the numbers of the submissions: names in `order` first, then the others in the order of the task.

    The list is empty unless every batch has units with predicted numbers.
    """
    batches = {submission.name: batch for submission, batch in task.batches.items()}
    names = [*(name for name in order if name in batches), *(name for name in batches if name not in set(order))]
    found = []
    for name in names:
        batch = batches[name]
        if not isinstance(batch, Values) or not len(batch):
            return []
        found.append(Predictions(name, batch.predicted, batch.gold if isinstance(batch, Scores) else None))
    return found


def standardized(values: FloatArray) -> FloatArray:
    """Return z-scores, (n,); all zero for constant values."""
    if np.ptp(values) == 0:
        return np.zeros_like(values)
    centered = values - values.mean()
    return np.asarray(centered / centered.std(), dtype=np.float64)

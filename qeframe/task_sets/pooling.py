"""Parts over all language pairs together: scores of all outcomes, and exchanges of scores on one scale."""

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from qeframe.core.batches.base import Batch, FloatArray, IntArray, check_kind
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.checks import metric as checked
from qeframe.core.components.metric import Metric
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.tasks.task import Submission, Task


def pooled(
    comparables: Sequence[ComparableInTask], tasks: Sequence[Task], submissions: Sequence[Submission]
) -> ComparableAcrossTasks:
    """Return a metric over several tasks whose score is the mean of the outcomes of all of them.

    `comparables`: one for each task; each task has an outcome. `submissions`: of all tasks. Raises CapabilityError if
    the metric is not a mean of outcomes or of values per unit.
    """
    position = {submission.name: i for i, submission in enumerate(submissions)}
    return ComparableAcrossTasks(
        comparables=tuple(comparables),
        positions=tuple(
            np.array([position[submission.name] for submission in task.batches], dtype=np.int64) for task in tasks
        ),
        submissions=len(submissions),
        aggregation=_POOLED,
        weights=np.array(
            [count_outcomes(comparable.metric, comparable.scored_task.batches[0]) for comparable in comparables],
            dtype=np.float64,
        ),
        standardize_over_tasks=standardized_together,
    )


def _mean(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    return np.asarray(scores @ (weights / weights.sum()))


_POOLED = Aggregation(
    name="pooled", summary="Mean of the outcomes of all tasks", source="qeframe", aggregate=_mean, weighting="counted"
)


def count_outcomes(metric: Metric, batch: Batch) -> int:
    """Return of how many outcomes the score of a metric is the mean; 0 if there are none, and the score is undefined.

    Raises CapabilityError if the metric is not a mean of outcomes or of values per unit.
    """
    check_kind(batch, metric.kind, f"metric '{metric.name}'")
    if metric.outcomes is not None:
        return len(checked.outcomes(metric, batch))
    if metric.per_unit is not None:
        return len(checked.per_unit(metric, batch))
    raise CapabilityError(
        f"metric '{metric.name}' cannot be pooled over language pairs: it is neither a mean over pairs nor a mean of "
        "one value per unit"
    )


def standardized_together(
    comparables: Sequence[ComparableInTask], positions: Sequence[IntArray]
) -> tuple[ComparableInTask, ...]:
    """Return the comparables with the scores of each submission standardized over all tasks together.

    The mean and the standard deviation (n cells) are over the cells of all tasks in which both sides are present. A
    constant submission keeps its scale.

    Raises CapabilityError if the batches are not grids of numbers.
    """
    cells: dict[int, list[FloatArray]] = {}
    for comparable, of_task in zip(comparables, positions, strict=True):
        for position, batch in zip(of_task, comparable.scored_task.batches, strict=True):
            cells.setdefault(int(position), []).append(_numbers(batch))
    scale = {position: _location_and_scale(np.concatenate(values)) for position, values in cells.items()}
    return tuple(
        attrs.evolve(
            comparable,
            scored_task=attrs.evolve(
                comparable.scored_task,
                batches=tuple(
                    _moved(batch, *scale[int(position)])
                    for position, batch in zip(of_task, comparable.scored_task.batches, strict=True)
                ),
            ),
        )
        for comparable, of_task in zip(comparables, positions, strict=True)
    )


def _numbers(batch: Any) -> FloatArray:
    """Return the scores of a batch in the cells that both sides have, flat."""
    predicted = getattr(batch, "predicted", None)
    if not (isinstance(predicted, np.ndarray) and predicted.dtype == np.float64):
        raise CapabilityError("scores of several tasks can be standardized together only if they are numbers")
    return predicted[batch.present] if batch.crossed else predicted.ravel()


def _location_and_scale(values: FloatArray) -> tuple[float, float]:
    if not len(values):
        return 0.0, 1.0
    mean = float(values[0] + np.mean(values - values[0]))
    scale = float(np.sqrt(np.mean((values - mean) ** 2)))
    return mean, scale if scale > 1e-13 * max(abs(mean), 1e-300) else 1.0


def _moved(batch: Any, mean: float, scale: float) -> Batch:
    changed: dict[str, Any] = {"predicted": (batch.predicted - mean) / scale}
    if hasattr(batch, "pivot"):
        changed["pivot"] = (batch.pivot[0], (batch.pivot[1] - mean) / scale)
    moved: Batch = attrs.evolve(batch, **changed)
    return moved

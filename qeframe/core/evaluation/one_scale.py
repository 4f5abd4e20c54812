"""Answers on one scale, so that an exchange does not tell submissions apart by their scales."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from qeframe.core.batches.base import Batch, FloatArray, IntArray
from qeframe.core.errors import CapabilityError

_TAIL = 0.05
"""The share of answers at each end that count as the last one before them."""
_ROUNDING = 1e-12
"""A spread that is a smaller share of the largest answer is rounding."""


def on_one_scale(batches: Sequence[Batch], kind: type[Batch]) -> tuple[Batch, ...]:
    """Return batches of a kind with the answers of others less their median, divided by their spread.

    `kind` is that of the metric, of which the batches may be a subclass with further parts.

    The spread is the standard deviation (n units) of the answers that are winsorized: the lowest and the highest .05
    are set to the quantiles .05 and .95, by linear interpolation. So a gross error does not set the scale. If a
    submission has no such spread, as where nearly all answers are equal, all have that of their answers as they are.

    Batches whose answers are not one number for each unit are returned as they are, and so are constant answers.
    """
    answers = [getattr(batch, "predicted", None) for batch in batches]
    numbers = [values for values in answers if isinstance(values, np.ndarray) and values.dtype == np.float64]
    if len(numbers) < len(batches) or any(values.ndim != 1 or not len(values) for values in numbers):
        return tuple(batches)
    predicted = np.stack(numbers)
    spread = _spread(winsorized(predicted))
    if (spread == 0).any():
        spread = _spread(predicted)
    scaled = (predicted - np.median(predicted, axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)[:, None]
    return tuple(
        kind.pair(
            ids=batch.ids, gold=getattr(batch, "gold", None), predicted=values, best=getattr(batch, "best", "low")
        )
        for batch, values in zip(batches, scaled, strict=True)
    )


def winsorized(values: FloatArray) -> FloatArray:
    """Return each row with its lowest and highest .05 set to its quantiles .05 and .95."""
    low, high = np.quantile(values, [_TAIL, 1 - _TAIL], axis=-1, keepdims=True)
    return np.clip(values, low, high)


def _spread(values: FloatArray) -> FloatArray:
    """Return the standard deviation of each row, 0 where it is rounding."""
    spread = values.std(axis=1)
    return np.where(spread > _ROUNDING * np.abs(values).max(axis=1), spread, 0.0)


def on_scale_of_all(batches: Sequence[Sequence[Batch]], positions: Sequence[IntArray]) -> list[tuple[Batch, ...]]:
    """Return the batches of several tasks with the scores of each submission standardized over all tasks together.

    `positions` (s,): for each task, the positions of its submissions among all submissions.

    The mean and the standard deviation (n cells) are over the cells of all tasks in which both sides are present. A
    constant submission keeps its scale.

    Raises CapabilityError if the batches are not grids of numbers.
    """
    cells: dict[int, list[FloatArray]] = {}
    for of_task, in_task in zip(batches, positions, strict=True):
        for batch, position in zip(of_task, in_task.tolist(), strict=True):
            cells.setdefault(position, []).append(_numbers(batch))
    scale = {position: _location_and_scale(np.concatenate(values)) for position, values in cells.items()}
    return [
        tuple(_moved(batch, *scale[position]) for batch, position in zip(of_task, in_task.tolist(), strict=True))
        for of_task, in_task in zip(batches, positions, strict=True)
    ]


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

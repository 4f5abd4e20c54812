"""Answers on one scale, so that an exchange does not tell submissions apart by their scales."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qeframe.core.batches.base import Batch, FloatArray

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

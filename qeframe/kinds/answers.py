"""Answers that several kinds of batch share."""

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.batches.ragged import Ragged


def with_predicted(batch: Any, predicted: Any) -> Any:
    """Return the batch with other answers. Only for kinds in which nothing else depends on the answers."""
    return attrs.evolve(batch, predicted=predicted)


def gold_handed_in(batch: Any) -> Any:
    """Return the batch with the gold as the submission, where both have one type."""
    return attrs.evolve(batch, predicted=batch.gold)


def reordered_gold(batch: Any, positions: Callable[[int], IntArray]) -> Any:
    """Return the batch with its gold values in another order, rows of the same lengths."""
    gold = batch.gold
    if isinstance(gold, Ragged):
        return attrs.evolve(batch, gold=Ragged(gold.values[positions(len(gold.values))], gold.offsets))
    return attrs.evolve(batch, gold=gold.ravel()[positions(gold.size)].reshape(gold.shape))


def rescaled(batch: Any, scale: float, shift: float) -> FloatArray:
    """Return all answers, shifted and then scaled."""
    return np.asarray(scale * (batch.predicted + shift))


def with_worst_answer(unit: int, batch: Any, gold: Any) -> Any:
    """Return the answers with the worst one for a unit, as the policy `score_as_worst` fills it in."""
    rest = np.delete(np.arange(len(batch)), unit)
    worst = type(batch).worst_answers(gold[[unit]], batch.predicted[rest] if len(rest) else batch.predicted)
    answers = batch.predicted.copy()
    answers[unit] = worst[0]
    return answers


def correlated(gold: FloatArray, quality: float, rng: np.random.Generator) -> FloatArray:
    """Return numbers with the gold's mean and deviation that correlate with it; NaN stays where it is."""
    center, noise = np.nanmean(gold), np.nanstd(gold) * rng.standard_normal(gold.shape)
    return np.asarray(center + quality * (gold - center) + np.sqrt(1 - quality**2) * noise)

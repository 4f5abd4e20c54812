"""Answers that several kinds of batch share."""

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import attrs
import numpy as np

from qeframe.core.batch import BoolArray, FloatArray, IntArray
from qeframe.core.errors import DataError
from qeframe.core.ragged import Ragged


def with_predicted(batch: Any, predicted: Any) -> Any:
    """Return the batch with other answers. Only for kinds in which nothing else depends on the answers."""
    return attrs.evolve(batch, predicted=predicted)


def gold_handed_in(batch: Any) -> Any:
    """Return the batch with the gold as the submission, where both have one type."""
    return attrs.evolve(batch, predicted=batch.gold)


def gold_answers(batch: Any) -> Any:
    """Return the gold, where it has the type of answers."""
    return batch.gold


def permuted_gold(batch: Any, rng: np.random.Generator) -> Any:
    """Return the batch with the gold's own numbers as answers to other units, at random."""
    return attrs.evolve(batch, predicted=rng.permutation(batch.gold))


def orders(_batch: Any, answers: FloatArray) -> Iterator[FloatArray]:
    """Return the answers in every order."""
    return (np.array(order) for order in permutations(answers))


def with_answer(batch: Any, unit: int, answer: Any) -> Any:
    """Return the answers with another one for a unit."""
    answers = batch.predicted.copy()
    answers[unit] = answer
    return answers


def with_gold_answer(batch: Any, unit: int) -> Iterator[FloatArray]:
    """Yield the answers with the gold's own one for a unit."""
    yield with_answer(batch, unit, batch.gold[unit])


def with_rows(batch: Any, predicted: Ragged) -> Any:
    """Return the batch with other answers, one for each value of the gold."""
    return attrs.evolve(batch, predicted=Ragged(predicted.values, batch.gold.offsets))


def reordered_gold(batch: Any, positions: Callable[[int], IntArray]) -> Any:
    """Return the batch with its gold values in another order, rows of the same lengths."""
    gold = batch.gold
    if isinstance(gold, Ragged):
        return attrs.evolve(batch, gold=Ragged(gold.values[positions(len(gold.values))], gold.offsets))
    return attrs.evolve(batch, gold=gold.ravel()[positions(gold.size)].reshape(gold.shape))


def rescaled(batch: Any, scale: float, shift: float) -> FloatArray:
    """Return all answers, shifted and then scaled."""
    return np.asarray(scale * (batch.predicted + shift))


def swapped(first: Any, second: Any, mask: BoolArray) -> tuple[Any, Any]:
    """Return two batches after they swap their answers where `mask` is true: of whole units, or of cells."""
    mine, theirs = first.predicted, second.predicted
    swap = mask[:, None] if mask.ndim < mine.ndim else mask
    return (
        attrs.evolve(first, predicted=np.where(swap, theirs, mine)),
        attrs.evolve(second, predicted=np.where(swap, mine, theirs)),
    )


def range_of(predicted: FloatArray) -> tuple[float, float]:
    """Return the ends of the range of a submission, from which its worst answers are taken."""
    if not len(predicted):
        what = "a submission without any answer has no range to take the worst answer from"
        raise DataError(what, remedy="remove it")
    return predicted.min(), predicted.max()


def with_worst_answer(unit: int, batch: Any, gold: Any) -> Any:
    """Return the answers with the worst one for a unit, as the policy `score_as_worst` fills it in."""
    rest = np.delete(np.arange(len(batch)), unit)
    worst = type(batch).worst_answers(gold[[unit]], batch.predicted[rest] if len(rest) else batch.predicted)
    return with_answer(batch, unit, worst[0])


def without_answer(batch: Any, unit: int) -> FloatArray:
    """Return the numbers with the worst one for a unit."""
    return np.asarray(with_worst_answer(unit, batch, batch.gold))


def correlated(batch: Any, quality: float, rng: np.random.Generator) -> Any:
    """Return the batch with numbers of the gold's mean and deviation that correlate with it; NaN stays where it is."""
    gold = batch.gold
    center, noise = np.nanmean(gold), np.nanstd(gold) * rng.standard_normal(gold.shape)
    return attrs.evolve(batch, predicted=center + quality * (gold - center) + np.sqrt(1 - quality**2) * noise)

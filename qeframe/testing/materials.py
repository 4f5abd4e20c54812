"""Materials: what the laws are tried on, for each kind of batch.

What the laws need of a kind is one `Material`, and all of them stand in `MATERIALS`. A kind that a plugin brings needs
one of its own, given to the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import attrs
import numpy as np
from attrs import frozen
from hypothesis.strategies import SearchStrategy

from qeframe.batch import Batch, FloatArray, Scores, Values
from qeframe.grid import Grid
from qeframe.judgments import Judgments
from qeframe.ragged import Ragged
from qeframe.spans import Spans
from qeframe.tags import Tags
from qeframe.testing.strategies import (
    panels_of_grids,
    panels_of_judgments,
    panels_of_scores,
    panels_of_spans,
    panels_of_tags,
    panels_of_texts,
    panels_of_values,
)
from qeframe.texts import TextArray, Texts, text_array

__all__ = ["MATERIALS", "Material", "material_of"]


@frozen(kw_only=True)
class Material:
    """What the laws are tried on, for one kind of batch.

    Parameters
    ----------
    panels : callable
        With keywords `submissions`, `min_units` and `max_units`, to a strategy of tuples of batches on the same units.
    answer : callable, optional
        From a batch and new predictions to the batch with those predictions, as if it had been handed in so.
    constants : callable, optional
        From a batch to the predictions that give every unit the same answer, the likely ones.
    rearranged : callable, optional
        From a batch to the ways in which the gold's own answers can be given to other units, every answer as often to
        every unit: their mean score is honest chance, exactly.
    corrected : callable, optional
        From a batch and a unit to the predictions with this unit's answer set right.
    """

    panels: Callable[..., SearchStrategy[tuple[Any, ...]]]
    answer: Callable[[Any, Any], Batch] | None = None
    constants: Callable[[Any], Sequence[Any]] | None = None
    rearranged: Callable[[Any], Iterable[Any]] | None = None
    corrected: Callable[[Any, int], Any] | None = None


def _answer_scores(batch: Scores, predicted: FloatArray) -> Scores:
    return Scores.pair(ids=batch.ids, gold=batch.gold, predicted=predicted, best=batch.best)


def _constant_scores(batch: Scores) -> list[FloatArray]:
    likely = {batch.gold.min(), batch.gold.max(), float(np.median(batch.gold)), float(np.mean(batch.gold))}
    return [np.full(len(batch), value) for value in sorted(likely)]


def _rearranged_scores(batch: Scores) -> Iterator[FloatArray]:
    return (np.array(order) for order in permutations(batch.gold))


def _corrected_scores(batch: Scores, unit: int) -> FloatArray:
    predicted = batch.predicted.copy()
    predicted[unit] = batch.gold[unit]
    return predicted


def _answer_tags(batch: Tags, predicted: Ragged) -> Tags:
    return attrs.evolve(batch, predicted=Ragged(predicted.values, batch.gold.offsets))


def _constant_tags(batch: Tags) -> list[Ragged]:
    codes = range(len(batch.classes))
    return [Ragged(np.full_like(batch.gold.values, code), batch.gold.offsets) for code in codes]


def _rearranged_tags(batch: Tags) -> Iterator[Ragged]:
    """Turn the tags of the corpus round: exchanging whole sentences would leave some tags where they were too often."""
    values, offsets = batch.gold.values, batch.gold.offsets
    return (Ragged(np.roll(values, shift), offsets) for shift in range(max(1, len(values))))


def _corrected_tags(batch: Tags, unit: int) -> Ragged:
    """Set the first wrong tag of a sentence right."""
    values = batch.predicted.values.copy()
    start, end = batch.gold.offsets[unit : unit + 2]
    wrong = start + np.flatnonzero(values[start:end] != batch.gold.values[start:end])[:1]
    values[wrong] = batch.gold.values[wrong]
    return Ragged(values, batch.gold.offsets)


def _answer_values(batch: Values, predicted: FloatArray) -> Values:
    return attrs.evolve(batch, predicted=predicted)


def _answer_judgments(batch: Judgments, scores: FloatArray) -> Judgments:
    return Judgments.pair(ids=batch.ids, gold=batch.human, predicted=scores)


def _tied_judgments(batch: Judgments) -> list[FloatArray]:
    """Return what a metric with equal scores for everything says: it ties all pairs."""
    return [np.zeros((len(batch), 2))]


def _own_judgments(batch: Judgments) -> FloatArray:
    """Return scores that agree with the human relations, ties included."""
    return np.stack([10.0 * batch.human, np.zeros(len(batch))], axis=1)


def _rearranged_judgments(batch: Judgments) -> Iterator[FloatArray]:
    return (np.roll(_own_judgments(batch), shift, axis=0) for shift in range(len(batch)))


def _corrected_judgments(batch: Judgments, unit: int) -> FloatArray:
    scores = batch.predicted.copy()
    scores[unit] = _own_judgments(batch)[unit]
    return scores


def _answer_texts(batch: Texts, predicted: TextArray) -> Texts:
    return attrs.evolve(batch, predicted=predicted)


def _constant_texts(batch: Texts) -> list[TextArray]:
    """Give every segment the same text: nothing, or the first reference of one of them."""
    return [text_array([text] * len(batch)) for text in sorted({"", *_first_references(batch)})]


def _rearranged_texts(batch: Texts) -> Iterator[TextArray]:
    return (np.roll(_first_references(batch), shift) for shift in range(len(batch)))


def _corrected_texts(batch: Texts, unit: int) -> TextArray:
    predicted = batch.predicted.copy()
    predicted[unit] = _first_references(batch)[unit]
    return predicted


def _first_references(batch: Texts) -> TextArray:
    return batch.gold.values[batch.gold.offsets[:-1]]


MATERIALS: Mapping[type[Batch], Material] = {
    Values: Material(panels=panels_of_values, answer=_answer_values),
    Scores: Material(
        panels=panels_of_scores,
        answer=_answer_scores,
        constants=_constant_scores,
        rearranged=_rearranged_scores,
        corrected=_corrected_scores,
    ),
    Grid: Material(panels=panels_of_grids),
    Judgments: Material(
        panels=panels_of_judgments,
        answer=_answer_judgments,
        constants=_tied_judgments,
        rearranged=_rearranged_judgments,
        corrected=_corrected_judgments,
    ),
    Spans: Material(panels=panels_of_spans),
    Tags: Material(
        panels=panels_of_tags,
        answer=_answer_tags,
        constants=_constant_tags,
        rearranged=_rearranged_tags,
        corrected=_corrected_tags,
    ),
    Texts: Material(
        panels=panels_of_texts,
        answer=_answer_texts,
        constants=_constant_texts,
        rearranged=_rearranged_texts,
        corrected=_corrected_texts,
    ),
}
"""The material of each kind of batch; a subclass without one of its own has that of its nearest ancestor."""


def material_of(kind: type[Batch]) -> Material:
    """Return the material of a kind of batch.

    Raises
    ------
    LookupError
        If there is none: a kind that a plugin brings needs a `Material` of its own, given to the checks.
    """
    for ancestor in kind.__mro__:
        if ancestor in MATERIALS:
            return MATERIALS[ancestor]
    raise LookupError(f"there is no material for batches of {kind.__name__}; give the checks one of your own")

"""What can be answered to a batch: the gold itself, constants, the same answers given to other units, corrections.

One group of functions for each kind of batch; `qeframe.testing.kinds.materials` says which function does what.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

import attrs
import numpy as np

from qeframe.batches.base import FloatArray
from qeframe.batches.grid import Grid
from qeframe.batches.judgments import RELATIONS, Judgments
from qeframe.batches.ragged import Ragged
from qeframe.batches.scores import Scores, Values
from qeframe.batches.spans import SEVERITIES, Spans
from qeframe.batches.tags import Tags
from qeframe.batches.texts import TextArray, Texts, text_array

__all__ = ["Cells"]

Cells = tuple[tuple[str, str], ...]
"""For each pair of translations the relation that the human gave, and the metric's."""

_SIGN: Mapping[str, float] = {"<": 1.0, "=": 0.0, ">": -1.0}
_UNKNOWN = "ζ"
"""A word that no text of the strategies has, nor a character of it."""


def replace_answers(batch: Any, predicted: Any) -> Any:
    """Return the batch with other answers, as if they had been handed in so, where nothing depends on the old ones."""
    return attrs.evolve(batch, predicted=predicted)


def rescale(batch: Any, scale: float, shift: float) -> FloatArray:
    """Return all answers, shifted and then scaled."""
    return np.asarray(scale * (batch.predicted + shift))


def worst_at(unit: int, batch: Any, gold: Any) -> Any:
    """Return the answers with the worst one to a unit, as the policy `score_as_worst` fills it in."""
    rest = np.delete(np.arange(len(batch)), unit)
    worst = type(batch).worst_answers(gold[[unit]], batch.predicted[rest] if len(rest) else batch.predicted)
    answers = batch.predicted.copy()
    answers[unit] = worst[0]
    return answers


# --- numbers --------------------------------------------------------------------------------------------------------


def scores_own(batch: Scores) -> FloatArray:
    return batch.gold


def scores_answered(batch: Scores, predicted: FloatArray) -> Scores:
    return Scores.pair(ids=batch.ids, gold=batch.gold, predicted=predicted, best=batch.best)


def scores_constant(batch: Scores) -> list[FloatArray]:
    likely = {batch.gold.min(), batch.gold.max(), float(np.median(batch.gold)), float(np.mean(batch.gold))}
    return [np.full(len(batch), value) for value in sorted(likely)]


def scores_turned(_batch: Scores, answers: FloatArray) -> Iterator[FloatArray]:
    return (np.array(order) for order in permutations(answers))


def scores_corrected(batch: Scores, unit: int) -> Iterator[FloatArray]:
    predicted = batch.predicted.copy()
    predicted[unit] = batch.gold[unit]
    yield predicted


def scores_abstained(batch: Scores, unit: int) -> FloatArray:
    return np.asarray(worst_at(unit, batch, batch.gold))


def scores_plain(batch: Scores) -> Mapping[str, Any]:
    return {"gold": batch.gold.tolist(), "predicted": batch.predicted.tolist(), "best": batch.best}


def values_plain(batch: Values) -> Mapping[str, Any]:
    return {"predicted": batch.predicted.tolist()}


# --- tags -----------------------------------------------------------------------------------------------------------


def tags_own(batch: Tags) -> Ragged:
    return batch.gold


def tags_answered(batch: Tags, predicted: Ragged) -> Tags:
    return attrs.evolve(batch, predicted=Ragged(predicted.values, batch.gold.offsets))


def tags_constant(batch: Tags) -> list[Ragged]:
    codes = range(len(batch.classes))
    return [Ragged(np.full_like(batch.gold.values, code), batch.gold.offsets) for code in codes]


def tags_turned(_batch: Tags, answers: Ragged) -> Iterator[Ragged]:
    """Turn the tags of the corpus round: exchanging whole sentences would leave some tags where they were too often."""
    values = answers.values
    return (Ragged(np.roll(values, shift), answers.offsets) for shift in range(max(1, len(values))))


def tags_corrected(batch: Tags, unit: int) -> Iterator[Ragged]:
    """Set each wrong tag of a sentence right, one at a time."""
    start = batch.gold.offsets[unit]
    for wrong in start + np.flatnonzero(batch.predicted[unit] != batch.gold[unit]):
        values = batch.predicted.values.copy()
        values[wrong] = batch.gold.values[wrong]
        yield Ragged(values, batch.gold.offsets)


def tags_abstained(batch: Tags, unit: int) -> Ragged:
    """Answer a sentence with wrong tags throughout, as the policy `score_as_worst` does."""
    values = batch.predicted.values.copy()
    values[slice(*batch.gold.offsets[unit : unit + 2])] = (batch.gold[unit] + 1) % len(batch.classes)
    return Ragged(values, batch.gold.offsets)


def tags_plain(batch: Tags) -> Mapping[str, Any]:
    sides = {"gold": batch.gold, "predicted": batch.predicted}
    return {name: [" ".join(batch.classes[code] for code in row) for row in side] for name, side in sides.items()}


# --- judgments ------------------------------------------------------------------------------------------------------


def judgments_own(batch: Judgments) -> FloatArray:
    """Return scores that agree with the human relations, ties included, beyond any usual epsilon."""
    return np.stack([10.0 * batch.human, np.zeros(len(batch))], axis=1)


def judgments_constant(batch: Judgments) -> list[FloatArray]:
    """Return what a metric with equal scores for everything says: it ties all pairs."""
    return [np.zeros((len(batch), 2))]


def judgments_turned(_batch: Judgments, scores: FloatArray) -> Iterator[FloatArray]:
    """Give scores to other judgments, left and right as they come: who does not know the gold does not know sides."""
    for shift in range(max(1, len(scores))):
        rolled = np.roll(scores, shift, axis=0)
        for sides in product((False, True), repeat=len(scores)):
            yield np.where(np.array(sides, dtype=np.bool_)[:, None], rolled[:, ::-1], rolled)


def judgments_corrected(batch: Judgments, unit: int) -> Iterator[FloatArray]:
    scores = batch.predicted.copy()
    scores[unit] = judgments_own(batch)[unit]
    yield scores


def judgments_abstained(batch: Judgments, unit: int) -> FloatArray:
    return np.asarray(worst_at(unit, batch, batch.human))


def judgments_plain(batch: Judgments) -> Mapping[str, Any]:
    return {"gold": "".join(RELATIONS[1 - sign] for sign in batch.human), "predicted": batch.predicted.tolist()}


def judgments_of(cells: Cells) -> Judgments:
    """Return judgments with given relations."""
    return Judgments.from_plain("".join(human for human, _ in cells), [_SIGN[metric] for _, metric in cells])


# --- grids ----------------------------------------------------------------------------------------------------------


def grids_own(batch: Grid) -> FloatArray:
    return batch.gold


def grids_answered(batch: Grid, predicted: FloatArray) -> Grid:
    return Grid.pair(ids=batch.ids, gold=batch.gold, predicted=predicted)


def grids_constant(batch: Grid) -> list[FloatArray]:
    return [np.zeros_like(batch.gold)]


def grids_turned(_batch: Grid, cells: FloatArray) -> Iterator[FloatArray]:
    """Give the rows to other items, and the columns to other systems."""
    for shift in range(max(1, len(cells))):
        for order in permutations(range(cells.shape[1])):
            yield np.roll(cells, shift, axis=0)[:, list(order)]


def grids_corrected(batch: Grid, unit: int) -> Iterator[FloatArray]:
    """Give an item the scores of the gold."""
    cells = batch.predicted.copy()
    cells[unit] = batch.gold[unit]
    yield cells


def grids_abstained(batch: Grid, unit: int) -> FloatArray:
    """Give all systems of an item the same score."""
    cells = batch.predicted.copy()
    cells[unit] = 0.0
    return cells


def grids_plain(batch: Grid) -> Mapping[str, Any]:
    return {"gold": batch.gold.tolist(), "predicted": batch.predicted.tolist()}


def grids_of(cells: Cells) -> Grid:
    """Return items of two systems with given relations."""
    gold, predicted = ([[_SIGN[cell[side]], 0.0] for cell in cells] for side in (0, 1))
    return Grid.from_plain(gold, predicted)


# --- spans ----------------------------------------------------------------------------------------------------------


def spans_own(batch: Spans) -> Ragged:
    return batch.gold


def spans_constant(batch: Spans) -> list[Ragged]:
    """Mark nothing; or every character, with one severity or with all of them."""
    codes: list[Sequence[int]] = [[], *([code] for code in range(len(SEVERITIES))), range(len(SEVERITIES))]
    return [_everywhere(batch, severities) for severities in codes]


def _everywhere(batch: Spans, severities: Sequence[int]) -> Ragged:
    spans = [(0, length, severity) for length in batch.text for severity in severities]
    lengths = np.full(len(batch), len(severities))
    return Ragged.from_lengths(np.array(spans, dtype=np.int64).reshape(-1, 3), lengths)


def spans_turned(batch: Spans, answers: Ragged) -> Iterator[Ragged]:
    units = np.arange(len(batch))
    return (answers.take(np.roll(units, shift)) for shift in range(max(1, len(batch))))


def spans_corrected(batch: Spans, unit: int) -> Iterator[Ragged]:
    """Mark a segment as the gold does."""
    both = Ragged(
        np.concatenate([batch.predicted.values, batch.gold.values]),
        np.concatenate([batch.predicted.offsets, batch.gold.offsets[1:] + batch.predicted.offsets[-1]]),
    )
    rows = np.arange(len(batch))
    rows[unit] += len(batch)
    yield both.take(rows)


def spans_plain(batch: Spans) -> Mapping[str, Any]:
    def told(side: Ragged) -> list[list[tuple[int, int, str]]]:
        return [[(int(start), int(end), SEVERITIES[code]) for start, end, code in row] for row in side]

    return {"gold": told(batch.gold), "predicted": told(batch.predicted), "text": batch.text.tolist()}


# --- texts ----------------------------------------------------------------------------------------------------------


def texts_own(batch: Texts) -> TextArray:
    return batch.gold.values[batch.gold.offsets[:-1]]


def texts_constant(batch: Texts) -> list[TextArray]:
    """Give every segment the same text: nothing, a first reference, one word of them, or all their words."""
    references = set(texts_own(batch))
    words = {word for reference in references for word in reference.split()}
    likely = {"", *references, *words, " ".join(sorted(words))}
    return [text_array([text] * len(batch)) for text in sorted(likely)]


def texts_turned(_batch: Texts, answers: TextArray) -> Iterator[TextArray]:
    return (np.roll(answers, shift) for shift in range(max(1, len(answers))))


def texts_corrected(batch: Texts, unit: int) -> Iterator[TextArray]:
    """Give a segment its only reference; or, for each word of no reference, a word of one that the text lacks.

    A word that differs in upper and lower case alone may be right: it is neither wrong nor lacking.
    """
    references = batch.gold[unit]
    if len(references) == 1:
        yield _with_text(batch, unit, references[0])
    words, wanted = batch.predicted[unit].split(), " ".join(references).split()
    said, right = ({word.lower() for word in side} for side in (words, wanted))
    lacking = [word for word in dict.fromkeys(wanted) if word.lower() not in said]
    for place, word in enumerate(words):
        if word.lower() not in right:
            for better in lacking:
                yield _with_text(batch, unit, " ".join([*words[:place], better, *words[place + 1 :]]))


def texts_abstained(batch: Texts, unit: int) -> TextArray:
    return _with_text(batch, unit, "")


def texts_padded(batch: Texts, unit: int) -> Iterator[TextArray]:
    for words in (1, 3):
        yield _with_text(batch, unit, " ".join([*batch.predicted[unit].split(), *[_UNKNOWN] * words]))


def _with_text(batch: Texts, unit: int, text: str) -> TextArray:
    answers = batch.predicted.copy()
    answers[unit] = text
    return answers


def texts_plain(batch: Texts) -> Mapping[str, Any]:
    return {"gold": [list(row) for row in batch.gold], "predicted": batch.predicted.tolist()}

"""Hypothesis strategies: submissions on the same units, unit weights, exchanges.

What the laws need of a kind of batch is one `Material`, and all of them stand in `MATERIALS`. Numbers are eighths of
small whole numbers: sums of them are exact, so that two ways to compute a score differ by rounding only, and ties and
constants are common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, get_args

import attrs
import numpy as np
from attrs import frozen
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from numpy.typing import NDArray

from qeframe.batch import Batch, Best, FloatArray, IntArray, Scores, Values
from qeframe.ragged import Ragged
from qeframe.spans import SEVERITIES, Spans
from qeframe.tags import Tags

__all__ = [
    "MATERIALS",
    "Material",
    "exchanges",
    "material_of",
    "numbers",
    "panels_of_scores",
    "panels_of_spans",
    "panels_of_tags",
    "panels_of_values",
    "scores_batches",
    "values_batches",
    "weights",
]

_EIGHTHS = st.integers(-80, 80).map(lambda eighths: eighths / 8)
_FEW = st.integers(0, 3).map(float)


def numbers(units: int, *, ties: bool = True, constant: bool = True) -> SearchStrategy[FloatArray]:
    """Draw one number a unit, (units,).

    Parameters
    ----------
    ties : bool
        Whether values may repeat.
    constant : bool
        Whether all of them may be the same value.
    """
    several = [st.lists(_EIGHTHS, min_size=units, max_size=units, unique=not ties)]
    if ties:
        several.append(st.lists(_FEW, min_size=units, max_size=units))
    drawn = st.one_of(several).map(np.array)
    return drawn if constant else drawn.filter(lambda values: values.min() < values.max())


def weights(units: int, *, most: int = 3) -> SearchStrategy[IntArray]:
    """Draw whole unit weights from 0 to `most`, (units,), at least one of them positive."""
    drawn = st.lists(st.integers(0, most), min_size=units, max_size=units)
    return drawn.filter(any).map(lambda each: np.array(each, dtype=np.int64))


def exchanges(units: int, *, draws: int = 4) -> SearchStrategy[NDArray[np.uint8]]:
    """Draw exchanges of 0 (kept) and 1 (swapped), (draws, units)."""
    row = st.lists(st.integers(0, 1), min_size=units, max_size=units)
    return st.lists(row, min_size=draws, max_size=draws).map(lambda rows: np.array(rows, dtype=np.uint8))


@st.composite
def panels_of_values(
    draw: DrawFn, *, submissions: int = 2, min_units: int = 1, max_units: int = 8, ties: bool = True
) -> tuple[Values, ...]:
    """Draw several submissions on the same units, without a gold side."""
    units = draw(st.integers(min_units, max_units))
    side = numbers(units, ties=ties)
    return tuple(Values.from_plain(None, draw(side)) for _ in range(submissions))


@st.composite
def panels_of_scores(
    draw: DrawFn,
    *,
    submissions: int = 2,
    min_units: int = 2,
    max_units: int = 8,
    ties: bool = True,
    constant: bool = True,
) -> tuple[Scores, ...]:
    """Draw several submissions on the same units with the same gold."""
    units = draw(st.integers(min_units, max_units))
    side = numbers(units, ties=ties, constant=constant)
    gold, best = draw(side), draw(st.sampled_from(get_args(Best)))
    return tuple(Scores.from_plain(gold, draw(side), best=best) for _ in range(submissions))


def values_batches(*, min_units: int = 1, max_units: int = 8, ties: bool = True) -> SearchStrategy[Values]:
    """Draw one submission without a gold side."""
    return panels_of_values(submissions=1, min_units=min_units, max_units=max_units, ties=ties).map(_only)


def scores_batches(
    *, min_units: int = 2, max_units: int = 8, ties: bool = True, constant: bool = True
) -> SearchStrategy[Scores]:
    """Draw gold and predicted numbers of one submission.

    Parameters
    ----------
    ties, constant : bool
        Whether values of a side may repeat, and whether a side may be constant.
    """
    return panels_of_scores(submissions=1, min_units=min_units, max_units=max_units, ties=ties, constant=constant).map(
        _only
    )


@st.composite
def panels_of_tags(
    draw: DrawFn, *, submissions: int = 2, min_units: int = 1, max_units: int = 6, longest: int = 4
) -> tuple[Tags, ...]:
    """Draw several taggings of the same sentences, OK and BAD, with the same gold; sentences may be empty."""
    lengths = draw(st.lists(st.integers(0, longest), min_size=min_units, max_size=max_units))
    side = st.tuples(*(st.lists(st.integers(0, 1), min_size=length, max_size=length) for length in lengths))
    gold = draw(side)
    return tuple(Tags.from_plain(gold, draw(side)) for _ in range(submissions))


@st.composite
def panels_of_spans(
    draw: DrawFn, *, submissions: int = 2, min_units: int = 1, max_units: int = 4, text: int = 9
) -> tuple[Spans, ...]:
    """Draw several markings of the same segments with the same gold; spans may overlap, and segments have none."""
    units = draw(st.integers(min_units, max_units))
    ends = st.lists(st.integers(0, text), min_size=2, max_size=2, unique=True).map(sorted)
    span = st.tuples(ends, st.sampled_from(SEVERITIES)).map(lambda drawn: (*drawn[0], drawn[1]))
    side = st.lists(st.lists(span, max_size=3), min_size=units, max_size=units)
    gold = draw(side)
    return tuple(Spans.from_plain(gold, draw(side), text=[text] * units) for _ in range(submissions))


def _only(panel: tuple[Any, ...]) -> Any:
    return panel[0]


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


MATERIALS: Mapping[type[Batch], Material] = {
    Values: Material(panels=panels_of_values, answer=_answer_values),
    Scores: Material(
        panels=panels_of_scores,
        answer=_answer_scores,
        constants=_constant_scores,
        rearranged=_rearranged_scores,
        corrected=_corrected_scores,
    ),
    Spans: Material(panels=panels_of_spans),
    Tags: Material(
        panels=panels_of_tags,
        answer=_answer_tags,
        constants=_constant_tags,
        rearranged=_rearranged_tags,
        corrected=_corrected_tags,
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

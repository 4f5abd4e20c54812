"""Hypothesis strategies: submissions on the same units, unit weights, exchanges.

Numbers are eighths of
small whole numbers: sums of them are exact, so that two ways to compute a score differ by rounding only, and ties and
constants are common.
"""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from numpy.typing import NDArray

from qeframe.batches.base import Best, FloatArray, IntArray
from qeframe.batches.grid import Grid
from qeframe.batches.judgments import RELATIONS, Judgments
from qeframe.batches.scores import Scores, Values
from qeframe.batches.spans import SEVERITIES, Spans
from qeframe.batches.tags import Tags
from qeframe.batches.texts import Texts

__all__ = [
    "exchanges",
    "grids_batches",
    "judgments_batches",
    "numbers",
    "panels_of_grids",
    "panels_of_judgments",
    "panels_of_scores",
    "panels_of_spans",
    "panels_of_tags",
    "panels_of_texts",
    "panels_of_values",
    "scores_batches",
    "spans_batches",
    "tags_batches",
    "texts_batches",
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


@st.composite
def panels_of_judgments(
    draw: DrawFn, *, submissions: int = 2, min_units: int = 1, max_units: int = 8
) -> tuple[Judgments, ...]:
    """Draw several metrics on the same human relations, with ties on both sides."""
    units = draw(st.integers(min_units, max_units))
    human = draw(st.text(RELATIONS, min_size=units, max_size=units))
    scores = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=units, max_size=units)
    return tuple(
        Judgments.from_plain(human, np.array(draw(scores), dtype=np.float64).reshape(-1, 2)) for _ in range(submissions)
    )


@st.composite
def panels_of_grids(
    draw: DrawFn,
    *,
    submissions: int = 2,
    min_units: int = 1,
    max_units: int = 6,
    systems: tuple[int, int] = (1, 4),
    complete: bool = False,
) -> tuple[Grid, ...]:
    """Draw several metrics on one gold.

    Parameters
    ----------
    systems : (int, int)
        The fewest and the most columns.
    complete : bool
        Whether the gold has every cell; the metrics always do.
    """
    units, columns = draw(st.integers(min_units, max_units)), draw(st.integers(*systems))

    def rows(cell: SearchStrategy[float | None]) -> list[list[float | None]]:
        row = st.lists(cell, min_size=columns, max_size=columns)
        return draw(st.lists(row, min_size=units, max_size=units))

    gold = rows(_FEW if complete else st.one_of(_FEW, st.none()))
    return tuple(Grid.from_plain(gold, rows(st.integers(0, 6).map(lambda n: n / 2))) for _ in range(submissions))


@st.composite
def panels_of_texts(
    draw: DrawFn, *, submissions: int = 2, min_units: int = 1, max_units: int = 4, longest: int = 6
) -> tuple[Texts, ...]:
    """Draw several translations of the same segments, with one to three references each; texts may be empty."""
    units = draw(st.integers(min_units, max_units))
    text = st.lists(st.sampled_from(("a", "b", "ab", "A")), max_size=longest).map(" ".join)
    gold = draw(st.lists(st.lists(text, min_size=1, max_size=3), min_size=units, max_size=units))
    side = st.lists(text, min_size=units, max_size=units)
    return tuple(Texts.from_plain(gold, draw(side)) for _ in range(submissions))


def tags_batches(*, min_units: int = 1, max_units: int = 6, longest: int = 4) -> SearchStrategy[Tags]:
    """Draw one tagging of sentences of up to `longest` words; see `panels_of_tags`."""
    return panels_of_tags(submissions=1, min_units=min_units, max_units=max_units, longest=longest).map(_only)


def spans_batches(*, min_units: int = 1, max_units: int = 4, text: int = 9) -> SearchStrategy[Spans]:
    """Draw one marking of segments of `text` characters; see `panels_of_spans`."""
    return panels_of_spans(submissions=1, min_units=min_units, max_units=max_units, text=text).map(_only)


def judgments_batches(*, min_units: int = 1, max_units: int = 8) -> SearchStrategy[Judgments]:
    """Draw one metric's scores of judged pairs; see `panels_of_judgments`."""
    return panels_of_judgments(submissions=1, min_units=min_units, max_units=max_units).map(_only)


def grids_batches(
    *, min_units: int = 1, max_units: int = 6, systems: tuple[int, int] = (1, 4), complete: bool = False
) -> SearchStrategy[Grid]:
    """Draw one metric's scores of items by systems; see `panels_of_grids`."""
    return panels_of_grids(
        submissions=1, min_units=min_units, max_units=max_units, systems=systems, complete=complete
    ).map(_only)


def texts_batches(*, min_units: int = 1, max_units: int = 4, longest: int = 6) -> SearchStrategy[Texts]:
    """Draw one translation of segments with one to three references; see `panels_of_texts`."""
    return panels_of_texts(submissions=1, min_units=min_units, max_units=max_units, longest=longest).map(_only)


def _only(panel: tuple[Any, ...]) -> Any:
    return panel[0]

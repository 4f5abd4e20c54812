"""Metrics of equal quality on segments by systems, and judges of equal quality that see each pair in both orders."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qeframe.plugin import DataError, FloatArray, Grid, Preferences
from qeframe.plugin.audit import NullModel


def _metrics(
    systems: int, items: float, columns: float, rng: np.random.Generator, units: int, submissions: int
) -> Sequence[Grid]:
    gold = rng.normal(size=(units, systems)) + 0.5 * rng.normal(size=(units, 1)) + 0.5 * rng.normal(size=systems)
    predicted = (
        0.5 * gold
        + rng.normal(size=(submissions, units, systems))
        + items * rng.normal(size=(submissions, units, 1))
        + columns * rng.normal(size=(submissions, 1, systems))
    )
    ids = np.arange(units)
    return [Grid(ids=ids, gold=gold, predicted=scores) for scores in predicted]


def equal_metrics(*, systems: int = 10, segment_effect: float = 0.0, system_effect: float = 0.0) -> NullModel:
    """Metrics with the same relation to the human scores, each with effects of its own on segments and on systems.

    Parameters
    ----------
    systems : int
        At least 2.
    segment_effect, system_effect : float
        The standard deviations of the effects, relative to that of a single cell's error.
    """
    if systems < 2 or segment_effect < 0 or system_effect < 0:
        raise DataError("systems must be at least 2, effects must not be negative")
    return NullModel(
        name="equal_metrics",
        summary="Metrics of equal quality with effects of their own on segments and on systems",
        kind=Grid,
        draw=partial(_metrics, systems, segment_effect, system_effect),
        one_truth=False,  # the systems of a data set are its own
    )


_SECTIONS = ("first", "second", "third", "fourth")


def _decisions(gold: NDArray[np.int8], quality: float, first: float, rng: np.random.Generator) -> FloatArray:
    """Return the decisions in both orders, of A and B as the gold names them, without scores: (n, 4)."""
    knows = rng.random(len(gold)) < quality
    shown_first, shown_second = (np.where(rng.random(len(gold)) < first, 1.0, -1.0) for _ in range(2))
    decided = np.where(knows[:, None], gold[:, None], np.stack([shown_first, -shown_second], axis=1))
    return np.hstack([decided, np.full((len(gold), 2), np.nan)])


def _judges(
    ties: float, quality: float, first: float, rng: np.random.Generator, units: int, submissions: int
) -> Sequence[Preferences]:
    gold = np.where(rng.random(units) < ties, 0, rng.choice([-1, 1], units)).astype(np.int8)
    section, ids = np.arange(units) % len(_SECTIONS), np.arange(units)
    drawn = [_decisions(gold, quality, first, rng) for _ in range(submissions)]
    return [
        Preferences(ids=ids, gold=gold, predicted=predicted, section=section, section_names=_SECTIONS)
        for predicted in drawn
    ]


def equal_judges(*, ties: float = 0.0, quality: float = 0.5, first: float = 0.6) -> NullModel:
    """Judges that know the better answer of a pair with one probability, and else guess in each order.

    Pairs are in four sections of equal size.

    Parameters
    ----------
    ties : float
        The probability that the gold is a tie, from 0 to 1. A judge that knows a pair then decides for a tie.
    quality : float
        The probability of knowing a pair, from 0 to 1.
    first : float
        The probability that a guess prefers the answer that is shown first, from 0 to 1.

    Raises
    ------
    DataError
        If a parameter is not from 0 to 1.
    """
    if not all(0 <= value <= 1 for value in (ties, quality, first)):
        raise DataError("ties, quality and first must lie from 0 to 1")
    return NullModel(
        name="equal_judges",
        summary="Judges that know each pair with one probability, and else guess in each order",
        kind=Preferences,
        draw=partial(_judges, ties, quality, first),
    )

"""What the page of a run shows of single units: distributions, and the units on which submissions and gold disagree.

Kinds of batch differ in what can be compared with the gold: numbers are compared as z-scores, since scale and location
do not make a submission better; sentences of tags and segments with spans by the share of tokens or characters that is
marked as an error. Kinds without such numbers (judgments, preferences, texts) have no facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import Batch, FloatArray
from qeframe.core.tasks.task import Task
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.spans import Spans
from qeframe.kinds.tags.batch import Tags
from qeframe.report.html.error_shares import error_shares

DISAGREEMENTS = 15
"""The number of units that are listed for each task."""

BINS = 30
"""The number of bins of a histogram."""
_FARTHEST = 4.0
"""The end of an axis of z-scores."""


@frozen(eq=False)
class _Sides:
    """The gold (m,), or None, the answers of one submission (m,), and the gap between them (m,), NaN if missing.

    There are m = n values for n units, or m = n * k for grids of k systems.
    """

    gold: FloatArray | None
    answers: FloatArray
    gaps: FloatArray | None


@frozen
class _Kind:
    """What is compared in a kind of batch, and the names of it."""

    sides: Callable[[Any], _Sides]
    values: str
    measure: str


def unit_facts(task: Task) -> dict[str, Any] | None:
    """Return the facts of a task as plain values of JSON; None for a kind without numbers, or without units.

    The submissions are gone through one by one, so that the memory does not grow with their number. Attacks and human
    scores are left out.

    Returns
    -------
    dict or None
        ``unit`` and ``count``; ``values``, what the numbers are; ``low`` and ``high``, the ends of the shared axis;
        ``gold``, the percentage of values in each of 30 bins, or None; ``submissions``, by name: ``bins``, ``outside``
        and ``mean``; ``measure`` and ``disagreements``, the units with the largest mean gap, the largest first:
        ``unit``, ``groups``, ``text``, ``gap``, ``gold``, and the lowest and highest answers with their submissions.
        Values that are missing (NaN) are left out.
    """
    ranked = {submission.name: batch for submission, batch in task.batches.items() if submission.is_ranked}
    batches = list(ranked.values())
    kind = next((of for of, _ in _KINDS if batches and all(isinstance(b, of) for b in batches)), None)
    if kind is None or not len(batches[0]):
        return None
    described = dict(_KINDS)[kind]
    first = described.sides(batches[0])
    if any(len(described.sides(batch).answers) != len(first.answers) for batch in batches if kind is Grid):
        return None
    low, high = _axis(described, first.gold, batches)
    edges = np.linspace(low, high, BINS + 1)
    gaps = _Mean(len(first.answers))
    submissions = {}
    for name, batch in ranked.items():
        sides = described.sides(batch)
        submissions[name] = _described(sides.answers, edges)
        if sides.gaps is not None:
            gaps.add(sides.gaps)
    return {
        "unit": task.unit,
        "count": task.units,
        "values": described.values,
        "low": low,
        "high": high,
        "gold": None if first.gold is None else _percentages(first.gold, edges),
        "submissions": submissions,
        "measure": described.measure,
        "disagreements": [] if first.gold is None else _disagreements(task, ranked, described, gaps.value()),
    }


class _Mean:
    """The mean of arrays without their missing values; 0 where all are missing."""

    def __init__(self, size: int) -> None:
        self._sum, self._count = np.zeros(size), np.zeros(size)

    def add(self, values: FloatArray) -> None:
        known = np.isfinite(values)
        self._sum += np.where(known, values, 0.0)
        self._count += known

    def value(self) -> FloatArray:
        return np.asarray(self._sum / np.maximum(self._count, 1))


def _of_scores(batch: Scores) -> _Sides:
    return _Sides(batch.gold, batch.predicted, np.abs(_z_scores(batch.predicted) - _z_scores(batch.gold)))


def _of_values(batch: Values) -> _Sides:
    return _Sides(None, batch.predicted, None)


def _of_grid(batch: Grid) -> _Sides:
    gold, answers = _z_scores(batch.gold.ravel()), _z_scores(batch.predicted.ravel())
    return _Sides(gold, answers, np.abs(answers - gold))


def _of_errors(batch: Tags | Spans) -> _Sides:
    return _Sides(*error_shares(batch))


_KINDS: tuple[tuple[type[Batch], _Kind], ...] = (
    (Scores, _Kind(_of_scores, "value", "mean over the submissions of |z-score of prediction - z-score of gold|")),
    (Values, _Kind(_of_values, "value", "")),
    (Grid, _Kind(_of_grid, "z-score", "mean over the submissions of |z-score of their score - of the human score|")),
    (Tags, _Kind(_of_errors, "% of tokens marked as an error", "mean % of tokens that only one side marks")),
    (Spans, _Kind(_of_errors, "% of characters marked as an error", "mean % of characters that only one side marks")),
)


_TEXT_OF: dict[type[Batch], str] = {Spans: "text", Tags: "gold"}
"""What is shown of a unit: the text of a segment with spans, the gold tags of a sentence."""


def _z_scores(values: FloatArray) -> FloatArray:
    """Return the z-scores of the finite values, NaN for the others; all zero for constant values."""
    known = np.isfinite(values)
    if not known.any():
        return np.full_like(values, np.nan)
    centered = values - values[known].mean()
    deviation = float(centered[known].std())
    if deviation <= 1e-12 * float(np.abs(values[known]).max()):
        return np.where(known, 0.0, np.nan)
    return np.asarray(np.where(known, centered / deviation, np.nan))


def _axis(kind: _Kind, gold: FloatArray | None, batches: Sequence[Batch]) -> tuple[float, float]:
    """Return the ends of the shared axis: of raw values at most half the range of the gold beyond the gold."""
    if kind.values != "value":
        return (-_FARTHEST, _FARTHEST) if kind.values == "z-score" else (0.0, 100.0)
    answers = [kind.sides(batch).answers for batch in batches]
    low, high = min(float(each.min()) for each in answers), max(float(each.max()) for each in answers)
    if gold is not None:
        least, most = float(gold.min()), float(gold.max())
        reach = 0.5 * (most - least)
        low, high = min(low, least), max(high, most)
        low, high = (max(low, least - reach), min(high, most + reach)) if reach else (low, high)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = low - 0.5, high + 0.5
    return low, high


def _percentages(values: FloatArray, edges: FloatArray) -> list[float]:
    """Return the percentage of the finite values in each bin, to two decimals."""
    known = values[np.isfinite(values)]
    counts = np.histogram(known, edges)[0]
    return [round(float(share), 2) for share in 100 * counts / max(len(known), 1)]


def _described(values: FloatArray, edges: FloatArray) -> dict[str, Any]:
    known = values[np.isfinite(values)]
    return {
        "bins": _percentages(values, edges),
        "outside": int(((known < edges[0]) | (known > edges[-1])).sum()),
        "mean": _number(known.mean()) if len(known) else None,
    }


def _disagreements(task: Task, ranked: Mapping[str, Batch], kind: _Kind, gaps: FloatArray) -> list[dict[str, Any]]:
    worst = np.lexsort((np.arange(len(gaps)), -gaps))[:DISAGREEMENTS]
    worst = worst[gaps[worst] > 0]
    batch = next(iter(ranked.values()))
    answers = np.stack([kind.sides(each).answers[worst] for each in ranked.values()])
    gold = kind.sides(batch).gold
    assert gold is not None
    columns = len(gaps) // len(batch)
    return [
        {
            **_unit(task, batch, int(at), columns),
            "gap": _number(gaps[at]),
            "gold": _number(gold[at]),
            **_extremes(list(ranked), answers[:, nth]),
        }
        for nth, at in enumerate(worst)
    ]


def _unit(task: Task, batch: Batch, at: int, columns: int) -> dict[str, Any]:
    row, column = divmod(at, columns)
    return {
        "unit": task.unit_name(batch.ids[row]) + (f", system {column + 1}" if columns > 1 else ""),
        "groups": {grouping: labels[row] for grouping, labels in task.groups.items()},
        "text": task.contents(row).get(_TEXT_OF.get(type(batch), ""), ""),
    }


def _extremes(names: Sequence[str], answers: FloatArray) -> dict[str, Any]:
    known = [nth for nth in range(len(names)) if np.isfinite(answers[nth])]
    lowest, highest = min(known, key=answers.__getitem__), max(known, key=answers.__getitem__)
    return {
        "lowest": [names[lowest], _number(answers[lowest])],
        "highest": [names[highest], _number(answers[highest])],
    }


def _number(value: float) -> float | None:
    return float(f"{value:.6g}") if np.isfinite(value) else None

"""Long tables for programs: one score or comparison in each row, at full precision; undefined numbers are empty."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from qeframe.core.evaluation.result import Evaluation, Result
from qeframe.report.layouts.table import Cell, Column, Table


def score_records(evaluation: Evaluation) -> Table:
    """Return every score: submission, kind, metric, task (empty for the aggregate of several), value, low, high."""
    rows = [
        (scored.name, scored.kind, metric, task, _exact(part.value), _exact(part.low), _exact(part.high))
        for scored in evaluation.submissions
        for metric, result in scored.scores.items()
        for task, part in _parts(result)
    ]
    return _table("scores", ("submission", "kind", "metric", "task", "value", "low", "high"), rows)


def comparison_records(evaluation: Evaluation) -> Table:
    """Return every comparison, under the names of its fields; equivalence follows if it was asked for."""
    names: tuple[str, ...] = (
        "a",
        "b",
        "metric",
        "task",
        "test",
        "sided",
        "difference",
        "p",
        "p_adjusted",
        "significant",
    )
    rows = [tuple(_exact(getattr(pair, name)) for name in names) for pair in evaluation.comparisons]
    if any(pair.equivalence for pair in evaluation.comparisons):
        more = ("delta", "low", "high", "p", "p_adjusted", "verdict")
        names = (*names, "delta", "low", "high", "equivalence_p", "equivalence_p_adjusted", "verdict")
        rows = [
            (*row, *(_exact(getattr(pair.equivalence, name)) if pair.equivalence else "" for name in more))
            for row, pair in zip(rows, evaluation.comparisons, strict=True)
        ]
    return _table("comparisons", names, rows)


def _parts(result: Result) -> Iterator[tuple[str, Result]]:
    yield "", result
    yield from result.tasks.items()


def _exact(value: str | bool | float) -> str:
    """Return a text that reads back as the same value; an empty text for an undefined number."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return value
    return repr(float(value)) if math.isfinite(value) else ""


def _table(title: str, names: tuple[str, ...], rows: Sequence[Sequence[str]]) -> Table:
    columns = tuple(Column(name, "left") for name in names)
    return Table(title=title, columns=columns, rows=tuple(tuple(map(Cell, row)) for row in rows))

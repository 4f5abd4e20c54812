"""Results as records of a data frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from typing import Any

from qeframe.evaluation.given_values.comparisons import Comparisons, ComparisonsByMetric
from qeframe.evaluation.result import Comparison, Evaluation, Result
from qeframe.frames.records import Kind, frame_of_records
from qeframe.gaming.audit import Audit
from qeframe.report.layouts.table import Table

__all__ = ["frame"]

_SCORES: Mapping[str, Kind] = {
    **dict.fromkeys(("submission", "kind", "metric", "task"), str),
    **dict.fromkeys(("value", "low", "high"), float),
}
_RESULTS: Mapping[str, Kind] = {"task": str, **dict.fromkeys(("value", "low", "high"), float)}
_PAIRS: Mapping[str, Kind] = {
    **dict.fromkeys(("a", "b", "metric", "task", "test", "sided"), str),
    **dict.fromkeys(("difference", "p", "p_adjusted"), float),
    "significant": bool,
}
_EQUIVALENCES: Mapping[str, Kind] = {
    **dict.fromkeys(("delta", "low", "high", "equivalence_p", "equivalence_p_adjusted"), float),
    "verdict": str,
}
_ATTACKS: Mapping[str, Kind] = {
    **dict.fromkeys(("attack", "kind", "setting", "knowledge"), str),
    **dict.fromkeys(("score", "base", "perfect", "index", "error", "low", "high"), float),
    "golds": int,
    "determined": bool,
    "rank": int,
    "undefined": float,
}


@singledispatch
def frame(value: Any, library: str | None = None) -> Any:
    """Return a result as a data frame of a library."""
    raise TypeError(f"{type(value).__name__} has no data frame")


@frame.register
def _(value: Evaluation, library: str | None = None) -> Any:
    records = [
        (scored.name, scored.kind, metric, task, part.value, part.low, part.high)
        for scored in value.submissions
        for metric, result in scored.scores.items()
        for task, part in _parts(result)
    ]
    return frame_of_records(_SCORES, records, library)


@frame.register
def _(value: Result, library: str | None = None) -> Any:
    records = [(task, part.value, part.low, part.high) for task, part in _parts(value)]
    return frame_of_records(_RESULTS, records, library)


def _parts(result: Result) -> Iterator[tuple[str, Result]]:
    yield "", result
    yield from result.tasks.items()


@frame.register
def _(value: Comparisons, library: str | None = None) -> Any:
    return _pairs(value, library)


@frame.register
def _(value: ComparisonsByMetric, library: str | None = None) -> Any:
    return _pairs((pair for block in value for pair in block), library)


def _pairs(pairs: Iterable[Comparison], library: str | None) -> Any:
    pairs = list(pairs)
    records = [tuple(getattr(pair, name) for name in _PAIRS) for pair in pairs]
    if not any(pair.equivalence for pair in pairs):
        return frame_of_records(_PAIRS, records, library)
    more = [_equivalence(pair) for pair in pairs]
    joined = [(*record, *added) for record, added in zip(records, more, strict=True)]
    return frame_of_records({**_PAIRS, **_EQUIVALENCES}, joined, library)


def _equivalence(pair: Comparison) -> Sequence[Any]:
    found = pair.equivalence
    if found is None:
        return [None] * len(_EQUIVALENCES)
    return found.delta, found.low, found.high, found.p, found.p_adjusted, found.verdict


@frame.register
def _(value: Audit, library: str | None = None) -> Any:
    records = [
        (metric.metric, searched, *(getattr(attacked, name) for name in _ATTACKS), attacked.counts)
        for metric in value.metrics
        for searched, attacks in ((False, metric.attacks), (True, metric.finds))
        for attacked in attacks
    ]
    return frame_of_records({"metric": str, "searched": bool, **_ATTACKS, "counts": bool}, records, library)


@frame.register
def _(value: Table, library: str | None = None) -> Any:
    kinds = dict.fromkeys(_names([column.title for column in value.columns]), str)
    return frame_of_records(kinds, [[cell.text for cell in row] for row in value.rows], library)


def _names(titles: Sequence[str]) -> list[str]:
    """Return a different name for every column: its title, with its number where it is empty or there already."""
    names: list[str] = []
    for number, title in enumerate(titles, 1):
        name = title or f"column {number}"
        while name in names or (name != title and name in titles):
            name += f" {number}"
        names.append(name)
    return names

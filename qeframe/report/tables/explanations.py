"""The tables of what a run was asked for beside the ranking: ``--explain``, and those of other modules.

Explanations are scores by group, counts of the metric, and the units that lower a score most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from qeframe.core.result import Evaluation, ScoredSubmission
from qeframe.report.layouts.number_format import decimals_for, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.tables.influence import influence_tables
from qeframe.report.tables.leaderboard import ranked_submissions
from qeframe.report.tables.task_columns import ABSENT, UNIT_NAMES, task_names
from qeframe.report.tables.wmt26_rankings import wmt26_tables

_CELLS = "confusion"
_WIDTH = 90
"""The largest total width of the titles of numeric columns, in characters."""


def explanations(evaluation: Evaluation) -> list[Table]:
    """Return the tables that explain the primary metric for each task; tables without content are left out."""
    ranked = ranked_submissions(evaluation)
    tables: list[Table] = []
    for task in task_names(evaluation) or [""]:
        results = [scored.scores.get(evaluation.primary, ABSENT) for scored in ranked]
        details = [(result.tasks.get(task, ABSENT) if task else result).details for result in results]
        title = f"{evaluation.primary}, {task}" if task else evaluation.primary
        tables += [
            *_slices(title, ranked, details),
            *_confusion(title, ranked, details),
            *_counts(title, ranked, details),
            *_worst(title, ranked, details),
        ]
    return tables


def _names(ranked: Sequence[ScoredSubmission]) -> tuple[Column, list[Cell]]:
    return Column("submission", "left", key=True), [Cell(scored.name) for scored in ranked]


def _slices(title: str, ranked: Sequence[ScoredSubmission], details: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """Yield a table for each grouping: the score in every group."""
    for grouping in dict.fromkeys(name for detail in details for name in detail.get("slices", {})):
        rows = [detail.get("slices", {}).get(grouping, {}) for detail in details]
        groups = sorted({label for row in rows for label in row}, key=_natural)
        decimals = decimals_for(value for row in rows for value in row.values())
        columns = [
            (Column(group), [Cell(format_number(row.get(group, math.nan), decimals)) for row in rows])
            for group in groups
        ]
        yield Table.from_columns(f"{title} by {grouping}", [_names(ranked), *columns])


def _natural(label: str) -> tuple[int, str]:
    """Return a sort key: labels with a leading number are ordered by the number."""
    digits = label[: len(label) - len(label.lstrip("0123456789"))]
    return (int(digits) if digits else -1, label)


def _counts(title: str, ranked: Sequence[ScoredSubmission], details: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """Yield tables of the counts of the metric, one column for each count."""
    flat = [
        _flat({k: v for k, v in detail.items() if k not in {"slices", "worst_units", _CELLS}}) for detail in details
    ]
    names = list(dict.fromkeys(name for row in flat for name in row))
    for part in _lines_of(names):
        columns = [
            (Column(name), [_number([row.get(name) for row in flat], i) for i in range(len(flat))]) for name in part
        ]
        yield Table.from_columns(f"{title}: counts", [_names(ranked), *columns])


def _confusion(title: str, ranked: Sequence[ScoredSubmission], details: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """Yield a table of counts of tokens by gold tag and predicted tag; for many tags, only the most frequent errors."""
    counts = [detail.get(_CELLS, {}) for detail in details]
    pairs = list(dict.fromkeys((gold, tag) for cells in counts for gold, row in cells.items() for tag in row))
    totals = {pair: sum(cells.get(pair[0], {}).get(pair[1], 0) for cells in counts) for pair in pairs}
    titles = {f"{gold} > {tag}": (gold, tag) for gold, tag in pairs}
    shown, notes = list(titles), ["gold tag > predicted tag: number of tokens"]
    if len(list(_lines_of(shown))) > 1:
        wrong = [title for title, pair in titles.items() if pair[0] != pair[1] and totals[pair]]
        shown = next(_lines_of(sorted(wrong, key=lambda title: -totals[titles[title]])), [])
        notes.append(f"the {len(shown)} most frequent of {len(wrong)} confusions; evaluation.json has all")
    columns = [
        (Column(title), [Cell(str(cells.get(titles[title][0], {}).get(titles[title][1], ""))) for cells in counts])
        for title in shown
    ]
    if columns:
        yield Table.from_columns(f"{title}: confusion", [_names(ranked), *columns], notes=notes)


def _lines_of(titles: Sequence[str]) -> Iterator[list[str]]:
    """Cut the titles of columns into parts that fit on one line."""
    part: list[str] = []
    for title in titles:
        if part and sum(len(words) + 2 for words in (*part, title)) > _WIDTH:
            yield part
            part = []
        part.append(title)
    if part:
        yield part


def _flat(counts: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """Flatten nested counts into keys "outer inner"; values other than numbers are left out."""
    numbers: dict[str, float] = {}
    for key, value in counts.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            numbers |= _flat(value, f"{name} ")
        elif isinstance(value, (int, float)):
            numbers[name] = value
    return numbers


def _number(column: Sequence[float | None], row: int) -> Cell:
    value = column[row]
    if value is None:
        return Cell("")
    whole = all(v is None or isinstance(v, int) for v in column)
    return Cell(f"{value:.0f}" if whole else format_number(value, decimals_for(v for v in column if v is not None)))


def _worst(title: str, ranked: Sequence[ScoredSubmission], details: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """Yield a table of what was not computed, and one of the units that lower each score most."""
    rows = [detail.get("worst_units", []) for detail in details]
    for what, reason in next((detail["not_computed"] for detail in details if "not_computed" in detail), {}).items():
        column = Column(what.replace("_", " "), "left"), [Cell("not computed") for _ in rows]
        yield Table.from_columns(f"{title}: left out", [_names(ranked), column], notes=[reason])
    if not any(rows):
        return
    most = max(map(len, rows))
    columns = [
        (Column(f"#{nth + 1}", "left"), [Cell(_unit(row[nth]) if nth < len(row) else "") for row in rows])
        for nth in range(most)
    ]
    note = f"a unit ({UNIT_NAMES}), and by how much the score improves without it"
    yield Table.from_columns(f"{title}: units that lower the score most", [_names(ranked), *columns], notes=[note])


def _unit(unit: Mapping[str, Any]) -> str:
    return f"{unit.get('name', unit['id'])} ({unit['gain']:.4f})"


ON_REQUEST: Mapping[str, Callable[[Evaluation], list[Table]]] = {
    "influence": influence_tables,
    "wmt26_rankings": wmt26_tables,
}
"""What makes the other tables on request, by the name of their file: none where they were not asked for."""


def supplement_tables(evaluation: Evaluation) -> list[Table]:
    """Return all tables of what was asked for, but explanations."""
    return [table for tables in ON_REQUEST.values() for table in tables(evaluation)]

"""Results as tables in a notebook, short or whole, and as text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Any

import attrs

from qeframe.errors import counted, one_line
from qeframe.evaluation.given_values.comparisons import Comparisons, ComparisonsByMetric
from qeframe.evaluation.result import Evaluation, Result
from qeframe.gaming.audit import Audit
from qeframe.report.html.markup import fragment
from qeframe.report.layouts.numbers import decimals_for, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.layouts.terminal import as_text
from qeframe.report.tables.comparisons import comparison_list, pair_table
from qeframe.report.tables.leaderboard import (
    KIND_MARKS,
    WINNER,
    leaderboard,
    ranked_submissions,
    task_names,
)
from qeframe.report.tables.parts import parts_table
from qeframe.report.tables.studies.audit_finds import finds_table
from qeframe.report.tables.studies.audits import (
    attack_table,
    audit_summary,
    audit_tables,
    claims_table,
    counterexample_lines,
    placed_metrics,
)
from qeframe.report.tables.task_columns import OUT_OF_ORDER, metric_title
from qeframe.shown import View

__all__ = ["line", "view"]

_ROWS, _COLUMNS = 10, 10
"""How many rows and columns a short table has at most."""
_NOTES = 2
"""How many notes of a table, and how many warnings, are shown with a short one."""


@singledispatch
def line(value: Any) -> str:
    """Return what a result is, in one line."""
    raise TypeError(f"{type(value).__name__} is no result")


@singledispatch
def tables_of(value: Any, whole: bool) -> tuple[list[Table], list[str]]:
    """Return the tables of a result, short or whole, and sentences below them."""
    raise TypeError(f"{type(value).__name__} has no table")


def view(value: Any, *, whole: bool) -> View:
    """Return a result as HTML and as text: its most important rows, or all."""
    tables, sentences = tables_of(value, whole)
    text = "\n".join([*map(as_text, tables), *map(one_line, sentences)])
    return View(fragment("fragment.html.jinja", tables=tables, sentences=sentences), text)


@line.register
def _(value: Evaluation) -> str:
    tasks = f" on {len(value.tasks)} tasks" if len(value.tasks) > 1 else ""
    best = next(iter(ranked_submissions(value)), None)
    result = best.scores.get(value.primary) if best else None
    first = ""
    if best is not None and result is not None and not math.isnan(result.value):
        first = f", first {best.name} ({value.primary} {format_number(result.value, decimals_for([result.value]))})"
    return one_line(f"<Evaluation by {value.profile}: {counted(len(value.submissions), 'submission')}{tasks}{first}>")


@tables_of.register
def _(value: Evaluation, whole: bool) -> tuple[list[Table], list[str]]:
    table = leaderboard(value)
    if whole:
        return [table, *filter(None, [parts_table(value)]), comparison_list(value)], []
    keys = [i for i, column in enumerate(table.columns) if column.key]
    others = [i for i in range(len(table.columns)) if i not in keys]
    if len(table.columns) > _COLUMNS:  # the scores over all tasks come first, then those of single tasks
        title = metric_title(value, value.primary)
        primary = next(i for i in others if table.columns[i].title == title)
        others = [i for i in others if i >= primary] + [i for i in others if i < primary]
    tasks = task_names(value)
    signs = (WINNER, OUT_OF_ORDER, *filter(None, KIND_MARKS.values()), "rank set", "drawn ranks")
    signs += (f"{', '.join(tasks)}: {value.primary} in each task",) if tasks else ()
    kept = [note for note in table.notes if note.startswith(signs)]
    table, sentence = _short(table, keys, others, kept)
    return [table], [*_warned(value.warnings), *sentence]


@tables_of.register
def _(value: Result, whole: bool) -> tuple[list[Table], list[str]]:
    parts = {"": value, **value.tasks} if value.tasks else {"": value}
    decimals = decimals_for(part.value for part in parts.values())
    titles = [name for name in ("value", "low", "high") if name == "value" or _is_known(parts.values(), name)]
    numbers = [
        (Column(name), [Cell(format_number(getattr(part, name), decimals)) for part in parts.values()])
        for name in titles
    ]
    tasks = [(Column("task", "left", key=True), [Cell(name or "all") for name in parts])] if value.tasks else []
    notes = [f"{name}: {detail}" for name, detail in value.details.items() if isinstance(detail, (int, float, str))]
    return _table(Table.from_columns("Score", [*tasks, *numbers], notes=notes), whole)


def _is_known(results: Iterable[Result], name: str) -> bool:
    return not all(math.isnan(getattr(result, name)) for result in results)


def _warned(warnings: Sequence[str]) -> list[str]:
    more = len(warnings) - _NOTES
    shown = [f"Warning: {warning}." for warning in warnings[:_NOTES]]
    return [*shown, *([f"Not shown: {counted(more, 'warning')}. whole() shows all."] if more > 0 else [])]


@line.register
def _(value: Comparisons) -> str:
    return one_line(f"<Comparisons under {value.metric}: {_of_pairs(value)}>")


def _of_pairs(pairs: Comparisons) -> str:
    significant = sum(pair.significant for pair in pairs)
    return f"{counted(len(pairs), 'pair')} of {counted(len(pairs.names), 'submission')}, {significant} significant"


@tables_of.register
def _(value: Comparisons, whole: bool) -> tuple[list[Table], list[str]]:
    title = f"{value.metric}: comparisons" if value.metric else "Comparisons"
    return _table(pair_table(value, title, strong_means=value.significance), whole)


@line.register
def _(value: ComparisonsByMetric) -> str:
    blocks = "; ".join(f"{block.metric}: {_of_pairs(block)}" for block in value)
    return one_line(f"<Comparisons under {counted(len(value), 'metric')}: {blocks}>")


@tables_of.register
def _(value: ComparisonsByMetric, whole: bool) -> tuple[list[Table], list[str]]:
    return _joined(tables_of(block, whole) for block in value)


@line.register
def _(value: Audit) -> str:
    attacks = len({attacked.attack for metric in value.metrics for attacked in metric.attacks})
    worst = max((m for m in value.metrics if m.gaming_index > 0), key=lambda m: m.gaming_index, default=None)
    most = f", most gamed {worst.metric} ({format_number(worst.gaming_index, 2)})" if worst else ""
    return one_line(f"<Audit of {counted(len(value.metrics), 'metric')}: {counted(attacks, 'attack')}{most}>")


@tables_of.register
def _(value: Audit, whole: bool) -> tuple[list[Table], list[str]]:
    several, searched = len(value.metrics) > 1, any(metric.searched for metric in value.metrics)
    if not whole:
        (table, *_), sentences = _table(audit_summary(value, "Gaming audit"), False)
        broken = sum(len(metric.counterexamples) for _, metric in placed_metrics(value))
        found = [f"{counted(broken, 'counterexample')} to claims: whole() shows them."] if broken else []
        return [table], [*found, *sentences]
    tables = audit_tables(value) if several else [attack_table(metric) for metric in value.metrics]
    found_tables = [finds_table(value)] if searched else []
    lines = [text for metric in value.metrics for text in counterexample_lines(metric)]
    return [audit_summary(value, "Gaming audit"), *found_tables, *tables, claims_table(value)], [*value.notes, *lines]


@line.register
def _(value: Table) -> str:
    size = f"{counted(len(value.rows), 'row')}, {counted(len(value.columns), 'column')}"
    return one_line(f"<Table {value.title}: {size}>")


@tables_of.register
def _(value: Table, whole: bool) -> tuple[list[Table], list[str]]:
    return _table(value, whole)


def _table(table: Table, whole: bool) -> tuple[list[Table], list[str]]:
    if whole:
        return [table], []
    keys = [i for i, column in enumerate(table.columns) if column.key]
    others = [i for i, column in enumerate(table.columns) if not column.key]
    short, sentence = _short(table, keys, others, table.notes[:_NOTES])
    return [short], sentence


def _joined(found: Iterable[tuple[list[Table], list[str]]]) -> tuple[list[Table], list[str]]:
    tables, sentences = list[Table](), list[str]()
    for some, said in found:
        tables += some
        sentences += said
    return tables, list(dict.fromkeys(sentences))


def _short(table: Table, keys: Sequence[int], others: Sequence[int], notes: Sequence[str]) -> tuple[Table, list[str]]:
    """Return the first rows, the key columns with the first others, some notes, and what was left out."""
    shown = sorted([*keys, *others[: max(_COLUMNS - len(keys), 1)]])
    rows, columns = len(table.rows) - _ROWS, len(table.columns) - len(shown)
    short = attrs.evolve(table.narrowed(shown), rows=table.narrowed(shown).rows[:_ROWS], notes=tuple(notes))
    more = len(table.notes) - len(notes)
    left = [counted(n, what) for n, what in ((rows, "row"), (columns, "column"), (more, "note")) if n > 0]
    return short, [f"Not shown: {', '.join(left)}. whole() shows all."] if rows > 0 or columns > 0 else []

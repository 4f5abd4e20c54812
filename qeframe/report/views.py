"""How the results of qeframe show themselves: as tables in a notebook and as text, as data frames, as figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from qeframe.api.arrays.comparisons import Comparisons, ComparisonsByMetric
from qeframe.core.display import ResultView, View, in_a_line
from qeframe.core.errors import DataError, UnknownNameError, counted, one_line
from qeframe.core.findings import Comparison
from qeframe.core.result import Evaluation, Result
from qeframe.core.task import Task
from qeframe.report.figures.correlations import correlations_figure
from qeframe.report.figures.significance import significance_figure, significance_matrix
from qeframe.report.figures.style import available, styled
from qeframe.report.html.markup import fragment
from qeframe.report.layouts.data_frame import Kind, frame_of_records
from qeframe.report.layouts.number_format import decimals_for, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.layouts.terminal import as_text
from qeframe.report.tables.comparisons import comparison_list, pair_table
from qeframe.report.tables.leaderboard import BEST, KIND_MARKS, leaderboard, ranked_submissions
from qeframe.report.tables.parts import parts_table
from qeframe.report.tables.records import pairs_of, scores_of
from qeframe.report.tables.task_columns import FEW_UNITS, OUT_OF_ORDER, WARNING, task_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Tables = tuple[list[Table], list[str]]
"""The tables of a result, short or whole, and sentences below them."""

_ROWS, _COLUMNS = 10, 10
"""How many rows and columns a short table has at most."""
_NOTES = 2
"""How many notes of a table, and how many warnings, are shown with a short one."""

_RESULTS: Mapping[str, Kind] = {"task": str, **dict.fromkeys(("value", "low", "high"), float)}
_SIGNIFICANCE, _CORRELATIONS = "significance", "correlations"


# --- tables -------------------------------------------------------------------------------------------------------


def shown_as(tables_of: Callable[[Any, bool], Tables]) -> Callable[[Any, bool], View]:
    """Return a function that shows a result, whole or its most important rows, by the tables and sentences it has."""

    def view(value: Any, whole: bool) -> View:
        tables, sentences = tables_of(value, whole)
        text = "\n".join([*map(as_text, tables), *map(one_line, sentences)])
        return View(fragment("fragment.html.jinja", tables=tables, sentences=sentences), text)

    return view


def _evaluation_line(value: Evaluation) -> str:
    tasks = f" on {len(value.tasks)} tasks" if len(value.tasks) > 1 else ""
    best = next(iter(ranked_submissions(value)), None)
    result = best.scores.get(value.primary) if best else None
    first = ""
    if best is not None and result is not None and not math.isnan(result.value):
        first = f", first {best.name} ({value.primary} {format_number(result.value, decimals_for([result.value]))})"
    return one_line(f"<Evaluation by {value.profile}: {counted(len(value.submissions), 'submission')}{tasks}{first}>")


def _evaluation_tables(value: Evaluation, whole: bool) -> Tables:
    table = leaderboard(value)
    if whole:
        return [table, *filter(None, [parts_table(value)]), comparison_list(value)], []
    keys, others = _keys_and_others(table)
    tasks = task_names(value)
    if len(table.columns) > _COLUMNS:  # the scores over all tasks come first, then those of single tasks
        others.sort(key=lambda i: table.columns[i].title in tasks)
    signs = (BEST, OUT_OF_ORDER, FEW_UNITS, *filter(None, KIND_MARKS.values()), "rank set", "drawn ranks")
    signs += (f"{', '.join(tasks)}: {value.primary} in each task",) if tasks else ()
    warned = [note for note in table.notes if note.startswith(WARNING)]
    kept = [note for note in table.notes if note.startswith(signs) or note in warned[:_NOTES]]
    table, sentence = _short(table, keys, others, kept)
    return [table], sentence


def _result_tables(value: Result, whole: bool) -> Tables:
    parts = {"": value, **value.tasks}
    decimals = decimals_for(part.value for part in parts.values())
    ends = [name for name in ("low", "high") if not all(math.isnan(getattr(part, name)) for part in parts.values())]
    numbers = [
        (Column(name), [Cell(format_number(getattr(part, name), decimals)) for part in parts.values()])
        for name in ("value", *ends)
    ]
    tasks = [(Column("task", "left", key=True), [Cell(name or "all") for name in parts])] if value.tasks else []
    notes = [f"{name}: {detail}" for name, detail in value.details.items() if isinstance(detail, (int, float, str))]
    return short_or_whole(Table.from_columns("Score", [*tasks, *numbers], notes=notes), whole)


def _comparisons_line(value: Comparisons) -> str:
    return one_line(f"<Comparisons under {value.metric}: {_of_pairs(value)}>")


def _of_pairs(pairs: Comparisons) -> str:
    significant = sum(pair.significant for pair in pairs)
    return f"{counted(len(pairs), 'pair')} of {counted(len(pairs.names), 'submission')}, {significant} significant"


def _comparisons_tables(value: Comparisons, whole: bool) -> Tables:
    title = f"{value.metric}: comparisons" if value.metric else "Comparisons"
    return short_or_whole(pair_table(value, title, alpha=value.alpha, strong_means=value.significance), whole)


def _blocks_line(value: ComparisonsByMetric) -> str:
    blocks = "; ".join(f"{block.metric}: {_of_pairs(block)}" for block in value)
    return one_line(f"<Comparisons under {counted(len(value), 'metric')}: {blocks}>")


def _blocks_tables(value: ComparisonsByMetric, whole: bool) -> Tables:
    of_blocks = [_comparisons_tables(block, whole) for block in value]
    sentences = dict.fromkeys(sentence for _, said in of_blocks for sentence in said)
    return [table for tables, _ in of_blocks for table in tables], list(sentences)


def _table_line(value: Table) -> str:
    size = f"{counted(len(value.rows), 'row')}, {counted(len(value.columns), 'column')}"
    return one_line(f"<Table {value.title}: {size}>")


def short_or_whole(table: Table, whole: bool) -> Tables:
    """Return a table, or its first rows and columns with a sentence on what is not shown."""
    if whole:
        return [table], []
    short, sentence = _short(table, *_keys_and_others(table), table.notes[:_NOTES])
    return [short], sentence


def _keys_and_others(table: Table) -> tuple[list[int], list[int]]:
    """Return the positions of the key columns, and those of the others."""
    keys = [i for i, column in enumerate(table.columns) if column.key]
    return keys, [i for i in range(len(table.columns)) if i not in keys]


def _short(table: Table, keys: Sequence[int], others: Sequence[int], notes: Sequence[str]) -> tuple[Table, list[str]]:
    """Return the first rows, the key columns with the first others, some notes, and what was left out."""
    shown = sorted([*keys, *others[: max(_COLUMNS - len(keys), 1)]])
    rows, columns = len(table.rows) - _ROWS, len(table.columns) - len(shown)
    short = attrs.evolve(table.narrowed(shown), rows=table.narrowed(shown).rows[:_ROWS], notes=tuple(notes))
    warnings = sum(note.startswith(WARNING) for note in table.notes if note not in notes)
    more = len(table.notes) - len(notes) - warnings
    counts = {"row": rows, "column": columns, "warning": warnings, "note": more}
    left = [counted(n, what) for what, n in counts.items() if n > 0]
    return short, [f"Not shown: {', '.join(left)}. whole() shows all."] if left else []


# --- data frames --------------------------------------------------------------------------------------------------


def _evaluation_frame(value: Evaluation, library: str | None = None) -> Any:
    return frame_of_records(*scores_of(value), library)


def _result_frame(value: Result, library: str | None = None) -> Any:
    records = [(task, part.value, part.low, part.high) for task, part in {"": value, **value.tasks}.items()]
    return frame_of_records(_RESULTS, records, library)


def _blocks_frame(value: ComparisonsByMetric, library: str | None = None) -> Any:
    return _comparisons_frame([pair for block in value for pair in block], library)


def _comparisons_frame(pairs: Sequence[Comparison], library: str | None = None) -> Any:
    return frame_of_records(*pairs_of(pairs), library)


def _table_frame(value: Table, library: str | None = None) -> Any:
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


# --- figures ------------------------------------------------------------------------------------------------------


def drawn_by(draw: Callable[[Any, str, Any], Figure | None]) -> Callable[[Any, str, Any], Figure]:
    """Return a function that draws a result in the style of qeframe, by one that draws it or finds nothing to draw."""

    def figure(value: Any, kind: str, task: Any) -> Figure:
        if not available():
            raise DataError("figures need matplotlib, which is not installed", remedy='pip install "qeframe[report]"')
        with styled():
            drawn = draw(value, kind, task)
        if drawn is None:
            raise DataError("there is nothing to draw", remedy="the values are missing, too few, or equal everywhere")
        return drawn

    return figure


def _draw_evaluation(value: Evaluation, kind: str, task: Any) -> Figure | None:
    if kind == _CORRELATIONS:
        if not isinstance(task, Task):
            what = f"the figure '{kind}' is of the answers to single units, which a result does not hold"
            raise DataError(what, remedy="give the task with its data: task=tasks[0]")
        return correlations_figure(task, [scored.name for scored in ranked_submissions(value)])
    if kind not in ("", _SIGNIFICANCE):
        raise UnknownNameError("figure", kind, (_SIGNIFICANCE, _CORRELATIONS))
    if not value.comparisons:
        raise DataError("nothing was compared", remedy="evaluate two submissions or more, with a test")
    name = task.name if isinstance(task, Task) else task
    tasks = {pair.task for pair in value.comparisons}
    if name in tasks:
        return significance_figure(value, name)
    if "" in tasks and isinstance(task, Task):
        return significance_figure(value)  # a single task is all tasks together
    if not name:
        what = "all tasks together were not compared"
        raise DataError(what, remedy=f"name one: task='{next(pair.task for pair in value.comparisons)}'")
    raise UnknownNameError("task", name, tasks - {""})


def _draw_comparisons(value: Comparisons, kind: str, task: Any) -> Figure | None:
    check_only(_SIGNIFICANCE, kind, task)
    if not value:
        raise DataError("nothing was compared", remedy="compare two submissions or more")
    if len({(pair.metric, pair.task) for pair in value}) > 1:
        what = "a figure shows the pairs under one metric on one task, and these are of several"
        raise DataError(what, remedy="select the comparisons of one, or plot the evaluation")
    return significance_matrix(value, value.names, 0.05 if value.alpha is None else value.alpha, value[0].metric)


def check_only(only: str, kind: str, task: Any) -> None:
    """Refuse another kind of figure than the only one, and a task."""
    if kind not in ("", only):
        raise UnknownNameError("figure", kind, [only])
    if not isinstance(task, str) or task:
        raise DataError(f"the figure '{only}' is not of a task", remedy="leave 'task' out")


EVALUATION = ResultView(
    line=_evaluation_line, view=shown_as(_evaluation_tables), frame=_evaluation_frame, figure=drawn_by(_draw_evaluation)
)
RESULT = ResultView(line=in_a_line, view=shown_as(_result_tables), frame=_result_frame)
COMPARISONS = ResultView(
    line=_comparisons_line,
    view=shown_as(_comparisons_tables),
    frame=_comparisons_frame,
    figure=drawn_by(_draw_comparisons),
)
COMPARISONS_BY_METRIC = ResultView(line=_blocks_line, view=shown_as(_blocks_tables), frame=_blocks_frame)
TABLE = ResultView(line=_table_line, view=shown_as(short_or_whole), frame=_table_frame)

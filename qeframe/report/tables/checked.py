"""Everything that came in to a task: the mistakes of the submissions, by team, and what can be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qeframe.core.errors import counted, one_line
from qeframe.data.all_mistakes import Mistake
from qeframe.report.layouts.table import Cell, Column, Table


def checked_lines(mistakes: Sequence[Mistake], valid: Mapping[str, Sequence[str]], title: str) -> list[str]:
    """Return what was found in a folder of submissions, as lines: the mistakes by team, then the valid submissions.

    Parameters
    ----------
    valid : mapping of str to (sequence of str)
        The submissions without a mistake by task; the name of a task may be empty.
    """
    count = counted(len({name for names in valid.values() for name in names}), "submission")
    lines = [one_line(f"{title}: {counted(len(mistakes), 'mistake')}, {count} can be evaluated")]
    for team in sorted({each.submission for each in mistakes}):
        lines += ["", one_line(team)]
        lines += [f"  {one_line(each.message)}" for each in mistakes if each.submission == team]
    lines += [""] if any(valid.values()) else []
    lines += [
        one_line(f"valid{f' in {task}' if task else ''}: {', '.join(names)}") for task, names in valid.items() if names
    ]
    return lines


def checked_tables(mistakes: Sequence[Mistake], valid: Mapping[str, Sequence[str]]) -> list[Table]:
    """Return the same as two tables of a page."""
    ordered = sorted(mistakes, key=lambda each: each.submission)
    found = Table.from_columns(
        f"Mistakes: {len(mistakes)}",
        [
            (Column("submission", "left", key=True), [Cell(each.submission) for each in ordered]),
            (Column("file", "left"), [Cell(str(each.error.path or each.place)) for each in ordered]),
            (Column("line"), [Cell("" if each.error.line is None else str(each.error.line)) for each in ordered]),
            (Column("mistake", "left"), [Cell(each.error.what) for each in ordered]),
            (Column("remedy", "left"), [Cell(each.error.remedy) for each in ordered]),
        ],
        notes=["the first mistake of each file; a file may have more"],
    )
    rows = [(task, name) for task, names in valid.items() for name in names]
    columns = [(Column("submission", "left", key=True), [Cell(name) for _, name in rows])]
    if any(valid):
        columns.insert(0, (Column("task", "left", key=True), [Cell(task) for task, _ in rows]))
    tables = [Table.from_columns(f"Can be evaluated: {len(set(rows))}", columns)] if rows else []
    return [found, *tables] if mistakes else tables

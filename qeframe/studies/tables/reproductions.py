"""The tables of ``qeframe reproduce``: a summary of all published tables, and the values of each."""

import math
from collections.abc import Sequence

from qeframe.core.errors import counted
from qeframe.report.layouts.number_format import UNDEFINED
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.reproduction import ReproducedTable, ReproducedValue

_MORE_DIGITS = 3
"""How many more digits computed values show than published ones."""


def reproduction_summary(tables: Sequence[ReproducedTable]) -> Table:
    """Return a row for each published table, with the number of values by verdict."""
    counts = [
        ("values", [len(table.values) for table in tables]),
        ("equal", [table.count("equal") for table in tables]),
        ("known difference", [table.count("known difference") for table in tables]),
        ("differs", [table.count("differs", "not computed") for table in tables]),
        ("not in the data", [table.count("not in the data") for table in tables]),
    ]
    columns = [
        (Column("name", "left", key=True), [Cell(table.table.name) for table in tables]),
        (Column("published in", "left"), [Cell(table.table.source) for table in tables]),
        *((Column(title), [Cell(str(c), title == "differs" and c > 0) for c in numbers]) for title, numbers in counts),
    ]
    totals = {title: sum(numbers) for title, numbers in counts}
    parts = ", ".join(f"{title} {total:,}" for title, total in totals.items() if title != "values")
    notes = [
        f"in all: {counted(len(tables), 'table')}, {counted(totals['values'], 'value')}: {parts}",
        "equal: rounded to the printed digits, the computed value is the published one",
        "not in the data: values of submissions that the data at hand lack",
        "made by: qeframe reproduce --data DIR --format markdown",
    ]
    return Table.from_columns(
        "Published values beside computed values", columns, notes=notes, strong_means="without a known reason"
    )


def reproduced_values(table: ReproducedTable) -> Table:
    """Return a row for each value of a published table: as published, as computed, the difference, the verdict."""
    reasons = list(dict.fromkeys(value.reason for value in table.values if value.reason))
    marks = {reason: f" ({number})" for number, reason in enumerate(reasons, 1)}
    columns = [
        (Column("row", "left", key=True), [Cell(value.row) for value in table.values]),
        (Column("column", "left", key=True), [Cell(value.column) for value in table.values]),
        (Column("published"), [Cell(value.published) for value in table.values]),
        (Column("computed"), [Cell(_computed(value)) for value in table.values]),
        (Column("difference"), [Cell(_difference(value)) for value in table.values]),
        (
            Column("verdict", "left"),
            [Cell(value.verdict + marks.get(value.reason, ""), value.fails) for value in table.values],
        ),
    ]
    notes = [f"({number}) {reason}" for number, reason in enumerate(reasons, 1)]
    notes.append(f"published in: {table.table.source}; data: {table.table.data or table.table.name}")
    if table.table.profile:
        settings = "".join(f" --set '{setting}'" for setting in table.table.settings)
        notes.append(f"computed by: {table.table.profile}{settings}")
    return Table.from_columns(
        f"{table.table.name}: {table.table.summary}",
        columns,
        notes=notes,
        strong_means="differs without a known reason" if table.fails else "",
    )


def all_reproduced_values(tables: Sequence[ReproducedTable]) -> Table:
    """Return one table with the values of all published tables, for a file of tab-separated values."""
    rows = [(table.table.name, value) for table in tables for value in table.values]
    columns: list[tuple[Column, list[str]]] = [
        (Column("table", "left", key=True), [name for name, _ in rows]),
        (Column("row", "left", key=True), [value.row for _, value in rows]),
        (Column("column", "left", key=True), [value.column for _, value in rows]),
        (Column("published"), [value.published for _, value in rows]),
        (Column("computed"), [_computed(value) for _, value in rows]),
        (Column("difference"), [_difference(value) for _, value in rows]),
        (Column("verdict", "left"), [value.verdict for _, value in rows]),
        (Column("reason", "left"), [value.reason for _, value in rows]),
    ]
    cells = [(column, [Cell(text) for text in texts]) for column, texts in columns]
    return Table.from_columns("Published values beside computed values", cells)


def _decimals(value: ReproducedValue) -> int:
    decimals = len(value.published.partition(".")[2])
    return min(decimals + _MORE_DIGITS, 12) if decimals else 0


def _computed(value: ReproducedValue) -> str:
    """Return the computed value with more digits than the published one, with or without a first zero as that has."""
    if math.isnan(value.computed):
        return UNDEFINED
    if not _decimals(value):
        return f"{value.computed:,.0f}" if value.computed == round(value.computed) else f"{value.computed:,.3f}"
    text = f"{value.computed:.{_decimals(value)}f}"
    without = value.published.lstrip("+-").startswith(".")
    return text.replace("0.", ".", 1) if without and text.lstrip("-").startswith("0.") else text


def _difference(value: ReproducedValue) -> str:
    if math.isnan(value.computed):
        return UNDEFINED
    text = f"{value.difference:+.{_decimals(value)}f}" if _decimals(value) else f"{value.difference:+,.0f}"
    return text if float(text.replace(",", "")) else text[1:]

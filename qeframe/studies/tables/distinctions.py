"""The table of ``qeframe distinguish``: how well metrics separate submissions, and what each attack beats."""

from __future__ import annotations

from collections.abc import Sequence

from qeframe.report.layouts.numbers import format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.separation_tables import MetricRow


def distinction_table(rows: Sequence[MetricRow], title: str, *, signature: str = "") -> Table:
    """Return a row for each metric; the smallest counts of beaten submissions are emphasized."""
    attacks = list(dict.fromkeys(name for row in rows for name in row.beaten))
    columns = [(Column("metric", "left", key=True), [Cell(row.metric) for row in rows])]
    columns += [(Column(name), _fewest([row.beaten.get(name, 0) for row in rows])) for name in attacks]
    if attacks:
        columns.append((Column("total"), _fewest([row.total for row in rows])))
    columns += [
        (Column("d"), [Cell(format_number(row.distinction.d, 2)) for row in rows]),
        (Column("d top"), [Cell(format_number(row.distinction.d_top, 2)) for row in rows]),
        (Column("d bottom"), [Cell(format_number(row.distinction.d_bottom, 2)) for row in rows]),
        (Column("groups"), [Cell(str(row.groups)) for row in rows]),
    ]
    notes = [
        *([f"attacks: number of submissions beaten, of {_range(rows)} with a score"] if attacks and rows else []),
        "d: share of pairs that differ significantly (randomization test, Bonferroni); top, bottom: within each half",
        *([signature] if signature else []),
    ]
    return Table.from_columns(title, columns, notes=notes, strong_means="fewest of its column" if attacks else "")


def _range(rows: Sequence[MetricRow]) -> str:
    """Return the number of submissions with a score, as a range over metrics."""
    ends = dict.fromkeys(chosen(row.submissions for row in rows) for chosen in (min, max))
    return "–".join(map(str, ends))


def _fewest(counts: Sequence[int]) -> list[Cell]:
    several = len(set(counts)) > 1
    return [Cell(str(count), several and count == min(counts)) for count in counts]

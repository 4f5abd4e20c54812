"""The table of ``qeframe distinguish``: metrics, what they tell apart, and how many submissions each attack beats."""

from __future__ import annotations

from collections.abc import Sequence

from qeframe.report.layouts.printing import printed
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.distinguish import Row

__all__ = ["distinction_table"]


def distinction_table(rows: Sequence[Row], title: str, *, signature: str = "") -> Table:
    """Return a row for each metric; the fewest beaten submissions of a column are strong."""
    attacks = list(dict.fromkeys(name for row in rows for name in row.beaten))
    columns = [(Column("metric", "left", key=True), [Cell(row.metric) for row in rows])]
    columns += [(Column(name), _fewest([row.beaten.get(name, 0) for row in rows])) for name in attacks]
    if attacks:
        columns.append((Column("total"), _fewest([row.total for row in rows])))
    columns += [
        (Column("d"), [Cell(printed(row.distinction.d, 2)) for row in rows]),
        (Column("d top"), [Cell(printed(row.distinction.d_top, 2)) for row in rows]),
        (Column("d bottom"), [Cell(printed(row.distinction.d_bottom, 2)) for row in rows]),
        (Column("groups"), [Cell(str(row.groups)) for row in rows]),
    ]
    notes = [
        *([f"attacks: submissions beaten, of {_range(rows)} that have a score"] if attacks and rows else []),
        "d: share of pairs that differ significantly (randomization test, Bonferroni); top, bottom: within the halves",
        *([signature] if signature else []),
    ]
    return Table.from_columns(title, columns, notes=notes, strong_means="fewest of its column" if attacks else "")


def _range(rows: Sequence[Row]) -> str:
    """Return how many submissions have a score, from the fewest to the most under a metric."""
    ends = dict.fromkeys(chosen(row.submissions for row in rows) for chosen in (min, max))
    return "–".join(map(str, ends))


def _fewest(counts: Sequence[int]) -> list[Cell]:
    several = len(set(counts)) > 1
    return [Cell(str(count), several and count == min(counts)) for count in counts]

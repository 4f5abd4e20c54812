"""The tables of the calibration page: measured error rates and coverage of tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from calibration_rows import OF_TASK_SETS, Row
from error_rates import Share

from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.significance import SignificanceTest
from qeframe.report import Cell, Column, Table, as_markdown
from qeframe.report.layouts.number_format import format_interval, format_number

_INTERVALS = "in parentheses: Wilson's interval of 95 % for what more data sets would give"

MOST_REJECTED = 0.065
"""Rates above it are emphasized on the page: .05, and what 2,000 data sets can add by chance."""

_LEAST_COVERED = 0.925
"""Coverage below it is emphasized on the page."""


def calibration_page(rows: Sequence[Row], registry: Registry) -> str:
    """Return measured rates as Markdown: a section for each test, with a table for each question.

    The tests are described by their summaries and by what they say of their rates.
    """
    sections = []
    of_sets = [row for row in rows if row.test in OF_TASK_SETS]
    single = [row for row in rows if row not in of_sets]
    for name in dict.fromkeys(row.test for row in single):
        test = registry.get(SignificanceTest, name)
        of_test = [row for row in single if row.test == name]
        about = [f"{test.summary}.", *([f"What it says of itself: {test.measured}."] if test.measured else [])]
        tables = [_below(as_markdown(table)) for table in page_tables(of_test)]
        sections.append("\n".join([f"### `{name}`", "", "\n\n".join(about), "", *tables]))
    if of_sets:
        title = "Equal submissions whose overall scores are declared different"
        (table,) = _by_units(title, of_sets, _rejected, f"above {MOST_REJECTED:g}")
        sections.append("\n".join(["### Task sets", "", _below(as_markdown(table))]))
    return "\n".join(sections)


def page_tables(rows: Sequence[Row]) -> list[Table]:
    """Return the tables of one test: pairs, their intervals, families, rank sets; those that have rows."""
    pairs = [row for row in rows if not row.correction]
    families = [row for row in rows if row.correction and not row.gaps]
    sets = [row for row in rows if row.gaps]
    intervals = [row for row in pairs if row.covered]
    return [
        *_by_units("Equal submissions that are declared different", pairs, _rejected, f"above {MOST_REJECTED:g}"),
        *_by_units("Intervals that hold the true score", intervals, _covered, f"below {_LEAST_COVERED:g}"),
        *_by_units(
            "Families of equal submissions with any false claim", families, _rejected, f"above {MOST_REJECTED:g}"
        ),
        *_by_units("Rank sets that all hold the true ranks", sets, _covered, f"below {_LEAST_COVERED:g}"),
    ]


def _by_units(title: str, rows: Sequence[Row], cell: Callable[[Row], Cell], strong: str) -> list[Table]:
    """Return a table with a column for each number of units; none without rows."""
    if not rows:
        return []
    units = sorted({row.units for row in rows})
    seeds, tests = (len({getattr(row, name) for row in rows}) > 1 for name in ("seed", "test"))
    lines: dict[tuple[str, ...], dict[int, Row]] = {}
    for row in rows:
        test, seed = row.test if tests else "", str(row.seed) if seeds else ""
        key = (row.metric, test, row.law, row.resample, row.correction, row.gaps, seed)
        lines.setdefault(key, {})[row.units] = row
    columns = [
        (Column(name, "left", key=True), [Cell(key[i]) for key in lines])
        for i, name in enumerate(_KEYS)
        if name != "resampled" or any(key[i] != "unit" for key in lines)
        if any(key[i] for key in lines)
    ]
    columns += [
        (Column(f"n = {size:,}"), [cell(line[size]) if size in line else Cell("") for line in lines.values()])
        for size in units
    ]
    some = any(shown.strong for _, cells in columns for shown in cells)
    notes = [_runs(rows), *_on_truth(rows, cell)]
    return [Table.from_columns(title, columns, notes=notes, strong_means=strong if some else "")]


_KEYS = ("metric", "test", "law", "resampled", "correction", "submissions", "seed")
"""What tells the rows of a table apart; what is the same in all of them has no column."""


def _on_truth(rows: Iterable[Row], cell: Callable[[Row], Cell]) -> list[str]:
    """Return what estimated true scores add to the errors of coverages."""
    added = max((row.covered.truth for row in rows if row.covered), default=0.0)
    if cell is not _covered or not added:
        return []
    return [f"true scores that are estimated add at most {format_number(added, 4)} to the standard error of a cell"]


def _runs(rows: Iterable[Row]) -> str:
    runs, seeds = sorted({row.runs for row in rows}), sorted({row.seed for row in rows})
    some = f"{runs[0]:,}" if len(runs) == 1 else f"{runs[0]:,} to {runs[-1]:,}"
    return f"{some} data sets for each cell, seed {', '.join(map(str, seeds))}; {_INTERVALS}"


def _rejected(row: Row) -> Cell:
    undefined = f", undefined {format_number(row.undefined, 3)}" if row.undefined >= _SELDOM else ""
    return Cell(f"{_share(row.rejected)}{undefined}", row.rejected.value > MOST_REJECTED)


_SELDOM = 0.0005
"""Undefined tests are stated from this share on: a rounded 0.001."""


def _covered(row: Row) -> Cell:
    assert row.covered is not None
    return Cell(_share(row.covered), row.covered.value < _LEAST_COVERED)


def _below(markdown: str) -> str:
    """Return a table's Markdown with its heading one level below that of its test."""
    return f"###{markdown}"


def _share(share: Share) -> str:
    interval = format_interval(*share.interval(), 3)
    return f"{format_number(share.value, 3)} ({interval})" if interval else format_number(share.value, 3)

"""The table of ``qeframe distinguish --by-sampling``: table 2 of Logacheva et al. (2016)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from qeframe.report.layouts.numbers import UNDEFINED
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.sampling.least_samples import LeastSample, SampledMetric

__all__ = ["sampling_table"]


def sampling_table(
    rows: Sequence[SampledMetric],
    title: str,
    *,
    base: float,
    gaps: Sequence[float],
    sizes: Sequence[int],
    notes: Sequence[str] = (),
) -> Table:
    """Return a row for each metric and a column for each pair of thresholds, with the smallest sample size.

    The smallest sizes of a column are emphasized.
    """
    columns = [(Column("metric", "left", key=True), [Cell(row.metric) for row in rows])]
    columns += [
        (Column(f"{base:g} – {base + gap:g} %"), _column([row.least[nth] for row in rows]))
        for nth, gap in enumerate(gaps)
    ]
    least = [least for row in rows for least in row.least]
    explained = [
        "smallest number of data sets in each sample with a mean p of the unpaired t-test of at most alpha "
        f"(sizes {', '.join(f'{size:,}' for size in sizes)})",
        *([f"–: not told apart with {sizes[-1]:,} data sets"] if any(math.isinf(one.size) for one in least) else []),
        *(["a to b: the size depends on the simulation error"] if any(one.low != one.high for one in least) else []),
        *(["reversed: the metric prefers the worse data sets"] if any(one.reversed for one in least) else []),
        *notes,
    ]
    emphasized = any(cell.strong for _, cells in columns for cell in cells)
    return Table.from_columns(title, columns, notes=explained, strong_means="least of its column" if emphasized else "")


def _column(least: Sequence[LeastSample]) -> list[Cell]:
    sizes = [one.size for one in least if math.isfinite(one.size) and not one.reversed]
    several = len({one.size for one in least}) > 1
    return [Cell(_text(one), several and bool(sizes) and one.size == min(sizes) and not one.reversed) for one in least]


def _text(least: LeastSample) -> str:
    if math.isnan(least.size):
        return UNDEFINED
    text = _size(least.size) if least.low == least.high else f"{_size(least.low)} to {_size(least.high)}"
    return f"{text} (reversed)" if least.reversed and math.isfinite(least.low) else text


def _size(size: float) -> str:
    return f"{size:,.0f}" if math.isfinite(size) else "–"

"""The table of ``qeframe distinguish``: how well metrics separate submissions, and what each attack beats."""

import math
from collections.abc import Sequence

from qeframe.report.layouts.number_format import UNDEFINED, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.sampling.least_samples import LeastSample, SampledMetric
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


def sampling_table(
    rows: Sequence[SampledMetric],
    title: str,
    *,
    pairs: Sequence[tuple[float, float]],
    sizes: Sequence[int],
    notes: Sequence[str] = (),
) -> Table:
    """Return a row for each metric and a column for each pair of thresholds, with the smallest sample size.

    The smallest sizes of a column are emphasized.
    """
    columns = [(Column("metric", "left", key=True), [Cell(row.metric) for row in rows])]
    columns += [
        (Column(f"{low:g} – {high:g} %"), _column([row.least[nth] for row in rows], sizes[0]))
        for nth, (low, high) in enumerate(pairs)
    ]
    least = [least for row in rows for least in row.least]
    remarks = {
        f"≤ {sizes[0]:,}: the smallest size that was tried suffices": any(s.low == sizes[0] for s in least),
        f"–: not told apart with {sizes[-1]:,} data sets": any(math.isinf(sample.size) for sample in least),
        "a to b: the size depends on the simulation error": any(sample.low != sample.high for sample in least),
        "reversed: the metric prefers the worse data sets": any(sample.reversed for sample in least),
    }
    explained = [
        "the smallest of the tried sizes with a mean p of the unpaired t-test of at most alpha; the size is the number "
        f"of data sets in each sample (tried: {', '.join(f'{size:,}' for size in sizes)})",
        *(remark for remark, holds in remarks.items() if holds),
        *notes,
    ]
    emphasized = any(cell.strong for _, cells in columns for cell in cells)
    return Table.from_columns(title, columns, notes=explained, strong_means="least of its column" if emphasized else "")


def _column(least: Sequence[LeastSample], floor: int) -> list[Cell]:
    sizes = [sample.size for sample in least if math.isfinite(sample.size) and not sample.reversed]
    several = len({sample.size for sample in least}) > 1
    return [
        Cell(_text(sample, floor), several and bool(sizes) and sample.size == min(sizes) and not sample.reversed)
        for sample in least
    ]


def _text(least: LeastSample, floor: int) -> str:
    if math.isnan(least.size):
        return UNDEFINED
    low, high = _size(least.low, floor), _size(least.high, floor)
    text = _size(least.size, floor) if least.low == least.high else f"{low} to {high.removeprefix('≤ ')}"
    return f"{text} (reversed)" if least.reversed and math.isfinite(least.low) else text


def _size(size: float, floor: int) -> str:
    """Return a size; at the smallest one that was tried, only a bound is known."""
    return f"{'≤ ' if size == floor else ''}{size:,.0f}" if math.isfinite(size) else "–"

"""The tables of ``qeframe distinguish``: which metric tells submissions apart, by its test, by attacks, by samples."""

import math
from collections.abc import Sequence

from qeframe.core.errors import counted
from qeframe.gaming.gaming_gate import Gamed
from qeframe.report.layouts.number_format import UNDEFINED, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.metric_study import MetricStudy
from qeframe.studies.sampling.least_samples import LeastSample, SampledMetric
from qeframe.studies.separation_tables import MetricRow
from qeframe.studies.verdicts import Verdicts

_MOST_NAMES = 3


def metric_table(study: MetricStudy) -> Table:
    """Return a row for each metric, with notes on every column."""
    rows = study.metrics
    strips = [
        (Column("metric", "left", key=True), [Cell(row.metric) for row in rows]),
        (Column("pairs told apart"), [Cell(_told_apart(row.verdicts)) for row in rows]),
        (Column("agreement of halves"), [Cell(format_number(row.reliability, 2)) for row in rows]),
    ]
    draws = max((row.verdicts.draws for row in rows if row.verdicts.undecided), default=0)
    undecided = f"; not determined: in {draws:,} draws, p stays too near to alpha = {study.alpha:g}" if draws else ""
    notes = [
        "pairs told apart: those that differ significantly by the default test of the metric, two-sided, corrected for "
        f"all pairs{undecided}",
        f"agreement of halves: the rank correlation of the scores in two halves of the {study.unit}s, mean of "
        f"{study.splits} splits, stepped up to all of them by Spearman and Brown's formula",
        *_notes_on_rows(study),
    ]
    if any(row.gamed for row in rows):
        attacks = [_some(row.gamed.attacks) or "none" if row.gamed else UNDEFINED for row in rows]
        strips += [
            (Column("gaming index"), [Cell(_index(row.gamed)) for row in rows]),
            (Column("best attacks", "left"), [Cell(text) for text in attacks]),
            (Column("rank of worthless answers"), [Cell(_rank(row.gamed)) for row in rows]),
        ]
        notes += [
            "gaming index: what the best attack gains, of the way from an honest to the perfect score, with its "
            "interval of 95 %; best attacks: named where the interval is above 0",
            "rank of worthless answers: where the best attack that answers without a model would rank; best: the "
            "attack that gains transforms the best submission, which stays first",
        ]
    size = f"{counted(study.submissions, 'submission')}, {counted(study.units, study.unit)}"
    signature = f"profile:{study.profile}|splits:{study.splits}|seed:{study.seed}"
    title = f"{study.title} ({size}): which metric tells submissions apart"
    return Table.from_columns(title, strips, notes=[*notes, signature])


def _notes_on_rows(study: MetricStudy) -> list[str]:
    """Return the tests, and what a reader of a row should know of it."""
    tests: dict[str, list[str]] = {}
    for row in study.metrics:
        if not row.verdicts.reason:
            tests.setdefault(f"{row.verdicts.test} with {row.verdicts.correction}", []).append(row.metric)
    chance = [row.metric for row in study.metrics if row.verdicts.pairs and not row.verdicts.separated]
    return [
        *(f"test of {', '.join(metrics)}: {test}" for test, metrics in tests.items()),
        *(f"{row.metric}: {row.verdicts.reason}" for row in study.metrics if row.verdicts.reason),
        *([f"{', '.join(chance)}: no pair is told apart, so that halves may agree by chance"] if chance else []),
    ]


def _told_apart(verdicts: Verdicts) -> str:
    if verdicts.reason:
        return UNDEFINED
    undecided = f" ({verdicts.undecided} not determined)" if verdicts.undecided else ""
    return f"{verdicts.separated} of {verdicts.pairs}{undecided}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return f"{', '.join(names[:_MOST_NAMES])} and {more} more" if more > 0 else ", ".join(names)


def _index(gamed: Gamed | None) -> str:
    if gamed is None:
        return UNDEFINED
    index, low, high = (format_number(value, 2) for value in (gamed.index, gamed.low, gamed.high))
    return f"{index} ({low} to {high})"


def _rank(gamed: Gamed | None) -> str:
    if gamed is None:
        return UNDEFINED
    if gamed.rank is not None:
        return f"{gamed.rank} of {gamed.submissions + 1}"
    return "the best stays first" if gamed.attacks else "–"


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

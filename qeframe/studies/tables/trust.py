"""The tables of a study of measures: a row for each measure on a data set, and how far the measures agree."""

import math
from collections.abc import Sequence

from qeframe.core.errors import counted
from qeframe.gaming.gaming_gate import Gamed
from qeframe.report.layouts.number_format import UNDEFINED, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.measures.values import Trust, TrustedData, TrustRow
from qeframe.studies.simulation import Share

_MOST_NAMES = 3


def trust_tables(study: Trust) -> list[Table]:
    """Return the table of each data set, and after it the agreement of its measures if there are several."""
    return [
        table
        for data in study.data
        for table in (trust_table(study, data), *([agreement_table(data)] if len(data.measures) > 1 else []))
    ]


def trust_table(study: Trust, data: TrustedData) -> Table:
    """Return a row for each measure, with notes on every column."""
    rows, unit = data.measures, data.unit
    strips = [
        (Column("metric", "left", key=True), [Cell(row.metric) for row in rows]),
        (Column("first", "left"), [Cell(", ".join(row.first) or UNDEFINED) for row in rows]),
        (Column("score"), [Cell(format_number(row.score, 3)) for row in rows]),
        (Column("may be best", "left"), [Cell(_winners(row)) for row in rows]),
        (Column("separated"), [Cell(_separated(row)) for row in rows]),
        (Column("reliability"), [Cell(format_number(row.reliability, 2)) for row in rows]),
        (Column(f"{unit}s needed"), [Cell(_needed(row)) for row in rows]),
    ]
    draws = max((row.verdicts.draws for row in rows), default=0)
    notes = [
        "may be best: no other submission is significantly better by the default test, two-sided; possibly: whether "
        "one is better is not determined",
        f"separated: pairs that differ significantly; not determined: in {draws:,} draws or fewer, p stays too near to "
        f"alpha = {study.alpha:g}",
        f"reliability: the rank correlation of the scores in two halves of the {unit}s, mean of {study.splits} splits, "
        "stepped up to all of them by Spearman and Brown's formula",
        f"{unit}s needed: to separate the first from the second with a power of .8, in parentheses at the lower end of "
        f"the interval of their difference; {UNDEFINED}: the metric has no jackknife error",
    ]
    if any(row.year_error or row.default_error for row in rows):
        strips.append((Column("false claims: year's test"), [Cell(_rate(row.year_error)) for row in rows]))
        strips.append((Column("false claims: default test"), [Cell(_rate(row.default_error)) for row in rows]))
        year = "; ".join(dict.fromkeys(row.year_test for row in rows if row.year_test)) or "none"
        note = (
            f"false claims: the share of {study.runs} data sets in which two submissions with exchanged answers differ "
            f"significantly, with Wilson's interval of 95 %; {study.alpha:g} is allowed; year's test: {year}"
        )
        without = any(row.year_error is None or row.default_error is None for row in rows)
        notes.append(note + (f"; {UNDEFINED}: the test does not apply to the metric or the data" if without else ""))
    if any(row.gamed for row in rows):
        strips.append((Column("gaming index"), [Cell(_index(row.gamed)) for row in rows]))
        attacks = [_cut(row.gamed.attacks) or "none" if row.gamed else UNDEFINED for row in rows]
        strips.append((Column("best attacks", "left"), [Cell(text) for text in attacks]))
        strips.append((Column("rank of worthless answers"), [Cell(_rank(row.gamed)) for row in rows]))
        notes.append(
            "gaming index: what the best attack gains, of the way from an honest to the perfect score, with its "
            "interval of 95 %; best attacks: named where the interval is above 0"
        )
        notes.append(
            "rank of worthless answers: where the best attack that answers without a model would rank; best: what "
            "gains is a transformation of the best submission, which would stay first and need be no worse for it"
        )
    notes += [f"{row.metric}: {row.verdicts.reason}" for row in rows if row.verdicts.reason]
    signature = f"profile:{data.profile}|splits:{study.splits}|runs:{study.runs}|seed:{study.seed}"
    size = f"{counted(data.submissions, 'submission')}, {counted(data.units, data.unit)}"
    title = f"{data.title}, {data.name} ({size}): which measures can be trusted"
    return Table.from_columns(
        title, strips, notes=[*notes, *(exclusion.in_words for exclusion in study.left_out), signature]
    )


def agreement_table(data: TrustedData) -> Table:
    """Return the rank correlations of each two measures, and whom they put first."""
    correlations = data.rank_correlations()
    names = [row.metric for row in data.measures]
    columns = [
        (Column(second), [Cell(_correlation(correlations, first, second)) for first in names]) for second in names
    ]
    title = f"{data.title}, {data.name}: how far the measures agree"
    strips = [(Column("metric", "left", key=True), [Cell(name) for name in names]), *columns]
    notes = [
        f"rank correlations (Spearman's) of the scores of {counted(data.submissions, 'submission')}",
        *winners_in_words(data.measures),
    ]
    return Table.from_columns(title, strips, notes=notes)


def _correlation(correlations: dict[tuple[str, str], float], first: str, second: str) -> str:
    if first == second:
        return "–"
    return format_number(correlations.get((first, second), correlations.get((second, first), math.nan)), 2)


def winners_in_words(rows: Sequence[TrustRow]) -> list[str]:
    """Return sentences on whom the measures put first, and who may be the best under all of them."""
    by_first: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        if row.first:
            by_first.setdefault(row.first, []).append(row.metric)
    if not by_first:
        return ["no measure has a defined score"]
    ordered = sorted(by_first.items(), key=lambda item: -len(item[1]))
    firsts = "; ".join(f"{' and '.join(first)} under {', '.join(metrics)}" for first, metrics in ordered)
    tested = [row for row in rows if not row.verdicts.reason]
    sets = [{*row.verdicts.winners, *row.verdicts.possible} for row in tested]
    common = [name for name in (rows[0].scores if sets else ()) if all(name in units for units in sets)]
    best = f"may be best under all of them: {', '.join(common)}" if common else "no submission may be best under all"
    return [f"first: {firsts}", *([best] if sets else [])]


def _winners(row: TrustRow) -> str:
    if row.verdicts.reason:
        return UNDEFINED
    return "; possibly ".join(filter(None, (_cut(row.verdicts.winners), _cut(row.verdicts.possible))))


def _cut(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return f"{', '.join(names[:_MOST_NAMES])} and {more} more" if more > 0 else ", ".join(names)


def _separated(row: TrustRow) -> str:
    verdicts = row.verdicts
    if verdicts.reason:
        return UNDEFINED
    undecided = f" ({verdicts.undecided} not determined)" if verdicts.undecided else ""
    return f"{verdicts.separated} of {verdicts.pairs}{undecided}"


def _needed(row: TrustRow) -> str:
    if math.isnan(row.needed):
        return UNDEFINED
    ends = [f"{value:,.0f}" if math.isfinite(value) else "no number" for value in (row.needed, row.needed_high)]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} ({ends[1]})"


def _rate(share: Share | None) -> str:
    if share is None:
        return UNDEFINED
    low, high = (format_number(end, 3) for end in share.interval())
    return f"{format_number(share.value, 3)} ({low} to {high})"


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

"""The table of ``qeframe trust``: a row for each measure on a data set."""

from __future__ import annotations

import math
from collections.abc import Sequence

from qeframe.core.errors import counted
from qeframe.report.layouts.number_format import UNDEFINED, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.simulation import Share
from qeframe.studies.trust import SEEDS, TrustRow, same_first

_MOST_WINNERS = 3


def trust_table(
    rows: Sequence[TrustRow], title: str, *, unit: str, splits: int, runs: int, signature: str = ""
) -> Table:
    """Return a row for each measure, with notes on every column."""
    strips = [
        (Column("metric", "left", key=True), [Cell(row.metric) for row in rows]),
        (Column("first", "left"), [Cell(", ".join(row.first) or UNDEFINED) for row in rows]),
        (Column("score"), [Cell(format_number(row.score, 3)) for row in rows]),
        (Column("may be best", "left"), [Cell(_winners(row)) for row in rows]),
        (Column("separated"), [Cell(_separated(row)) for row in rows]),
        (Column("reliability"), [Cell(format_number(row.reliability, 3)) for row in rows]),
        (Column(f"{unit}s needed"), [Cell(_needed(row)) for row in rows]),
    ]
    notes = [
        same_first(rows),
        "may be best: no other submission is significantly better with all seeds, by the default test, two-sided",
        f"separated: pairs that differ significantly with each of {SEEDS} seeds; not determined: with some of them",
        f"reliability: the rank correlation of the scores in two halves of the {unit}s, mean of {splits} splits, "
        "stepped up to all of them by Spearman and Brown's formula",
        f"{unit}s needed: to separate the first from the second with a power of .8, and at the lower end of the "
        "interval of their difference; –: the metric has no jackknife error",
    ]
    if any(row.own_error or row.default_error for row in rows):
        strips.append((Column("error of the own test"), [Cell(_rate(row.own_error)) for row in rows]))
        strips.append((Column("of the default"), [Cell(_rate(row.default_error)) for row in rows]))
        own = "; ".join(dict.fromkeys(row.own_test for row in rows if row.own_test)) or "none"
        notes.append(
            f"errors: the share of {runs} data sets in which two submissions with exchanged answers differ at alpha, "
            f"with its standard error; own test: {own}"
        )
    if any(row.gamed for row in rows):
        strips.append((Column("gaming index"), [Cell(_index(row)) for row in rows]))
        strips.append((Column("best attack", "left"), [Cell(str(row.gamed.get("attack", UNDEFINED))) for row in rows]))
        strips.append((Column("its rank"), [Cell(_rank(row)) for row in rows]))
        notes.append(
            "gaming index: what the best blind or cosmetic attack gains, of the way from honest to perfect; its rank "
            "is among the submissions"
        )
    notes += [f"{row.metric}: {row.reason}" for row in rows if row.reason]
    return Table.from_columns(title, strips, notes=[*notes, *([signature] if signature else [])])


def _winners(row: TrustRow) -> str:
    if row.reason:
        return UNDEFINED
    shown = ", ".join(row.winners[:_MOST_WINNERS])
    more = len(row.winners) - _MOST_WINNERS
    return f"{shown} and {more} more" if more > 0 else shown


def _separated(row: TrustRow) -> str:
    if row.reason:
        return UNDEFINED
    open_ = f" ({counted(row.undecided, 'pair')} not determined)" if row.undecided else ""
    return f"{row.separated} of {row.pairs}{open_}"


def _needed(row: TrustRow) -> str:
    if math.isnan(row.needed):
        return UNDEFINED
    ends = [f"{value:,.0f}" if math.isfinite(value) else "no number" for value in (row.needed, row.needed_high)]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} ({ends[1]})"


def _rate(share: Share | None) -> str:
    return UNDEFINED if share is None else f"{format_number(share.value, 3)} ± {format_number(share.error, 3)}"


def _index(row: TrustRow) -> str:
    if not row.gamed or row.gamed["index"] is None:
        return UNDEFINED
    return format_number(row.gamed["index"], 2)


def _rank(row: TrustRow) -> str:
    rank = row.gamed.get("rank")
    return UNDEFINED if rank is None else str(rank)

"""The tables of ``qeframe store``: the runs of a store, and scores over runs."""

from __future__ import annotations

from collections.abc import Sequence

from qeframe.plugin.report import Cell, Column, Table, cluster_column, decimals_for, format_interval, format_number
from qeframe_store.store import StoredRun, StoredScore


def run_table(runs: Sequence[StoredRun], title: str) -> Table:
    """Return a row for each run of a store."""
    columns = [
        (Column("run", key=True), [Cell(str(run.number)) for run in runs]),
        (Column("label", "left", key=True), [Cell(run.label) for run in runs]),
        (Column("added", "left"), [Cell(run.added) for run in runs]),
        (Column("profile", "left"), [Cell(run.profile) for run in runs]),
        (Column("primary", "left"), [Cell(run.primary) for run in runs]),
        (Column("submissions"), [Cell(str(run.submissions)) for run in runs]),
    ]
    return Table.from_columns(title, columns, notes=[] if runs else ["the store is empty"])


def history_table(scores: Sequence[StoredScore], title: str) -> Table:
    """Return a row for each score, run by run; what all scores share is in a note."""
    digits = decimals_for(score.value for score in scores)
    columns = [
        (Column("run", key=True), [Cell(str(score.run)) for score in scores]),
        (Column("label", "left", key=True), [Cell(score.label) for score in scores]),
    ]
    shared = []
    for name in ("profile", "submission", "metric", "task"):
        values = [getattr(score, name) or "all" for score in scores]
        if len(set(values)) == 1:
            shared.append(f"{name}: {values[0]}")
        else:
            columns.append((Column(name, "left"), [Cell(value) for value in values]))
    columns.append((Column("score"), [Cell(format_number(score.value, digits)) for score in scores]))
    intervals = [format_interval(score.low, score.high, digits) for score in scores]
    if any(intervals):
        columns.append((Column("interval"), list(map(Cell, intervals))))
    if any(score.rank is not None for score in scores):
        columns.append((Column("rank"), [Cell("" if score.rank is None else str(score.rank)) for score in scores]))
    name, in_words = cluster_column(score.cluster for score in scores)
    if any(score.cluster is not None for score in scores):
        columns.append((Column(name), [Cell(in_words(score.cluster)) for score in scores]))
    notes = [", ".join(shared)] if shared else []
    return Table.from_columns(title, columns, notes=notes if scores else ["no score of this kind"])

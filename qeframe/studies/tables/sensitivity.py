"""The table of ``qeframe sensitivity``: submissions by profiles, with the rank and the score under each."""

import math
from collections.abc import Sequence

from qeframe.core.result import Evaluation
from qeframe.core.task import UNRANKED
from qeframe.report.layouts.number_format import UNDEFINED, decimals_for, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.tables.leaderboard import BEST, KIND_MARKS, ranked_submissions
from qeframe.report.tables.task_columns import metric_column
from qeframe.studies.sensitivity import Reversals, count_reversals, same_winner, winners


def sensitivity_table(evaluations: Sequence[Evaluation], title: str) -> Table:
    """Return a row for each submission, in the order of the first evaluation, and a column for each profile.

    A cell has the rank, the mark of winners and the score of the primary metric. Rank 1 is emphasized.
    """
    ranked = {s.name: s for evaluation in evaluations for s in ranked_submissions(evaluation)[::-1]}
    order = dict.fromkeys(s.name for evaluation in evaluations for s in ranked_submissions(evaluation))
    names = [f"{name} {KIND_MARKS[ranked[name].kind]}".rstrip() for name in order]
    kinds = {scored.kind for scored in ranked.values()}
    unranked = any(s.absent or s.kind in UNRANKED for evaluation in evaluations for s in evaluation.submissions)
    return Table.from_columns(
        title,
        [
            (Column("submission", "left", key=True), [Cell(name) for name in names]),
            *((Column(evaluation.profile), _cells(evaluation, list(order))) for evaluation in evaluations),
        ],
        heads=[["metric", *(metric_column(evaluation, evaluation.primary).title for evaluation in evaluations)]],
        notes=[
            f"rank, score under the metric of the profile; {BEST} official winner, by its ranking rule",
            *(["(rank): not ranked, the rank that it would take alone"] if unranked else []),
            *(f"{KIND_MARKS[kind]} {kind}" for kind in KIND_MARKS if kind in kinds and KIND_MARKS[kind]),
            *_order_notes(count_reversals(evaluations)),
            *(f"warning: {result.profile}: {warning}" for result in evaluations for warning in result.warnings),
            *(evaluation.signature.text for evaluation in evaluations),
            same_winner(evaluations),
        ],
        strong_means="rank 1 under the profile",
    )


def _order_notes(reversals: Sequence[Reversals]) -> list[str]:
    """Return how often profiles order a pair differently: each two of up to three; of more the fewest and the most."""
    if len(reversals) <= _MOST_LISTED:
        return [
            f"{r.first} and {r.second} order {r.reversed} of {r.pairs} pairs of submissions differently"
            for r in reversals
        ]
    ends = min(reversals, key=lambda change: change.reversed), max(reversals, key=lambda change: change.reversed)
    fewest, most = (f"{end.reversed} of {end.pairs} ({end.first} and {end.second})" for end in ends)
    return [f"pairs of submissions that two columns order differently: from {fewest} to {most}"]


_MOST_LISTED = 3


def _cells(evaluation: Evaluation, names: Sequence[str]) -> list[Cell]:
    by_name = {s.name: s for s in evaluation.submissions}
    values = {name: s.scores[evaluation.primary].value for name, s in by_name.items()}
    decimals, won = decimals_for(values.values()), winners(evaluation)
    cells = []
    for name in names:
        if name not in by_name or math.isnan(values[name]):
            cells.append(Cell(UNDEFINED))
            continue
        mark = BEST if name in won else ""
        scored = by_name[name]
        is_ranked = scored.kind not in UNRANKED and not scored.absent
        rank = f"{scored.rank}" if is_ranked else f"({scored.rank})"
        cells.append(Cell(f"{rank}{mark} {format_number(values[name], decimals)}", is_ranked and scored.rank == 1))
    return cells

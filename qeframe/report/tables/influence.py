"""The tables of influential units: units that change the winner, and units that move a score most."""

import math
from collections.abc import Iterator, Sequence

from qeframe.core.errors import counted
from qeframe.core.findings import Influence, Unit
from qeframe.core.result import Evaluation
from qeframe.report.layouts.number_format import decimals_for, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.tables.leaderboard import ranked_submissions
from qeframe.report.tables.task_columns import UNIT_NAMES

_MOST_TEXT = 60  # the longest text of a cell, in characters; evaluation.json has all


def influence_tables(evaluation: Evaluation) -> list[Table]:
    """Return a table of units that change the winner, if there are any, and one of units that move a score most.

    None if they were not asked for.
    """
    result, last = evaluation.influence, [evaluation.signature.text]
    if result is None:
        return []
    if result.reason:
        column = Column(result.metric, "left"), [Cell("not computed")]
        return [Table.from_columns("influence of units", [column], notes=[result.reason, *last])]
    order = [scored.name for scored in ranked_submissions(evaluation)]
    return [*_winners(result), _moved(result, order, last)]


def _winners(result: Influence) -> Iterator[Table]:
    """Yield the table of the units without which others lead, or of a set of units without which another one leads."""
    title = f"{result.metric}: {result.unit}s that decide who leads"
    decimals = decimals_for(without.lead for without in result.winners_without)
    if result.winners_without:
        yield Table.from_columns(
            title,
            [
                *_unit_columns([unit.unit for unit in result.winners_without], result),
                (Column("best without it", "left"), [Cell(", ".join(unit.leaders)) for unit in result.winners_without]),
                (Column("lead"), [Cell(format_number(unit.lead, decimals)) for unit in result.winners_without]),
            ],
            notes=_notes_on_winners(result),
        )
    elif result.fewest is not None:
        yield Table.from_columns(title, [*_unit_columns(result.fewest.units, result)], notes=_notes_on_winners(result))


def _notes_on_winners(result: Influence) -> list[str]:
    count = f"{result.changing:,} of {result.units:,} {result.unit}s" if result.changing else f"no single {result.unit}"
    notes = [f"best with all: {', '.join(result.leaders)}; {count} alone can be left out to change that"]
    if result.changing > len(result.winners_without):
        notes[0] += f"; the first {len(result.winners_without)} are shown"
    if result.fewest is not None:
        few = result.fewest
        shown = f"; the most influential {len(few.units)} are shown" if len(few.units) < few.count else ""
        notes.append(
            f"without {counted(few.count, result.unit)} ({100 * few.share:.2g} %), {few.challenger} is better than "
            f"{result.leaders[0]}{'' if result.winners_without else shown}"
        )
    return notes


def _moved(result: Influence, order: Sequence[str], last: Sequence[str]) -> Table:
    """Return the units that move each score most: a row for each submission and unit."""
    rows = [(name, moved) for name in order for moved in result.moved.get(name, ())]
    decimals = decimals_for(moved.influence for _, moved in rows)
    scores = decimals_for(moved.without for _, moved in rows)
    influences = [
        "undefined without it"
        if math.isnan(moved.influence)
        else f"{'+' if moved.influence > 0 else ''}{format_number(moved.influence, decimals)}"
        for _, moved in rows
    ]
    notes = [f"influence: the score less the score without the {result.unit}"]
    if result.fewest is None and not result.winners_without and len(result.leaders) == 1 and len(result.moved) > 1:
        notes.append(f"leaving out up to half of the {result.unit}s does not change the leader, {result.leaders[0]}")
    return Table.from_columns(
        f"{result.metric}: {result.unit}s that move a score most",
        [
            (Column("submission", "left", key=True), [Cell(name) for name, _ in rows]),
            *_unit_columns([moved.unit for _, moved in rows], result, [name for name, _ in rows]),
            (Column("influence"), [Cell(text) for text in influences]),
            (Column("score without it"), [Cell(format_number(moved.without, scores)) for _, moved in rows]),
        ],
        notes=[*notes, f"{result.unit}: {UNIT_NAMES}", *last],
    )


def _unit_columns(
    units: Sequence[Unit], result: Influence, submissions: Sequence[str] = ()
) -> Iterator[tuple[Column, list[Cell]]]:
    """Yield the columns of units: task, name, texts; of the submissions of the rows, if given, only their own text."""
    if any(unit.task for unit in units):
        yield Column("task", "left", key=True), [Cell(unit.task) for unit in units]
    yield Column(result.unit, "left", key=True), [Cell(unit.name) for unit in units]
    answers = set(result.moved)
    sides = list(dict.fromkeys(side for unit in units for side in unit.texts if side not in answers))
    for side in sides:
        yield Column(side, "left"), [Cell(_short(unit.texts.get(side, ""))) for unit in units]
    if submissions and any(name in unit.texts for unit, name in zip(units, submissions, strict=True)):
        answered = [Cell(_short(unit.texts.get(name, ""))) for unit, name in zip(units, submissions, strict=True)]
        yield Column("answer", "left"), answered


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_TEXT else f"{line[: _MOST_TEXT - 1]}…"

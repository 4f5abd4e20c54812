"""The tables of ``--influence``: units that change the winner, and units that move a score most."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from qeframe.plugin.calls import counted
from qeframe.plugin.evaluation import UNIT_NAMES, Unit
from qeframe.plugin.report import Cell, Column, Table, decimals_for, format_number
from qeframe_supplements.influence import Influence, MovedScore, WinnerWithout

_MOST_TEXT = 60
"""The longest text of a cell, in characters; evaluation.json has all."""


def influence_tables(found: Influence, evaluation: Any) -> list[Table]:
    """Return a table of units that change the winner, if there are any, and one of units that move a score most.

    Parameters
    ----------
    found : Influence
    evaluation : Evaluation
        With its submissions in the order of the table.
    """
    last = [evaluation.signature.text]
    if found.reason:
        column = Column(found.metric, "left"), [Cell("not computed")]
        return [Table.from_columns("influence of units", [column], notes=[found.reason, *last])]
    order = [scored.name for scored in evaluation.submissions]
    return [*_winners(found), _moved(found, order, last)]


def _winners(found: Influence) -> Iterator[Table]:
    """Yield the table of the units without which others lead, or of a set of units without which another one leads."""
    title = f"{found.metric}: {found.unit}s that decide who leads"
    if found.winners_without:
        yield Table.from_columns(
            title,
            [
                *_unit_columns([unit.unit for unit in found.winners_without], found),
                (Column("best without it", "left"), [Cell(", ".join(unit.leaders)) for unit in found.winners_without]),
                (Column("lead"), _leads(found.winners_without)),
            ],
            notes=_notes_on_winners(found),
        )
    elif found.fewest is not None:
        yield Table.from_columns(title, [*_unit_columns(found.fewest.units, found)], notes=_notes_on_winners(found))


def _leads(without: Sequence[WinnerWithout]) -> list[Cell]:
    decimals = decimals_for(lead.lead for lead in without)
    return [Cell(format_number(lead.lead, decimals)) for lead in without]


def _notes_on_winners(found: Influence) -> list[str]:
    count = f"{found.changing:,} of {found.units:,} {found.unit}s" if found.changing else f"no single {found.unit}"
    notes = [f"best with all: {', '.join(found.leaders)}; {count} alone can be left out to change that"]
    if found.changing > len(found.winners_without):
        notes[0] += f"; the first {len(found.winners_without)} are shown"
    if found.fewest is not None:
        few = found.fewest
        shown = f"; the most influential {len(few.units)} are shown" if len(few.units) < few.count else ""
        notes.append(
            f"without {counted(few.count, found.unit)} ({100 * few.share:.2g} %), {few.challenger} is better than "
            f"{found.leaders[0]}{'' if found.winners_without else shown}"
        )
    return notes


def _moved(found: Influence, order: Sequence[str], last: Sequence[str]) -> Table:
    """Return the units that move each score most: a row for each submission and unit."""
    rows = [(name, moved) for name in order for moved in found.moved.get(name, ())]
    decimals = decimals_for(moved.influence for _, moved in rows)
    scores = decimals_for(moved.without for _, moved in rows)
    notes = [f"influence: the score less the score without the {found.unit}"]
    if found.fewest is None and not found.winners_without and len(found.leaders) == 1 and len(found.moved) > 1:
        notes.append(f"leaving out up to half of the {found.unit}s does not change the leader, {found.leaders[0]}")
    return Table.from_columns(
        f"{found.metric}: {found.unit}s that move a score most",
        [
            (Column("submission", "left", key=True), [Cell(name) for name, _ in rows]),
            *_unit_columns([moved.unit for _, moved in rows], found, [name for name, _ in rows]),
            (Column("influence"), [_signed(moved, decimals) for _, moved in rows]),
            (Column("score without it"), [Cell(format_number(moved.without, scores)) for _, moved in rows]),
        ],
        notes=[*notes, f"{found.unit}: {UNIT_NAMES}", *last],
    )


def _signed(moved: MovedScore, decimals: int) -> Cell:
    if math.isnan(moved.influence):
        return Cell("undefined without it")
    return Cell(f"{'+' if moved.influence > 0 else ''}{format_number(moved.influence, decimals)}")


def _unit_columns(
    units: Sequence[Unit], found: Influence, submissions: Sequence[str] = ()
) -> Iterator[tuple[Column, list[Cell]]]:
    """Yield the columns of units: task, name, texts; of the submissions of the rows, if given, only their own text."""
    if any(unit.task for unit in units):
        yield Column("task", "left", key=True), [Cell(unit.task) for unit in units]
    yield Column(found.unit, "left", key=True), [Cell(unit.name) for unit in units]
    answers = set(found.moved)
    sides = list(dict.fromkeys(side for unit in units for side in unit.texts if side not in answers))
    for side in sides:
        yield Column(side, "left"), [Cell(_short(unit.texts.get(side, ""))) for unit in units]
    if submissions and any(name in unit.texts for unit, name in zip(units, submissions, strict=True)):
        own = [Cell(_short(unit.texts.get(name, ""))) for unit, name in zip(units, submissions, strict=True)]
        yield Column("answer", "left"), own


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_TEXT else f"{line[: _MOST_TEXT - 1]}…"

"""The tables of what each real submission gains by cosmetic attacks: one for each metric and task."""

from __future__ import annotations

from collections.abc import Sequence

from qeframe.gaming.gains import Gain, Gains
from qeframe.report.layouts.numbers import format_number
from qeframe.report.layouts.table import Cell, Column, Table

_CLEAR = 2.0
"""A gain is emphasized if it is above so many standard errors."""


def gain_tables(gains: Gains) -> list[Table]:
    """Return a table for each metric and task: a row for each submission, five columns for each attack."""
    parts: dict[tuple[str, str], list[Gain]] = {}
    for gain in gains.gains:
        parts.setdefault((gain.metric, gain.task), []).append(gain)
    notes = [
        "gain: the score with the attack minus the score without it, on the same units; above 0 is better",
        "the setting is chosen on one half of the units and scored on the other; error: standard error of the gain",
        "index: the gain as a share of the way from the own score to the perfect one",
        "rank: among all submissions; after an attack: if only this submission attacked",
        *(f"{name}: {text}" if name not in text else text for name, text in gains.gold["sets"].items()),
        f"seed {gains.gold['seed']}",
    ]
    return [_table(f"{metric} on {task}", rows, notes) for (metric, task), rows in parts.items()]


def _table(title: str, rows: Sequence[Gain], notes: Sequence[str]) -> Table:
    submissions = list(dict.fromkeys(gain.submission for gain in rows))
    attacks = list(dict.fromkeys(gain.attack for gain in rows))
    by_name = {(gain.submission, gain.attack): gain for gain in rows}
    first = [by_name[name, attacks[0]] for name in submissions]
    columns = [
        (Column("submission", "left", key=True), [Cell(name) for name in submissions]),
        (Column("score"), [Cell(format_number(gain.score, 3)) for gain in first]),
        (Column("rank"), [Cell(str(gain.rank)) for gain in first]),
    ]
    for attack in attacks:
        tried = [by_name[name, attack] for name in submissions]
        columns += [
            (Column(attack), [Cell(format_number(each.gain, 3), each.gain > _CLEAR * each.error) for each in tried]),
            (Column("error"), [Cell(format_number(each.error, 3)) for each in tried]),
            (Column("index"), [Cell(format_number(each.index, 3)) for each in tried]),
            (Column("setting", "left"), [Cell(each.setting) for each in tried]),
            (Column("rank after"), [Cell(str(each.attacked_rank)) for each in tried]),
        ]
    meaning = f"a gain above {_CLEAR:g} standard errors"
    return Table.from_columns(title, columns, notes=notes, strong_means=meaning)

"""What was found in a submission: a row for each of its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import counted
from qeframe.core.tasks.reading import Submitted, UnitValues
from qeframe.report.layouts.table import Cell, Column, Table


def found_in(answers: UnitValues) -> dict[str, int | float]:
    """Return the counts and the range of answers, by their headings.

    Numbers have the lowest and the highest one, NaN left out; without a number there is no range. Tags have the count
    of each class, spans their number.
    """
    values: Any = answers.values
    found: dict[str, int | float] = {"segments": len(answers.ids)}
    if isinstance(values, Ragged) and values.values.ndim > 1:
        return {**found, "spans": len(values.values)}
    if hasattr(values, "classes"):
        counts = np.bincount(values.values, minlength=len(values.classes)).tolist()
        return {**found, **dict(zip(values.classes, counts, strict=True))}
    if isinstance(values, Ragged):
        values = values.values
        found["tokens"] = len(values)
    known = np.asarray(values, np.float64)
    known = known[~np.isnan(known)]
    return {**found, "lowest": float(known.min()), "highest": float(known.max())} if len(known) else found


def submitted_table(parts: Sequence[Submitted], title: str, *, heading: str, checked: str) -> Table:
    """Return a row for each part of a submission.

    Parameters
    ----------
    heading : str
        What the parts are: "language pair".
    checked : str
        What the units were compared with, for a note.
    """
    facts = [found_in(part.answers) for part in parts]
    columns = [(Column("submission", "left", key=True), [Cell(part.answers.name) for part in parts])]
    if any(part.part for part in parts):
        columns.insert(0, (Column(heading, "left", key=True), [Cell(part.part or "not named") for part in parts]))
    names = dict.fromkeys(name for fact in facts for name in fact)
    columns += [(Column(name), [Cell(_shown(fact, name)) for fact in facts]) for name in names]
    stated = dict.fromkeys(tuple(part.answers.stated.items()) for part in parts if part.answers.stated)
    notes = [checked]
    notes += ["stated: " + ", ".join(f"{name} {value:.15g}" for name, value in numbers) for numbers in stated]
    notes += [
        f"left out: {counted(note.count, note.what)}, {note.reason}"
        for note in dict.fromkeys(note for part in parts for note in part.dropped)
    ]
    return Table.from_columns(title, columns, notes=notes)


def _shown(facts: Mapping[str, int | float], name: str) -> str:
    if name not in facts:
        return ""
    return f"{facts[name]:.6g}" if isinstance(facts[name], float) else str(facts[name])

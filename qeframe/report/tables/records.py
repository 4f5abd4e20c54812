"""Long tables for programs: a score, comparison or part of a submission in each row, at full precision."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.errors import counted
from qeframe.core.findings import Comparison
from qeframe.core.ragged import Ragged
from qeframe.core.result import Evaluation
from qeframe.data.reading import Submitted, UnitValues
from qeframe.report.layouts.data_frame import Kind
from qeframe.report.layouts.number_format import exact
from qeframe.report.layouts.table import Cell, Column, Table

_SCORES: Mapping[str, Kind] = {
    **dict.fromkeys(("submission", "kind", "metric", "task"), str),
    **dict.fromkeys(("value", "low", "high"), float),
}
_PAIRS: Mapping[str, Kind] = {
    **dict.fromkeys(("a", "b", "metric", "task", "test", "sided"), str),
    **dict.fromkeys(("difference", "p", "p_adjusted"), float),
    "significant": bool,
    "by": str,
}
_EQUIVALENCES: Mapping[str, Kind] = {
    **dict.fromkeys(("delta", "low", "high", "equivalence_p", "equivalence_p_adjusted"), float),
    "verdict": str,
}
Records = tuple[Mapping[str, Kind], list[Sequence[Any]]]
"""The columns of a long table, and its rows."""


def scores_of(evaluation: Evaluation) -> Records:
    """Return every score: submission, kind, metric, task (empty for the aggregate of several), value, low, high."""
    return _SCORES, [
        (scored.name, scored.kind, metric, task, part.value, part.low, part.high)
        for scored in evaluation.submissions
        for metric, result in scored.scores.items()
        for task, part in {"": result, **result.tasks}.items()
    ]


def pairs_of(pairs: Sequence[Comparison]) -> Records:
    """Return comparisons under the names of their fields; equivalence follows if it was asked for."""
    rows = [tuple(getattr(pair, name) for name in _PAIRS) for pair in pairs]
    if not any(pair.equivalence for pair in pairs):
        return _PAIRS, list(rows)
    added = [_equivalence(pair) for pair in pairs]
    return {**_PAIRS, **_EQUIVALENCES}, [(*row, *more) for row, more in zip(rows, added, strict=True)]


def _equivalence(pair: Comparison) -> Sequence[Any]:
    tested = pair.equivalence
    if tested is None:
        return [None] * len(_EQUIVALENCES)
    return tested.delta, tested.low, tested.high, tested.p, tested.p_adjusted, tested.verdict


def score_records(evaluation: Evaluation) -> Table:
    """Return the scores of `scores_of` as texts."""
    names, rows = scores_of(evaluation)
    return Table.of_texts("scores", list(names), [tuple(map(exact, row)) for row in rows])


def comparison_records(evaluation: Evaluation) -> Table:
    """Return every comparison as texts.

    Those of submissions that were entered alone come last, with the name of the entered one in a column of its own.
    """
    families = {"": evaluation.comparisons, **{place.name: place.comparisons for place in evaluation.entered}}
    names, rows = pairs_of([pair for family in families.values() for pair in family])
    entered = [name for name, family in families.items() for _ in family]
    texts = [
        (*("" if value is None else exact(value) for value in row), *([name] if evaluation.entered else []))
        for row, name in zip(rows, entered, strict=True)
    ]
    return Table.of_texts("comparisons", [*names, *(["entered"] if evaluation.entered else [])], texts)


def found_in(answers: UnitValues) -> dict[str, int | float]:
    """Return the counts and the range of answers, by their headings.

    Numbers have the lowest and the highest one, NaN left out; without a number there is no range. Tags have the count
    of each class, spans their number.
    """
    values: Any = answers.values
    facts: dict[str, int | float] = {"segments": len(answers.ids)}
    if isinstance(values, Ragged) and values.values.ndim > 1:
        return {**facts, "spans": len(values.values)}
    if hasattr(values, "classes"):
        counts = np.bincount(values.values, minlength=len(values.classes)).tolist()
        return {**facts, **dict(zip(values.classes, counts, strict=True))}
    if isinstance(values, Ragged):
        values = values.values
        facts["tokens"] = len(values)
    names = getattr(getattr(values, "dtype", None), "names", None)
    known = np.asarray(values["score"] if names and "score" in names else values, np.float64)
    known = known[~np.isnan(known)]
    return {**facts, "lowest": float(known.min()), "highest": float(known.max())} if len(known) else facts


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
        f"noted: {counted(note.count, note.what)}, {note.reason}"
        for note in dict.fromkeys(note for part in parts for note in part.dropped)
    ]
    return Table.from_columns(title, columns, notes=notes)


def _shown(facts: Mapping[str, int | float], name: str) -> str:
    if name not in facts:
        return ""
    return f"{facts[name]:.6g}" if isinstance(facts[name], float) else str(facts[name])

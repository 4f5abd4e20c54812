"""The panels of the page of a run: one for all tasks, one for each task or part, one for the units of each task."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from qeframe.core.evaluation.result import Comparison, Evaluation
from qeframe.report.html.facts import PageFacts
from qeframe.report.html.forest import forest
from qeframe.report.html.histograms import histograms
from qeframe.report.html.matrix import matrix
from qeframe.report.html.scores import Scores, scores_of_panels
from qeframe.report.layouts.numbers import format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.tables.leaderboard import ranked_submissions


def panels(evaluation: Evaluation, facts: PageFacts) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the panels of scores, and those of units, for the template.

    A single task has one panel with everything. Of several tasks, each has its units in its own panel. The units of a
    task set belong to several parts, so that they have panels of their own, in the second list.

    Returns
    -------
    scores, units : list of dict
        Each with ``title``, ``note``, ``forest``, ``matrix``, ``histograms`` and ``disagreements``; the last four are
        None where there is nothing to show.
    """
    compared = _by_task(evaluation)
    scored = scores_of_panels(evaluation)
    shown = [_panel(evaluation, scores, compared.get(scores.name, []), facts.units) for scores in scored]
    used = {panel["units_of"] for panel in shown}
    order = [scored.name for scored in ranked_submissions(evaluation)]
    others = [_units(name, of_task, order) for name, of_task in facts.units.items() if name not in used]
    return shown, others


def _by_task(evaluation: Evaluation) -> Mapping[str, list[Comparison]]:
    found: defaultdict[str, list[Comparison]] = defaultdict(list)
    metrics = {part.name: part.metric for part in evaluation.parts}
    for pair in evaluation.comparisons:
        if pair.metric == metrics.get(pair.task, evaluation.primary):
            found[pair.task].append(pair)
    return found


def _panel(
    evaluation: Evaluation, scores: Scores, pairs: Sequence[Comparison], units: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    alone = not evaluation.parts and len(evaluation.tasks) < 2 and len(units) == 1
    name = next(iter(units)) if alone else scores.name
    rules = evaluation.signature.rules
    alpha, correction = float(rules.get("alpha", 0.05)), rules.get("correction", "none")
    order = [row.name for row in scores.rows]
    tests = {pair.test: None for pair in pairs}
    return {
        "title": scores.name or ("All parts" if evaluation.parts else "All tasks"),
        "note": scores.note,
        "metric": scores.metric,
        "better": "higher" if scores.higher_is_better else "lower",
        "best": _best(scores),
        "test": ", ".join(tests),
        "correction": correction,
        "units_of": name if name in units else "",
        "forest": forest(scores),
        "matrix": matrix(pairs, order, alpha, adjusted=correction != "none"),
        **_of_units(units.get(name), order),
    }


def _best(scores: Scores) -> str:
    first = next(iter(scores.rows), None)
    return "" if first is None or math.isnan(first.value) else f"{first.name} ({format_number(first.value, 3)})"


def _units(name: str, facts: Mapping[str, Any], order: Sequence[str]) -> dict[str, Any]:
    note = f"{facts['count']:,} {facts['unit']}s"
    return {"title": name, "note": note, "forest": None, "matrix": None, **_of_units(facts, order)}


def _of_units(facts: Mapping[str, Any] | None, order: Sequence[str]) -> dict[str, Any]:
    if facts is None:
        return {"histograms": None, "disagreements": None}
    found = facts["submissions"]
    names = [*(name for name in order if name in found), *sorted(found.keys() - set(order))]
    return {"histograms": histograms(facts, names), "disagreements": _disagreements(facts)}


def _disagreements(facts: Mapping[str, Any]) -> Table | None:
    """Return the table of the units on which submissions and gold disagree most, with texts where there are any."""
    rows = facts["disagreements"]
    if not rows:
        return None
    groupings = list(dict.fromkeys(name for row in rows for name in row["groups"]))
    columns: list[tuple[Column, Sequence[Cell]]] = [
        (Column(facts["unit"], "left", key=True), [Cell(row["unit"]) for row in rows]),
        *((Column(name, "left"), [Cell(str(row["groups"].get(name, ""))) for row in rows]) for name in groupings),
        (Column("gap"), [Cell(_short(row["gap"])) for row in rows]),
        (Column("gold"), [Cell(_short(row["gold"])) for row in rows]),
        (Column("lowest"), [Cell(_short(row["lowest"][1])) for row in rows]),
        (Column("by", "left"), [Cell(row["lowest"][0]) for row in rows]),
        (Column("highest"), [Cell(_short(row["highest"][1])) for row in rows]),
        (Column("by", "left"), [Cell(row["highest"][0]) for row in rows]),
    ]
    if any(row["text"] for row in rows):
        columns.append((Column("text", "left"), [Cell(row["text"]) for row in rows]))
    return Table.from_columns(
        f"The {len(rows)} {facts['unit']}s with the largest gap",
        columns,
        notes=[f"gap: {facts['measure']}", f"gold, lowest, highest: {facts['values']}"],
    )


def _short(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3g}"

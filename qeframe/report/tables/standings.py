"""What decides the place of each submission: who is significantly better, whom it beats, and what costs it most."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from qeframe.core.findings import Comparison
from qeframe.core.ranking import without_rounding
from qeframe.core.result import Evaluation, Result
from qeframe.core.task import UNRANKED
from qeframe.report.layouts.number_format import decimals_for, format_number
from qeframe.report.layouts.table import Cell, Column, Strip, Table
from qeframe.report.tables.task_columns import ABSENT, task_names

_MOST_BEATEN = 8
"""The names of beaten submissions that a row has: each of them names this one in its own row."""


def standing(name: str, pairs: Sequence[Comparison]) -> tuple[list[str], list[str], list[str]]:
    """Return whom a submission beats, who beats it, and from whom it cannot be told apart."""
    beaten, better, not_told_apart = list[str](), list[str](), list[str]()
    for pair in (pair for pair in pairs if name in (pair.a, pair.b)):
        other = pair.b if pair.a == name else pair.a
        where = not_told_apart if not pair.significant else beaten if pair.a == name else better
        where.append(other)
    return beaten, better, not_told_apart


def standings(scores: Mapping[str, float], pairs: Sequence[Comparison], costs: Mapping[str, str], *, of: str) -> Table:
    """Return a row for each submission that was compared: its place, who beats it, whom it beats, and what costs most.

    Without comparisons every submission has a row, with its place and what costs most.

    Parameters
    ----------
    scores : mapping of str to float
        By submission, the best first. Those with equal scores have one place.
    pairs : sequence of Comparison
        Under one metric in one task.
    costs : mapping of str to str
        By submission what costs it most; empty where that is not known.
    of : str
        What the submissions were compared in.
    """
    compared = {name for pair in pairs for name in (pair.a, pair.b)}
    shown = [name for name in scores if name in compared or not pairs]
    equal = without_rounding(np.array([scores[name] for name in shown])).tolist()
    places = [1 + equal.index(score) for score in equal]
    found = [standing(name, pairs) for name in shown]
    columns: list[Strip] = [
        (Column("place"), [Cell(f"{place} of {len(shown)}") for place in places]),
        (Column("submission", "left", key=True), [Cell(name) for name in shown]),
    ]
    if pairs:
        columns += [
            (Column("significantly better than it", "left"), [Cell(_listed(better)) for _, better, _ in found]),
            (Column("beaten by it", "left"), [Cell(_listed(beaten, _MOST_BEATEN)) for beaten, _, _ in found]),
            (Column("not told apart"), [Cell(str(len(others))) for *_, others in found]),
        ]
    columns += [(Column("costs most", "left"), [Cell(costs.get(name, "")) for name in shown])] if costs else []
    notes = ["costs most: where its distance to the best score, times the weight, is largest"] if costs else []
    return Table.from_columns(f"Each submission in {of}", columns, notes=notes)


def _listed(names: Sequence[str], most: int | None = None) -> str:
    more = "" if most is None or len(names) <= most else f" and {len(names) - most} more"
    return f"{len(names)}: {', '.join(names[:most])}{more}" if names else "none"


def what_costs_most(evaluation: Evaluation) -> dict[str, str]:
    """Return by submission where it loses most of its overall score: the task or part, or a unit.

    It is the task or part whose weight times the distance to the best score is largest; nothing if the overall score is
    no mean of scores, such as one of ranks. In a single task it is the unit without which the score improves most, if
    explanations were asked for.
    """
    behind: dict[str, tuple[float, str]] = {}
    for name, loss, words in _losses(evaluation):
        if loss > behind.get(name, (0.0, ""))[0]:
            behind[name] = loss, words
    return {name: words for name, (_, words) in behind.items()}


def _is_no_mean(result: Result) -> bool:
    """Return whether an aggregate lies outside of what it is made of."""
    values = [in_task.value for in_task in result.tasks.values()]
    return bool(values) and not (min(values) <= result.value <= max(values)) and not math.isnan(result.value)


def _losses(evaluation: Evaluation) -> Iterator[tuple[str, float, str]]:
    """Yield a submission, what it loses somewhere, and where in words."""
    ranked = [s for s in evaluation.submissions if s.kind not in UNRANKED]
    results = {s.name: s.scores.get(evaluation.primary, ABSENT) for s in ranked}
    if any(map(_is_no_mean, results.values())) or evaluation.signature.rules.get("overall") == "cluster_ranks":
        return
    scales = {part.name: part.weight / abs(part.scale[1] - part.scale[0]) for part in evaluation.parts}
    for task in list(scales) or task_names(evaluation):
        values = {name: result.tasks[task].value for name, result in results.items() if task in result.tasks}
        values = {name: value for name, value in values.items() if not math.isnan(value)}
        part = next((part for part in evaluation.parts if part.name == task), None)
        high = part.higher_is_better if part else evaluation.higher_in_tasks.get(evaluation.primary, True)
        best = (max if high else min)(values.values(), default=math.nan)
        decimals = decimals_for(values.values())
        weight = scales.get(task, evaluation.shares.get(task, 1.0))
        for name, value in values.items():
            told = f"{task}: {format_number(value, decimals)}, the best has {format_number(best, decimals)}"
            yield name, weight * abs(best - value), told
    for name, result in results.items():
        for unit in result.details.get("worst_units", ())[:1]:
            yield (
                name,
                unit["gain"],
                f"{unit.get('name', unit['id'])}: without it the score is {unit['gain']:.4f} better",
            )

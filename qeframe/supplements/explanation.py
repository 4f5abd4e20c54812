"""The explanation of a score: the score in every slice, and the units that lower the score most.

Both are weightings of the units. A slice gives weight 1 to the units of a group and 0 to the others. The cost of a unit
is what the score gains without it: a term of the jackknife. For an additive metric both follow from its sums. Any other
metric is recomputed for each slice and each unit; if that is too much work, the explanation says so instead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.batch import FloatArray, IntArray, labels_to_index
from qeframe.core.component import StatisticError
from qeframe.core.statistic import Additive, Grouped, by_group
from qeframe.core.statistic_stack import StatisticStack
from qeframe.supplements.given import TaskScores

_WORST = 5
_MOST_WEIGHTS = 2**24
"""The largest number of weights times submissions for which a non-additive metric is recomputed: about two seconds."""


def explain(scores: TaskScores) -> list[dict[str, Any]]:
    """Explain the scores of all submissions of a task.

    ``slices``: by grouping, the score in each of its groups. ``worst_units``: up to five units without which the score
    would be best, with their ``name`` if that is not the id, and the ``gain`` (positive: better without it).
    ``not_computed``: the reason, under ``worst_units`` or ``slices NAME``, if something was too much work.
    """
    reasons = dict[str, str]()
    slices, worst = _slices(scores, reasons), _worst_units(scores, reasons)
    omitted = {"not_computed": reasons} if reasons else {}
    return [{"slices": scored, "worst_units": units, **omitted} for scored, units in zip(slices, worst, strict=True)]


def _too_much(stack: StatisticStack, rounds: int, what: str) -> str:
    """Return the reason why a number of computations on all units is too much work; empty if it is not."""
    if stack.additive or rounds * stack.units * len(stack) <= _MOST_WEIGHTS:
        return ""
    return f"the metric is not additive, and would be recomputed for each of {rounds} {what}"


def _slices(scores: TaskScores, reasons: dict[str, str]) -> list[dict[str, dict[str, float]]]:
    """Return the score of every group of every grouping, by submission; add the reasons for what is left out."""
    slices = [dict[str, dict[str, float]]() for _ in scores.contest.oriented]
    for grouping, labels in scores.groups.items():
        index, names = labels_to_index(labels)
        if reason := _too_much(scores.stack, len(names), "groups"):
            reasons[f"slices {grouping}"] = reason
            continue
        for i, of_groups in enumerate(_group_scores(scores.stack, index, len(names)).T):
            slices[i][grouping] = dict(zip(names, map(float, of_groups), strict=True))
    return slices


def _group_scores(stack: StatisticStack, index: IntArray, groups: int) -> FloatArray:
    """Return the score of the units of each group alone, (groups, S)."""
    columns: list[FloatArray] = []
    for position, statistic in enumerate(by_group(ungrouped, index, groups, "group") for ungrouped in stack.statistics):
        if isinstance(statistic, Grouped):
            return stack(index == np.arange(groups)[:, None])
        try:
            columns.append(statistic.unit_scores() if isinstance(statistic, Additive) else statistic(np.eye(groups)))
        except Exception as error:
            raise StatisticError(position, error) from error
    return np.stack(columns, axis=-1)


def _worst_units(scores: TaskScores, reasons: dict[str, str]) -> Sequence[Sequence[Mapping[str, Any]]]:
    """Return the units that lower each score most, by submission; add the reason if they are left out."""
    contest, stack, ids = scores.contest, scores.stack, scores.ids
    if reason := _too_much(stack, stack.units, "units"):
        reasons["worst_units"] = reason
        return [[] for _ in contest.oriented]
    left_out = stack.jackknife()
    gains = np.nan_to_num(contest.sign * left_out - contest.oriented, nan=-np.inf)
    order = np.argsort(-gains, axis=0, kind="stable")[:_WORST]
    called = {unit: scores.unit_name(int(ids[unit])) for unit in np.unique(order).tolist()}
    return [
        [
            {
                "id": int(ids[unit]),
                **({"name": called[unit]} if called[unit] != str(ids[unit]) else {}),
                "score_without": float(left_out[unit, i]),
                "gain": float(gains[unit, i]),
            }
            for unit in order[:, i]
            if gains[unit, i] > 0
        ]
        for i in range(len(contest.oriented))
    ]

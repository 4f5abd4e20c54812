"""The explanation of a score: the score in every slice, and the units that lower the score most.

Both are weightings of the units. A slice gives weight 1 to the units of a group and 0 to the others. The cost of a unit
is what the score gains without it: a term of the jackknife. For an additive metric both follow from its sums. Any other
metric is recomputed for each slice and each unit; if that is too much work, the explanation says so instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.batches.base import FloatArray, IntArray, labels_to_index
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.resampling.statistic import Additive, Grouped, by_group
from qeframe.core.resampling.statistic_stack import StatisticStack

__all__ = ["explain"]

_WORST = 5
_MOST_WEIGHTS = 2**24
"""The largest number of weights times submissions for which a non-additive metric is recomputed: about two seconds."""


def explain(comparable: ComparableInTask, name: Callable[[int], str] = str) -> list[dict[str, Any]]:
    """Explain the scores of all submissions of a task under one metric.

    Parameters
    ----------
    comparable : ComparableInTask
    name : callable
        From the id of a unit to what tables call it.

    Returns
    -------
    list of dict
        One for each submission. ``slices``: by grouping, the score in each of its groups. ``worst_units``: up to five
        units without which the score would be best, each with its ``id``, its ``name`` if that is not the id, the
        ``score_without`` it and the ``gain`` (positive: better without it). ``not_computed``: the reason, under
        ``worst_units`` or ``slices NAME``; only if something was too much work.
    """
    stack, reasons = comparable.scored_task.unit_stack(comparable.nth), dict[str, str]()
    slices = _slices(comparable, stack, reasons)
    worst = _worst_units(comparable, stack, reasons, name)
    omitted = {"not_computed": reasons} if reasons else {}
    return [{"slices": slices[i], "worst_units": worst[i], **omitted} for i in range(len(comparable.oriented))]


def _too_much(stack: StatisticStack, rounds: int, what: str) -> str:
    """Return the reason why a number of computations on all units is too much work; empty if it is not."""
    if stack.additive or rounds * stack.units * len(stack) <= _MOST_WEIGHTS:
        return ""
    return f"the metric is not additive, and would be recomputed for each of {rounds} {what}"


def _slices(
    comparable: ComparableInTask, stack: StatisticStack, reasons: dict[str, str]
) -> list[dict[str, dict[str, float]]]:
    """Return the score of every group of every grouping, by submission; add the reasons for what is left out."""
    slices = [dict[str, dict[str, float]]() for _ in comparable.oriented]
    for grouping, labels in comparable.scored_task.groups.items():
        index, names = labels_to_index(labels)
        if reason := _too_much(stack, len(names), "groups"):
            reasons[f"slices {grouping}"] = reason
            continue
        for i, scores in enumerate(_group_scores(stack, index, len(names)).T):
            slices[i][grouping] = dict(zip(names, map(float, scores), strict=True))
    return slices


def _group_scores(stack: StatisticStack, index: IntArray, groups: int) -> FloatArray:
    """Return the score of the units of each group alone, (groups, S)."""
    columns: list[FloatArray] = []
    for statistic in (by_group(ungrouped, index, groups, "group") for ungrouped in stack.statistics):
        if isinstance(statistic, Grouped):
            return stack(index == np.arange(groups)[:, None])
        columns.append(statistic.unit_scores() if isinstance(statistic, Additive) else statistic(np.eye(groups)))
    return np.stack(columns, axis=-1)


def _worst_units(
    comparable: ComparableInTask, stack: StatisticStack, reasons: dict[str, str], name: Callable[[int], str]
) -> Sequence[Sequence[Mapping[str, Any]]]:
    """Return the units that lower each score most, by submission; add the reason if they are left out."""
    ids = comparable.scored_task.batches[0].ids
    if reason := _too_much(stack, stack.units, "units"):
        reasons["worst_units"] = reason
        return [[] for _ in comparable.oriented]
    left_out = stack.jackknife()
    gains = np.nan_to_num(comparable.sign * left_out - comparable.oriented, nan=-np.inf)
    order = np.argsort(-gains, axis=0, kind="stable")[:_WORST]
    called = {unit: name(int(ids[unit])) for unit in np.unique(order).tolist()}
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
        for i in range(len(comparable.oriented))
    ]

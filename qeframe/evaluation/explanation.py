"""Why a submission won or lost: its score in every slice, and the units that cost it most.

Both are nothing but weights. A slice gives weight 1 to the units of a group and 0 to the others; the cost of a unit is
what the score would gain without it, a term of the jackknife. Of an additive metric both are had from its sums; any
other is computed anew for each slice and unit, and where that would be too much work it is left out and said so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from qeframe.batches.base import FloatArray, IntArray, labels_to_index
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.resampling.stack import StatisticStack
from qeframe.resampling.statistic import Additive, Grouped, by_group

__all__ = ["explain"]

_WORST = 5
_MOST_WEIGHTS = 2**24
"""How many weights times submissions a metric that is not additive is computed on: one or two seconds."""


def explain(comparable: ComparableInTask, names: Mapping[int, str] = MappingProxyType({})) -> list[dict[str, Any]]:
    """Explain the scores of all submissions of a comparable.

    Parameters
    ----------
    names : mapping of int to str
        What the gold calls a unit, by its id, where that is not the id itself.

    Returns
    -------
    list of dict
        One for each submission: ``slices``, by grouping the score in each of its groups; ``worst_units``, up to five
        units without which the score would be best, each with its ``id``, its ``name`` if it has one, the
        ``score_without`` it and the ``gain`` (positive: better without it); and, only where something was too much
        work, ``not_computed``: for ``worst_units`` and ``slices NAME`` the reason.
    """
    stack, reasons = comparable.scored_task.unit_stack(comparable.nth), dict[str, str]()
    slices = _slices(comparable, stack, reasons)
    worst = _worst_units(comparable, stack, reasons, names)
    told = {"not_computed": reasons} if reasons else {}
    return [{"slices": slices[i], "worst_units": worst[i], **told} for i in range(len(comparable.oriented))]


def _too_much(stack: StatisticStack, rounds: int, what: str) -> str:
    """Return why a number of computations on all units is too much work, or nothing."""
    if stack.additive or rounds * stack.units * len(stack) <= _MOST_WEIGHTS:
        return ""
    return f"the metric is not additive, and would be computed anew for each of {rounds} {what}"


def _slices(
    comparable: ComparableInTask, stack: StatisticStack, reasons: dict[str, str]
) -> list[dict[str, dict[str, float]]]:
    found = [dict[str, dict[str, float]]() for _ in comparable.oriented]
    for grouping, labels in comparable.scored_task.groups.items():
        index, names = labels_to_index(labels)
        if reason := _too_much(stack, len(names), "groups"):
            reasons[f"slices {grouping}"] = reason
            continue
        for i, of_submission in enumerate(_group_scores(stack, index, len(names)).T):
            found[i][grouping] = dict(zip(names, map(float, of_submission), strict=True))
    return found


def _group_scores(stack: StatisticStack, index: IntArray, groups: int) -> FloatArray:
    """Return the scores of every group of units alone, (groups, S)."""
    apart: list[FloatArray] = []
    for statistic in (by_group(each, index, groups, "group") for each in stack.statistics):
        if isinstance(statistic, Grouped):
            return stack(index == np.arange(groups)[:, None])
        apart.append(statistic.unit_scores() if isinstance(statistic, Additive) else statistic(np.eye(groups)))
    return np.stack(apart, axis=-1)


def _worst_units(
    comparable: ComparableInTask, stack: StatisticStack, reasons: dict[str, str], names: Mapping[int, str]
) -> Sequence[Sequence[Mapping[str, Any]]]:
    ids = comparable.scored_task.batches[0].ids
    if reason := _too_much(stack, stack.units, "units"):
        reasons["worst_units"] = reason
        return [[] for _ in comparable.oriented]
    left_out = stack.jackknife()
    gains = np.nan_to_num(comparable.sign * left_out - comparable.oriented, nan=-np.inf)
    order = np.argsort(-gains, axis=0, kind="stable")[:_WORST]
    return [
        [
            {
                "id": int(ids[unit]),
                **({"name": names[int(ids[unit])]} if int(ids[unit]) in names else {}),
                "score_without": float(left_out[unit, i]),
                "gain": float(gains[unit, i]),
            }
            for unit in order[:, i]
            if gains[unit, i] > 0
        ]
        for i in range(len(comparable.oriented))
    ]

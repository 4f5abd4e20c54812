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

from qeframe.batch import FloatArray, IntArray, labels_to_index
from qeframe.bench import TaskTrial
from qeframe.panel import Panel
from qeframe.statistic import Additive, Grouped, by_group

__all__ = ["explain"]

_WORST = 5
_MOST_CELLS = 2**24
"""How many weights times submissions a metric that is not additive is computed on: one or two seconds."""


def explain(trial: TaskTrial, names: Mapping[int, str] = MappingProxyType({})) -> list[dict[str, Any]]:
    """Explain the scores of all submissions of a trial.

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
    panel, reasons = trial.bench.unit_panel(trial.nth), dict[str, str]()
    slices = _slices(trial, panel, reasons)
    worst = _worst_units(trial, panel, reasons, names)
    told = {"not_computed": reasons} if reasons else {}
    return [{"slices": slices[i], "worst_units": worst[i], **told} for i in range(len(trial.goodness))]


def _too_much(panel: Panel, rounds: int, what: str) -> str:
    """Return why a number of computations on all units is too much work, or nothing."""
    if panel.additive or rounds * panel.units * len(panel) <= _MOST_CELLS:
        return ""
    return f"the metric is not additive, and would be computed anew for each of {rounds} {what}"


def _slices(trial: TaskTrial, panel: Panel, reasons: dict[str, str]) -> list[dict[str, dict[str, float]]]:
    found = [dict[str, dict[str, float]]() for _ in trial.goodness]
    for grouping, labels in trial.bench.groups.items():
        index, names = labels_to_index(labels)
        if reason := _too_much(panel, len(names), "groups"):
            reasons[f"slices {grouping}"] = reason
            continue
        for i, of_submission in enumerate(_group_scores(panel, index, len(names)).T):
            found[i][grouping] = dict(zip(names, map(float, of_submission), strict=True))
    return found


def _group_scores(panel: Panel, index: IntArray, groups: int) -> FloatArray:
    """Return the scores of every group of units alone, (groups, S)."""
    apart: list[FloatArray] = []
    for statistic in (by_group(each, index, groups, "group") for each in panel.statistics):
        if isinstance(statistic, Grouped):
            return panel(index == np.arange(groups)[:, None])
        apart.append(statistic.unit_scores() if isinstance(statistic, Additive) else statistic(np.eye(groups)))
    return np.stack(apart, axis=-1)


def _worst_units(
    trial: TaskTrial, panel: Panel, reasons: dict[str, str], names: Mapping[int, str]
) -> Sequence[Sequence[Mapping[str, Any]]]:
    ids = trial.bench.batches[0].ids
    if reason := _too_much(panel, panel.units, "units"):
        reasons["worst_units"] = reason
        return [[] for _ in trial.goodness]
    left_out = panel.jackknife()
    gains = np.nan_to_num(trial.sign * left_out - trial.goodness, nan=-np.inf)
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
        for i in range(len(trial.goodness))
    ]

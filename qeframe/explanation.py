"""Why a submission won or lost: its score in every slice, and the units that cost it most.

Both are nothing but weights. A slice gives weight 1 to the units of a group and 0 to the others; the cost of a unit is
what the score would gain without it, a term of the jackknife.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.batch import labels_to_index
from qeframe.bench import TaskTrial

__all__ = ["explain"]

_WORST = 5
_MOST_UNITS = 5000
"""With more units, the costs of metrics that are not additive are left out: they need a computation a unit."""


def explain(trial: TaskTrial) -> list[dict[str, Any]]:
    """Explain the scores of all submissions of a trial.

    Returns
    -------
    list of dict
        One for each submission: ``slices``, by grouping the score in each of its groups; ``worst_units``, up to five
        units without which the score would be best, each with its ``id``, the ``score_without`` it and the ``gain``
        (positive: better without it).
    """
    slices = _slices(trial)
    worst = _worst_units(trial)
    return [{"slices": slices[i], "worst_units": worst[i]} for i in range(len(trial.goodness))]


def _slices(trial: TaskTrial) -> list[dict[str, dict[str, float]]]:
    bench, found = trial.bench, [dict[str, dict[str, float]]() for _ in trial.goodness]
    for grouping, labels in bench.groups.items():
        index, names = labels_to_index(labels)
        weights = (index == np.arange(len(names))[:, None]).astype(np.float64)
        scores = bench.unit_panel(trial.nth)(weights)
        for i, of_submission in enumerate(scores.T):
            found[i][grouping] = dict(zip(names, map(float, of_submission), strict=True))
    return found


def _worst_units(trial: TaskTrial) -> Sequence[Sequence[Mapping[str, float]]]:
    panel, ids = trial.bench.unit_panel(trial.nth), trial.bench.batches[0].ids
    if len(ids) > _MOST_UNITS and panel.exchangeable is None:
        return [[] for _ in trial.goodness]
    left_out = panel.jackknife()
    gains = np.nan_to_num(trial.sign * left_out - trial.goodness, nan=-np.inf)
    order = np.argsort(-gains, axis=0, kind="stable")[:_WORST]
    return [
        [
            {"id": int(ids[unit]), "score_without": float(left_out[unit, i]), "gain": float(gains[unit, i])}
            for unit in order[:, i]
            if gains[unit, i] > 0
        ]
        for i in range(len(trial.goodness))
    ]

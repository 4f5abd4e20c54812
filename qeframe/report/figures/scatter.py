"""Standardized scatter plots: gold against prediction, both as z-scores, so that only the association shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from qeframe.batches.base import FloatArray
from qeframe.report.figures.canvas import BLUE, GOLD
from qeframe.report.figures.panels import panels, remark
from qeframe.report.figures.predictions import Predictions, predictions, standardized
from qeframe.tasks.task import Task

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["scatter_figure"]

_FARTHEST = 4.0
_MANY = 5000
"""More points than this in a figure are drawn as pixels, for a vector file would be slow to open."""


def scatter_figure(task: Task, order: Sequence[str] = ()) -> Figure | None:
    """Return a panel for every submission: z-scores of gold (x) and prediction (y), the line of slope r, and r.

    All panels share both axes, up to four standard deviations. What lies outside is counted in the panel.

    Parameters
    ----------
    task : Task
    order : sequence of str
        The names in the order of the panels; that of the task by default.

    Returns
    -------
    Figure or None
        None for a kind of batch that holds no gold and predicted numbers.
    """
    found = predictions(task, order)
    if not found or found[0].gold is None:
        return None
    gold = standardized(found[0].gold)
    answers = [standardized(item.predicted) for item in found]
    limit = min(max(float(np.abs(values).max()) for values in (gold, *answers)) + 0.2, _FARTHEST) or 1.0
    figure, cells = panels(
        [item.name for item in found], width=1.75, height=1.75, across="gold (z-score)", up="prediction (z-score)"
    )
    for axes, item, predicted in zip(cells, found, answers, strict=True):
        axes.set(xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal")
        _panel(axes, gold, predicted, crowded=len(gold) * len(found) > _MANY)
        remark(axes, _said(item, gold, predicted, limit), low=_r(gold, predicted) >= 0)
    return figure


def _panel(axes: Axes, gold: FloatArray, predicted: FloatArray, *, crowded: bool) -> None:
    opacity = float(np.clip(6 / np.sqrt(len(gold)), 0.06, 0.5))
    axes.scatter(gold, predicted, s=6, color=BLUE, alpha=opacity, linewidths=0, rasterized=crowded)
    if gold.any() and predicted.any():
        axes.axline((0, 0), slope=_r(gold, predicted), color=GOLD, linewidth=1.3)


def _r(gold: FloatArray, predicted: FloatArray) -> float:
    return float(np.clip(np.mean(gold * predicted), -1, 1))


def _said(item: Predictions, gold: FloatArray, predicted: FloatArray, limit: float) -> str:
    outside = int((np.maximum(np.abs(gold), np.abs(predicted)) > limit).sum())
    verdict = "constant" if item.constant else f"r = {_r(gold, predicted):.3f}" if gold.any() else "gold constant"
    return "\n".join([verdict, *([f"{outside} outside"] if outside else [])])

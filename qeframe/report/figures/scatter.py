"""Scatter plots of gold and prediction, both as z-scores, so that location and scale do not matter."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.tasks.task import Task
from qeframe.report.figures.small_multiples import corner_text, panels
from qeframe.report.figures.style import BLUE, GOLD

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@frozen(eq=False)
class Predictions:
    """The numbers of one submission.

    `predicted` (n,). `gold` (n,): None for a kind of batch without gold.
    """

    name: str
    predicted: FloatArray
    gold: FloatArray | None

    @property
    def constant(self) -> bool:
        """Whether all predictions are equal."""
        return bool(np.ptp(self.predicted) == 0)


def predictions(task: Task, order: Sequence[str] = ()) -> list[Predictions]:
    """Return the numbers of the submissions: names in `order` first, then the others in the order of the task.

    The list is empty unless every batch has units with predicted numbers.
    """
    batches = {submission.name: batch for submission, batch in task.batches.items()}
    names = [*(name for name in order if name in batches), *(name for name in batches if name not in set(order))]
    columns = []
    for name in names:
        batch = batches[name]
        numbers = batch.unit_numbers()
        if numbers is None or numbers.ends is not None or not len(batch):
            return []
        columns.append(Predictions(name, numbers.answers, numbers.gold))
    return columns


def standardized(values: FloatArray) -> FloatArray:
    """Return z-scores, (n,); all zero for constant values."""
    if np.ptp(values) == 0:
        return np.zeros_like(values)
    centered = values - values.mean()
    return np.asarray(centered / centered.std(), dtype=np.float64)


_FARTHEST = 4.0
_MANY = 5000
"""Figures with more points than this draw them as pixels; as vectors they would be slow to open."""


def scatter_figure(task: Task, order: Sequence[str] = ()) -> "Figure | None":
    """Return a panel for every submission: z-scores of gold (x) and prediction (y), the line of slope r, and r.

    All panels share both axes, up to four standard deviations. Points outside the axes are counted in the panel.

    Parameters
    ----------
    task : Task
    order : sequence of str
        The names in the order of the panels; default: the order of the task.

    Returns
    -------
    Figure or None
        None for a batch without gold or predicted numbers.
    """
    points = predictions(task, order)
    if not points or points[0].gold is None:
        return None
    gold = standardized(points[0].gold)
    answers = [standardized(item.predicted) for item in points]
    limit = min(max(float(np.abs(values).max()) for values in (gold, *answers)) + 0.2, _FARTHEST) or 1.0
    figure, cells = panels(
        [item.name for item in points], width=1.75, height=1.75, across="gold (z-score)", up="prediction (z-score)"
    )
    for axes, item, predicted in zip(cells, points, answers, strict=True):
        axes.set(xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal")
        _panel(axes, gold, predicted, crowded=len(gold) * len(points) > _MANY)
        corner_text(axes, _corner_lines(item, gold, predicted, limit), low=_r(gold, predicted) >= 0)
    return figure


def _panel(axes: "Axes", gold: FloatArray, predicted: FloatArray, *, crowded: bool) -> None:
    opacity = float(np.clip(6 / np.sqrt(len(gold)), 0.06, 0.5))
    axes.scatter(gold, predicted, s=6, color=BLUE, alpha=opacity, linewidths=0, rasterized=crowded)
    if gold.any() and predicted.any():
        axes.axline((0, 0), slope=_r(gold, predicted), color=GOLD, linewidth=1.3)


def _r(gold: FloatArray, predicted: FloatArray) -> float:
    return float(np.clip(np.mean(gold * predicted), -1, 1))


def _corner_lines(item: Predictions, gold: FloatArray, predicted: FloatArray, limit: float) -> str:
    outside = int((np.maximum(np.abs(gold), np.abs(predicted)) > limit).sum())
    first = "constant" if item.constant else f"r = {_r(gold, predicted):.3f}" if gold.any() else "gold constant"
    return "\n".join([first, *([f"{outside} outside"] if outside else [])])

"""Histograms of gold and predicted values, which show whether a submission uses the scale as the gold does.

References
----------
Yvette Graham. Improving evaluation of machine translation quality estimation. ACL 2015, figures 2 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from qeframe.core.batches.base import FloatArray
from qeframe.core.tasks.task import Task
from qeframe.report.figures.scatter import Predictions, predictions
from qeframe.report.figures.small_multiples import corner_text, panels
from qeframe.report.figures.style import BLUE, GOLD

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BINS = 30
_GOLD_FILL = "#f5d691"
_HIGHEST = 2.5
"""The largest height of the axis, in heights of the highest bar of the gold; higher bars are cut."""


def distributions_figure(task: Task, order: Sequence[str] = ()) -> Figure | None:
    """Return a panel for every submission: the histograms of gold and of predictions, with their means.

    All panels share both axes. Values outside the axes are counted in the panel.

    Parameters
    ----------
    task : Task
    order : sequence of str
        The names in the order of the panels; default: the order of the task.

    Returns
    -------
    Figure or None
        None for a batch without predicted numbers.
    """
    values = predictions(task, order)
    if not values:
        return None
    low, high = axis_range(values)
    edges = np.linspace(low, high, _BINS + 1)
    gold = values[0].gold
    bars = [_percentages(item.predicted, edges) for item in values]
    top = _top(bars, None if gold is None else _percentages(gold, edges))
    figure, cells = panels(
        [item.name for item in values], width=1.75, height=1.25, across="value", up=f"% of {task.unit}s"
    )
    for axes, item, heights in zip(cells, values, bars, strict=True):
        _panel(axes, item, heights, edges)
        axes.set(xlim=(low, high), ylim=(0, top))
        corner_text(axes, _corner_lines(item, heights, low, high, top))
    _legend(figure, cells)
    return figure


def axis_range(predictions: Sequence[Predictions]) -> tuple[float, float]:
    """Return the ends of the shared axis: all values, at most half the range of the gold beyond the gold."""
    pooled = np.concatenate([item.predicted for item in predictions])
    low, high = float(pooled.min()), float(pooled.max())
    gold = predictions[0].gold
    if gold is not None and np.ptp(gold) > 0:
        least, most = float(gold.min()), float(gold.max())
        reach = 0.5 * (most - least)
        low, high = max(min(low, least), least - reach), min(max(high, most), most + reach)
    elif gold is not None:
        low, high = min(low, float(gold[0])), max(high, float(gold[0]))
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = low - 0.5, high + 0.5
    return low, high


def _percentages(values: FloatArray, edges: FloatArray) -> FloatArray:
    return np.asarray(np.histogram(values, edges)[0] / len(values) * 100)


def _top(bars: Sequence[FloatArray], gold: FloatArray | None) -> float:
    highest = max(float(heights.max()) for heights in bars)
    if gold is None or not gold.max() > 0:
        return highest * 1.08 or 1.0
    return min(max(highest, float(gold.max())), _HIGHEST * float(gold.max())) * 1.08


def _panel(axes: Axes, item: Predictions, heights: FloatArray, edges: FloatArray) -> None:
    if item.gold is not None:
        axes.stairs(_percentages(item.gold, edges), edges, fill=True, color=_GOLD_FILL, label="gold")
        axes.axvline(float(item.gold.mean()), color=GOLD, linewidth=1.2, linestyle=(0, (4, 2)), label="mean of gold")
    axes.stairs(heights, edges, color=BLUE, linewidth=1.1, label="prediction")
    axes.axvline(float(item.predicted.mean()), color=BLUE, linewidth=1.0, linestyle=":", label="mean of prediction")


def _corner_lines(item: Predictions, heights: FloatArray, low: float, high: float, top: float) -> str:
    outside = int(((item.predicted < low) | (item.predicted > high)).sum())
    lines = ["constant"] if item.constant else [f"peak {heights.max():.0f} %"] if heights.max() > top else []
    return "\n".join([*lines, *([f"{outside} outside"] if outside else [])])


def _legend(figure: Figure, cells: Sequence[Axes]) -> None:
    """Put the legend above the panels, in one line if at least three panels are side by side."""
    handles, labels = cells[0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        borderaxespad=0.3,
        ncols=4 if len(cells) > 2 else 2 if len(cells) == 2 else 1,
        frameon=False,
        fontsize=8,
    )

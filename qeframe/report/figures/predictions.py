"""Figures of what submissions predict: scatter plots, histograms, and the heat map of correlations.

Scatter plots show gold and prediction as z-scores, so that location and scale do not matter; histograms show whether a
submission uses the scale as the gold does.

References
----------
Yvette Graham. Improving evaluation of machine translation quality estimation. ACL 2015, figures 2 to 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.tasks.task import Task
from qeframe.report.figures.small_multiples import corner_text, label_matrix, matrix, panels
from qeframe.report.figures.style import BLUE, GOLD, INK
from qeframe.statistics.correlation import pearson_matrix

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


def scatter_figure(task: Task, order: Sequence[str] = ()) -> Figure | None:
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
        r = _r(gold, predicted)
        said = "constant" if item.constant else f"r = {r:.3f}" if gold.any() else "gold constant"
        outside = (np.maximum(np.abs(gold), np.abs(predicted)) > limit).sum()
        corner_text(axes, f"{said}\n{outside} outside" if outside else said, low=r >= 0)
    return figure


def _panel(axes: Axes, gold: FloatArray, predicted: FloatArray, *, crowded: bool) -> None:
    opacity = float(np.clip(6 / np.sqrt(len(gold)), 0.06, 0.5))
    axes.scatter(gold, predicted, s=6, color=BLUE, alpha=opacity, linewidths=0, rasterized=crowded)
    if gold.any() and predicted.any():
        axes.axline((0, 0), slope=_r(gold, predicted), color=GOLD, linewidth=1.3)


def _r(gold: FloatArray, predicted: FloatArray) -> float:
    return float(np.clip(np.mean(gold * predicted), -1, 1))


_MOST_WITH_NUMBERS = 15
_UNDEFINED = "#dddddd"


def correlations_figure(task: Task, order: Sequence[str] = ()) -> Figure | None:
    """Return the heat map of Pearson correlations between the submissions' predictions.

    Parameters
    ----------
    task : Task
    order : sequence of str
        The names in the order of rows and columns; default: the order of the task.

    Returns
    -------
    Figure or None
        None for a batch without predicted numbers, and for a single submission.
    """
    import matplotlib

    points = predictions(task, order)
    if len(points) < 2:
        return None
    correlations = pearson_matrix(np.stack([item.predicted for item in points]))
    numbered = len(points) <= _MOST_WITH_NUMBERS
    cell = 0.42 if numbered else 0.27
    side = cell * len(points)
    figure, axes = matrix(len(points), cell)
    colors = matplotlib.colormaps["RdBu"].with_extremes(bad=_UNDEFINED)
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(correlations), cmap=colors, vmin=-1, vmax=1, edgecolors="white", linewidth=1
    )
    label_matrix(axes, [item.name for item in points])
    axes.spines[:].set_visible(False)
    if numbered:
        _numbers(axes, correlations)
    bar = figure.colorbar(mesh, cax=axes.inset_axes((1 + 0.12 / side, 0, 0.12 / side, 1)), ticks=[-1, -0.5, 0, 0.5, 1])
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)
    note = "" if numbered or not np.isnan(correlations).any() else " (gray: constant)"
    axes.set_title(f"Pearson r of predictions{note}", fontsize=10, loc="left", pad=8)
    return figure


def _numbers(axes: Axes, correlations: FloatArray) -> None:
    for (i, j), value in np.ndenumerate(correlations):
        text = f"{value:.2f}".replace("-0.00", "0.00") if np.isfinite(value) else "n/a"
        axes.text(
            j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=7, color="white" if abs(value) > 0.7 else INK
        )


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
        _histogram_panel(axes, item, heights, edges)
        axes.set(xlim=(low, high), ylim=(0, top))
        corner_text(axes, _lines_on_means(item, heights, low, high, top))
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


def _histogram_panel(axes: Axes, item: Predictions, heights: FloatArray, edges: FloatArray) -> None:
    if item.gold is not None:
        axes.stairs(_percentages(item.gold, edges), edges, fill=True, color=_GOLD_FILL, label="gold")
        axes.axvline(float(item.gold.mean()), color=GOLD, linewidth=1.2, linestyle=(0, (4, 2)), label="mean of gold")
    axes.stairs(heights, edges, color=BLUE, linewidth=1.1, label="prediction")
    axes.axvline(float(item.predicted.mean()), color=BLUE, linewidth=1.0, linestyle=":", label="mean of prediction")


def _lines_on_means(item: Predictions, heights: FloatArray, low: float, high: float, top: float) -> str:
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

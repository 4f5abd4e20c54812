"""The heat map of correlations between the predictions of submissions.

References
----------
Yvette Graham. Improving evaluation of machine translation quality estimation. ACL 2015, figure 4.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from qeframe.core.batches.base import FloatArray
from qeframe.core.tasks.task import Task
from qeframe.report.figures.scatter import predictions
from qeframe.report.figures.style import INK, shortened
from qeframe.statistics.correlation import pearson_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_WITH_NUMBERS = 15
_UNDEFINED = "#dddddd"


def correlations_figure(task: Task, order: Sequence[str] = ()) -> "Figure | None":
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

    from qeframe.report.figures.drawn_figure import DrawnFigure

    points = predictions(task, order)
    if len(points) < 2:
        return None
    matrix = pearson_matrix(np.stack([item.predicted for item in points]))
    numbered = len(points) <= _MOST_WITH_NUMBERS
    side = (0.42 if numbered else 0.27) * len(points)
    figure = DrawnFigure(figsize=(side + 2.6, side + 1.6))
    axes = figure.add_axes((0.25, 0.25, side / (side + 2.6), side / (side + 1.6)))
    colors = matplotlib.colormaps["RdBu"].with_extremes(bad=_UNDEFINED)
    mesh = axes.pcolormesh(np.ma.masked_invalid(matrix), cmap=colors, vmin=-1, vmax=1, edgecolors="white", linewidth=1)
    _labels(axes, [shortened(item.name, 34) for item in points])
    if numbered:
        _numbers(axes, matrix)
    bar = figure.colorbar(mesh, cax=axes.inset_axes((1 + 0.12 / side, 0, 0.12 / side, 1)), ticks=[-1, -0.5, 0, 0.5, 1])
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)
    axes.set_title(f"Pearson r of predictions{_gray_note(matrix, numbered)}", fontsize=10, loc="left", pad=8)
    return figure


def _labels(axes: "Axes", names: Sequence[str]) -> None:
    positions = np.arange(len(names)) + 0.5
    axes.set_xticks(positions, names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(positions, names)
    axes.tick_params(length=0, pad=4)
    axes.set(ylim=(len(names), 0), aspect="equal")
    for spine in axes.spines.values():
        spine.set_visible(False)


def _numbers(axes: "Axes", matrix: FloatArray) -> None:
    for (i, j), value in np.ndenumerate(matrix):
        text = f"{value:.2f}".replace("-0.00", "0.00") if np.isfinite(value) else "n/a"
        axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=7, color=_legible(value))


def _legible(value: float) -> str:
    return "white" if abs(value) > 0.7 else INK


def _gray_note(matrix: FloatArray, numbered: bool) -> str:
    """Return what gray cells mean, for a map without numbers."""
    return "" if numbered or not np.isnan(matrix).any() else " (gray: constant)"

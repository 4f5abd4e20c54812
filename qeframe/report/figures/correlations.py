"""The heat map of the correlations between what submissions predict.

References
----------
Yvette Graham. Improving evaluation of machine translation quality estimation. ACL 2015, figure 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from qeframe.core.batch import FloatArray
from qeframe.core.task import Task
from qeframe.report.figures.small_multiples import label_matrix, matrix
from qeframe.report.figures.style import INK
from qeframe.statistics.correlation import pearson_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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

    answers = _answers(task, order)
    if len(answers) < 2:
        return None
    correlations = pearson_matrix(np.stack(list(answers.values())))
    numbered = len(answers) <= _MOST_WITH_NUMBERS
    cell = 0.42 if numbered else 0.27
    side = cell * len(answers)
    figure, axes = matrix(len(answers), cell)
    colors = matplotlib.colormaps["RdBu"].with_extremes(bad=_UNDEFINED)
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(correlations), cmap=colors, vmin=-1, vmax=1, edgecolors="white", linewidth=1
    )
    label_matrix(axes, list(answers))
    axes.spines[:].set_visible(False)
    if numbered:
        _numbers(axes, correlations)
    bar = figure.colorbar(mesh, cax=axes.inset_axes((1 + 0.12 / side, 0, 0.12 / side, 1)), ticks=[-1, -0.5, 0, 0.5, 1])
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)
    note = "" if numbered or not np.isnan(correlations).any() else " (gray: constant)"
    axes.set_title(f"Pearson r of predictions{note}", fontsize=10, loc="left", pad=8)
    return figure


def _answers(task: Task, order: Sequence[str]) -> dict[str, FloatArray]:
    """Return the numbers of each submission: names in `order` first, then the others in the order of the task.

    There are none unless every batch has units with numbers that were handed in.
    """
    batches = {submission.name: batch for submission, batch in task.batches.items()}
    found = {}
    for name in dict.fromkeys([*(name for name in order if name in batches), *batches]):
        numbers = batches[name].unit_numbers()
        if numbers is None or numbers.ends is not None or not len(batches[name]):
            return {}
        found[name] = numbers.answers
    return found


def _numbers(axes: Axes, correlations: FloatArray) -> None:
    for (i, j), value in np.ndenumerate(correlations):
        text = f"{value:.2f}".replace("-0.00", "0.00") if np.isfinite(value) else "n/a"
        axes.text(
            j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=7, color="white" if abs(value) > 0.7 else INK
        )

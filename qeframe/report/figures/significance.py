"""The significance matrix: which submissions each submission beats significantly.

References
----------
Yvette Graham. Improving evaluation of machine translation quality estimation. ACL 2015, figures 5 to 7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from qeframe.core.batch import IntArray
from qeframe.core.findings import Comparison
from qeframe.core.result import Evaluation
from qeframe.report.figures.small_multiples import label_matrix, matrix
from qeframe.report.figures.style import GRAY
from qeframe.report.tables.leaderboard import ranked_submissions

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STEPS = ((1.0, "#a6cee3"), (0.2, "#4292c6"), (0.02, "#08306b"))
"""Shares of alpha and their colors; for alpha = .05 the steps are .05, .01 and .001."""

_NONE, _DIAGONAL, _UNTESTED, _LINES = "#ffffff", "#e9e9e9", "#f6e8c3", "#dcdcdc"

_CELL = 0.27
"""Side of a cell in inches."""


def significance_figure(evaluation: Evaluation, task: str = "") -> Figure | None:
    """Return the matrix under the primary metric, best submission first; None if nothing was compared.

    A cell is colored if the submission of its row significantly beats that of its column, darker for a smaller adjusted
    p. Pairs that could not be tested, because a score is undefined, have another color.

    Parameters
    ----------
    evaluation : Evaluation
    task : str
        The name of the task as in `Comparison`; empty for the aggregate over several.
    """
    pairs = [c for c in evaluation.comparisons if c.metric == evaluation.primary and c.task == task]
    if not pairs:
        return None
    order = _best_first(evaluation, task, {name for c in pairs for name in (c.a, c.b)})
    alpha = float(evaluation.signature.rules.get("alpha", 0.05))
    return significance_matrix(pairs, order, alpha, f"{evaluation.primary}{f', {task}' if task else ''}")


def significance_matrix(pairs: Sequence[Comparison], order: Sequence[str], alpha: float, title: str) -> Figure:
    """Return the matrix of pairs, with the submissions in the given order."""
    figure, axes = matrix(len(order), _CELL)
    shades = shades_of(pairs, order, alpha)
    _cells(axes, shades)
    label_matrix(axes, order)
    _legend(axes, alpha, untested=bool((shades < 0).any()))
    axes.set_title(title, fontsize=10, loc="left", pad=8)
    return figure


def _best_first(evaluation: Evaluation, task: str, compared: set[str]) -> list[str]:
    """Return the names in order of score in one of several tasks, otherwise in order of rank."""
    higher = evaluation.higher_is_better.get(evaluation.primary, True)

    def disadvantage(name: str) -> float:
        result = scores[name].get(evaluation.primary)
        value = result.tasks[task].value if result and task in result.tasks else math.nan
        return math.inf if math.isnan(value) else -value if higher else value

    scores = {s.name: s.scores for s in evaluation.submissions}
    ranked = [s.name for s in ranked_submissions(evaluation) if s.name in compared]
    return sorted(ranked, key=disadvantage) if task else ranked


def _cells(axes: Axes, shades: IntArray) -> None:
    from matplotlib.colors import ListedColormap

    colors = ListedColormap([_UNTESTED, _NONE, _DIAGONAL, *(color for _, color in _STEPS)])
    axes.pcolormesh(shades, cmap=colors, vmin=-1.5, vmax=len(_STEPS) + 1.5, edgecolors=_LINES, linewidth=0.5)


def shades_of(pairs: Sequence[Comparison], order: Sequence[str], alpha: float) -> IntArray:
    """Return the shade of every cell, (S, S): -1 not tested, 0 not significant, 1 the diagonal, then the steps of p."""
    position = {name: i for i, name in enumerate(order)}
    shades = np.eye(len(order), dtype=np.int64)
    for pair in pairs:
        if math.isnan(pair.p):
            shades[position[pair.a], position[pair.b]] = -1
            shades[position[pair.b], position[pair.a]] = -1
        if pair.significant:
            passed = sum(pair.p_adjusted < share * alpha for share, _ in _STEPS)
            shades[position[pair.a], position[pair.b]] = 1 + max(passed, 1)
    return shades


def _legend(axes: Axes, alpha: float, *, untested: bool) -> None:
    from matplotlib.patches import Patch

    steps = [Patch(color=color, label=f"< {share * alpha:.4g}") for share, color in _STEPS]
    others = [(_NONE, "not significant"), *([(_UNTESTED, "n/a: not tested")] if untested else [])]
    framed = [Patch(facecolor=color, edgecolor=GRAY, linewidth=0.6, label=label) for color, label in others]
    axes.legend(
        handles=[*steps, *framed],
        title="row beats column,\nadjusted p",
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        borderaxespad=1.0,
        frameon=False,
        fontsize=8,
        title_fontsize=8,
        alignment="left",
    )

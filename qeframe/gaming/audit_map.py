"""The heat map of an audit: metrics by attacks, darker for a larger index."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from qeframe.gaming.audit import Audit, AuditedMetric
from qeframe.gaming.tables.audits import groups_by_attacks
from qeframe.report.figures.style import GRAY, INK, shortened
from qeframe.report.layouts.number_format import format_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDE, _HIGH = 0.34, 0.2
"""Width and height of a cell in inches."""
_LEFT, _TOP, _GAP = 2.3, 1.05, 0.1
_STEPS = ((0.5, "#7f2704"), (0.2, "#d94801"), (0.1, "#fd8d3c"), (0.05, "#fdbe85"), (0.02, "#feedde"))
"""The smallest index of each color."""
_FREE, _OUTSIDE = "#ffffff", "#e4ebf1"


def audit_figure(audit: Audit, *, most: int = 60) -> "Figure | None":
    """Return a map of all metrics by all attacks, one block for each group of attacks; None without attacks.

    The cell of a blind or cosmetic attack has the color of its index; indices below .02 are white. The cell of an
    informed or selection attack, which is not counted in the gaming index, is gray-blue.
    """
    from qeframe.report.figures.drawn_figure import DrawnFigure

    groups = [group[:most] for group in groups_by_attacks(audit) if group[0].attacks]
    if not groups:
        return None
    widest = max(len(group[0].attacks) for group in groups) + 1
    width = _LEFT + _WIDE * widest + 0.2
    heights = [_TOP + _HIGH * len(group) + _GAP for group in groups]
    figure = DrawnFigure(figsize=(width, sum(heights)))
    bottom = sum(heights)
    for group, height in zip(groups, heights, strict=True):
        bottom -= height
        columns = len(group[0].attacks) + 1
        total = sum(heights)
        size = _WIDE * columns / width, _HIGH * len(group) / total
        _draw_group(figure.add_axes((_LEFT / width, (bottom + _GAP) / total, *size)), group)
    return figure


def _draw_group(axes: "Axes", group: Sequence[AuditedMetric]) -> None:
    from matplotlib.patches import Rectangle

    attacks = group[0].attacks
    axes.set_xlim(0, len(attacks) + 1)
    axes.set_ylim(len(group), 0)
    for row, metric in enumerate(group):
        cells = [(metric.gaming_index, True), *((attacked.index, attacked.counts) for attacked in metric.attacks)]
        for column, (value, counts) in enumerate(cells):
            color = color_of(value) if counts else _OUTSIDE
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=color, edgecolor="#dddddd", linewidth=0.5))
            if not math.isnan(value) and value >= 0.02:
                ink = "white" if counts and value >= 0.2 else INK
                weight = "bold" if column == 0 else "normal"
                axes.text(
                    column + 0.5,
                    row + 0.53,
                    format_number(value, 2).removeprefix("0"),
                    ha="center",
                    va="center",
                    fontsize=6,
                    color=ink,
                    weight=weight,
                )
    axes.axvline(1, color=INK, linewidth=1)
    axes.set_yticks([row + 0.5 for row in range(len(group))], [shortened(metric.metric, 44) for metric in group])
    names = ["gaming index", *(attacked.attack for attacked in attacks)]
    axes.set_xticks(
        [column + 0.5 for column in range(len(names))], names, rotation=60, ha="left", rotation_mode="anchor"
    )
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=7)
    for number, label in enumerate(axes.get_xticklabels()):
        counts = number == 0 or attacks[number - 1].counts
        label.set_color(INK if counts else GRAY)
        label.set_fontweight("bold" if number == 0 else "normal")
    for spine in axes.spines.values():
        spine.set_visible(False)


def color_of(value: float) -> str:
    """Return the color of an index."""
    if math.isnan(value):
        return "#cccccc"
    return next((color for least, color in _STEPS if value >= least), _FREE)

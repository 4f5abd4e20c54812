"""Figures with one panel for each submission, which share their axes, or with a cell for every two."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from qeframe.report.figures.style import GRAY, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEFT, _BELOW, _BETWEEN, _ABOVE = 0.62, 0.45, 0.45, 0.27
"""Space around the panels in inches, for tick labels, names of axes and titles."""

_TITLE_SIZE = 8
_INCHES_A_CHARACTER = 0.071
"""The mean width of a character at the size of the titles."""


def panels(names: Sequence[str], *, width: float, height: float, across: str, up: str) -> "tuple[Figure, list[Axes]]":
    """Return a figure with a titled panel for every name, row by row, sharing both axes.

    `width`, `height`: Size of one panel in inches. `across`, `up`: names of the axes.
    """
    from qeframe.report.figures.drawn_figure import DrawnFigure

    count = len(names)
    columns = min(count, 3 if count <= 6 else 4 if count <= 12 else 5)
    rows = math.ceil(count / columns)
    wide, high = _LEFT + columns * (width + _BETWEEN), _BELOW + rows * (height + _ABOVE)
    figure = DrawnFigure(figsize=(wide, high))
    figure.subplots_adjust(
        left=_LEFT / wide, right=1 - _BETWEEN / wide, bottom=_BELOW / high, top=1 - _ABOVE / high,
        wspace=_BETWEEN / width, hspace=_ABOVE / height,
    )  # fmt: skip
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    figure.supxlabel(across, x=(_LEFT + wide - _BETWEEN) / 2 / wide, y=0.0, va="bottom", fontsize=9)
    figure.supylabel(up, x=0.0, y=(_BELOW + high - _ABOVE) / 2 / high, ha="left", fontsize=9)
    cells = [grid[i // columns, i % columns] for i in range(rows * columns)]
    for cell in cells[count:]:
        cell.remove()
    for position, (axes, name) in enumerate(zip(cells, names, strict=False)):
        axes.set_title(shortened(name, int(width / _INCHES_A_CHARACTER)), fontsize=_TITLE_SIZE, loc="left", pad=3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.locator_params(nbins=4)
        axes.tick_params(length=2, labelsize=7, color=GRAY, labelbottom=position + columns >= count)
    return figure, cells[:count]


def matrix(count: int, cell: float) -> "tuple[Figure, Axes]":
    """Return a figure with square axes of `count` cells at each side, and room for names; `cell`: in inches."""
    from qeframe.report.figures.drawn_figure import DrawnFigure

    side = cell * count
    figure = DrawnFigure(figsize=(side + 2.6, side + 1.6))
    return figure, figure.add_axes((0.25, 0.25, side / (side + 2.6), side / (side + 1.6)))


def label_matrix(axes: "Axes", names: Sequence[str]) -> None:
    """Write the names of rows and columns beside the cells of a matrix, the first row at the top."""
    positions, labels = [i + 0.5 for i in range(len(names))], [shortened(name, 34) for name in names]
    axes.set_xticks(positions, labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(positions, labels)
    axes.tick_params(length=0, pad=4)
    axes.set(ylim=(len(names), 0), aspect="equal")


def corner_text(axes: "Axes", text: str, *, low: bool = False) -> None:
    """Write small text into the upper right corner of a panel, or into the lower right corner if `low`."""
    if text:
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.8}
        y, anchor = (0.03, "bottom") if low else (0.97, "top")
        axes.text(0.98, y, text, transform=axes.transAxes, ha="right", va=anchor, fontsize=6.5, bbox=box)

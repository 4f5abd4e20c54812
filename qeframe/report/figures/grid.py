"""The bitext grid of matched words as a figure, after Turian, Shen and Melamed (2003), figure 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qeframe.kinds.texts.alignments import Alignment
from qeframe.report.figures.style import BLUE, GRAY, INK, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SQUARE = 0.24
"""Side of a cell in inches."""

_LONGEST = 24


def grid_figure(alignment: Alignment, caption: str) -> Figure:
    """Return the grid: candidate words as rows, reference words as columns, hits as points, blocks as boxes.

    `caption`: one line below the grid.
    """
    from matplotlib.figure import Figure

    starts = [0]
    for words in alignment.references:
        starts.append(starts[-1] + len(words) + 1)
    rows, columns = max(1, len(alignment.candidate)), max(1, starts[-1] - 1)
    names = [shortened(word, _LONGEST) for word in alignment.candidate]
    heads = [shortened(word, _LONGEST) for words in alignment.references for word in words]
    left, above = (0.3 + 0.075 * max(map(len, words), default=0) for words in (names, heads))
    wide, high = left + columns * _SQUARE + 0.1, above + rows * _SQUARE + 0.45
    figure = Figure(figsize=(wide, high))
    axes = figure.add_axes((left / wide, 0.45 / high, columns * _SQUARE / wide, rows * _SQUARE / high))
    _frame(axes, alignment, rows, columns, starts, names)
    for i, number, j in sorted(alignment.hits):
        inside = (i, number, j) in alignment.matched
        axes.plot(starts[number] + j, i, "o", markersize=5, color=BLUE if inside else "white", markeredgecolor=BLUE)
    for block in alignment.blocks:
        _box(axes, block.candidate, starts[block.reference] + block.position, block.length)
    figure.text(left / wide, 0.02 / high, caption, fontsize=9, va="bottom")
    return figure


def _frame(axes: Axes, alignment: Alignment, rows: int, columns: int, starts: list[int], names: list[str]) -> None:
    words = [(starts[n] + j, w) for n, reference in enumerate(alignment.references) for j, w in enumerate(reference)]
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    axes.set_xticks([position for position, _ in words], [shortened(word, _LONGEST) for _, word in words], rotation=90)
    axes.set_yticks(range(len(names)), names)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=3)
    axes.spines[:].set_visible(False)
    for number, reference in enumerate(alignment.references):
        low = starts[number] - 0.5
        for step in range(len(reference) + 1):
            axes.plot([low + step] * 2, [-0.5, rows - 0.5], color=GRAY, alpha=0.35, linewidth=0.5, zorder=0)
        for step in range(rows + 1):
            axes.plot([low, low + len(reference)], [step - 0.5] * 2, color=GRAY, alpha=0.35, linewidth=0.5, zorder=0)


def _box(axes: Axes, row: int, column: int, length: float) -> None:
    """Draw a square around a block; a block of fractional length ends within its last word."""
    from matplotlib.patches import Rectangle

    side = length - 0.1
    axes.add_patch(
        Rectangle((column - 0.45, row - 0.45), side, side, facecolor=BLUE, alpha=0.16, edgecolor="none", zorder=1)
    )
    axes.add_patch(Rectangle((column - 0.45, row - 0.45), side, side, facecolor="none", edgecolor=INK, linewidth=0.9))

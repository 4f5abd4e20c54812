"""Single segments as pictures: spans marked on their texts, and the bitext grid of matched words.

The spans are SVG, the gold's above the line, the submission's below. The file is written directly, so that the reader's
own fonts show every script. Each character has its place. Scripts whose characters join are therefore shown letter by
letter, from left to right. The bitext grid is a figure after Turian, Shen and Melamed (2003), figure 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from rich.cells import cell_len

from qeframe.core.batches.shown_units import Mark, MarkedText
from qeframe.core.batches.word_alignment import Alignment
from qeframe.report.figures.style import BLUE, GOLD, GRAY, INK, shortened
from qeframe.report.tables.marked_text import lanes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_CELL, _LINE, _LANE = 9.0, 22.0, 9.0
_COLUMNS = 90
_MARGIN = 16.0
_TITLE_COLUMNS = 100
"""How many characters of a title fit on a line."""
_HEIGHTS = {"minor": 2.5, "major": 6.0, "critical": 6.0}
_COLORS = (BLUE, GOLD)
_FONT = "font-family=\"'DejaVu Sans Mono', 'Noto Sans Mono', 'Noto Sans Mono CJK JP', monospace\""


def marks_svg(segments: Sequence[tuple[str, MarkedText]]) -> bytes:
    """Return a picture of segments, each with a title, as the bytes of an SVG file.

    The spans of the gold are bars above the text, those of the submission bars below it: a thin bar is minor, a thick
    one major, a thick one with a dark border critical. A triangle is an empty span. Bars that overlap or touch are on
    lines of their own. A long title has several lines. The legend explains the marks that occur.
    """
    parts, y = [], _MARGIN
    for title, marked in segments:
        for line in wrap(title, _TITLE_COLUMNS) or [title]:
            y += 16
            parts.append(_text(_MARGIN, y, line, size=13, weight="bold"))
        y += 12
        for first, last, places in _lines(marked.text):
            drawn, y = _line(marked, first, last, places, y)
            parts += drawn
        for fault in marked.faults:
            y += 16
            parts.append(_text(_MARGIN, y, fault, size=12))
        y += 18
    names = segments[0][1].sides if segments else ()
    marks = [mark for _, marked in segments for _, of_side in marked.sides for mark in of_side]
    parts += _legend([name for name, _ in names], marks, y)
    width = _MARGIN * 2 + _CELL * (_COLUMNS + 2)
    size = f'width="{width:g}" height="{y + 34:g}" viewBox="0 0 {width:g} {y + 34:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    body = "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>"])
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'.encode()


Places = list[tuple[float, float]]
"""Where each character begins and ends."""


def _lines(text: str) -> list[tuple[int, int, Places]]:
    """Cut a text into lines, after a blank if there is one: first and last character, and the places of all."""
    cells = [cell_len(character) for character in text]
    lines, first = [], 0
    while True:
        last, used = first, 0
        while last < len(text) and used + cells[last] <= _COLUMNS:
            used += cells[last]
            last += 1
        blank = text.rfind(" ", first, last)
        if last < len(text) and blank > first:
            last = blank + 1
        places, x = [], _MARGIN
        for width in cells[first:last]:
            places.append((x, x + width * _CELL))
            x += width * _CELL
        lines.append((first, last, [*places, (x, x + _CELL)]))
        if last >= len(text):
            return lines
        first = last


def _line(marked: MarkedText, first: int, last: int, places: Places, y: float) -> tuple[list[str], float]:
    """Draw one line of text with its bars from `y` downward; return the drawing and where it ends."""
    rows = [_rows(marks, first, last, last >= len(marked.text)) for _, marks in marked.sides]
    parts = []
    for number, row in enumerate(rows[0]):
        parts += [_bar(mark, first, last, places, y + (number + 0.5) * _LANE, BLUE) for mark in row]
    y += _LANE * len(rows[0]) + _LINE - 6
    clusters: list[list[str | float]] = []
    for character, (left, right) in zip(marked.text[first:last], places, strict=False):
        if right > left or not clusters:
            clusters.append([left, character])
        else:
            clusters[-1][1] = f"{clusters[-1][1]}{character}"
    color = INK if marked.known else GRAY
    parts += [_text(float(x), y, str(shown), size=15, color=color) for x, shown in clusters if str(shown).strip()]
    y += 6
    for number, row in enumerate(rows[1]):
        parts += [_bar(mark, first, last, places, y + (number + 0.5) * _LANE, GOLD) for mark in row]
    return parts, y + _LANE * len(rows[1]) + 6


def _rows(marks: Sequence[Mark], first: int, last: int, final: bool) -> list[list[Mark]]:
    """Return the lines of bars that have a part between two characters."""
    within = [
        mark
        for mark in marks
        if (mark.start < last and mark.end > first)
        or (mark.start == mark.end and (first <= mark.start < last or (final and mark.start == last)))
    ]
    return lanes(within)


def _bar(mark: Mark, first: int, last: int, places: Places, middle: float, color: str) -> str:
    left = places[max(mark.start, first) - first][0]
    title = f"<title>{escape(f'{mark.start}-{mark.end} {mark.severity} {mark.category}'.rstrip())}</title>"
    if mark.start == mark.end:
        points = f"{left - 3:g},{middle + 3:g} {left + 3:g},{middle + 3:g} {left:g},{middle - 3:g}"
        return f'<polygon points="{points}" fill="{color}">{title}</polygon>'
    right = places[min(mark.end, last) - first - 1][1]
    high = _HEIGHTS.get(mark.severity, _HEIGHTS["major"])
    border = f' stroke="{INK}" stroke-width="1.5"' if mark.severity == "critical" else ""
    place = f'x="{left + 0.5:g}" y="{middle - high / 2:g}" width="{max(1.0, right - left - 1):g}" height="{high:g}"'
    return f'<rect {place} fill="{color}"{border}>{title}</rect>'


def _text(x: float, y: float, text: str, *, size: int, weight: str = "normal", color: str = INK) -> str:
    style = f'font-size="{size}" font-weight="{weight}" fill="{color}" xml:space="preserve"'
    return f'<text x="{x:g}" y="{y:g}" {_FONT} {style}>{escape(text)}</text>'


def _legend(names: Sequence[str], marks: Sequence[Mark], y: float) -> list[str]:
    """Draw on one line from `y` downward what the marks mean: only the severities, and the triangle, that occur."""
    parts, x = [], _MARGIN
    for name, color, where in zip(names, _COLORS, ("above", "below"), strict=False):
        parts.append(f'<rect x="{x:g}" y="{y + 5:g}" width="18" height="6" fill="{color}"/>')
        words = f"{where}: {name}"
        parts.append(_text(x + 24, y + 12, words, size=11))
        x += 24 + 7 * len(words) + 24
    drawn = {mark.severity for mark in marks if mark.start < mark.end}
    for severity, high in ((level, high) for level, high in _HEIGHTS.items() if level in drawn):
        border = f' stroke="{INK}" stroke-width="1.5"' if severity == "critical" else ""
        place = f'x="{x:g}" y="{y + 8 - high / 2:g}" width="18" height="{high:g}"'
        parts += [f'<rect {place} fill="{GRAY}"{border}/>', _text(x + 24, y + 12, severity, size=11)]
        x += 24 + 7 * len(severity) + 24
    if any(mark.start == mark.end for mark in marks):
        parts.append(f'<polygon points="{x:g},{y + 11:g} {x + 6:g},{y + 11:g} {x + 3:g},{y + 5:g}" fill="{GRAY}"/>')
        parts.append(_text(x + 12, y + 12, "empty span", size=11))
    return parts


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

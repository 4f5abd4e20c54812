"""The spans of segments on their texts, as SVG: the gold's above the line, the submission's below.

The file is written directly, so that the reader's own fonts show every script. Each character has its place. Scripts
whose characters join are therefore shown letter by letter, from left to right.
"""

from collections.abc import Sequence
from textwrap import wrap
from xml.sax.saxutils import escape

from rich.cells import cell_len

from qeframe.core.batches.shown_units import Mark, MarkedText
from qeframe.report.figures.style import BLUE, GOLD, GRAY, INK
from qeframe.report.tables.marked_text import lanes

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

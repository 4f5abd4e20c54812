"""The forest plot: a row for every submission, its score and interval on one axis, and its ranks on another.

Each row has pictures of its own that stretch with the column, and its numbers as text beside them. So the plot is a
table: it is read by a screen reader, and on a narrow screen its texts keep their size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from qeframe.report.html.scores import Ranked, Scores
from qeframe.report.html.svg import decimal, element, ticks
from qeframe.report.layouts.numbers import decimals_for, format_interval, format_number
from qeframe.report.tables.task_columns import cluster_column

_WIDE, _HIGH = 1000.0, 24.0


def forest(scores: Scores) -> dict[str, Any] | None:
    """Return the rows of a forest plot for the template; None without a defined score.

    Returns
    -------
    dict or None
        ``rows``: ``name``, ``value``, ``interval``, ``bar``, ``cluster``, ``ranks`` and ``rank_bar``. ``ticks``: pairs
        of a text and a position in percent. ``intervals`` and ``ranked``: whether any row has them;
        ``clusters``: the title of their column, empty without any.
    """
    finite = [v for r in scores.rows for v in (r.value, r.low, r.high) if math.isfinite(v)]
    if not any(math.isfinite(r.value) for r in scores.rows):
        return None
    low, high = min(finite), max(finite)
    pad = 0.04 * (high - low) or 0.04 * abs(high) or 0.5
    low, high = low - pad, high + pad
    lines = ticks(low, high, 4)
    decimals = decimals_for(r.value for r in scores.rows)
    grid = Markup("").join(_grid(_position(at, low, high)) for at in lines)
    count = len(scores.rows)
    title, in_words = cluster_column(row.cluster for row in scores.rows)
    return {
        "rows": [
            {
                "name": row.name,
                "mark": row.mark,
                "value": format_number(row.value, decimals),
                "interval": format_interval(row.low, row.high, decimals),
                "bar": _bar(row, low, high, grid),
                "cluster": in_words(row.cluster),
                "ranks": _range(row.ranks),
                "rank_bar": "" if row.ranks is None else _rank_bar(row.ranks, count),
            }
            for row in scores.rows
        ],
        "ticks": _tick_labels(lines, low, high),
        "intervals": any(math.isfinite(row.low) for row in scores.rows),
        "clusters": title if any(row.cluster is not None for row in scores.rows) else "",
        "ranked": any(row.ranks is not None for row in scores.rows),
        "count": count,
    }


def _position(value: float, low: float, high: float) -> float:
    return _WIDE * (value - low) / (high - low)


def _tick_labels(lines: Sequence[float], low: float, high: float) -> list[tuple[str, str]]:
    size = max((abs(line) for line in lines), default=0.0)
    step = abs(lines[1] - lines[0]) if len(lines) > 1 else size or 1.0
    decimals = min(max(0, -math.floor(math.log10(step))), 9) if step > 0 else 3
    return [(format_number(line, decimals), decimal(_position(line, low, high))) for line in lines]


def _stretched(*children: str) -> Markup:
    """Return a picture without a title: the numbers beside it say the same."""
    box = f"0 0 {decimal(_WIDE)} {decimal(_HIGH)}"
    return element("svg", *children, viewBox=box, preserveAspectRatio="none", aria_hidden="true")


def _line(kind: str, x1: float, x2: float, y1: float = _HIGH / 2, y2: float = _HIGH / 2) -> Markup:
    return element("path", d=f"M{decimal(x1)} {decimal(y1)}L{decimal(x2)} {decimal(y2)}", class_=kind)


def _grid(x: float) -> Markup:
    return _line("grid", x, x, 0, _HIGH)


def _bar(row: Ranked, low: float, high: float, grid: Markup) -> Markup:
    if not math.isfinite(row.value):
        return _stretched(grid)
    at = _position(row.value, low, high)
    drawn = [grid]
    if math.isfinite(row.low) and math.isfinite(row.high):
        ends = [_position(end, low, high) for end in (row.low, row.high)]
        drawn += [_line("interval", *ends), *(_line("interval", x, x, 6, 18) for x in ends)]
    return _stretched(*drawn, _line("dot", at, at + 0.1))


def _range(ranks: tuple[int, int] | None) -> str:
    return "" if ranks is None else str(ranks[0]) if ranks[0] == ranks[1] else f"{ranks[0]}–{ranks[1]}"


def _rank_bar(ranks: tuple[int, int], count: int) -> Markup:
    """Return a bar from the first to the last rank, each rank a cell of equal width."""
    last = max(count, ranks[1])
    x = _WIDE * (ranks[0] - 1) / last
    width = _WIDE * (ranks[1] - ranks[0] + 1) / last
    frame = element("path", d=f"M0 12H{decimal(_WIDE)}", class_="grid")
    bar = element("rect", x=decimal(x), y="6", width=decimal(width), height="12", class_="ranks")
    return _stretched(frame, bar)

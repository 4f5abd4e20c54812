"""Line charts of scores over runs: one small picture for every history, with the interval of each score."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from markupsafe import Markup

from qeframe.plugin.report import decimal, element, format_interval, format_number, picture
from qeframe_store.histories import History, Moment

_WIDE, _HIGH = 220.0, 90.0
_SIDE = 8.0
"""The space beside the first and the last run, and above and below the axis."""


def axis_of(lines: Iterable[History]) -> tuple[float, float] | None:
    """Return the ends of an axis that shows all scores and intervals; None without a defined score.

    Equal scores get an axis around them. Infinite ends of intervals are not shown.
    """
    results = [moment.result for line in lines for moment in line.moments]
    numbers = [v for r in results if math.isfinite(r.value) for v in (r.value, r.low, r.high) if math.isfinite(v)]
    if not numbers:
        return None
    low, high = min(numbers), max(numbers)
    if low == high:
        pad = 0.05 * abs(low) or 0.5
        return low - pad, high + pad
    return low, high


def history_chart(
    line: History, names: Sequence[str], joined: Sequence[bool], axis: tuple[float, float], decimals: int
) -> Markup:
    """Return the picture of a history.

    Parameters
    ----------
    line : History
    names : sequence of str
        The runs of the profile, such as "run 2, friday". All charts of a profile have these on one axis.
    joined : sequence of bool
        What `same_rules` returns. A line between runs that differ in rules is dashed, and so is one over a run in which
        the submission has no score.
    axis : (float, float)
        The ends of the axis, low < high.
    decimals : int
        Of the numbers in the texts.
    """
    places = [_Place(moment, len(names), axis) for moment in line.moments if math.isfinite(moment.result.value)]
    drawn = [element("path", d=f"M0 {decimal(_HIGH)}H{decimal(_WIDE)}", class_="base")]
    for a, b in pairwise(places):
        whole = b.at == a.at + 1 and joined[a.at]
        path = f"M{decimal(a.x)} {decimal(a.y)}L{decimal(b.x)} {decimal(b.y)}"
        drawn.append(element("path", d=path, class_="trend" if whole else "trend other"))
    for place in places:
        drawn += place.interval()
        drawn.append(place.dot(_text(names[place.at], place.moment, decimals)))
    title = (
        f"{line.metric} of {line.submission}{f', {line.task}' if line.task else ''}: {_summary(line, names, decimals)}"
    )
    return picture(title, *drawn, width=_WIDE, height=_HIGH + 1)


class _Place:
    """Where a score is in the picture."""

    def __init__(self, moment: Moment, runs: int, axis: tuple[float, float]) -> None:
        self.moment, self.at, self._axis = moment, moment.at, axis
        self.x = _WIDE / 2 if runs == 1 else _SIDE + (_WIDE - 2 * _SIDE) * moment.at / (runs - 1)
        self.y = self._height(moment.result.value)

    def _height(self, value: float) -> float:
        low, high = self._axis
        return _SIDE + (_HIGH - 2 * _SIDE) * (high - value) / (high - low)

    def interval(self) -> list[Markup]:
        low, high = self.moment.result.low, self.moment.result.high
        if not (math.isfinite(low) and math.isfinite(high)):
            return []
        path = f"M{decimal(self.x)} {decimal(self._height(low))}V{decimal(self._height(high))}"
        return [element("path", d=path, class_="interval")]

    def dot(self, text: str) -> Markup:
        path = f"M{decimal(self.x)} {decimal(self.y)}h.1"
        return element("path", element("title", text), d=path, class_="dot")


def _text(name: str, moment: Moment, decimals: int) -> str:
    result = moment.result
    interval = format_interval(result.low, result.high, decimals)
    return f"{name}: {format_number(result.value, decimals)}{f' ({interval})' if interval else ''}"


def _summary(line: History, names: Sequence[str], decimals: int) -> str:
    first, last = line.moments[0], line.moments[-1]
    return "; ".join(_text(names[m.at], m, decimals) for m in ([first] if first is last else [first, last]))

"""What measures find and how far they can be trusted: a line for each measure, a panel for each question."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from qeframe.report.figures.style import BLUE, GOLD, GRAY, INK, shortened
from qeframe.studies.measures.values import Trust, TrustRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANELS = (
    ("pairs separated", "more is better"),
    ("reliability of the ranking", "more is better"),
    ("gaming index", "less is better"),
    ("false claims", "at most the line"),
)
_WIDE, _BETWEEN, _LINE = 1.75, 0.25, 0.24
_LEFT, _TOP, _BOTTOM, _RIGHT = 1.9, 0.62, 0.62, 0.15
_LONGEST = 24
_MOST_ERROR = 0.25
"""Where the axis of false claims ends, unless more was measured."""


def trust_figure(study: Trust) -> "Figure":
    """Return four panels that share their lines: a line for each measure, grouped by data set.

    Bars say which share of the pairs is separated (lighter: not determined) and how reliable the ranking is. Points
    with intervals are the gaming index and the error rates of the year's test (open) and of the default test (filled),
    against the line at alpha.
    """
    from qeframe.report.figures.drawn_figure import DrawnFigure

    lines = list(_lines(study))
    high = _TOP + _BOTTOM + _LINE * len(lines)
    wide = _LEFT + len(_PANELS) * (_WIDE + _BETWEEN) + _RIGHT
    figure = DrawnFigure(figsize=(wide, high))
    axes = []
    for number, (title, hint) in enumerate(_PANELS):
        place = (_LEFT + number * (_WIDE + _BETWEEN)) / wide, _BOTTOM / high, _WIDE / wide, _LINE * len(lines) / high
        panel = figure.add_axes(place)
        panel.set_title(title, fontsize=9, loc="left", pad=16)
        panel.text(0, 1, hint, transform=panel.transAxes, fontsize=7.5, color=GRAY, va="bottom", ha="left")
        panel.set(ylim=(len(lines) - 0.5, -0.5), xlim=(0, 1))
        panel.spines[["top", "right", "left"]].set_visible(False)
        panel.tick_params(axis="y", length=0, labelleft=number == 0, labelsize=8)
        panel.tick_params(axis="x", labelsize=7, length=2, color=GRAY)
        panel.grid(axis="x", color="#e4e4e4", linewidth=0.6)
        panel.set_axisbelow(True)
        axes.append(panel)
    for panel in axes:
        panel.set_yticks(range(len(lines)), ["" if row is None else shortened(text, _LONGEST) for text, row in lines])
    for at, (text, row) in enumerate(lines):
        if row is None:  # the name of a data set, over the empty line
            axes[0].text(-_LEFT / _WIDE, at, shortened(text, 2 * _LONGEST), fontweight="bold", fontsize=8, va="center")
        else:
            _draw(axes, at, row)
    _finish_errors(axes[3], study, [row for _, row in lines if row is not None], below=0.22 / (_LINE * len(lines)))
    return figure


def _lines(study: Trust) -> Iterator[tuple[str, TrustRow | None]]:
    """Yield the label and the row of each line; a heading for each data set if there are several."""
    for data in study.data:
        if len(study.data) > 1:
            yield data.name, None
        for row in data.measures:
            yield row.metric, row


def _draw(axes: "list[Axes]", at: int, row: TrustRow) -> None:
    verdicts = row.verdicts
    if verdicts.pairs and not verdicts.reason:
        share = verdicts.separated / verdicts.pairs
        axes[0].barh(at, share, height=0.55, color=BLUE)
        axes[0].barh(at, verdicts.undecided / verdicts.pairs, left=share, height=0.55, color=BLUE, alpha=0.35)
    if not math.isnan(row.reliability):
        axes[1].barh(at, max(0.0, row.reliability), height=0.55, color=BLUE)
    if row.gamed is not None:
        low, high = max(0.0, row.gamed.low), min(1.0, row.gamed.high)
        axes[2].plot([low, high], [at, at], color=GOLD, linewidth=1.6, solid_capstyle="butt")
        axes[2].plot([row.gamed.index], [at], "o", color=GOLD, markersize=5, markeredgecolor=INK, markeredgewidth=0.5)
    for share_of, offset, filled in ((row.year_error, -0.17, False), (row.default_error, 0.17, True)):
        if share_of is not None:
            axes[3].plot(share_of.interval(), [at + offset] * 2, color=INK, linewidth=0.9)
            color = INK if filled else "white"
            axes[3].plot(
                [share_of.value], [at + offset], "o", color=color, markersize=4.2, markeredgecolor=INK,
                markeredgewidth=0.8,
            )  # fmt: skip


def _finish_errors(panel: "Axes", study: Trust, rows: list[TrustRow], *, below: float) -> None:
    """Draw the line at alpha, and say which points are which."""
    shares = [share for row in rows for share in (row.year_error, row.default_error) if share is not None]
    if not shares:
        panel.text(0.5, 0.5, "not measured", transform=panel.transAxes, ha="center", fontsize=8, color=GRAY)
        panel.set_xticks([])
        return
    panel.set_xlim(0, max(_MOST_ERROR, *(1.05 * share.interval()[1] for share in shares)))
    panel.axvline(study.alpha, color=GOLD, linewidth=1.2)
    for filled, name in ((False, "the year's test"), (True, "the default test")):
        color = INK if filled else "white"
        panel.plot([], [], "o", color=color, markersize=4.2, markeredgecolor=INK, markeredgewidth=0.8, label=name)
    panel.legend(
        loc="upper left", bbox_to_anchor=(-0.05, -below), fontsize=7, frameon=False, borderpad=0, handletextpad=0.1,
        labelspacing=0.2,
    )  # fmt: skip

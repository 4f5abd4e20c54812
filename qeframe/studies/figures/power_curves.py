"""Power by the number of units, one panel for each pair of submissions."""

import math
from typing import TYPE_CHECKING

from qeframe.report.figures.small_multiples import corner_text, panels
from qeframe.report.figures.style import BLUE, GOLD, GRAY, INK, shortened
from qeframe.report.layouts.number_format import format_estimated_count
from qeframe.studies.power.curves import PowerCurve, PowerStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LONGEST = 13
"""The longest name of a submission in a title of two, in characters."""

MOST_PANELS = 40
"""The most pairs that are drawn: the first ones."""


def power_figure(study: PowerStudy) -> "Figure | None":
    """Return a panel for each pair: its power by the number of units on a logarithmic axis.

    The line is the power if the true difference is the observed one, the band has both ends of its interval. Points are
    the power in draws. Dashed lines are at the number of units that there are and at the target; the corner has the
    number of units that reach the target. Pairs without a standard error are left out.

    Result: None if no pair has a curve.
    """
    curves = [curve for curve in study.curves if not math.isnan(curve.power)][:MOST_PANELS]
    if not curves:
        return None
    leaders = {curve.better for curve in curves}
    names = [
        curve.worse
        if len(leaders) == 1
        else f"{shortened(curve.better, _LONGEST)} – {shortened(curve.worse, _LONGEST)}"
        for curve in curves
    ]
    pairs = f"; {curves[0].better} against each" if len(leaders) == 1 else ""
    figure, axes = panels(names, width=2.1, height=1.5, across=f"{study.unit}s{pairs}", up="power")
    for panel, curve in zip(axes, curves, strict=True):
        _draw(panel, curve, study)
    axes[0].set(xscale="log", ylim=(0, 1.02), xlim=(study.sizes[0], study.sizes[-1]))
    ticks = _ticks(int(study.sizes[0]), int(study.sizes[-1]))
    axes[0].set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes[0].minorticks_off()
    return figure


def _ticks(first: int, last: int) -> list[int]:
    """Return the powers of ten within a range, and fewer than two of them with three times each."""
    tens = [10**power for power in range(9)]
    inside = [tick for tick in tens if first <= tick <= last]
    return inside if len(inside) > 1 else [t for tick in tens for t in (tick, 3 * tick) if first <= t <= last]


def _draw(panel: "Axes", curve: PowerCurve, study: PowerStudy) -> None:
    panel.fill_between(study.sizes, curve.low, curve.high, color=BLUE, alpha=0.18, linewidth=0)
    panel.plot(study.sizes, curve.at, color=BLUE, linewidth=1.4)
    panel.plot(study.sizes, curve.predicted_at, color=BLUE, linewidth=0.9, linestyle=(0, (1, 1.5)))
    panel.axvline(study.units, color=INK, linewidth=0.7, linestyle=(0, (4, 3)))
    panel.axhline(study.target, color=GRAY, linewidth=0.7, linestyle=(0, (4, 3)))
    checks = [check for check in curve.in_draws if study.sizes[0] <= check.size <= study.sizes[-1]]
    panel.plot(
        [check.size for check in checks], [check.power for check in checks], "o", color=GOLD, markersize=3.2,
        markeredgecolor=INK, markeredgewidth=0.4,
    )  # fmt: skip
    corner_text(panel, f"{100 * study.target:g} %: {format_estimated_count(curve.needed)}", low=True)

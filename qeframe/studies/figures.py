"""The figures of studies: power by units, and correlation with judges.

Correlation with judges by the size of documents is drawn after Turian et al. (2003).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from qeframe.core.batch import FloatArray
from qeframe.data.reading import Assessments
from qeframe.report.figures.small_multiples import corner_text, panels
from qeframe.report.figures.style import BLUE, GOLD, GRAY, INK, shortened
from qeframe.report.layouts.number_format import format_estimated_count
from qeframe.statistics.correlation import pearson_matrix
from qeframe.studies.agreement_curves import AgreementCurve
from qeframe.studies.judge_agreement import JudgePair
from qeframe.studies.power.curves import PowerCurve, PowerStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_LONGEST = 13
"""The longest name of a submission in a title of two, in characters."""

MOST_PANELS = 40
"""The most pairs that are drawn: the first ones."""


def power_figure(study: PowerStudy) -> Figure | None:
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
    lines, _ = axes[0].get_legend_handles_labels()
    figure.legend(handles=lines, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, fontsize=7, frameon=False)
    return figure


def _ticks(first: int, last: int) -> list[int]:
    """Return the powers of ten within a range, and fewer than two of them with three times each."""
    tens = [10**power for power in range(9)]
    inside = [tick for tick in tens if first <= tick <= last]
    return inside if len(inside) > 1 else [t for tick in tens for t in (tick, 3 * tick) if first <= t <= last]


def _draw(panel: Axes, curve: PowerCurve, study: PowerStudy) -> None:
    band = f"its {100 * study.confidence:g} % interval"
    panel.plot(study.sizes, curve.at, color=BLUE, linewidth=1.4, label="power if the observed difference is true")
    panel.fill_between(study.sizes, curve.low, curve.high, color=BLUE, alpha=0.18, linewidth=0, label=band)
    again = "chance that new data show a significant difference"
    panel.plot(study.sizes, curve.predicted_at, color=BLUE, linewidth=0.9, linestyle=(0, (1, 1.5)), label=again)
    here = f"{study.unit}s that there are: {study.units:,}"
    panel.axvline(study.units, color=INK, linewidth=0.7, linestyle=(0, (4, 3)), label=here)
    target = f"power asked for: {100 * study.target:g} %"
    panel.axhline(study.target, color=GRAY, linewidth=0.7, linestyle=(0, (4, 3)), label=target)
    checks = [check for check in curve.in_draws if study.sizes[0] <= check.size <= study.sizes[-1]]
    panel.plot(
        [check.size for check in checks], [check.power for check in checks], "o", color=GOLD, markersize=3.2,
        markeredgecolor=INK, markeredgewidth=0.4, label="power in draws",
    )  # fmt: skip
    corner_text(panel, f"{100 * study.target:g} %: {format_estimated_count(curve.needed)}", low=True)


_COLORS = (BLUE, GOLD, "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#6b4c1e", GRAY)
_MARKERS = "osD^vPX*"
_STYLES = ("-", (0, (5, 2)), (0, (1.5, 1.5)))
_LABEL_HEIGHT = 0.17
"""Distance between labels in inches."""


def curves_figure(curves: Sequence[AgreementCurve]) -> Figure:
    """Return a panel for each scale: mean correlations by size on a logarithmic axis, one line for each curve.

    A metric has the same color in every panel. The style of a line shows the number of references. The line between
    judges is black. Labels are at the ends of the lines.
    """
    from matplotlib.figure import Figure

    scales = list(dict.fromkeys(curve.scale for curve in curves))
    names = list(dict.fromkeys(curve.name for curve in curves if curve.references))
    numbers = sorted({curve.references for curve in curves if curve.references})
    most = max(sum(curve.scale == scale for curve in curves) for scale in scales)
    longest = max(len(shortened(curve.label, 40)) for curve in curves)
    height, width, room = max(3.0, most * _LABEL_HEIGHT + 0.2), 3.6, 0.3 + 0.075 * longest
    wide, high = 0.6 + len(scales) * (width + room), height + 0.8
    figure = Figure(figsize=(wide, high))
    low = min(0.0, float(np.nanmin([np.nan_to_num(curve.mean) for curve in curves])))
    for nth, scale in enumerate(scales):
        left = (0.6 + nth * (width + room)) / wide
        axes = figure.add_axes((left, 0.5 / high, width / wide, height / high))
        on_scale = [curve for curve in curves if curve.scale == scale]
        for curve in on_scale:
            _line(axes, curve, names, numbers)
        _frame(axes, on_scale[0].sizes, (low - 0.02, 1.0))
        _labels(axes, on_scale, names, height)
        axes.set_title(f"human scale: {scale}", fontsize=9, loc="left")
        if not nth:
            axes.set_ylabel("Spearman correlation with a judge (mean)")
    return figure


def _color_and_marker(curve: AgreementCurve, names: Sequence[str]) -> tuple[str, str]:
    """Return the color and the marker of a curve."""
    if not curve.references:
        return INK, ""
    position = names.index(curve.name)
    return _COLORS[position % len(_COLORS)], _MARKERS[position % len(_MARKERS)]


def _line(axes: Axes, curve: AgreementCurve, names: Sequence[str], numbers: Sequence[int]) -> None:
    color, marker = _color_and_marker(curve, names)
    style = _STYLES[numbers.index(curve.references) % len(_STYLES)] if curve.references else "-"
    thick = 1.4 if curve.references else 2.2
    axes.plot(curve.sizes, curve.mean, color=color, linestyle=style, marker=marker, markersize=3.5, linewidth=thick)


def _frame(axes: Axes, sizes: Sequence[int], limits: tuple[float, float]) -> None:
    axes.set_xscale("log")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    axes.set(ylim=limits, xlabel="sentences in a document")
    axes.grid(color=GRAY, alpha=0.25, linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)


def _labels(axes: Axes, curves: Sequence[AgreementCurve], names: Sequence[str], height: float) -> None:
    """Write each label at the end of its line; labels that would overlap are moved apart."""
    ends = np.array([np.nan_to_num(curve.mean[-1]) for curve in curves])
    low, high = axes.get_ylim()
    heights = _apart(ends, _LABEL_HEIGHT / height * (high - low), high)
    x = curves[0].sizes[-1]
    for curve, end, label in zip(curves, ends, heights, strict=True):
        color, _ = _color_and_marker(curve, names)
        axes.annotate(
            shortened(curve.label, 40), (x, end), xytext=(1.06, (label - low) / (high - low)),
            textcoords="axes fraction", color=color, fontsize=8, va="center",
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.5, "relpos": (0, 0.5), "shrinkB": 3},
        )  # fmt: skip


def _apart(values: FloatArray, gap: float, top: float) -> FloatArray:
    """Return positions in the order of the values, at least a gap apart, none above the top."""
    order = np.argsort(-values, kind="stable")
    positions = values.copy()
    before = top + gap / 2
    for i in order:
        positions[i] = before = min(values[i], before - gap)
    return positions


def judges_figure(assessments: Assessments, pair: JudgePair | None = None) -> Figure | None:
    """Return the scatter plot of the judgments of two judges on the same translation, as z-scores of each judge.

    `pair`: the two judges; None shows all judges. Result: None if no two judges saw the same translation. Without
    `pair` every two judgments are drawn in both orders, since neither judge is the first.
    """
    from matplotlib.figure import Figure

    x, y = _seen_twice(assessments, pair)
    if not len(x):
        return None
    seen = len(x) if pair else len(x) // 2
    figure = Figure(figsize=(3.6, 3.6))
    axes = figure.add_axes((0.15, 0.13, 0.82, 0.79))
    axes.scatter(x, y, s=7, color=BLUE, alpha=float(np.clip(8 / np.sqrt(len(x)), 0.08, 0.6)), linewidths=0)
    limit = float(np.abs([x, y]).max()) + 0.3
    if x.any():
        slope, intercept = np.polyfit(x, y, 1) if np.ptp(x) > 0 else (0.0, float(y.mean()))
        axes.axline((0, intercept), slope=slope, color=GOLD, linewidth=1.4)
    axes.set(xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal")
    names = (pair.first, pair.second) if pair else ("one judge", "another judge")
    axes.set(xlabel=f"{names[0]} (z-score)", ylabel=f"{names[1]} (z-score)")
    axes.spines[["top", "right"]].set_visible(False)
    correlation = f", r = {pearson_matrix(np.stack([x, y]))[0, 1]:.3f}" if np.ptp(x) > 0 and np.ptp(y) > 0 else ""
    axes.set_title(f"{assessments.scale}: {seen} translations seen twice{correlation}", fontsize=9, loc="left")
    return figure


def _seen_twice(assessments: Assessments, pair: JudgePair | None) -> tuple[FloatArray, FloatArray]:
    """Return the z-scores that two judges gave to the same translations: those of a pair, or of all in both orders."""
    z, (first, second) = assessments.standardized(), assessments.pairs()
    looks = np.stack([np.concatenate([first, second]), np.concatenate([second, first])])
    if pair is not None:
        judges = np.array(assessments.judges)[looks]
        looks = looks[:, (judges[0] == pair.first) & (judges[1] == pair.second)]
    x, y = z[looks]
    both = np.isfinite(x) & np.isfinite(y)
    return x[both], y[both]

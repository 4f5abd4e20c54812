"""The panels of the page of a run: one for all tasks, one for each task or part, one for the units of each task."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from markupsafe import Markup

from qeframe.core.batch import IntArray
from qeframe.core.errors import counted
from qeframe.core.findings import Comparison
from qeframe.core.result import Evaluation
from qeframe.report.html.facts import PageFacts
from qeframe.report.html.markup import decimal, element, picture, steps, ticks
from qeframe.report.html.panel_scores import HeatMap, Ranked, Scores, heat_maps, scores_of_panels
from qeframe.report.html.significance_matrix import matrix
from qeframe.report.layouts.number_format import decimals_for, format_interval, format_number
from qeframe.report.layouts.table import Cell, Column, Strip, Table
from qeframe.report.tables.leaderboard import BEST, ranked_submissions
from qeframe.report.tables.rank_ranges import ranks_in_words
from qeframe.report.tables.standings import standings, what_costs_most
from qeframe.report.tables.task_columns import cluster_column, task_names

_SHADES = 5
_WIDE = 0.2
"""Scores of a wider range have two decimals."""


def shaded_table(heat_map: HeatMap) -> dict[str, Any]:
    """Return a heat map for the template, in shades that are equal steps from its worst to its best score.

    Result: ``caption``, ``by``, ``columns`` and ``note``; ``rows``: a name and cells, each a text and its shade from 0
    to 4, or n where there is no score; ``legend``: each shade with the scores that it marks.
    """
    values = heat_map.values
    finite = values[np.isfinite(values)]
    low, high = float(finite.min()), float(finite.max())
    decimals = min(decimals_for(finite.tolist()), 2 if high - low > _WIDE else 3)
    cells = [
        [(format_number(v, decimals), str(shade) if math.isfinite(v) else "n") for v, shade in zip(*row, strict=True)]
        for row in zip(values.tolist(), _shades(heat_map, low, high).tolist(), strict=True)
    ]
    number = len(heat_map.rows)
    return {
        "caption": f"{heat_map.metric} by {heat_map.by}: {number} {heat_map.by}s; darker is better",
        "by": heat_map.by,
        "columns": heat_map.columns,
        "rows": list(zip(heat_map.rows, cells, strict=True)),
        "legend": _legend(low, high, decimals, better_high=heat_map.better_high),
        "note": f"without a score: {counted(heat_map.without, f'more {heat_map.by}')}" if heat_map.without else "",
    }


def _shades(heat_map: HeatMap, low: float, high: float) -> IntArray:
    share = (heat_map.values - low) / (high - low) if high > low else np.full(heat_map.values.shape, 0.5)
    share = np.nan_to_num(share if heat_map.better_high else 1 - share)
    return np.clip(np.floor(_SHADES * share), 0, _SHADES - 1).astype(np.int64)


def _legend(low: float, high: float, decimals: int, *, better_high: bool) -> list[tuple[str, str]]:
    if high == low:
        return [(str(_SHADES // 2), format_number(low, decimals))]
    ends = [format_number(end, decimals) for end in np.linspace(low, high, _SHADES + 1).tolist()]
    steps = [f"{first} to {last}" for first, last in pairwise(ends)]
    return [(str(shade), text) for shade, text in enumerate(steps if better_high else steps[::-1])]


_HISTOGRAM_WIDE, _HISTOGRAM_HIGH = 180.0, 70.0
_HIGHEST = 2.5
"""The largest height of the axis, in heights of the highest bar of the gold; higher bars are cut."""


def histograms(facts: Mapping[str, Any], order: Sequence[str]) -> dict[str, Any]:
    """Return the pictures of a task from what `unit_facts` returns, in an order of its submissions.

    Result: ``pictures``: ``name``, ``svg`` and ``note`` of each submission; ``low``, ``high``: the ends of the axis as
    texts; ``scale``, ``unit`` and ``gold``, whether there is gold.
    """
    gold, of_submissions = facts["gold"], facts["submissions"]
    highest = max((max(facts_of["bins"]) for facts_of in of_submissions.values()), default=0.0)
    if gold is not None and max(gold) > 0:
        highest = min(max(highest, max(gold)), _HIGHEST * max(gold))
    top = 1.08 * highest or 1.0
    low, high = float(facts["low"]), float(facts["high"])
    decimals = decimals_for([low, high])
    behind = [] if gold is None else [_outline(gold, top, "gold")]
    return {
        "pictures": [
            {
                "name": name,
                "svg": _histogram(name, histogram, behind, (low, high), top, facts, decimals),
                "note": _note(histogram, top),
            }
            for name, histogram in ((name, of_submissions[name]) for name in order)
        ],
        "low": format_number(low, decimals),
        "high": format_number(high, decimals),
        "scale": facts["values"],
        "unit": facts["unit"],
        "gold": gold is not None,
    }


def _histogram(
    name: str,
    histogram: Mapping[str, Any],
    behind: list[Markup],
    ends: tuple[float, float],
    top: float,
    facts: Mapping[str, Any],
    decimals: int,
) -> Markup:
    low, high = ends
    mean = histogram["mean"]
    inside = mean is not None and low <= mean <= high
    x = decimal(_HISTOGRAM_WIDE * (mean - low) / (high - low)) if inside else ""
    line = [element("path", d=f"M{x} 0V{decimal(_HISTOGRAM_HIGH)}", class_="mean")] if inside else []
    said = "undefined" if mean is None else format_number(mean, decimals)
    title = f"Distribution of {name}: {facts['values']}, mean {said}, peak {max(histogram['bins']):.0f} %"
    outline = _outline(histogram["bins"], top, "answers")
    base = element("path", d=f"M0 {decimal(_HISTOGRAM_HIGH)}H{decimal(_HISTOGRAM_WIDE)}", class_="base")
    return picture(title, *behind, outline, *line, base, width=_HISTOGRAM_WIDE, height=_HISTOGRAM_HIGH + 1)


def _outline(heights: list[float], top: float, kind: str) -> Markup:
    return element("path", d=steps(heights, width=_HISTOGRAM_WIDE, height=_HISTOGRAM_HIGH, top=top), class_=kind)


def _note(histogram: Mapping[str, Any], top: float) -> str:
    peak = [f"peak {max(histogram['bins']):.0f} %"] if max(histogram["bins"]) > top else []
    return ", ".join([*peak, *([f"{histogram['outside']:,} outside"] if histogram["outside"] else [])])


_FOREST_WIDE, _FOREST_HIGH = 1000.0, 24.0


def forest(scores: Scores) -> dict[str, Any] | None:
    """Return the rows of a forest plot for the template; None without a defined score.

    Result: ``rows``: ``name``, ``value``, ``interval``, ``bar``, ``cluster``, ``ranks`` and ``rank_bar``. ``ticks``:
    pairs of a text and a position in percent. ``intervals`` and ``ranked``: whether any row has them; ``clusters``: the
    title of their column, empty without any; ``best``: the mark of those that may be best, if there are any; ``count``:
    the last rank of any; ``without``: the names of those that have no score, and no row.
    """
    rows = [row for row in scores.rows if math.isfinite(row.value)]
    finite = [v for r in rows for v in (r.value, r.low, r.high) if math.isfinite(v)]
    if not rows:
        return None
    low, high = min(finite), max(finite)
    pad = 0.04 * (high - low) or 0.04 * abs(high) or 0.5
    low, high = low - pad, high + pad
    lines = ticks(low, high, 4)
    decimals = decimals_for(r.value for r in rows)
    places = [_position(at, low, high) for at in lines]
    grid = Markup("").join(_line("grid", x, x, 0, _FOREST_HIGH) for x in places)
    last = max((row.ranks[1] for row in rows if row.ranks is not None), default=0)
    title, in_words = cluster_column(row.cluster for row in rows)
    some_best = any(row.best for row in rows)
    return {
        "rows": [
            {
                "name": row.name,
                "mark": f"{row.mark} {BEST if row.best else ''}".strip(),
                "value": format_number(row.value, decimals),
                "interval": format_interval(row.low, row.high, decimals) + row.sign,
                "bar": _bar(row, low, high, grid),
                "cluster": in_words(row.cluster),
                "ranks": ranks_in_words(row.ranks),
                "rank_bar": "" if row.ranks is None else _rank_bar(row.ranks, last),
            }
            for row in rows
        ],
        "ticks": _tick_labels(lines, low, high),
        "intervals": any(math.isfinite(row.low) for row in rows),
        "clusters": title if any(row.cluster is not None for row in rows) else "",
        "best": BEST if some_best else "",
        "ranked": last > 0,
        "count": last,
        "without": [row.name for row in scores.rows if not math.isfinite(row.value)],
    }


def _position(value: float, low: float, high: float) -> float:
    return _FOREST_WIDE * (value - low) / (high - low)


def _tick_labels(lines: Sequence[float], low: float, high: float) -> list[tuple[str, str]]:
    size = max((abs(line) for line in lines), default=0.0)
    step = abs(lines[1] - lines[0]) if len(lines) > 1 else size or 1.0
    decimals = min(max(0, -math.floor(math.log10(step))), 9) if step > 0 else 3
    return [(format_number(line, decimals), decimal(_position(line, low, high))) for line in lines]


def _stretched(*children: str) -> Markup:
    """Return a picture without a title: the numbers beside it say the same."""
    box = f"0 0 {decimal(_FOREST_WIDE)} {decimal(_FOREST_HIGH)}"
    return element("svg", *children, viewBox=box, preserveAspectRatio="none", aria_hidden="true")


def _line(kind: str, x1: float, x2: float, y1: float = _FOREST_HIGH / 2, y2: float = _FOREST_HIGH / 2) -> Markup:
    return element("path", d=f"M{decimal(x1)} {decimal(y1)}L{decimal(x2)} {decimal(y2)}", class_=kind)


def _bar(row: Ranked, low: float, high: float, grid: Markup) -> Markup:
    at = _position(row.value, low, high)
    drawn = [grid]
    if math.isfinite(row.low) and math.isfinite(row.high):
        ends = [_position(end, low, high) for end in (row.low, row.high)]
        drawn += [_line("interval", *ends), *(_line("interval", x, x, 6, 18) for x in ends)]
    return _stretched(*drawn, _line("dot", at, at + 0.1))


def _rank_bar(ranks: tuple[int, int], last: int) -> Markup:
    """Return a bar over some ranks of 1 to `last`, each rank a cell of equal width."""
    x = _FOREST_WIDE * (ranks[0] - 1) / last
    width = _FOREST_WIDE * (ranks[1] - ranks[0] + 1) / last
    frame = element("path", d=f"M0 12H{decimal(_FOREST_WIDE)}", class_="grid")
    bar = element("rect", x=decimal(x), y="6", width=decimal(width), height="12", class_="ranks")
    return _stretched(frame, bar)


def panels(evaluation: Evaluation, facts: PageFacts) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the panels of scores, and those of units, for the template.

    A single task has one panel with everything. Of several tasks, each has its units in its own panel. The units of a
    task set belong to several parts, so that they have panels of their own, in the second list.

    Returns `scores, units`: each with ``title``, ``note``, ``forest``, ``heat_maps``, ``matrix``, ``standings``,
    ``histograms`` and ``disagreements``; the last six are None, or empty, where there is nothing to show.
    """
    compared = _by_task(evaluation)
    scored = scores_of_panels(evaluation)
    shown = [_panel(evaluation, scores, compared.get(scores.name, []), facts.units) for scores in scored]
    used = {panel["units_of"] for panel in shown}
    order = [scored.name for scored in ranked_submissions(evaluation)]
    others = [_units(name, of_task, order) for name, of_task in facts.units.items() if name not in used]
    return shown, others


def _by_task(evaluation: Evaluation) -> Mapping[str, list[Comparison]]:
    comparisons: defaultdict[str, list[Comparison]] = defaultdict(list)
    metrics = {part.name: part.metric for part in evaluation.parts}
    for pair in evaluation.comparisons:
        if pair.metric == metrics.get(pair.task, evaluation.primary):
            comparisons[pair.task].append(pair)
    return comparisons


def _panel(
    evaluation: Evaluation, scores: Scores, pairs: Sequence[Comparison], units: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    single = not evaluation.parts and len(evaluation.tasks) < 2 and len(units) == 1
    name = next(iter(units)) if single else scores.name
    rules = evaluation.signature.rules
    alpha, correction = float(rules.get("alpha", 0.05)), rules.get("correction", "none")
    order = [row.name for row in scores.rows]
    title = scores.name or ("All parts" if evaluation.parts else "All tasks" if task_names(evaluation) else "The task")
    costs, values = {} if scores.name else what_costs_most(evaluation), {row.name: row.value for row in scores.rows}
    return {
        "title": title,
        "note": scores.note,
        "metric": scores.metric,
        "better": "higher" if scores.higher_is_better else "lower",
        "best": _best(scores),
        "units_of": name if name in units else "",
        "forest": forest(scores),
        "heat_maps": [] if scores.name else list(map(shaded_table, heat_maps(evaluation))),
        "matrix": matrix(pairs, order, alpha, adjusted=correction != "none"),
        "standings": standings(values, pairs, costs, of=title.lower() if not scores.name else title)
        if pairs or costs
        else None,
        **_of_units(units.get(name), order),
    }


def _best(scores: Scores) -> str:
    first = next(iter(scores.rows), None)
    return "" if first is None or math.isnan(first.value) else f"{first.name} ({format_number(first.value, 3)})"


def _units(name: str, facts: Mapping[str, Any], order: Sequence[str]) -> dict[str, Any]:
    note = f"{facts['count']:,} {facts['unit']}s"
    return {
        "title": name,
        "note": note,
        "forest": None,
        "heat_maps": [],
        "matrix": None,
        "standings": None,
        **_of_units(facts, order),
    }


def _of_units(facts: Mapping[str, Any] | None, order: Sequence[str]) -> dict[str, Any]:
    if facts is None:
        return {"histograms": None, "disagreements": None}
    submissions = facts["submissions"]
    names = [*(name for name in order if name in submissions), *sorted(submissions.keys() - set(order))]
    return {"histograms": histograms(facts, names), "disagreements": _disagreements(facts)}


def _disagreements(facts: Mapping[str, Any]) -> Table | None:
    """Return the table of the units on which submissions and gold disagree most, with texts where there are any."""
    rows = facts["disagreements"]
    if not rows:
        return None
    groupings = list(dict.fromkeys(name for row in rows for name in row["groups"]))
    columns: list[Strip] = [
        (Column(facts["unit"], "left", key=True), [Cell(row["unit"]) for row in rows]),
        *((Column(name, "left"), [Cell(str(row["groups"].get(name, ""))) for row in rows]) for name in groupings),
        (Column("gap"), [Cell(_short(row["gap"])) for row in rows]),
        (Column("gold"), [Cell(_short(row["gold"])) for row in rows]),
        (Column("lowest"), [Cell(_short(row["lowest"][1])) for row in rows]),
        (Column("by", "left"), [Cell(row["lowest"][0]) for row in rows]),
        (Column("highest"), [Cell(_short(row["highest"][1])) for row in rows]),
        (Column("by", "left"), [Cell(row["highest"][0]) for row in rows]),
    ]
    notes = [f"gap: {facts['measure']}", f"gold, lowest, highest: {facts['values']}"]
    if any(row["text"] for row in rows):
        columns.append((Column("text", "left"), [Cell(row["text"]) for row in rows]))
        notes += [] if facts["text_of"] == "text" else [f"text: what the {facts['text_of']} holds"]
    return Table.from_columns(f"The {len(rows)} {facts['unit']}s with the largest gap", columns, notes=notes)


def _short(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.3g}"

"""Histograms of gold and predictions: one small picture for every submission of a task, on shared axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from qeframe.report.html.svg import decimal, element, picture, steps
from qeframe.report.layouts.numbers import decimals_for, format_number

_WIDE, _HIGH = 180.0, 70.0
_HIGHEST = 2.5
"""The largest height of the axis, in heights of the highest bar of the gold; higher bars are cut."""


def histograms(facts: Mapping[str, Any], order: Sequence[str]) -> dict[str, Any]:
    """Return the pictures of a task from what `unit_facts` returns, in an order of its submissions.

    Returns
    -------
    dict
        ``pictures``: ``name``, ``svg`` and ``note`` of each submission; ``low``, ``high``: the ends of the axis as
        texts; ``scale``, ``unit`` and ``gold``, whether there is gold.
    """
    gold, found = facts["gold"], facts["submissions"]
    highest = max((max(one["bins"]) for one in found.values()), default=0.0)
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
                "svg": _histogram(name, one, behind, (low, high), top, facts, decimals),
                "note": _note(one, top),
            }
            for name, one in ((name, found[name]) for name in order)
        ],
        "low": format_number(low, decimals),
        "high": format_number(high, decimals),
        "scale": facts["values"],
        "unit": facts["unit"],
        "gold": gold is not None,
    }


def _histogram(
    name: str,
    one: Mapping[str, Any],
    behind: list[Markup],
    ends: tuple[float, float],
    top: float,
    facts: Mapping[str, Any],
    decimals: int,
) -> Markup:
    low, high = ends
    mean = one["mean"]
    inside = mean is not None and low <= mean <= high
    x = decimal(_WIDE * (mean - low) / (high - low)) if inside else ""
    line = [element("path", d=f"M{x} 0V{decimal(_HIGH)}", class_="mean")] if inside else []
    said = "undefined" if mean is None else format_number(mean, decimals)
    title = f"Distribution of {name}: {facts['values']}, mean {said}, peak {max(one['bins']):.0f} %"
    outline = _outline(one["bins"], top, "answers")
    base = element("path", d=f"M0 {decimal(_HIGH)}H{decimal(_WIDE)}", class_="base")
    return picture(title, *behind, outline, *line, base, width=_WIDE, height=_HIGH + 1)


def _outline(heights: list[float], top: float, kind: str) -> Markup:
    return element("path", d=steps(heights, width=_WIDE, height=_HIGH, top=top), class_=kind)


def _note(one: Mapping[str, Any], top: float) -> str:
    peak = [f"peak {max(one['bins']):.0f} %"] if max(one["bins"]) > top else []
    return ", ".join([*peak, *([f"{one['outside']:,} outside"] if one["outside"] else [])])

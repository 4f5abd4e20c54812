"""The significance matrix of a page: darker cells for smaller p, marks in them for eyes that do not see the shades."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from qeframe.core.batch import IntArray
from qeframe.core.errors import one_line
from qeframe.core.findings import Comparison
from qeframe.report.figures.significance import shades_of
from qeframe.report.figures.style import shortened
from qeframe.report.html.markup import decimal, element, picture
from qeframe.report.layouts.number_format import decimals_for, format_interval, format_number, format_p

_CELL = 18.0
_SMALL = 6.0
_MOST_LARGE = 60
"""A matrix of more submissions has small cells without marks and without names at its rows."""
_CHARACTER = 6.6
_LONGEST = 30
_SHARES = (1.0, 0.2, 0.02)


def matrix(pairs: Sequence[Comparison], order: Sequence[str], alpha: float, *, adjusted: bool) -> dict[str, Any] | None:
    """Return the matrix of the comparisons under one metric in one task; None without comparisons.

    `order`: the submissions, best first; those that were not compared are left out. `adjusted`: whether p was adjusted
    by a correction. Result: ``svg``; ``data``, what the script shows of a pair; ``significant`` and ``tested``, numbers
    of pairs; ``legend``.
    """
    compared = {name for pair in pairs for name in (pair.a, pair.b)}
    names = [name for name in order if name in compared]
    if not names:
        return None
    shades = shades_of(pairs, names, alpha)
    size = _CELL if len(names) <= _MOST_LARGE else _SMALL
    labels = [f"{shortened(name, _LONGEST)} {i + 1}" for i, name in enumerate(names)] if size == _CELL else []
    left = max(map(len, labels), default=4) * _CHARACTER + 8
    top = 20.0
    side = size * len(names)
    word = "adjusted p" if adjusted else "p"
    title = f"Significance matrix of {len(names)} submissions: a cell is dark if the row is better than the column"
    svg = picture(
        title,
        *_grounds(shades, size, left, top),
        *_marks(shades, size, left, top),
        *_names(labels, len(names), size, left, top),
        element("rect", class_="cursor", x="-99", y="-99", width=decimal(size), height=decimal(size)),
        width=left + side + 1,
        height=top + side + 1,
        width_=decimal(left + side + 1),
    )
    return {
        "svg": svg,
        "data": {
            "cell": size,
            "left": round(left, 1),
            "top": top,
            "names": list(map(one_line, names)),
            "word": word,
            "pairs": _details(pairs, names),
        },
        "significant": int((shades > 1).sum()),
        "tested": sum(not math.isnan(pair.p) for pair in pairs),
        "legend": _legend(alpha, word, untested=bool((shades < 0).any())),
    }


def _details(pairs: Sequence[Comparison], names: Sequence[str]) -> list[Any]:
    """Return for each pair: position of the better and of the worse one, difference, p, adjusted p, significant.

    The difference has its interval and the two scores beside it, where there are some.
    """
    position = {name: i for i, name in enumerate(names)}
    decimals = decimals_for(pair.difference for pair in pairs)
    of_scores = decimals_for(score for pair in pairs for score in (pair.score_a, pair.score_b))
    return [
        [
            position[pair.a],
            position[pair.b],
            difference_in_words(pair, decimals, of_scores),
            format_p(pair.p),
            format_p(pair.p_adjusted),
            int(pair.significant),
            *([said] if (said := one_line(pair.reason or _each_p(pair))) else []),
        ]
        for pair in pairs
    ]


def difference_in_words(pair: Comparison, decimals: int, of_scores: int) -> str:
    """Return the difference of a pair with its interval and its scores."""
    text, interval = format_number(pair.difference, decimals), format_interval(pair.low, pair.high, decimals)
    scores = [format_number(score, of_scores) for score in (pair.score_a, pair.score_b) if not math.isnan(score)]
    return text + (f" ({interval})" if interval else "") + (f" of {' and '.join(scores)}" if len(scores) == 2 else "")


def _each_p(pair: Comparison) -> str:
    """Return the p of each of the tests of which the largest counts."""
    listed = ", ".join(f"{name} {format_p(p)}" for name, p in pair.p_of.items())
    return f"p of each test: {listed}" if listed else ""


def _grounds(shades: IntArray, size: float, left: float, top: float) -> list[Markup]:
    """Return one path for each shade: a rectangle for every run of cells in a row."""
    runs: dict[int, list[str]] = {}
    for i, row in enumerate(shades.tolist()):
        start = 0
        for j in range(1, len(row) + 1):
            if j == len(row) or row[j] != row[start]:
                if row[start]:
                    x, y = left + start * size, top + i * size
                    run = f"M{decimal(x)} {decimal(y)}h{decimal((j - start) * size)}v{decimal(size)}H{decimal(x)}z"
                    runs.setdefault(row[start], []).append(run)
                start = j
    side = size * len(shades)
    frame = f"M{decimal(left)} {decimal(top)}h{decimal(side)}v{decimal(side)}H{decimal(left)}z"
    places = [i * size for i in range(len(shades) + 1 if size == _CELL else 0)]
    lines = "".join(f"M{decimal(left)} {decimal(top + at)}h{decimal(side)}" for at in places)
    lines += "".join(f"M{decimal(left + at)} {decimal(top)}v{decimal(side)}" for at in places)
    painted = [element("path", d="".join(d), class_=f"shade{shade}".replace("-1", "n")) for shade, d in runs.items()]
    return [element("path", d=frame, class_="frame"), *painted, element("path", d=lines, class_="grid")]


def _marks(shades: IntArray, size: float, left: float, top: float) -> list[Markup]:
    """Return one, two or three dots in each significant cell, and a question mark where nothing was tested."""
    if size < _CELL:
        return []
    marks: dict[int, list[str]] = {}
    for i, row in enumerate(shades.tolist()):
        for j, shade in enumerate(row):
            if shade > 1:
                x, y = left + (j + 0.5) * size, top + (i + 0.5) * size
                dots = [x + 4.5 * (nth - (shade - 2) / 2) for nth in range(shade - 1)]
                marks.setdefault(shade, []).extend(f"M{decimal(at)} {decimal(y)}h.1" for at in dots)
    return [element("path", d="".join(d), class_=f"dots{shade}") for shade, d in marks.items()]


def _names(labels: Sequence[str], count: int, size: float, left: float, top: float) -> list[Markup]:
    every = 1 if size == _CELL else 10
    columns = [
        element("text", str(j + 1), x=decimal(left + (j + 0.5) * size), y=decimal(top - 6), class_="column")
        for j in range(0, count, every)
    ]
    rows = labels or [str(i + 1) if i % every == 0 else "" for i in range(count)]
    return columns + [
        element("text", label, x=decimal(left - 6), y=decimal(top + (i + 0.5) * size + 4), class_="row")
        for i, label in enumerate(rows)
        if label
    ]


def _legend(alpha: float, word: str, *, untested: bool) -> list[Mapping[str, str]]:
    steps: list[Mapping[str, str]] = [
        {"shade": str(nth + 2), "dots": str(nth + 1), "text": f"{word} < {share * alpha:.4g}"}
        for nth, share in enumerate(_SHARES)
    ]
    steps.append({"shade": "0", "dots": "0", "text": "not significant"})
    return [*steps, {"shade": "n", "dots": "0", "text": "not tested"}] if untested else steps

"""A heat map on a page: a table whose cells are darker the better a score is, with the score in each."""

from itertools import pairwise

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import IntArray
from qeframe.core.errors import counted
from qeframe.report.layouts.number_format import decimals_for, format_number
from qeframe.report.tables.heat_maps import HeatMap

_SHADES = 5
_WIDE = 0.2
"""Scores of a wider range have two decimals."""


@frozen
class ShadedCell:
    """One cell: its text, and its shade from 0 to 4, or n where there is no score."""

    text: str
    shade: str


@frozen
class ShadedTable:
    """What the template shows of a heat map.

    `rows` (str, list of ShadedCell). `legend` (str, str): each shade with the scores that it marks.
    """

    caption: str
    by: str
    columns: tuple[str, ...]
    rows: list[tuple[str, list[ShadedCell]]]
    legend: list[tuple[str, str]]
    note: str


def shaded_table(heat_map: HeatMap) -> ShadedTable:
    """Return a heat map as the template shows it.

    The shades are equal steps from the worst to the best score of the map.
    """
    values = heat_map.values
    finite = values[np.isfinite(values)]
    low, high = float(finite.min()), float(finite.max())
    decimals = min(decimals_for(finite.tolist()), 2 if high - low > _WIDE else 3)
    shades = _shades(heat_map, low, high)
    rows = [
        (
            name,
            [
                ShadedCell(format_number(value, decimals), str(shade) if shade >= 0 else "n")
                for value, shade in zip(of_row.tolist(), of_shades.tolist(), strict=True)
            ],
        )
        for name, of_row, of_shades in zip(heat_map.rows, values, shades, strict=True)
    ]
    number = len(heat_map.rows)
    return ShadedTable(
        caption=f"{heat_map.metric} by {heat_map.by}: {number} {heat_map.by}s; darker is better",
        by=heat_map.by,
        columns=heat_map.columns,
        rows=rows,
        legend=_legend(low, high, decimals, better_high=heat_map.better_high),
        note=f"without a score: {counted(heat_map.without, f'more {heat_map.by}')}" if heat_map.without else "",
    )


def _shades(heat_map: HeatMap, low: float, high: float) -> IntArray:
    share = (heat_map.values - low) / (high - low) if high > low else np.full(heat_map.values.shape, 0.5)
    share = share if heat_map.better_high else 1 - share
    finite = np.isfinite(heat_map.values)
    return np.where(finite, np.clip(np.floor(_SHADES * np.where(finite, share, 0)), 0, _SHADES - 1), -1).astype(
        np.int64
    )


def _legend(low: float, high: float, decimals: int, *, better_high: bool) -> list[tuple[str, str]]:
    if high == low:
        return [(str(_SHADES // 2), format_number(low, decimals))]
    ends = [format_number(end, decimals) for end in np.linspace(low, high, _SHADES + 1).tolist()]
    steps = [f"{first} to {last}" for first, last in pairwise(ends)]
    return [(str(shade), text) for shade, text in enumerate(steps if better_high else steps[::-1])]

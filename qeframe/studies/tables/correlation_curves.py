"""The tables of ``qeframe correlate``: mean correlations with judges over sizes of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.evaluation.result import Comparison
from qeframe.report.layouts.number_format import format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.agreement_curves import AgreementCurve


def curve_table(curves: Sequence[AgreementCurve], title: str, *, signature: str = "") -> Table:
    """Return a row for each curve and a column for each size; the best metrics of a size and scale are strong."""
    scales = list(dict.fromkeys(curve.scale for curve in curves))
    columns = [(Column("correlation with a judge", "left", key=True), [Cell(curve.label) for curve in curves])]
    if len(scales) > 1:
        columns.append((Column("scale", "left", key=True), [Cell(curve.scale) for curve in curves]))
    columns += [(Column(f"n = {size}"), _means(curves, nth)) for nth, size in enumerate(curves[0].sizes)]
    notes = [
        "Spearman's correlation over systems between human and automatic scores of pseudo-documents of n sentences",
        *_spread_of_judges(curves),
        *_undefined(curves),
        *([signature] if signature else []),
    ]
    return Table.from_columns(title, columns, notes=notes, strong_means="best metric of its column")


def _means(curves: Sequence[AgreementCurve], nth: int) -> list[Cell]:
    best: dict[str, float] = {}
    for curve in curves:
        if curve.references:
            best[curve.scale] = max(best.get(curve.scale, -np.inf), np.nan_to_num(curve.mean[nth], nan=-np.inf))
    return [
        Cell(format_number(curve.mean[nth], 3), bool(curve.references) and curve.mean[nth] == best[curve.scale])
        for curve in curves
    ]


def _spread_of_judges(curves: Sequence[AgreementCurve]) -> list[str]:
    scales = {curve.scale for curve in curves}
    return [
        f"{curve.name}{f' ({curve.scale})' if len(scales) > 1 else ''}: on segments that two judges saw; "
        f"standard deviation over documents {', '.join(format_number(value, 2) for value in curve.spread)}"
        for curve in curves
        if not curve.references
    ]


def _undefined(curves: Sequence[AgreementCurve]) -> list[str]:
    shares = np.max([curve.undefined for curve in curves], axis=0)
    told = [f"n = {n}: {100 * share:.1f} %" for n, share in zip(curves[0].sizes, shares, strict=True) if share > 0]
    return [f"documents left out, for in them the judges tell no systems apart: {', '.join(told)}"] if told else []


def curve_record(
    curves: Sequence[AgreementCurve], comparisons: Mapping[str, Sequence[Comparison]], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return all numbers of an experiment by name, for JSON.

    Parameters
    ----------
    comparisons : mapping of str to sequence of Comparison
        Of each scale.
    settings : mapping of str to value
        What it was made with.
    """
    return {
        **settings,
        "sizes": list(curves[0].sizes),
        "curves": [
            {
                "name": curve.name,
                "scale": curve.scale,
                "references": curve.references,
                "mean": curve.mean.tolist(),
                "standard_deviation": curve.spread.tolist(),
                "undefined": curve.undefined.tolist(),
            }
            for curve in curves
        ],
        "comparisons": comparisons,
    }

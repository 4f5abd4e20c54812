"""The tables of ``qeframe correlate``: mean correlations with judges over sizes of documents."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.evaluation.compared_pair import Comparison
from qeframe.report.layouts.number_format import format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.agreement_curves import AgreementCurve
from qeframe.studies.judge_agreement import JudgePair


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


FEWEST = 20
"""Two judges with fewer translations in common are not shown: their correlation is mostly chance."""
_MOST_PAIRS = 5


def judges_table(pairs: Sequence[JudgePair], scale: str) -> Table | None:
    """Return the pairs of judges who agree least on a scale; None if no two judged enough of the same translations."""
    enough = [pair for pair in pairs if pair.scale == scale and pair.translations >= FEWEST]
    shown = enough[:_MOST_PAIRS]
    if not enough:
        return None
    values = [pair.correlation for pair in enough if np.isfinite(pair.correlation)]
    fewer = sum(pair.scale == scale for pair in pairs) - len(enough)
    notes = [
        "correlation: Pearson's, of the z-scores that both gave to the same translations; "
        "that of n translations has a standard error of about 1 / sqrt(n)",
        *([f"of all {len(enough)} pairs of judges: {_middle_and_best(values)}"] if len(values) > 1 else []),
        *([f"left out: {fewer} pairs with fewer than {FEWEST} translations in common"] if fewer else []),
    ]
    columns = [
        (Column("judge", "left", key=True), [Cell(pair.first) for pair in shown]),
        (Column("and", "left", key=True), [Cell(pair.second) for pair in shown]),
        (Column("translations"), [Cell(f"{pair.translations:,}") for pair in shown]),
        (Column("correlation"), [Cell(format_number(pair.correlation, 3)) for pair in shown]),
    ]
    return Table.from_columns(f"{scale}: the judges who agree least", columns, notes=notes)


def _middle_and_best(values: Sequence[float]) -> str:
    return f"median {format_number(float(np.median(values)), 3)}, largest {format_number(max(values), 3)}"


def curve_record(
    curves: Sequence[AgreementCurve],
    comparisons: Mapping[str, Sequence[Comparison]],
    settings: Mapping[str, Any],
    judges: Sequence[JudgePair] = (),
) -> dict[str, Any]:
    """Return all numbers of an experiment by name, for JSON.

    `comparisons`: of each scale.
    `settings`: what it was made with.
    `judges`: how far each two judges agree.
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
        "judges": list(judges),
    }

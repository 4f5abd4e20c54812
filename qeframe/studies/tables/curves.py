"""The tables of curves: power by the number of units, and correlation with judges by the size of documents."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.findings import Comparison
from qeframe.report.layouts.number_format import UNDEFINED, decimals_for, format_estimated_count, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.studies.agreement_curves import AgreementCurve
from qeframe.studies.judge_agreement import JudgePair
from qeframe.studies.power.curves import PowerCurve, PowerStudy


def power_table(study: PowerStudy, title: str) -> Table:
    """Return a row for each pair: the power, and the number of units for the target.

    The power is emphasized where it reaches the target.
    """
    percent = f"{100 * study.target:g} %"
    units = f"{study.unit}s"
    precision = decimals_for(value for c in study.curves for value in (c.difference, c.detectable))
    columns = [
        (Column("better", "left", key=True), [Cell(c.better) for c in study.curves]),
        (Column("worse", "left", key=True), [Cell(c.worse) for c in study.curves]),
        (Column("difference"), [Cell(format_number(c.difference, precision)) for c in study.curves]),
        (Column("detectable"), [Cell(format_number(c.detectable, precision)) for c in study.curves]),
        (Column("power"), [Cell(format_number(c.power, 3), c.power >= study.target) for c in study.curves]),
        (Column("predicted"), [Cell(format_number(c.predicted, 3)) for c in study.curves]),
        *([(Column("in draws"), [Cell(_in_draws(c, study)) for c in study.curves])] if study.draws else []),
        (Column(f"{units} for {percent}"), [Cell(format_estimated_count(c.needed)) for c in study.curves]),
        (Column(f"{100 * study.confidence:g} % interval"), [Cell(_needed_range(c)) for c in study.curves]),
    ]
    reached = any(curve.power >= study.target for curve in study.curves)
    return Table.from_columns(
        title, columns, notes=_notes(study, units, percent), strong_means=f"at least {percent}" if reached else ""
    )


def _needed_range(curve: PowerCurve) -> str:
    """Return the interval of the number of units that a pair needs."""
    if math.isnan(curve.needed):
        return UNDEFINED
    return f"{format_estimated_count(curve.needed_low)} to {format_estimated_count(curve.needed_high)}"


def _in_draws(curve: PowerCurve, study: PowerStudy) -> str:
    """Return the power in draws of as many units as there are."""
    shares = [check.power for check in curve.in_draws if check.size == study.units]
    return format_number(shares[0], 3) if shares and not math.isnan(curve.power) else UNDEFINED


def _notes(study: PowerStudy, units: str, percent: str) -> list[str]:
    in_all = f"the {study.units:,} {units} that there are"
    notes = [
        f"power: the chance that a two-sided jackknife test at alpha = {study.alpha:g} finds the difference and "
        f"its sign with {in_all}, if the true difference is the observed one, which is too large on average; each pair "
        "by itself",
        f"predicted: the chance that {study.units:,} new {units} show a significant difference, the error of the "
        "observed one counted",
        f"detectable: the smallest difference that {in_all} find with {percent}",
        f"{units} for {percent}: if the true difference is the observed one; the interval counts the error of the "
        "difference and of its standard error, and has no bound where the difference may be 0",
    ]
    if study.draws:
        notes.append(
            f"in draws: the share of {study.draws:,} samples of {study.units:,} {units}, drawn with replacement, in "
            "which the difference is large enough; the standard error is at most "
            f"{format_number(0.5 / math.sqrt(study.draws), 3)}"
        )
    if study.tasks > 1:
        notes.append(f"{study.tasks} tasks: all grow by the same factor")
    signature = f"profile:{study.profile}|metric:{study.metric}|alpha:{study.alpha:g}|power:{study.target:g}"
    return [*notes, f"{signature}|draws:{study.draws}|seed:{study.seed}"]


def power_records(study: PowerStudy) -> Table:
    """Return every pair at full precision, under the names that `PowerCurve` gives its fields."""
    names = (
        "better", "worse", "difference", "error", "freedom", "power", "predicted", "needed", "needed_low",
        "needed_high", "detectable",
    )  # fmt: skip
    rows = [[_exact(getattr(curve, name)) for name in names] for curve in study.curves]
    return Table.of_texts("power", names, rows)


def curve_records(study: PowerStudy) -> Table:
    """Return every point of every curve: the pair, the number of units, power, band, prediction, power in draws."""
    rows: list[list[str | float]] = []
    for curve in study.curves:
        points = zip(study.sizes.tolist(), curve.at, curve.low, curve.high, curve.predicted_at, strict=True)
        rows += [[curve.better, curve.worse, size, *values, math.nan] for size, *values in points]
        rows += [[curve.better, curve.worse, check.size, *[math.nan] * 4, check.power] for check in curve.in_draws]
    names = ("better", "worse", "units", "power", "low", "high", "predicted", "in_draws")
    return Table.of_texts("power curves", names, [[_exact(value) for value in row] for row in rows])


def _exact(value: str | float) -> str:
    if isinstance(value, (str, int)):
        return str(value)
    return "" if math.isnan(value) else repr(float(value))


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
    return [f"documents left out, since no systems differ in them: {', '.join(told)}"] if told else []


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
    median, largest = (format_number(float(of(values)), 3) if values else "" for of in (np.median, max))
    fewer = sum(pair.scale == scale for pair in pairs) - len(enough)
    notes = [
        "correlation: Pearson's, of the z-scores that both gave to the same translations; "
        "that of n translations has a standard error of about 1 / sqrt(n)",
        *([f"of all {len(enough)} pairs of judges: median {median}, largest {largest}"] if len(values) > 1 else []),
        *([f"left out: {fewer} pairs with fewer than {FEWEST} translations in common"] if fewer else []),
    ]
    columns = [
        (Column("judge", "left", key=True), [Cell(pair.first) for pair in shown]),
        (Column("and", "left", key=True), [Cell(pair.second) for pair in shown]),
        (Column("translations"), [Cell(f"{pair.translations:,}") for pair in shown]),
        (Column("correlation"), [Cell(format_number(pair.correlation, 3)) for pair in shown]),
    ]
    return Table.from_columns(f"{scale}: the judges who agree least", columns, notes=notes)


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
                **{name: getattr(curve, name) for name in ("name", "scale", "references", "mean", "undefined")},
                "standard_deviation": curve.spread,
            }
            for curve in curves
        ],
        "comparisons": comparisons,
        "judges": list(judges),
    }

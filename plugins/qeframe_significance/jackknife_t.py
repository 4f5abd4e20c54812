"""The jackknife t(nu) test and interval of scores that are smooth in the weights of units."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.plugin import Contest, FloatArray, Pairwise, Sided, SignificanceTest
from qeframe.plugin.resampling import (
    FEWEST_UNITS,
    DifferencesOfPairs,
    WorkingScale,
    from_working_scale,
    jackknife_of_pairs,
    jackknife_variance,
    on_working_scale,
)
from qeframe_significance.components import on_grids, randomization
from qeframe_significance.difference_intervals import by_jackknife
from qeframe_significance.jackknife_intervals import on_intervals
from qeframe_significance.p_values import p_of_t
from qeframe_significance.warnings_on_data import FEW_UNITS, on_gold, on_unlike_errors


def _run(contest: Contest, sided: Sided) -> Pairwise:
    if sum(contest.sizes) < FEWEST_UNITS:
        return randomization(draws=2**FEWEST_UNITS).run(contest, sided)
    constant = "the difference is the same whichever unit is left out, so that it has no standard error"
    infinite = "a score is undefined, or perfect, when one unit is left out"
    return t_test_of(jackknife_of_pairs(contest), sided, constant, infinite)


def t_test_of(differences: DifferencesOfPairs, sided: Sided, constant: str, undefined: str) -> Pairwise:
    """Return p of jackknifed differences, and why it is undefined: without a standard error, or an undefined one."""
    none, flat = np.isnan(differences.error), (differences.error == 0) & (differences.difference != 0)
    reasons = tuple(undefined if u else constant if f else "" for u, f in zip(none, flat, strict=True))
    return Pairwise(p=p_of_t(differences.t, differences.freedom, sided), statistic=differences.t, reasons=reasons)


def _remarks(contest: Contest, sided: Sided) -> Sequence[str]:
    units = sum(contest.sizes)
    if units < FEWEST_UNITS:
        return [f"{units} units are too few for the jackknife: all exchanges of the units were enumerated instead"]
    few = f"{units} units are few for the jackknife: below {FEW_UNITS} the false-positive rate is up to .064, not .05"
    return [*([few] if units < FEW_UNITS else []), *on_grids(contest)]


def _interval(contest: Contest, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    scale = contest.working_scale
    scores, left_out = (on_working_scale(v, scale) for v in (contest.oriented, contest.jackknife()))
    variances = jackknife_variance(left_out, contest.sizes)
    error = np.where((variances.error > 0) & (sum(contest.sizes) >= FEWEST_UNITS), variances.error, np.nan)
    return interval_of_t(scores, error, variances.freedom, scale, confidence)


def interval_of_t(
    scores: FloatArray, error: FloatArray, freedom: FloatArray, scale: WorkingScale, confidence: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the ends of Student's intervals of scores on a scale, (S,) each, and no draws."""
    from scipy.special import stdtrit

    half = stdtrit(freedom, (1 + confidence) / 2) * error
    return (
        from_working_scale(scores - half, scale),
        from_working_scale(scores + half, scale),
        np.empty((0, len(scores))),
    )


def _on_intervals(contest: Contest) -> Sequence[Mapping[str, Any]]:
    of_gold = dict.fromkeys(["skewed_gold"], next(on_gold(contest), ""))
    details = on_intervals(contest, contest.working_scale)
    return [{**of, **of_gold} if of_gold["skewed_gold"] and "no_interval" not in of else of for of in details]


jackknife = SignificanceTest(
    name="jackknife",
    summary="Student's t with jackknife error and nu degrees of freedom: for scores that are smooth in the weights",
    source="Tukey (1958); Satterthwaite (1946); measured against bootstrap, randomization and Williams' test",
    needs="smooth",
    run=_run,
    null="equal scores",
    interval=_interval,
    on_intervals=_on_intervals,
    on_differences=by_jackknife,
    remarks=_remarks,
    on_significant=on_unlike_errors,
    measured="false-positive rate .02 to .06 at .05 for 20 to 1,000 units, also of skewed scores with long "
    "tails; up to .07 with gross errors, and up to .13 between submissions whose residuals have different "
    "distributions; undefined for up to .23 of word-level tasks of fewer than 50 sentences with 2 % BAD",
)

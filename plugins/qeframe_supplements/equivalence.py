"""Equivalence of pairs of submissions: two one-sided tests of the differences of scores."""

from functools import partial
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, CapabilityError, Contest, Correction, DataError
from qeframe.plugin.evaluation import PairRules, Supplement, adjust
from qeframe.plugin.report import Brief
from qeframe.plugin.resampling import equivalence as one_sided_tests
from qeframe.plugin.resampling import jackknife_of_pairs, no_error

Verdict = Literal["equivalent", "different", "not determined"]


@frozen(kw_only=True, repr=False)
class PairEquivalence(Brief):
    """Whether the scores of a pair differ by less than matters.

    Parameters
    ----------
    delta : float
        The smallest difference that matters, in units of the metric.
    low, high : float
        The interval of the difference with confidence 1 - 2 alpha, by the jackknife; NaN if it is undefined.
    p, p_adjusted : float
        Of the claim that the difference is between -delta and delta, before and after the correction; NaN if undefined.
    verdict : {"equivalent", "different", "not determined"}
        equivalent: the claim is accepted, also if a difference smaller than delta is significant. different: the
        difference is significant, and not shown to be smaller than delta. not determined: neither.
    """

    delta: float
    low: float
    high: float
    p: float
    p_adjusted: float
    verdict: Verdict


def equivalence(*, delta: float | None = None) -> Supplement:
    """Test whether the scores of pairs differ by less than matters.

    Parameters
    ----------
    delta : float
        The smallest difference that matters, positive, in units of the metric. It must be stated.
    """
    if delta is not None and not delta > 0:
        remedy = "give the smallest difference that matters"
        raise DataError(f"the difference of equivalence must be positive, not {delta:g}", remedy=remedy)
    return Supplement(
        name="equivalence",
        summary="whether the scores of pairs differ by less than matters, by two one-sided tests",
        source="Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach",
        of_pairs=partial(_of_pairs, delta),
        value=PairEquivalence,
    )


def _of_pairs(delta: float | None, contest: Contest, significant: BoolArray, rules: PairRules) -> list[PairEquivalence]:
    if delta is None:
        raise DataError("equivalence has no 'delta'", remedy="give the smallest difference that matters")
    sign, alpha = contest.sign, rules.alpha
    return equivalence_of_pairs(
        contest, significant, delta, sign=sign, alpha=alpha, strict=rules.strict, correction=rules.correction
    )


def equivalence_of_pairs(
    contest: Contest,
    significant: BoolArray,
    delta: float,
    *,
    sign: float,
    alpha: float,
    strict: bool,
    correction: Correction,
) -> list[PairEquivalence]:
    """Test for all pairs whether the difference is smaller than `delta` in size; intervals are multiplied by `sign`.

    The p-values of the two one-sided tests (Schuirmann 1987) are corrected as a family of their own, without joint
    draws. The differences are those of the scores themselves, also of correlations: delta is in units of the score, so
    that Fisher's z is not used. Undefined, and never equivalent, with fewer than 7 units, and where a score is
    undefined with some unit left out. If no unit changes the difference, its error is 0: two equal submissions are
    equivalent.
    """
    if not contest.smooth:
        raise CapabilityError(f"equivalence cannot be tested: {no_error(contest)}")
    differences = jackknife_of_pairs(contest, "identity")
    error = np.full_like(differences.error, np.nan) if no_error(contest) else differences.error
    tests = one_sided_tests(differences.difference, error, differences.freedom, delta, alpha=alpha)
    p = np.asarray(tests.p, dtype=np.float64)
    tested, adjusted = ~np.isnan(p), np.full_like(p, np.nan)
    adjusted[tested] = adjust(correction, p[tested])
    accepted = adjusted < alpha if strict else adjusted <= alpha
    low, high = np.sort(sign * np.stack([np.asarray(tests.low), np.asarray(tests.high)]), axis=0)
    return [
        PairEquivalence(
            delta=float(delta),
            low=float(low[i]),
            high=float(high[i]),
            p=float(p[i]),
            p_adjusted=float(adjusted[i]),
            verdict="equivalent" if accepted[i] else "different" if significant[i] else "not determined",
        )
        for i in range(len(p))
    ]

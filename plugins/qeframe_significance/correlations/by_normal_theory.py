"""The tests of two correlations as components: Williams, Steiger, Meng and others, Hittner and others."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from qeframe.plugin import Contest, FloatArray, Pairwise, Sided, SignificanceTest
from qeframe.plugin.resampling import WorkingScale, jackknife_of_pairs, moments, pearson_matrix, pearson_of_moments
from qeframe_significance.correlations.dependent_correlations import Method, dependent_correlations_z
from qeframe_significance.correlations.williams_formula import p_values, williams_t
from qeframe_significance.difference_intervals import default_intervals
from qeframe_significance.p_values import p_of_z


def _correlations(contest: Contest) -> tuple[FloatArray, FloatArray, FloatArray, int]:
    """Return r_a, r_b and r_ab of every pair, (pairs,) each, and the number of units."""
    gold, predicted = contest.vectors()
    matrix = pearson_matrix(np.concatenate([gold[None], predicted]))
    first, second = contest.pairs
    return matrix[0, 1 + first], matrix[0, 1 + second], matrix[1 + first, 1 + second], len(gold)


def _run_williams(contest: Contest, sided: Sided) -> Pairwise:
    r_a, r_b, r_ab, n = _correlations(contest)
    t = williams_t(r_a, r_b, r_ab, n)
    return Pairwise(p=p_values(t, n - 3, sided=sided), statistic=t)


def _run_z(method: Method, contest: Contest, sided: Sided) -> Pairwise:
    z = dependent_correlations_z(*_correlations(contest), method)
    return Pairwise(p=p_of_z(z, sided), statistic=z)


def _remarks(contest: Contest, sided: Sided) -> Sequence[str]:
    """Return how far the errors of the differences are from those under normality, and what follows for the test."""
    from scipy.special import ndtr

    r_a, r_b, r_ab, n = _correlations(contest)
    if n < _FEW_UNITS:
        return [
            f"the test assumes normal scores, and {n} are too few to see whether they are: for 20 the "
            "false-positive rate at .05 is .04 if they are, .10 with t3 residuals, .42 with many zeros and "
            "long tails"
        ]
    jackknifed = jackknife_of_pairs(contest if sum(contest.sizes) <= n else _Correlated(contest))
    with np.errstate(divide="ignore", invalid="ignore"):
        # z is the difference over the error that normality implies
        assumed = jackknifed.difference / dependent_correlations_z(r_a, r_b, r_ab, n, "steiger")
        ratios = jackknifed.error / assumed
    ratios = ratios[np.isfinite(ratios) & (ratios > 0)]
    if not len(ratios):
        return []
    quantile = _TWO_SIDED if sided == "two" else _ONE_SIDED
    # an error of nu degrees of freedom is itself known to 1 / sqrt(2 nu) of its size
    away = 1 / np.sqrt(2 * np.nanmedian(jackknifed.freedom))
    ratio = float(np.median(ratios))
    low, rate, high = (2 * float(ndtr(-quantile / (ratio * (1 + k * away)))) for k in (-min(1.0, 0.99 / away), 0, 1))
    if rate <= _HELD or low <= _LEVEL[sided]:
        return []
    how = "" if sided == "two" else ", one-sided in the direction of the data"
    return [
        f"the test assumes normal scores: here the standard error of a difference is {ratio:.2f} times what it assumes "
        f"(median of the pairs, by the jackknife), so that its false-positive rate at .05{how} is about {rate:.2f} "
        f"({low:.2f} to {high:.2f}); 'jackknife' does not assume it"
    ]


class _Correlated:
    """The vectors that a contest correlates as units of their own: systems, where it scores systems."""

    working_scale: WorkingScale = "arctanh"

    def __init__(self, contest: Contest) -> None:
        gold, predicted = contest.vectors()
        self.oriented, self.pairs, self.sizes = contest.oriented, contest.pairs, (len(gold),)
        self._moments = moments(np.broadcast_to(gold - gold.mean(), predicted.shape), _centered(predicted))

    def jackknife(self) -> FloatArray:
        """Return the correlations with each entry of the vectors left out, (n, S)."""
        return pearson_of_moments(self._moments.sum(axis=1, keepdims=True) - self._moments).T


def _centered(values: FloatArray) -> FloatArray:
    return values - values.mean(axis=1, keepdims=True)


_FEW_UNITS = 20
"""From this number of units on the jackknife says how far the data are from normal."""

_TWO_SIDED = 1.959963984540054
"""The normal quantile of a two-sided test at .05."""

_ONE_SIDED = 1.6448536269514722
"""The normal quantile of a one-sided test at .05, whose direction the data choose: both tails are rejected."""

_HELD = 0.07
"""An error rate at .05 up to which nothing is said."""

_LEVEL: Mapping[Sided, float] = {"two": 0.05, "one": 0.1}
"""The error rate under normality, where both tails are rejected, at .05."""

_MEASURED = (
    "false-positive rate .04 to .05 at .05 under normality; williams with 20 to 1,000 units .10 to .28 "
    "with t3 residuals, .19 to .46 with elliptical t3 scores, .42 to .52 on scores with many zeros and long tails, "
    "more with more units; steiger, meng and hittner were measured with 200 units, and reject as it does"
)

_of_correlations = partial(
    SignificanceTest,
    needs="vectors",
    null="equal scores",
    on_differences=default_intervals(),
    remarks=_remarks,
    measured=_MEASURED,
)

williams = _of_correlations(
    name="williams",
    summary="Williams' test of two correlations with the same gold, n - 3 degrees of freedom",
    source="Williams (1959); Graham (2015); metrics tasks 2016-20",
    run=_run_williams,
)
steiger = _of_correlations(
    name="steiger",
    summary="Steiger's z of two correlations with the same gold; assumes normality as Williams' test does",
    source="Steiger (1980)",
    run=partial(_run_z, "steiger"),
)
meng = _of_correlations(
    name="meng",
    summary="The z of Meng, Rosenthal and Rubin of two correlations with the same gold; assumes normality",
    source="Meng, Rosenthal and Rubin (1992)",
    run=partial(_run_z, "meng"),
)
hittner = _of_correlations(
    name="hittner",
    summary="The z of Hittner, May and Silver of two correlations with the same gold; assumes normality",
    source="Hittner, May and Silver (2003)",
    run=partial(_run_z, "hittner"),
)

"""Intervals of differences that are dual to tests: where p is below alpha, the interval has no 0, and elsewhere it has.

They are on the plain scale of the score. A test that works on another scale has the interval d -+ q |d / t|, with d the
plain difference, t its statistic, and q what t is compared with.
"""

from collections.abc import Callable

import numpy as np

from qeframe.plugin import CapabilityError, Contest, FloatArray
from qeframe.plugin.resampling import (
    FEWEST_UNITS,
    DifferencesOfPairs,
    from_working_scale,
    jackknife_of_pairs,
    on_working_scale,
    parts_of_pairs,
    slack_of_pairs,
)

Ends = tuple[FloatArray, FloatArray, str]
"""Low and high ends (pairs,), and whose intervals they are: empty for those of the test itself."""


def plain_differences(contest: Contest) -> FloatArray:
    """Return the oriented differences of pairs, (pairs,)."""
    first, second = contest.pairs
    return contest.oriented[first] - contest.oriented[second]


def around(contest: Contest, half: FloatArray, whose: str = "") -> Ends:
    """Return symmetric intervals of half a width; NaN where it is not finite."""
    difference, half = plain_differences(contest), np.where(np.isfinite(half), half, np.nan)
    return difference - half, difference + half, whose


def critical(sizes: FloatArray, level: float, *, exhaustive: bool = False) -> FloatArray:
    """Return the largest observed size that is not significant among drawn sizes (B, pairs), (pairs,).

    With p = (1 + c) / (1 + B), or c / B if the draws are all there are, and c the number of sizes that are not smaller,
    p is below the level for larger ones alone. Infinite where none can be significant. NaN counts as extreme.
    """
    draws = len(sizes)
    # c may be at most this number less 1
    below = int(np.ceil(level * draws if exhaustive else level * (1 + draws) - 1))
    if not 1 <= below <= draws:
        return np.full(sizes.shape[1], np.inf if below < 1 else 0.0)
    filled = np.where(np.isnan(sizes), np.inf, sizes)
    return np.partition(filled, draws - below, axis=0)[draws - below]


def plain_error(contest: Contest, pairs: DifferencesOfPairs) -> FloatArray:
    """Return the standard errors of differences on the working scale in units of the score, (pairs,).

    NaN where the error on the working scale is: of a score of 1 or -1, which is infinite there.
    """
    if contest.working_scale == "identity":
        return pairs.error
    plain, middle = plain_differences(contest), on_working_scale(contest.oriented, contest.working_scale)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (middle[contest.pairs[0]] + middle[contest.pairs[1]]) / 2
        # near 0 the ratio of both differences is the slope of the scale
        slope = 1 - from_working_scale(mean, contest.working_scale) ** 2
        ratio = np.where(np.abs(pairs.difference) > _NEAR, plain / pairs.difference, slope)
    return pairs.error * np.abs(ratio)


_NEAR = 1e-7
"""Differences on a curved scale below which their ratio to those of the scores has lost digits."""


def by_jackknife(contest: Contest, level: float, whose: str = "") -> Ends:
    """Return the intervals of Student's t with the error of the jackknife; by exchanges for very few units."""
    if sum(contest.sizes) < FEWEST_UNITS:
        return by_exchange(contest, level, 2**FEWEST_UNITS, whose)
    return by_t(contest, jackknife_of_pairs(contest), level, whose)


def by_t(contest: Contest, pairs: DifferencesOfPairs, level: float, whose: str = "") -> Ends:
    """Return the intervals of Student's t with given errors on the working scale; NaN without an error above 0."""
    from scipy.special import stdtrit

    half = stdtrit(pairs.freedom, 1 - level / 2) * plain_error(contest, pairs)
    return around(contest, np.where(pairs.error > 0, half, np.nan), whose)


def by_exchange(contest: Contest, level: float, draws: int, whose: str = "") -> Ends:
    """Return the intervals whose half width is the largest difference that exchanges do not call significant."""
    return around(contest, half_by_exchange(contest, level, draws), whose)


def half_by_exchange(contest: Contest, level: float, draws: int) -> FloatArray:
    """Return half the width of intervals by exchanges, (pairs,); infinite where no difference can be significant.

    An exchange that is as far apart as the observation but for rounding counts as extreme: an end is exactly 0 then.
    """
    first, second = contest.pairs
    plain, observed = plain_differences(contest), contest.unexchanged(contest.pairs)
    exhaustive, half = contest.enumerates(draws), np.empty(len(first))
    for part in parts_of_pairs(len(first), draws):
        pairs = (first[part], second[part])
        drawn = contest.exchanged_differences(draws, pairs, enumerable=True)
        half[part] = critical(np.abs(drawn), level, exhaustive=exhaustive)
    with np.errstate(divide="ignore", invalid="ignore"):
        as_observed = np.abs(half - np.abs(observed)) <= slack_of_pairs(contest)
        if contest.has_own_statistic:
            half = half * np.abs(plain / observed)
    return np.where(as_observed, np.abs(plain), half)


def default_intervals(
    exchanges: Callable[[Contest, float], FloatArray] | None = None,
) -> Callable[[Contest, float], Ends]:
    """Return the intervals of tests that have none of their own: the jackknife's, where scores are smooth.

    `exchanges`: half the width for other scores, by the exchanges of the test itself.
    """

    def intervals(contest: Contest, level: float) -> Ends:
        if contest.smooth:
            return by_jackknife(contest, level, "jackknife")
        try:
            half = exchanges(contest, level) if exchanges else np.full(len(contest.pairs[0]), np.nan)
        except CapabilityError:
            half = np.full(len(contest.pairs[0]), np.nan)
        return around(contest, half)

    return intervals

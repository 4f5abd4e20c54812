"""The step-down of Romano and Wolf: adjusted p-values from the joint distribution of all differences."""

from collections.abc import Iterable

import numpy as np

from qeframe.plugin import Contest, FloatArray, IntArray
from qeframe.plugin.resampling import slack_of_pairs

_SLACK = 1e-12
"""Statistics that differ by no more are equal: sums in another order differ by rounding errors."""


def step_down(statistic: FloatArray, blocks: Iterable[FloatArray], *, exhaustive: bool = False) -> FloatArray:
    """Adjust the one-sided p-values of a family of claims by step-down.

    `statistic` (m,): the studentized estimate of each claim, large where the claim is supported; NaN where it is
      undefined.
    `blocks` (b, m): the same statistics in blocks of draws, centered so that no claim is true. An undefined value
      counts as extreme.
    `exhaustive`: whether the draws are all that there are, what was observed among them; p is then not (1 + c) / (1 +
      B) but c / B.

    Result: Adjusted p-values in [1 / (1 + B), 1]; NaN for an undefined claim, which does not count in the family.

    Notes
    -----
    In descending order of the statistics, p = (1 + #{b: max of the drawn statistics from here on >= t}) / (1 + B), and
    p is not smaller than the p of the claims before it. The maxima of all claims are a running maximum from the last
    claim to the first.

    References
    ----------
    Romano and Wolf (2005), Exact and approximate stepdown methods for multiple hypothesis testing.
    """
    tested = np.flatnonzero(~np.isnan(statistic))
    # the smallest statistic first: a running maximum then gives the maxima over all that are not larger
    ascending = tested[np.argsort(-statistic[tested], kind="stable")][::-1]
    least, counts, draws = statistic[ascending] - _SLACK, np.zeros(len(ascending)), 0
    for block in blocks:
        drawn = block[:, ascending]
        # an undefined draw counts as extreme
        np.copyto(drawn, np.inf, where=np.isnan(drawn))
        np.maximum.accumulate(drawn, axis=1, out=drawn)
        counts += (drawn >= least).sum(axis=0, dtype=np.float64)
        draws += len(block)
    adjusted, more = np.full(len(statistic), np.nan), 0 if exhaustive else 1
    adjusted[ascending] = np.maximum.accumulate((more + counts[::-1]) / (more + draws))[::-1]
    return adjusted


_CELLS = 2**16
"""How many numbers of a block of draws are worked on at once: they stay in the cache."""


def step_down_of_pairs(
    statistic: FloatArray, drawn: FloatArray, first: IntArray, second: IntArray, spread: FloatArray
) -> FloatArray:
    """Return what `step_down` returns for the claims of pairs in the family of both directions of all pairs.

    `statistic` (m,): the studentized difference of each pair, not negative; NaN where it is undefined.
    `drawn` (B, S): the scores of every draw, centered so that no claim is true.
    `first`, `second` (m,).
    `spread` (m,): what the difference of a pair is divided by in every draw; positive where the statistic is defined.

    Returns for the claims that the first submission is better.

    Notes
    -----
    All claims in the other direction come after all claims in this one, so that the largest of their drawn statistics
    is one number for each draw: no more differences are drawn than there are pairs.
    """
    tested = np.flatnonzero(~np.isnan(statistic))
    ascending = tested[np.argsort(-statistic[tested], kind="stable")][::-1]
    adjusted = np.full(len(statistic), np.nan)
    if not len(ascending):
        return adjusted
    by_submission = np.ascontiguousarray(drawn.T)
    undefined = bool(np.isnan(by_submission).any())
    left, right = first[ascending], second[ascending]
    least, factor = statistic[ascending][:, None] - _SLACK, 1 / spread[ascending][:, None]
    counts = np.zeros(len(ascending))
    width = max(1, _CELLS // len(ascending))
    for start in range(0, len(drawn), width):
        block = by_submission[:, start : start + width]
        differences = (block[left] - block[right]) * factor
        largest = -differences.min(axis=0)
        if undefined:
            np.copyto(largest, np.inf, where=np.isnan(largest))
            np.copyto(differences, np.inf, where=np.isnan(differences))
        np.maximum(differences[0], largest, out=differences[0])
        np.maximum.accumulate(differences, axis=0, out=differences)
        counts += np.count_nonzero(differences >= least, axis=1)
    adjusted[ascending] = np.maximum.accumulate((1 + counts[::-1]) / (1 + len(drawn)))[::-1]
    return adjusted


def at_least_single(adjusted: FloatArray, contest: Contest, p: FloatArray) -> FloatArray:
    """Return adjusted p-values, (pairs,): not below the p of a pair alone, and 1 where its two scores are equal."""
    first, second = contest.pairs
    a, b = contest.oriented[first], contest.oriented[second]
    with np.errstate(invalid="ignore"):
        equal = (a == b) | (np.abs(a - b) <= slack_of_pairs(contest))
    return np.where(equal, 1.0, np.maximum(adjusted, np.nan_to_num(p)))

"""The sign test: it compares outcomes instead of scores, so that it needs no draws."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from qeframe.plugin import Contest, DataError, FloatArray, Pairwise, Sided, SignificanceTest
from qeframe.plugin.resampling import rounding_slack
from qeframe_significance.difference_intervals import default_intervals


def sign_p_values(wins: ArrayLike, losses: ArrayLike, *, sided: Sided = "two") -> FloatArray:
    """Return the exact p-values of the sign test.

    Parameters
    ----------
    wins, losses : array_like of int
        How often the first one was better, and how often the second one was better.
    sided : {"one", "two"}
        one: for the claim that the first one is better.

    Returns
    -------
    float64 array
        In (0, 1]; 1 if there are neither wins nor losses.

    Raises
    ------
    DataError
        For negative counts.
    """
    from scipy.special import bdtr

    won, lost = np.asarray(wins, dtype=np.int64), np.asarray(losses, dtype=np.int64)
    if (won < 0).any() or (lost < 0).any():
        raise DataError("wins and losses are counts: they must not be negative")
    above = bdtr(lost.astype(np.float64), won + lost, 0.5)  # by symmetry P(X >= won) = P(X <= lost)
    if sided == "one":
        return np.asarray(above, dtype=np.float64)
    below = bdtr(won.astype(np.float64), won + lost, 0.5)
    return np.minimum(1.0, 2 * np.minimum(above, below))


def count_wins_of(outcomes: FloatArray) -> FloatArray:
    """Return how often each submission has a larger outcome than each other submission.

    `outcomes` (S, m). Result: how often the outcome of the row is larger than that of the column by more than rounding.
    If all outcomes have one of two values, right and wrong, all counts are one matrix product.
    """
    # with two values, a win is the larger one against the smaller one, and all counts are one product
    low, high = outcomes.min(initial=np.inf), outcomes.max(initial=-np.inf)
    if ((outcomes == low) | (outcomes == high)).all() and outcomes.shape[1] < 2**24:
        right = (outcomes > low).astype(np.float32)  # counts below 2**24 are exact
        return np.asarray(right @ (1 - right).T, dtype=np.float64)
    wins = [[np.count_nonzero(a > b + rounding_slack(a, b)) for b in outcomes] for a in outcomes]
    return np.array(wins, dtype=np.float64)


def _run(contest: Contest, sided: Sided) -> Pairwise:
    wins, (first, second) = count_wins_of(contest.outcomes()), contest.pairs
    won, lost = wins[first, second], wins[second, first]
    difference = contest.oriented[first] - contest.oriented[second]
    p = np.where(np.isnan(difference), np.nan, sign_p_values(won, lost, sided=sided))
    return Pairwise(p=p, statistic=won - lost)


def _remarks(contest: Contest, sided: Sided) -> Sequence[str]:
    """Return what is known of the outcomes of several pairs of one unit."""
    if contest.outcomes().shape[1] <= sum(contest.sizes):
        return []
    return [
        "the outcomes of the pairs of an item are counted as if they were independent: the "
        "false-positive rate is .14, not .05 (50 segments, 10 systems); 'permutation(unit=segment)' exchanges whole "
        "segments"
    ]


sign = SignificanceTest(
    name="sign",
    summary="Sign test: an exact binomial for the outcomes (of pairs of systems, of judgments, of units) that differ",
    source="Arbuthnott (1710); the exchange of pair outcomes of the metrics tasks 2023-25 without draws",
    needs="outcomes",
    run=_run,
    null="exchangeable answers",
    on_differences=default_intervals(),
    remarks=_remarks,
    measured="exact for outcomes of independent units; for pairs of systems within items the false-positive rate "
    "is .14 at .05 (50 segments, 10 systems)",
)

"""The t-tests of the human evaluation of 2026: paired or independent, whichever finds a difference."""

import numpy as np

from qeframe.plugin import Comparable, FloatArray, Pairwise, Sided, SignificanceTest
from qeframe.plugin.resampling import parts_of_pairs, rounding_slack


def paired_t(a: FloatArray, b: FloatArray, *, sided: Sided = "two") -> tuple[FloatArray, FloatArray]:
    """Compare the rows of a and b by Student's paired t-test, on the items that both have.

    `a`, `b` (pairs, n): NaN where there is no value. `sided`: one: for the claim that a is larger. Returns `t, p`: NaN
    with fewer than two common items. Where the differences do not vary, a mean difference of 0 gives t 0 and p 1
    (one-sided .5), another one an infinite t and p 0 (one-sided 0 or 1).

    References
    ----------
    Student (1908), The probable error of a mean.
    """
    count, mean, squares = _moments(a - b)
    return _t_and_p(mean, squares, count - 1, 1 / np.maximum(count, 1), _largest(a, b), sided)


def independent_t(a: FloatArray, b: FloatArray, *, sided: Sided = "two") -> tuple[FloatArray, FloatArray]:
    """Compare the rows of a and b by Student's t-test of independent samples of equal variance.

    `a`, `b` (pairs, n): NaN where there is no value. `sided`: one: for the claim that a is larger. Returns `t, p`: NaN
    with fewer than two values in a row; without any variance as in `paired_t`.

    References
    ----------
    Student (1908), The probable error of a mean.
    """
    (n, mean, squares), (m, other, others) = _moments(a), _moments(b)
    freedom = np.where(np.minimum(n, m) > 1, n + m - 2, 0)
    scale = 1 / np.maximum(n, 1) + 1 / np.maximum(m, 1)
    return _t_and_p(mean - other, squares + others, freedom, scale, _largest(a, b), sided)


def _moments(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the count, the mean and the sum of squared deviations of each row; the last is exactly 0 without any."""
    known = ~np.isnan(values)
    count = known.sum(axis=1).astype(np.float64)
    present = np.where(known, values, 0.0)
    # from the first known value, so that equal values leave squares of exactly 0
    first = present[np.arange(len(values)), known.argmax(axis=1)][:, None]
    shifted = np.where(known, values - first, 0.0)
    mean = shifted.sum(axis=1) / np.maximum(count, 1)
    squares = (np.where(known, shifted - mean[:, None], 0.0) ** 2).sum(axis=1)
    return count, mean + first[:, 0], squares


def _largest(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.maximum(*(np.abs(np.nan_to_num(side)).max(axis=1, initial=0.0) for side in (a, b)))


def _t_and_p(
    difference: FloatArray,
    squares: FloatArray,
    freedom: FloatArray,
    scale: FloatArray,
    largest: FloatArray,
    sided: Sided,
) -> tuple[FloatArray, FloatArray]:
    from scipy.special import stdtr

    difference = np.where(np.abs(difference) <= rounding_slack(largest, largest), 0.0, difference)
    defined = freedom >= 1
    freedom = np.where(defined, freedom, 1.0)
    error = np.sqrt(squares / freedom * scale)
    t = np.divide(difference, error, out=np.copysign(np.inf, difference), where=error > 0)
    t = np.where(difference == 0, 0.0, t)
    p = stdtr(freedom, -t) if sided == "one" else 2 * stdtr(freedom, -np.abs(t))
    return np.where(defined, t, np.nan), np.where(defined, p, np.nan)


_ARRAYS = 6
"""How many arrays with one number for each pair and unit a test needs at the same time."""


def _run(comparable: Comparable, sided: Sided) -> Pairwise:
    values, (first, second) = comparable.per_unit(), comparable.pairs
    statistic, p = np.full((2, len(first)), np.nan)
    for part in parts_of_pairs(len(first), _ARRAYS * values.shape[1]):
        a, b = values[first[part]], values[second[part]]
        (t, paired), (independent_t_of, independent) = paired_t(a, b, sided=sided), independent_t(a, b, sided=sided)
        takes_first = np.isnan(independent) | (paired <= independent)
        statistic[part], p[part] = (
            np.where(takes_first, t, independent_t_of),
            np.where(takes_first, paired, independent),
        )
    return Pairwise(p=p, statistic=statistic)


either_t_test = SignificanceTest(
    name="either_t_test",
    summary="The smaller p of a paired t-test on common items and an independent one on all: not of the stated size",
    source="WMT26 general MT task, human evaluation",
    needs="per_unit",
    run=_run,
    null="equal scores",
    sides=("two",),
    measured="rejects .04 to .06 of true null hypotheses at .05 of values of the same units",
)
"""Systems differ if either of two tests finds a difference. So the test errs more often than each of the two: it is for
replication. It is two-sided only: the smaller one-sided p of a pair and that of the exchanged pair can add up to less
than 1.
"""

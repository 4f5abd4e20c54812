"""Tests of location on one value per unit: the t-tests of Student and Welch, the smaller p of two, and signed ranks."""

from collections.abc import Callable
from functools import partial

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.plugin import Contest, DataError, FloatArray, IntArray, Pairwise, Sided, SignificanceTest
from qeframe.plugin.kinds import check_same_length, finite_numbers
from qeframe.plugin.resampling import parts_of_pairs, rounding_slack, shared_positions
from qeframe_significance.difference_intervals import default_intervals
from qeframe_significance.p_values import p_of_t, p_of_z


@frozen
class TestResult:
    """A test statistic, positive when a is larger, and its p-value."""

    __test__ = False

    statistic: float
    p: float


def t_test(
    a: ArrayLike, b: ArrayLike, *, welch: bool = False, paired: bool = False, sided: Sided = "two"
) -> TestResult:
    """Compare the means of two samples.

    Parameters
    ----------
    a, b : (n,), (m,) array_like
        Independent samples, such as results of repeated experiments; with `paired` the values of two submissions on the
        same units.
    welch : bool
        Whether the variances may differ (Welch's test).
    paired : bool
        Whether the differences of pairs are tested.
    sided : {"two", "one"}
        one: for the claim that a is larger.

    Returns
    -------
    TestResult
        NaN for fewer than two values on a side. Where neither side varies, with `paired` where the differences do not,
        equal means give t 0 and p 1 (one-sided .5), and different means an infinite t and p 0 (one-sided 0 or 1).

    Raises
    ------
    DataError
        If `welch` and `paired` are both set, or pairs are asked of samples of different lengths.

    References
    ----------
    Student (1908); Welch (1947). Used by Logacheva et al. (2016) after repeated sampling.
    """
    first, second = (finite_numbers(values, name, least=1) for values, name in ((a, "a"), (b, "b")))
    check_variant(welch=welch, paired=paired)
    if paired:
        check_same_length(len(first), len(second))
        t, p = paired_t(first[None], second[None], sided=sided)
    else:
        t, p = t_of_moments(sample_moments(first[None]), sample_moments(second[None]), welch=welch, sided=sided)
    return TestResult(float(t[0]), float(p[0]))


def check_variant(*, welch: bool, paired: bool) -> None:
    """Refuse Welch's test of pairs: their differences are one sample, with one variance."""
    if welch and paired:
        raise DataError("t_test: welch and paired exclude each other", remedy="set one of them")


@frozen(eq=False)
class Moments:
    """The moments of samples: the size n, the means and the sums of squared deviations, (samples,) each."""

    n: int
    mean: FloatArray
    squares: FloatArray

    def take(self, samples: IntArray) -> "Moments":
        """Return the moments of the given samples."""
        return Moments(self.n, self.mean[samples], self.squares[samples])


def sample_moments(values: FloatArray) -> Moments:
    """Return the moments of the rows of (samples, n) values; the squares of a constant sample are exactly 0."""
    # the mean of equal values may differ from them by rounding; that of zeros does not
    shifted = values - values[:, :1]
    squares = ((shifted - shifted.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return Moments(values.shape[1], values.mean(axis=1), squares)


def t_of_moments(a: Moments, b: Moments, *, welch: bool, sided: Sided) -> tuple[FloatArray, FloatArray]:
    """Return t and p for every pair of samples."""
    if min(a.n, b.n) < 2:
        return np.full(len(a.mean), np.nan), np.full(len(a.mean), np.nan)
    variance, freedom = _variance(a, b, welch=welch)
    with np.errstate(divide="ignore", invalid="ignore"):
        equal = np.abs(a.mean - b.mean) <= rounding_slack(a.mean, b.mean)
        difference = np.where(equal, 0.0, a.mean - b.mean)
        t = np.where(difference == 0, 0.0, difference / np.sqrt(variance))
    # without any variance t is 0 or infinite: p is then the same for all degrees of freedom
    freedom = np.where(np.isfinite(freedom), freedom, 1.0)
    return t, p_of_t(t, freedom, sided)


def _variance(a: Moments, b: Moments, *, welch: bool) -> tuple[FloatArray, FloatArray]:
    """Return the variance of each difference of means, and its degrees of freedom."""
    n, m = a.n, b.n
    if not welch:
        return (a.squares + b.squares) / (n + m - 2) * (1 / n + 1 / m), np.full(len(a.mean), float(n + m - 2))
    share_a, share_b = a.squares / (n - 1) / n, b.squares / (m - 1) / m
    variance = share_a + share_b
    with np.errstate(divide="ignore", invalid="ignore"):
        return variance, 1 / ((share_a / variance) ** 2 / (n - 1) + (share_b / variance) ** 2 / (m - 1))


def half_of_t(a: Moments, b: Moments, level: float, *, welch: bool) -> FloatArray:
    """Return half the width of the interval of each difference of means, (pairs,); NaN for fewer than two values."""
    from scipy.special import stdtrit

    if min(a.n, b.n) < 2:
        return np.full(len(a.mean), np.nan)
    variance, freedom = _variance(a, b, welch=welch)
    return np.asarray(stdtrit(freedom, 1 - level / 2) * np.sqrt(variance))


def wilcoxon(a: ArrayLike, b: ArrayLike, *, sided: Sided = "two") -> TestResult:
    """Compare paired values by Wilcoxon's signed ranks, zero differences left out.

    Parameters
    ----------
    a, b : (n,) array_like
        One value per unit, higher is better.
    sided : {"two", "one"}
        one: for the claim that a is better.

    Returns
    -------
    TestResult
        The statistic is the rank sum of the positive differences minus that of the negative ones. All differences
        zero: statistic 0, p 1.

    Notes
    -----
    p is exact for up to 13 units. It is also exact for up to 50 units if no difference is zero and no two differences
    have the same size. Otherwise it is the normal approximation without a correction for continuity. This is the choice
    of scipy, made for every pair separately. A difference is zero if it is at most 1e-12 times the larger of the two
    values (at least 1). Two sizes that differ by no more than that are tied: .3 - .1 has the size of .2 - 0.

    References
    ----------
    Wilcoxon (1945). Used between metrics by Turian et al. (2003).
    """
    values_a, values_b = finite_numbers(a, "a", least=1), finite_numbers(b, "b", least=1)
    check_same_length(len(values_a), len(values_b))
    statistic, p = wilcoxon_p(values_a[None], values_b[None], sided=sided)
    return TestResult(float(statistic[0]), float(p[0]))


_MOST_EXACT = 50
_MOST_ENUMERATED = 13


def wilcoxon_p(a: FloatArray, b: FloatArray, *, sided: Sided) -> tuple[FloatArray, FloatArray]:
    """Return the signed rank sum and p for every row of (pairs, n) values, every row independent of the others."""
    signed = _signed_ranks(a, b)
    units = signed.shape[1]
    statistic = signed.sum(axis=1)
    # without ties or zeros the ranks are 1 to n, whose sums have one distribution for all pairs
    plain = (np.sort(np.abs(signed), axis=1) == np.arange(1, units + 1)).all(axis=1) & (units <= _MOST_EXACT)
    p = np.empty(len(signed))
    p[plain] = _exact_p(statistic[plain], units, sided)
    p_of_rest = _enumerated_p if units <= _MOST_ENUMERATED else _normal_p
    p[~plain] = p_of_rest(signed[~plain], statistic[~plain], sided)
    # without any difference, where the one-sided normal p would be .5
    p[~signed.any(axis=1)] = 1.0
    return statistic, p


def wilcoxon_of_common(a: FloatArray, b: FloatArray, *, sided: Sided) -> tuple[FloatArray, FloatArray]:
    """Return what `wilcoxon_p` does, for every row of the units that have both values; p is NaN without any.

    `a`, `b` (pairs, n): NaN where there is no value.
    """
    common = ~(np.isnan(a) | np.isnan(b))
    if common.all():
        return wilcoxon_p(a, b, sided=sided)
    statistic, p = np.full((2, len(a)), np.nan)
    for row in np.flatnonzero(common.any(axis=1)):
        both = np.flatnonzero(common[row])
        of_row = wilcoxon_p(a[row : row + 1, both], b[row : row + 1, both], sided=sided)
        statistic[row], p[row] = (float(value[0]) for value in of_row)
    return statistic, p


_ARRAYS = 8
"""How many arrays with one number for each pair and unit the signed ranks need at the same time."""


def wilcoxon_of_pairs(
    values: FloatArray, first: IntArray, second: IntArray, sided: Sided
) -> tuple[FloatArray, FloatArray]:
    """Return what `wilcoxon_of_common` does, for pairs of the rows of values (S, n), in blocks of bounded memory."""
    statistic, p = np.empty((2, len(first)))
    for part in parts_of_pairs(len(first), _ARRAYS * values.shape[1]):
        statistic[part], p[part] = wilcoxon_of_common(values[first[part]], values[second[part]], sided=sided)
    return statistic, p


def _signed_ranks(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the mid-ranks of the sizes of the differences, with their signs, (pairs, n); 0 for a zero difference."""
    differences, slack = a - b, rounding_slack(a, b)
    sizes = np.where(np.abs(differences) <= slack, 0.0, np.abs(differences))
    order = np.argsort(sizes, axis=1, kind="stable")
    ordered, slack = np.take_along_axis(sizes, order, axis=1), np.take_along_axis(slack, order, axis=1)
    apart = np.diff(ordered, axis=1) > np.maximum(slack[:, 1:], slack[:, :-1])
    # a size within rounding of the zeros is still none of them: zeros have no rank
    first_of_all = (ordered[:, 1:] > 0) & (ordered[:, :-1] == 0)
    first, last = shared_positions(np.concatenate([np.ones((len(a), 1), dtype=np.bool_), apart | first_of_all], axis=1))
    zeros = (sizes == 0).sum(axis=1, keepdims=True)
    ranks = np.empty_like(sizes)
    np.put_along_axis(ranks, order, (first + last) / 2 - zeros, axis=1)
    return np.where(sizes == 0, 0.0, np.sign(differences) * ranks)


def _exact_p(statistic: FloatArray, units: int, sided: Sided) -> FloatArray:
    """Return p from the distribution of the sum of the ranks 1 to n with independent signs."""
    # the signed sum is twice the sum of the positive ranks less the sum of all
    positive = np.rint((statistic + units * (units + 1) / 2) / 2).astype(np.int64)
    if not len(positive):
        return np.empty(0)
    # summed from the small tail, which cumulative sums from below would lose
    at_least = np.cumsum(_shares_of_rank_sums(units)[::-1])[::-1]
    if sided == "one":
        return at_least[positive]
    return np.minimum(1.0, 2 * at_least[np.maximum(positive, len(at_least) - 1 - positive)])


def _shares_of_rank_sums(units: int) -> FloatArray:
    """Return the share of the 2**n choices of signs whose positive ranks sum to 0, 1, ... n (n + 1) / 2."""
    shares = np.ones(1)
    for rank in range(1, units + 1):
        # each rank is added or not with chance 1/2; halved at once, so that shares stay below 1
        shares = (np.pad(shares, (0, rank)) + np.pad(shares, (rank, 0))) / 2
    return shares


def _enumerated_p(signed: FloatArray, statistic: FloatArray, sided: Sided) -> FloatArray:
    """Return p from all choices of signs. Ranks are multiples of one half, so that sums are exact."""
    from qeframe.plugin.resampling import all_masks

    signs = 1.0 - 2.0 * all_masks(signed.shape[1], 0, 2 ** signed.shape[1])
    p = np.empty(len(signed))
    for part in parts_of_pairs(len(signed), len(signs)):
        sums, observed = np.abs(signed[part]) @ signs.T, statistic[part, None]
        extreme = sums >= observed if sided == "one" else np.abs(sums) >= np.abs(observed)
        p[part] = extreme.mean(axis=1)
    return p


def _normal_p(signed: FloatArray, statistic: FloatArray, sided: Sided) -> FloatArray:
    """Return p of the normal approximation. The variance of the sum is the sum of the squared ranks."""
    spread = np.sqrt(np.einsum("pn,pn->p", signed, signed))
    z = np.divide(statistic, spread, out=np.zeros_like(statistic), where=spread > 0)
    return p_of_z(z, sided)


def paired_t(a: FloatArray, b: FloatArray, *, sided: Sided = "two") -> tuple[FloatArray, FloatArray]:
    """Compare the rows of a and b by Student's paired t-test, on the items that both have.

    `a`, `b` (pairs, n): NaN where there is no value. `sided`: one: for the claim that a is larger. Returns `t, p`: NaN
    with fewer than two common items. Where the differences do not vary, a mean difference of 0 gives t 0 and p 1
    (one-sided .5), another one an infinite t and p 0 (one-sided 0 or 1).

    References
    ----------
    Student (1908), The probable error of a mean.
    """
    count, mean, squares = _moments_of_known(a - b)
    return _t_and_p(mean, squares, count - 1, 1 / np.maximum(count, 1), _largest(a, b), sided)


def independent_t(a: FloatArray, b: FloatArray, *, sided: Sided = "two") -> tuple[FloatArray, FloatArray]:
    """Compare the rows of a and b by Student's t-test of independent samples of equal variance.

    `a`, `b` (pairs, n): NaN where there is no value. `sided`: one: for the claim that a is larger. Returns `t, p`: NaN
    with fewer than two values in a row; without any variance as in `paired_t`.

    References
    ----------
    Student (1908), The probable error of a mean.
    """
    (n, mean, squares), (m, other, others) = _moments_of_known(a), _moments_of_known(b)
    freedom = np.where(np.minimum(n, m) > 1, n + m - 2, 0)
    scale = 1 / np.maximum(n, 1) + 1 / np.maximum(m, 1)
    return _t_and_p(mean - other, squares + others, freedom, scale, _largest(a, b), sided)


def half_of_paired_t(a: FloatArray, b: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the mean differences of the rows of a and b, and half the width of their intervals; as `paired_t`."""
    from scipy.special import stdtrit

    count, mean, squares = _moments_of_known(a - b)
    freedom = np.where(count > 1, count - 1, np.nan)
    return mean, np.asarray(stdtrit(freedom, 1 - level / 2) * np.sqrt(squares / freedom / count))


def _moments_of_known(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
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
    difference = np.where(np.abs(difference) <= rounding_slack(largest, largest), 0.0, difference)
    defined = freedom >= 1
    freedom = np.where(defined, freedom, 1.0)
    error = np.sqrt(squares / freedom * scale)
    t = np.divide(difference, error, out=np.copysign(np.inf, difference), where=error > 0)
    t = np.where(difference == 0, 0.0, t)
    return np.where(defined, t, np.nan), np.where(defined, p_of_t(t, freedom, sided), np.nan)


_ARRAYS_OF_T = 6
"""How many arrays with one number for each pair and unit a t-test of units needs at the same time."""


def over_units(
    contest: Contest, test: Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]
) -> tuple[FloatArray, FloatArray]:
    """Return two numbers of each pair, (pairs,) each, of the values of both on single units, in bounded memory."""
    values, (first, second) = contest.per_unit(), contest.pairs
    found = np.full((2, len(first)), np.nan)
    for part in parts_of_pairs(len(first), _ARRAYS_OF_T * values.shape[1]):
        found[:, part] = test(values[first[part]], values[second[part]])
    return found[0], found[1]


def _smaller_p(a: FloatArray, b: FloatArray, sided: Sided) -> tuple[FloatArray, FloatArray]:
    t_paired, p_paired = paired_t(a, b, sided=sided)
    t_independent, p_independent = independent_t(a, b, sided=sided)
    takes_paired = p_paired <= p_independent  # a pair with common items has both
    return np.where(takes_paired, t_paired, t_independent), np.where(takes_paired, p_paired, p_independent)


def _run_either(contest: Contest, sided: Sided) -> Pairwise:
    statistic, p = over_units(contest, partial(_smaller_p, sided=sided))
    return Pairwise(p=p, statistic=statistic)


either_t_test = SignificanceTest(
    name="either_t_test",
    summary="The smaller p of a paired t-test on common items and an independent one on all: not of the stated size",
    source="WMT26 general MT task, human evaluation",
    needs="per_unit",
    run=_run_either,
    null="equal scores",
    sides=("two",),
    on_differences=default_intervals(),
    measured="false-positive rate .04 to .06 at .05 of values of the same units",
)
"""Systems differ if either of two tests finds a difference. So the test errs more often than each of the two: it is for
replication. It is two-sided only: the smaller one-sided p of a pair and that of the exchanged pair can add up to less
than 1.
"""

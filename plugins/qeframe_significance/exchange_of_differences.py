"""The exchange of answers whose difference is measured in its own standard error, for scores that are made of sums."""

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import CapabilityError, Contest, FloatArray, IntArray, Pairwise, Sided, SignificanceTest
from qeframe.plugin.resampling import NOISE, magnitude_of, moments
from qeframe_significance.components import Draws, first_draws, with_more
from qeframe_significance.difference_intervals import Ends, around, critical, plain_differences
from qeframe_significance.p_values import at_least, least_share, share
from qeframe_significance.studentized_sums import DifferentiableScore, StudentizedExchange, ratio

_CAP = 0.7
"""The quantile of distances from the median at which they are capped where they set a scale."""

SLACK = 1e-9
"""Ratios that differ by no larger share are equal: sums in another order differ by rounding errors."""

_MOST_KEPT = 2**22
"""How many ratios are kept for the correction after the test: 32 MB."""


@frozen
class _Correlation:
    """Pearson's correlation of sums of `moments`."""

    def differentiate(self, *sums: FloatArray) -> tuple[FloatArray, Sequence[FloatArray]]:
        n, x, y, xx, yy, xy = sums
        mean_x, mean_y = x / n, y / n
        variance_x, variance_y = xx - x * mean_x, yy - y * mean_y
        with np.errstate(divide="ignore", invalid="ignore"):
            of_x = np.where(variance_x > NOISE * xx, 1 / variance_x, 0.0)
            of_y = np.where(variance_y > NOISE * yy, 1 / variance_y, 0.0)
        each = np.sqrt(of_x * of_y)
        r = np.clip((xy - x * mean_y) * each, -1.0, 1.0)
        by_xx, by_yy = -0.5 * of_x * r, -0.5 * of_y * r
        first, second = mean_y * each, mean_y * by_yy
        by_x, by_y = -first - 2 * mean_x * by_xx, -mean_x * each - 2 * second
        by_n = mean_x * first + mean_x * mean_x * by_xx + mean_y * second
        return r, (by_n, by_x, by_y, by_xx, by_yy, each)


@frozen
class _Mean:
    """The mean of a count and a sum, 0 without a count."""

    def differentiate(self, *sums: FloatArray) -> tuple[FloatArray, Sequence[FloatArray]]:
        count, total = sums
        each = np.divide(1.0, count, out=np.zeros(count.shape), where=count > 0)
        return total * each, (-total * each * each, each)


def on_capped_scale(answers: FloatArray) -> FloatArray:
    """Return answers (S, n) less their median, divided by the root mean square of their distances from it, capped.

    Distances are capped at the .7 quantile of those that are not 0, so that gross errors do not set the scale and many
    equal answers leave one. Constant answers become 0. Each submission has a scale of its own, whatever the others are.
    """
    away = answers - np.median(answers, axis=1, keepdims=True)
    away /= magnitude_of(away, axis=1)[:, None]
    distance = np.abs(away)
    positive = np.where(distance > 0, distance, np.nan)
    positive[np.isnan(positive).all(axis=1)] = 1.0
    capped = np.minimum(distance, np.nanquantile(positive, _CAP, axis=1)[:, None])
    scale = np.sqrt(np.mean(capped**2, axis=1, keepdims=True))
    return away / np.where(scale > 0, scale, 1.0)


def exchange_of_sums(contest: Contest) -> StudentizedExchange:
    """Return the exchange of a single task whose score is made of sums.

    Raises CapabilityError for grids, and for a score that is no correlation of two vectors, no mean of one value per
    unit, and no function of sums that states its derivatives.
    """
    term = contest.only_term("studentized exchange")
    metric = term.metric
    if not metric.kind.crossed:
        if metric.vectors is not None:
            gold, answers = _of_units(contest).vectors()
            if "location_scale_invariant" in metric.claims:
                answers = on_capped_scale(answers)
            gold = gold - gold.mean()
            gold /= magnitude_of(gold, axis=0)
            rows = np.array([moments(gold, of_one) for of_one in answers])
            return StudentizedExchange(_summed_by_group(contest, rows), _Correlation())
        if metric.per_unit is not None:
            values = _of_units(contest).per_unit()
            known = ~np.isnan(values)
            rows = np.stack([known.astype(np.float64), np.where(known, values, 0.0)], axis=-1)
            return StudentizedExchange(_summed_by_group(contest, rows), _Mean())
        stack = term.sample.stack_of(term.nth)
        score, columns = stack.exchangeable or (None, None)
        if isinstance(score, DifferentiableScore) and isinstance(stack.columns, np.ndarray):
            return StudentizedExchange(stack.columns[columns], score, term.sign)
    raise CapabilityError(
        f"metric '{metric.name}' has no standard error after an exchange: correlations of two vectors, means of one "
        "value per unit and scores of sums that state their derivatives have one, but not on grids; choose a test "
        "such as 'exchange'"
    )


def _of_units(contest: Contest) -> Contest:
    """Return the same task with single units, also if groups are resampled."""
    if contest.sample.grouping is None:
        return contest
    return attrs.evolve(contest, sample=attrs.evolve(contest.sample, resample="unit"))


def _summed_by_group(contest: Contest, rows: FloatArray) -> FloatArray:
    """Return rows (S, n, k) as (k, S, n), summed by group if groups are resampled."""
    grouping = contest.terms[0].sample.grouping
    if grouping is not None:
        order = np.argsort(grouping[0], kind="stable")
        starts = np.searchsorted(grouping[0][order], np.arange(len(grouping[1])))
        rows = np.add.reduceat(rows[:, order], starts, axis=1)
    return np.moveaxis(rows, -1, 0)


class StudentizedDifferences(NamedTuple):
    """The differences of pairs in units of their standard errors.

    `t` (pairs,): as observed, NaN where a score is undefined.
    `drawn` (draws, pairs): after exchanges.
    `exhaustive`: whether these are all exchanges.
    `error` (pairs,): the standard errors of the observed differences.
    """

    t: FloatArray
    drawn: FloatArray
    exhaustive: bool
    error: FloatArray


def studentized_differences(contest: Contest, draws: int) -> StudentizedDifferences:
    """Return the studentized differences of all pairs, as observed and after exchanges that all pairs share.

    A contest does not change: unless they are many they are kept as long as it exists, for the correction after the
    test. Over several tasks the differences are added with the shares of the tasks, and their variances with the
    squares of them, since each task has units of its own.

    Raises CapabilityError where a score is not made of sums, or is no mean over tasks.
    """
    kept = _KNOWN.setdefault(contest, {})
    if draws in kept:
        return kept[draws]
    made = _of_task(contest, draws) if contest.is_single else _over_tasks(contest, draws)
    kept.clear()
    if made.drawn.size <= _MOST_KEPT:
        kept[draws] = made
    return made


_KNOWN: WeakKeyDictionary[Contest, dict[int, StudentizedDifferences]] = WeakKeyDictionary()


def _of_task(contest: Contest, draws: int) -> StudentizedDifferences:
    exchange = exchange_of_sums(contest)
    exchanging = contest.exchanging(exchange)
    drawn = exchanging.exchanged_differences(draws, contest.pairs, enumerable=True)
    difference, variance = _unexchanged(exchange, contest.pairs)
    return _studentized(contest, difference, variance, drawn, exhaustive=exchanging.enumerates(draws))


def _over_tasks(contest: Contest, draws: int) -> StudentizedDifferences:
    tasks = contest.by_task()
    if not contest.linear:
        raise contest.lacking("standard error after an exchange, since it is no mean of them")
    pairs = len(contest.pairs[0])
    (difference, variance), (drawn, drawn_variance) = np.zeros((2, pairs)), np.zeros((2, draws, pairs))
    for (task, positions), share_of_task in zip(tasks, contest.shares, strict=True):
        place = np.full(contest.submissions, -1)
        place[positions] = np.arange(len(positions))
        first, second = (place[side] for side in contest.pairs)
        both = (first >= 0) & (second >= 0)
        of_task, exchange = (first[both], second[both]), exchange_of_sums(task)
        for total, (own, own_variance) in (
            ((difference, variance), _unexchanged(exchange, of_task)),
            ((drawn, drawn_variance), _drawn(task, exchange, draws, of_task)),
        ):
            total[0][..., both] += share_of_task * own
            total[1][..., both] += share_of_task**2 * own_variance
        difference[~both] = np.nan
    return _studentized(contest, difference, variance, ratio(drawn, drawn_variance), exhaustive=False)


def _unexchanged(exchange: StudentizedExchange, pairs: tuple[IntArray, IntArray]) -> tuple[FloatArray, FloatArray]:
    difference, variance = exchange.studentize(np.zeros((1, exchange.cells)), *pairs)
    return difference[0], variance[0]


def _drawn(
    task: Contest, exchange: StudentizedExchange, draws: int, pairs: tuple[IntArray, IntArray]
) -> tuple[FloatArray, FloatArray]:
    difference, variance = (
        task.exchanging(exchange.giving(what)).exchanged_differences(draws, pairs)
        for what in ("difference", "variance")
    )
    return difference, variance


def _studentized(
    contest: Contest, difference: FloatArray, variance: FloatArray, drawn: FloatArray, *, exhaustive: bool
) -> StudentizedDifferences:
    undefined = np.isnan(plain_differences(contest))
    t = np.where(undefined, np.nan, ratio(difference, variance))
    with np.errstate(invalid="ignore"):
        error = np.where(t == 0, np.sqrt(variance), np.abs(difference / np.where(t == 0, 1.0, t)))
    return StudentizedDifferences(t, drawn, exhaustive, error)


def studentized_exchange(*, draws: Draws = "adaptive") -> SignificanceTest:
    """Exchange of the answers of two submissions, with the difference measured in its own standard error.

    For each unit the answers of two submissions are swapped by the toss of a coin, and p is the share of exchanges
    after which the difference, divided by the standard error that it then has, is at least as large as the observed
    one. All pairs of submissions share the exchanges; `max_t(studentize=true)` is the correction of a family.

    Parameters
    ----------
    draws : int or "adaptive"
        How many exchanges are drawn. adaptive: 1,000, and 10,000 for a family in which an adjusted p lies within .6 and
        1.4 alpha, if the correction is adaptive too and there are at most a million answers (units times
        submissions); a number that is named is never changed. In a single task all 2**n are enumerated if there are not
        more than that.

    Returns
    -------
    SignificanceTest
        Of correlations of two vectors, means of one value per unit and scores of sums that state a gradient; of a
        weighted mean of them over tasks; of documents where they are resampled. Every other metric is refused. p is
        (1 + c) / (1 + draws), or c / 2**n if all exchanges are enumerated. Equal scores have p 1. A difference without
        an error, such as a constant one, is larger than all that have one. A score that an exchange leaves undefined
        is 0 in it, without an error. p is undefined where a score is.

    Notes
    -----
    The standard error is that of influences: with the gradient of a score of sums, what a unit adds to the difference.
    Answers to a correlation that does not depend on location and scale are first set to one scale: less their median,
    divided by the root mean square of their distances from it, which are capped at the .7 quantile of those that are
    not 0. Ranks are swapped, not ranked again. Other answers are swapped as they are.

    Where the answers of two submissions follow one law the test is exact but for the scale; where they do not it tests
    the equality of the scores as units become many, if influences have a variance. Its intervals of differences are
    the difference and as many standard errors as the level asks of the exchanges.

    References
    ----------
    Janssen (1997), Studentized permutation tests for non-i.i.d. hypotheses and the generalized Behrens-Fisher problem;
    Chung and Romano (2013), Exact and asymptotically robust permutation tests.
    """
    count = first_draws(draws)

    def run(contest: Contest, sided: Sided) -> Pairwise:
        t, drawn, exhaustive, _ = studentized_differences(contest, count)
        counts = at_least(drawn, t, sided, SLACK * np.abs(t)).sum(axis=0, dtype=np.float64)
        p = share(counts, len(drawn), t, exhaustive=exhaustive)
        return Pairwise(p=p, statistic=t, least_p=least_share(len(drawn), sided) if exhaustive else None)

    def on_differences(contest: Contest, level: float) -> Ends:
        t, drawn, exhaustive, error = studentized_differences(contest, count)
        most = critical(np.abs(drawn), level, exhaustive=exhaustive)
        with np.errstate(invalid="ignore"):
            as_observed = np.abs(most - np.abs(t)) <= SLACK * np.abs(t)
            half = np.where(as_observed, np.abs(plain_differences(contest)), most * error)
        return around(contest, half)

    return SignificanceTest(
        name="studentized_exchange",
        summary="Exchange of answers, with the difference in units of its standard error after each exchange",
        source="Janssen (1997); Chung and Romano (2013)",
        needs="exchange",
        run=run,
        null="equal scores",
        on_differences=on_differences,
        least_p=1 / (1 + count),
        more=with_more(draws, lambda draws: studentized_exchange(draws=draws)),
        measured="false-positive rate .02 to .06 at .05 for submissions with errors of one distribution, and of real "
        "answers with equal correlations, for 30 units or more; up to .10 where equal correlations have residuals of "
        "different distributions; up to .11 of families of ten have a false claim, with few units or long tails",
    )

"""How often a test rejects a true null hypothesis, and how often intervals and rank sets cover the truth.

Every number is a share of simulated data sets, with its own simulation error. The data come from a `NullModel`, and go
through the same objects as the data of a shared task.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from attrs import evolve, frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.components.checks.significance import adjust, adjust_jointly, interval, run
from qeframe.core.components.significance import Correction, Sided, SignificanceTest
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.compared_pair import rank_sets
from qeframe.core.resampling.parallel import Runner
from qeframe.studies.simulation import Drawn, Share, Simulation, share_of, unequal_batches

_LARGE = 400_000
"""The number of units whose score is taken for the true score of a submission."""

_PARTS = 20
"""How many data sets of a `_PARTS`-th of these units measure the standard error of that score."""


@frozen
class TrueScore:
    """The oriented true score of a submission, and the standard error of its estimate: 0 if it is stated."""

    value: float
    error: float = 0.0

    @property
    def points(self) -> tuple[float, float, float]:
        """The value, and the values one standard error below and above."""
        return self.value, self.value - self.error, self.value + self.error


@frozen(kw_only=True)
class ErrorRate:
    """How often a test claims a difference between equal submissions.

    `rejected`: of the data sets: with two submissions, those with p below alpha; with more, those with any adjusted p
    below it. `undefined`: the share of data sets in which no pair could be tested.
    """

    rejected: Share
    undefined: float


def error_rate(
    test: SignificanceTest,
    simulation: Simulation,
    *,
    alpha: float = 0.05,
    sided: Sided = "two",
    leader: bool = False,
    correction: Correction | None = None,
    runner: Runner | None = None,
) -> ErrorRate:
    """Measure how often a test rejects a true null hypothesis.

    `alpha`: in (0, 1). A p-value that is not larger rejects.
    `leader`: whether the pairs are ordered by their scores, so that the data choose the direction of a one-sided test.
    `correction`: for the family of all pairs. Without one, only the first pair is counted.
    `runner`: Runs the data sets and reports progress.
    """
    return rate_of_least_p(partial(_least_p, test, simulation, sided, leader, correction), simulation, alpha, runner)


def rate_of_least_p(
    work: Callable[[range], Sequence[float]], simulation: Drawn, alpha: float, runner: Runner | None
) -> ErrorRate:
    """Return the share of data sets with a least p of at most alpha, by what gives these p for the numbers of some."""
    _check_alpha(alpha)
    least = np.array([p for part in (runner or Runner()).imap(work, simulation.parts) for p in part])
    return rate_of_claims(np.where(np.isnan(least), np.nan, least <= alpha))


def _check_alpha(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise DataError(f"alpha must lie between 0 and 1, not {alpha}", remedy="common values are 0.05 and 0.01")


def _least_p(
    test: SignificanceTest,
    simulation: Simulation,
    sided: Sided,
    leader: bool,
    correction: Correction | None,
    numbers: Sequence[int],
) -> list[float]:
    """Return the smallest adjusted p of each data set, or the p of its first pair; NaN where none is defined.

    A joint correction adjusts the p of the claim that the first submission of a pair is better. The better one comes
    first there, so that claims in both directions are counted.
    """
    as_given = not leader and (correction is None or correction.adjust_jointly is None)
    least = []
    for number in numbers:
        comparable = evolve(simulation.comparable(number), as_given=as_given)
        p = _adjusted(test, comparable, sided, correction)
        least.append(float(np.nanmin(p)) if not np.isnan(p).all() else math.nan)
    return least


def _adjusted(
    test: SignificanceTest, comparable: ComparableInTask, sided: Sided, correction: Correction | None
) -> FloatArray:
    """Return the adjusted p of all pairs, or without a correction the p of the first pair."""
    pairwise = run(test, comparable, sided)
    if correction is None:
        return pairwise.p[:1]
    if correction.adjust_jointly is not None:
        return adjust_jointly(correction, comparable, pairwise, sided)
    tested = ~np.isnan(pairwise.p)
    adjusted = np.full_like(pairwise.p, np.nan)
    adjusted[tested] = adjust(correction, pairwise.p[tested])
    return adjusted


def coverage(
    test: SignificanceTest, simulation: Simulation, *, confidence: float = 0.95, runner: Runner | None = None
) -> ErrorRate:
    """Measure how often the interval of the first submission's score does not cover its true score.

    `test`: a test that gives intervals.
    `simulation`: without a stated true score, it is that of a data set of 400,000 units, whose standard error is
      measured on twenty more of 20,000.
    `confidence`: in (0, 1).

    Result: `rejected` is the share of intervals that do not cover: 1 less it is the coverage. Raises CapabilityError if
    the test gives no intervals, or the data sets have true scores of their own.
    """
    if test.interval is None:
        raise CapabilityError(f"test '{test.name}' gives no intervals")
    if not simulation.null.one_truth:
        raise CapabilityError(f"the data sets of null model '{simulation.null.name}' have true scores of their own")
    work = partial(_misses, test, simulation, confidence, true_score(simulation))
    return _rate_of_misses([miss for part in (runner or Runner()).imap(work, simulation.parts) for miss in part])


def true_score(simulation: Simulation) -> TrueScore:
    """Return the oriented true score of the first submission: the stated one, or that of a large data set.

    The standard error of an estimate is that of the mean of twenty independent data sets, of as many units together:
    it needs no formula for the metric, and counts documents and heavy tails as far as data sets of 20,000 units show
    them.
    """
    stated = simulation.null.true_scores.get(simulation.metric.name)
    if stated is not None:
        return TrueScore(stated if simulation.metric.higher_is_better else -stated)
    value, *parts = (
        float(evolve(simulation, units=units).comparable(number % 2**32).oriented[0])
        for number, units in [(-1, _LARGE), *((-2 - part, _LARGE // _PARTS) for part in range(_PARTS))]
    )
    return TrueScore(value, float(np.std(parts, ddof=1)) / math.sqrt(_PARTS))


def rate_of_claims(claims: FloatArray, truth: float = 0.0) -> ErrorRate:
    """Return the share of claims, 1 each, among those that are not NaN."""
    defined = claims[~np.isnan(claims)]
    undefined = float(np.isnan(claims).mean())
    return ErrorRate(rejected=share_of(float(defined.sum()), len(defined), truth), undefined=undefined)


def _rate_of_misses(misses: Sequence[Sequence[float]]) -> ErrorRate:
    """Return the share of intervals that miss the first of the `points` of a true score.

    The error of the true score e moves the share from C(0) to C(e). The root mean square of C(e) - C(0) over e of plus
    and minus one standard error is what it adds to the error of the share: the first two terms of the expansion of C,
    its slope and its curvature, are in it.
    """
    missed = np.array(misses, dtype=np.float64).reshape(-1, 3)
    shares = missed[~np.isnan(missed[:, 0])].mean(axis=0) if not np.isnan(missed[:, 0]).all() else np.zeros(3)
    return rate_of_claims(missed[:, 0], math.sqrt(float(((shares[1:] - shares[0]) ** 2).mean())))


def rates_of_pairs(
    test: SignificanceTest,
    simulation: Simulation,
    *,
    alpha: float = 0.05,
    sided: Sided = "two",
    leader: bool = False,
    runner: Runner | None = None,
) -> tuple[ErrorRate, ErrorRate | None]:
    """Measure the error rate of a test and the coverage of its intervals on the same data sets.

    `alpha`: Intervals have confidence 1 - alpha. Returns `error_rate, coverage`: what the functions of these names
    return without a correction. There is no coverage if the test gives no intervals, or the data sets have true scores
    of their own.
    """
    if test.interval is None or not simulation.null.one_truth:
        return error_rate(test, simulation, alpha=alpha, sided=sided, leader=leader, runner=runner), None
    _check_alpha(alpha)
    work = partial(_claims_and_misses, test, simulation, sided, leader, alpha, true_score(simulation))
    pairs = [pair for part in (runner or Runner()).imap(work, simulation.parts) for pair in part]
    return rate_of_claims(np.array([claim for claim, _ in pairs])), _rate_of_misses([misses for _, misses in pairs])


def _claims_and_misses(
    test: SignificanceTest,
    simulation: Simulation,
    sided: Sided,
    leader: bool,
    alpha: float,
    truth: TrueScore,
    numbers: Sequence[int],
) -> list[tuple[float, tuple[float, ...]]]:
    """Return for each data set whether p rejects and what the first interval misses; NaN if undefined."""
    claims = []
    for number in numbers:
        comparable = evolve(simulation.comparable(number), as_given=not leader)
        p = float(_adjusted(test, comparable, sided, None)[0])
        claim = math.nan if math.isnan(p) else float(p <= alpha)
        claims.append((claim, _misses_truth(test, comparable, 1 - alpha, truth)))
    return claims


def _misses(
    test: SignificanceTest, simulation: Simulation, confidence: float, truth: TrueScore, numbers: Sequence[int]
) -> list[tuple[float, ...]]:
    """Return for each data set what the interval of the first score misses; NaN without an interval."""
    return [_misses_truth(test, simulation.comparable(number), confidence, truth) for number in numbers]


def _misses_truth(
    test: SignificanceTest, comparable: ComparableInTask, confidence: float, truth: TrueScore
) -> tuple[float, ...]:
    """Return whether the interval of the first score misses each of the `points` of the truth."""
    low, high, _ = interval(test, comparable, confidence)
    undefined = bool(np.isnan(low[0]) or np.isnan(high[0]))
    return tuple(math.nan if undefined else float(not low[0] <= point <= high[0]) for point in truth.points)


def rank_set_coverage(
    test: SignificanceTest,
    correction: Correction,
    simulation: Simulation,
    gaps: Sequence[float],
    *,
    alpha: float = 0.05,
    runner: Runner | None = None,
) -> Share:
    """Measure how often the rank sets of all submissions hold all of their true ranks.

    `simulation`: of means of one value per unit, or of correlations. `gaps` (submissions,): how much each submission is
    better. A mean is shifted by as many standard errors, the same for all submissions: equal gaps are equal means. A
    correlation is lowered by noise, until its Fisher's z is as many times 1 / sqrt(n) below that of the best
    submission. Result: submissions with equal shifts share their true ranks: the set of each must hold all of them.
    Raises DataError if the metric is neither a mean nor a correlation, or the units are too few for the gaps.
    """
    shifts = np.asarray(gaps, dtype=np.float64)
    simulation = evolve(simulation, submissions=len(shifts))
    work = partial(_covers, test, correction, simulation, shifts, alpha)
    covered = [rate for part in (runner or Runner()).imap(work, simulation.parts) for rate in part]
    return share_of(sum(covered), len(covered))


def _covers(
    test: SignificanceTest,
    correction: Correction,
    simulation: Simulation,
    shifts: FloatArray,
    alpha: float,
    numbers: Sequence[int],
) -> list[bool]:
    first_true, last_true = rank_sets(shifts[:, None] > shifts[None])
    covered = []
    for number in numbers:
        batches = unequal_batches(simulation, number, shifts)
        comparable = evolve(simulation.comparable(number, batches), as_given=False)
        adjusted = _adjusted(test, comparable, "two", correction)
        better = np.zeros((len(shifts), len(shifts)), dtype=np.bool_)
        first, second = comparable.pairs
        better[first, second] = adjusted <= alpha
        first_rank, last_rank = rank_sets(better)
        covered.append(bool((first_rank <= first_true).all() and (last_rank >= last_true).all()))
    return covered

"""How often a test rejects a true null hypothesis, and how often intervals and rank sets cover the truth.

Every number is a share of simulated data sets, with its own simulation error. The data come from a law of `laws.py`,
and go through the same objects as the data of a shared task. Tests are two-sided at .05, intervals have 95 %.
"""

from __future__ import annotations

import hashlib
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen
from laws import Law
from scipy.special import ndtri

from qeframe import evaluate
from qeframe.core.contest import Contest
from qeframe.core.errors import DataError, ResultWarning
from qeframe.core.findings import rank_sets
from qeframe.core.metric import Metric
from qeframe.core.profile import Profile
from qeframe.core.registry import Registry
from qeframe.core.resolve import resolve
from qeframe.core.sample import Sample
from qeframe.core.significance import Correction, SignificanceTest, adjust, adjust_jointly, interval, run
from qeframe.core.task import Submission, Task
from qeframe.plugin import Batch, FloatArray

ALPHA = 0.05

_LARGE = 400_000
"""The number of units whose score is taken for the true score of a submission."""

_PARTS = 20
"""How many data sets of a `_PARTS`-th of these units measure the standard error of that score."""


@frozen
class Share:
    """A share of simulated data sets.

    `value`: NaN without a data set.
    `error`: the standard error of the simulation: sqrt(p (1 - p) / runs), 0 for a share of 0 or 1, where it says
      nothing; with `truth`, the root of the sum of both squares.
    `runs`: the number of data sets.
    `truth`: what the error of an estimated true score adds to the error of a coverage; 0 if the true score is known.
    """

    value: float
    error: float
    runs: int = 0
    truth: float = 0.0

    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval of 95 % of the true share, which has a width also at 0 and 1; NaN without data sets.

        The error of an estimated true score widens it: each half becomes the root of its square and that of z `truth`.

        References
        ----------
        Wilson (1927), Probable inference, the law of succession, and statistical inference; Brown, Cai and DasGupta
        (2001), Interval estimation for a binomial proportion; Zou and Donner (2008), Construction of confidence limits
        about effect measures.
        """
        if not self.runs:
            return math.nan, math.nan
        z = float(ndtri(0.975))
        z2 = z**2 / self.runs
        middle = (self.value + z2 / 2) / (1 + z2)
        half = math.sqrt(z2 * (self.value * (1 - self.value) + z2 / 4)) / (1 + z2)
        low, high = (math.hypot(self.value - end, z * self.truth) for end in (middle - half, middle + half))
        return max(0.0, self.value - low), min(1.0, self.value + high)


def share_of(count: float, runs: int, truth: float = 0.0) -> Share:
    """Return the share of runs, with its simulation error and what an estimated true score adds to it."""
    if not runs:
        return Share(math.nan, math.nan)
    value = count / runs
    return Share(value, math.hypot(math.sqrt(value * (1 - value) / runs), truth), runs, truth)


@frozen(kw_only=True)
class Simulation:
    """Data sets under a law, and the metric that scores them.

    `runs`: the number of data sets.
    `resample`: what is resampled and exchanged: "unit", or a grouping of the law.
    """

    metric: Metric
    law: Law
    units: int
    submissions: int = 2
    runs: int = 2000
    resample: str = "unit"
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        if not issubclass(self.law.kind, self.metric.kind):
            what = f"the law '{self.law.name}' draws {self.law.kind.__name__}"
            raise DataError(what, remedy=f"metric '{self.metric.name}' scores {self.metric.kind.__name__}")
        if self.law.equal_under and self.metric.name not in self.law.equal_under:
            what = f"under '{self.metric.name}' the submissions of the law '{self.law.name}' are not equal"
            raise DataError(what, remedy=f"choose a metric among {', '.join(sorted(self.law.equal_under))}")

    def rng(self, number: int) -> np.random.Generator:
        """Return the generator of one data set: it depends on the law, the sizes and its number alone."""
        digest = hashlib.sha256(f"{self.law.name}|{self.units}|{self.submissions}".encode()).digest()
        return np.random.default_rng([self.seed, number, int.from_bytes(digest[:8], "big")])

    def batches(self, number: int) -> tuple[Batch, ...]:
        """Return the submissions of one data set."""
        return tuple(self.law.draw(self.rng(number), self.units, self.submissions))

    def contest(self, number: int, batches: Sequence[Batch] | None = None, *, as_given: bool = True) -> Contest:
        """Return one data set as the input of a test; `as_given`: its pairs are in the order of the submissions."""
        task = Sample(
            metrics=(self.metric,),
            batches=self.batches(number) if batches is None else tuple(batches),
            key=(self.seed, number),
            groups=self.law.groups(self.units),
            resample=self.resample,
        )
        return Contest.of(task, as_given=as_given)


@frozen(kw_only=True)
class ErrorRate:
    """How often a test claims a difference between equal submissions, and how often its intervals hold the truth.

    `rejected`: of the data sets: with two submissions, those with p below alpha; with more, those with any adjusted p
    below it. `undefined`: the share of data sets in which no pair could be tested. `covered`: None for families, and
    where the test gives no intervals or the data sets have true scores of their own.
    """

    rejected: Share
    undefined: float
    covered: Share | None = None


def error_rate_of_pairs(test: SignificanceTest, simulation: Simulation) -> ErrorRate:
    """Measure the error rate of a test on two submissions, and the coverage of the first one's interval."""
    covers = test.interval is not None and simulation.law.one_truth
    truth = true_score(simulation) if covers else (math.nan, 0.0)
    p, missed = np.empty(simulation.runs), np.full((simulation.runs, 3), np.nan)
    for number in range(simulation.runs):
        contest = simulation.contest(number)
        p[number] = _adjusted(test, contest, None)[0]
        if covers:
            missed[number] = _misses(test, contest, truth)
    rate = _rate_of(p)
    return evolve(rate, covered=_coverage(missed)) if covers else rate


def error_rate_of_family(test: SignificanceTest, correction: Correction, simulation: Simulation) -> ErrorRate:
    """Measure how often a test with a correction makes any false claim in the family of all pairs.

    A joint correction adjusts the p of the claim that the first submission of a pair is better. The better one comes
    first there, so that claims in both directions are counted.
    """
    as_given = correction.adjust_jointly is None
    least = [
        _least(_adjusted(test, simulation.contest(number, as_given=as_given), correction))
        for number in range(simulation.runs)
    ]
    return _rate_of(np.array(least))


def _least(p: FloatArray) -> float:
    return float(np.nanmin(p)) if not np.isnan(p).all() else math.nan


def _rate_of(p: FloatArray) -> ErrorRate:
    """Return the share of the p-values that reject, among those that are not NaN."""
    defined = p[~np.isnan(p)]
    rejected = share_of(float((defined <= ALPHA).sum()), len(defined))
    return ErrorRate(rejected=rejected, undefined=float(np.isnan(p).mean()))


def _adjusted(test: SignificanceTest, contest: Contest, correction: Correction | None) -> FloatArray:
    """Return the adjusted p of all pairs, or without a correction the p of the first pair."""
    pairwise = run(test, contest, "two")
    if correction is None:
        return pairwise.p[:1]
    if correction.adjust_jointly is not None:
        return adjust_jointly(correction, contest, pairwise, "two")
    tested = ~np.isnan(pairwise.p)
    adjusted = np.full_like(pairwise.p, np.nan)
    adjusted[tested] = adjust(correction, pairwise.p[tested])
    return adjusted


def true_score(simulation: Simulation) -> tuple[float, float]:
    """Return the oriented true score of the first submission and the standard error of its estimate.

    It is the stated one, whose error is 0, or that of a large data set. The standard error of an estimate is that of
    the mean of twenty independent data sets, of as many units together: it needs no formula for the metric, and counts
    documents and heavy tails as far as data sets of 20,000 units show them.
    """
    stated = simulation.law.true_scores.get(simulation.metric.name)
    if stated is not None:
        return stated if simulation.metric.higher_is_better else -stated, 0.0
    value, *parts = (
        float(evolve(simulation, units=units).contest(number % 2**32).oriented[0])
        for number, units in [(-1, _LARGE), *((-2 - part, _LARGE // _PARTS) for part in range(_PARTS))]
    )
    return value, float(np.std(parts, ddof=1)) / math.sqrt(_PARTS)


def _misses(test: SignificanceTest, contest: Contest, truth: tuple[float, float]) -> list[float]:
    """Return whether the first interval misses the truth, and the truth less and plus its error; NaN if undefined."""
    low, high, _ = interval(test, contest, 1 - ALPHA)
    value, error = truth
    undefined = bool(np.isnan(low[0]) or np.isnan(high[0]))
    points = (value, value - error, value + error)
    return [math.nan if undefined else float(not low[0] <= point <= high[0]) for point in points]


def _coverage(missed: FloatArray) -> Share:
    """Return the share of intervals that hold the true score; missed (runs, 3).

    The error of the true score e moves the share from C(0) to C(e). The root mean square of C(e) - C(0) over e of plus
    and minus one standard error is what it adds to the error of the share: the first two terms of the expansion of C,
    its slope and its curvature, are in it.
    """
    defined = missed[~np.isnan(missed[:, 0])]
    shares = defined.mean(axis=0) if len(defined) else np.zeros(3)
    moved = math.sqrt(float(((shares[1:] - shares[0]) ** 2).mean()))
    misses = share_of(float(defined[:, 0].sum()), len(defined), moved)
    return evolve(misses, value=1 - misses.value)


def rank_set_coverage(
    test: SignificanceTest, correction: Correction, simulation: Simulation, gaps: Sequence[float]
) -> Share:
    """Measure how often the rank sets of all submissions hold all of their true ranks.

    `simulation`: of means of one value per unit, or of correlations. `gaps` (submissions,): how much each submission is
    better. A mean is shifted by as many standard errors, the same for all submissions: equal gaps are equal means. A
    correlation is lowered by noise, until its Fisher's z is as many times 1 / sqrt(n) below that of the best
    submission. Result: submissions with equal shifts share their true ranks: the set of each must hold all of them.
    """
    shifts = np.asarray(gaps, dtype=np.float64)
    simulation = evolve(simulation, submissions=len(shifts))
    first_true, last_true = rank_sets(shifts[:, None] > shifts[None])
    covered = 0
    for number in range(simulation.runs):
        contest = simulation.contest(number, unequal_batches(simulation, number, shifts), as_given=False)
        better = np.zeros((len(shifts), len(shifts)), dtype=np.bool_)
        first, second = contest.pairs
        better[first, second] = _adjusted(test, contest, correction) <= ALPHA
        first_rank, last_rank = rank_sets(better)
        covered += bool((first_rank <= first_true).all() and (last_rank >= last_true).all())
    return share_of(covered, simulation.runs)


def unequal_batches(simulation: Simulation, number: int, shifts: FloatArray) -> list[Batch]:
    """Return a data set whose submissions differ by shifts, in standard errors."""
    values: Any = simulation.batches(number)
    if simulation.metric.vectors is None:
        error = float(np.mean([float(one.predicted.std(ddof=1)) / math.sqrt(len(one.predicted)) for one in values]))
        return [evolve(one, predicted=one.predicted + gap * error) for one, gap in zip(values, shifts, strict=True)]
    z = float(np.arctanh(simulation.contest(number, values).oriented).mean())
    lowered = z - (shifts.max() - shifts) / math.sqrt(simulation.units)
    if lowered.min() <= 0:
        raise DataError("so few units cannot have correlations that far apart", remedy="simulate more units")
    spread = np.sqrt(np.maximum((math.tanh(z) / np.tanh(lowered)) ** 2 - 1, 0.0))
    noise = np.random.default_rng([simulation.seed, number, len(shifts)]).normal(size=(len(shifts), simulation.units))
    return [
        evolve(one, predicted=one.predicted + one.predicted.std() * k * shift)
        for one, k, shift in zip(values, spread, noise, strict=True)
    ]


_PAIRS = ("en-de", "he-en", "zh-en")
"""The language pairs of a set whose profile names none."""


def task_set(simulation: Simulation, profile: Profile, number: int, registry: Registry) -> list[Task]:
    """Return the tasks of one data set: those of each language pair, once for each selection of the profile's parts.

    All parts score the same data of a language pair, each of as many units as the simulation says.
    """
    rules = [part.rule for part in resolve(profile, registry, reads=False).parts]
    rng, tasks = simulation.rng(number), []
    for pair in dict.fromkeys(pair for rule in rules for pair in rule.pairs or _PAIRS):
        batches = simulation.law.draw(rng, simulation.units, simulation.submissions)
        answers = {Submission(f"s{nth + 1}"): batch for nth, batch in enumerate(batches)}
        selections = dict.fromkeys(rule.selection for rule in rules)
        tasks += [Task(name=pair, selection=selection, batches=answers) for selection in selections]
    return tasks


def error_rate_of_task_set(simulation: Simulation, profile: Profile, registry: Registry) -> ErrorRate:
    """Measure how often the overall test of a profile with parts claims a difference between equal submissions."""
    rules, least = evolve(profile, valid={**profile.valid, "shown": False}), []
    for number in range(simulation.runs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResultWarning)
            evaluation = evaluate(rules, task_set(simulation, rules, number, registry), seed=number, registry=registry)
        p = [c.p_adjusted for c in evaluation.comparisons if not c.task and c.p_adjusted is not None]
        least.append(_least(np.array(p, dtype=np.float64)))
    return _rate_of(np.array(least))

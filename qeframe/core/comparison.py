"""The scores of a contest with their intervals, and all of its pairs compared: p of the test, and their correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias

import attrs
import numpy as np
from attrs import frozen

from qeframe.core import metric_calls as checked
from qeframe.core.batch import BoolArray, FloatArray
from qeframe.core.contest import Contest
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.findings import SIMULTANEOUS, Comparison, PairEquivalence
from qeframe.core.metric import Metric
from qeframe.core.profile_checks import missing_capability
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.result import Result
from qeframe.core.significance import (
    MOST_UNDEFINED,
    Correction,
    Pairwise,
    Sided,
    SignificanceTest,
    adjust,
    adjust_jointly,
    difference_intervals,
    interval,
    interval_details,
    run,
)

_NEAR = (0.6, 1.4)
"""The shares of alpha between which p is near it: of 1,000 draws, p = .05 has a standard error of .007."""
MOST_ANSWERS = 1_000_000
"""Of all submissions to all units of all tasks: with more of them, 10,000 draws take minutes, and nothing draws on."""


@frozen(kw_only=True)
class ComparisonRules:
    """How pairs of submissions are compared.

    `sided`: empty: two-sided if the test can be.
    `alpha`: in (0, 1).
    `strict`: whether significant means adjusted p < alpha; otherwise it means p <= alpha.
    `simultaneous`: whether the intervals of differences hold together, each at alpha over the number of tested pairs.
    `equivalence`: tests every pair for equivalence; None where that is not asked for.
    `adaptive`: whether a family with an adjusted p near alpha, or that can have none below it, gets more draws.
    """

    test: SignificanceTest
    sided: Sided | Literal[""] = ""
    correction: Correction
    alpha: float = 0.05
    strict: bool = True
    simultaneous: bool = False
    equivalence: TestOfEquivalence | None = None
    adaptive: bool = True

    @property
    def with_more_draws(self) -> ComparisonRules | None:
        """The same rules with more draws; None where their number is fixed, that of a correction by joint draws too."""
        draws_none = self.correction.adjust_jointly is None
        test, correction = self.test.more, self.correction if draws_none else self.correction.more
        if not self.adaptive or test is None or correction is None:
            return None
        return attrs.evolve(
            self,
            test=attrs.evolve(test, name=self.test.name, origin=self.test.origin),
            correction=attrs.evolve(correction, name=self.correction.name, origin=self.correction.origin),
        )

    def is_near(self, adjusted: FloatArray) -> bool:
        """Return whether an adjusted p is so near alpha that few draws may decide, within .6 and 1.4 alpha.

        Only p that are corrected by joint draws are.
        """
        if self.correction.more is None:
            return False
        low, high = (share * self.alpha for share in _NEAR)
        return bool(((low <= adjusted) & (adjusted <= high)).any())

    def is_unresolved(self, adjusted: FloatArray, families: int = 1) -> bool:
        """Return whether an adjusted p is the smallest that the draws can give, which is not significant."""
        least = self._least_adjusted(int(np.count_nonzero(~np.isnan(adjusted))), families)
        return bool((adjusted <= least).any()) and not self.significant(np.array([least])).any()

    def with_enough_draws(self, pairs: int, families: int = 1) -> ComparisonRules | None:
        """Return the rules with as many draws as a significant p of a family needs; None if no number is enough."""
        more = self.with_more_draws
        while more is not None and not more.significant(np.array([more._least_adjusted(pairs, families)])).any():
            more = more.with_more_draws
        return more

    def _least_adjusted(self, pairs: int, families: int) -> float:
        """Return the smallest adjusted p, with its rounding, that the draws can give to a family of so many pairs."""
        least = max(self.test.least_p, self.correction.least_p)
        return least_adjusted(self.correction, least, pairs, families) * (1 + 1e-9)

    @property
    def side(self) -> Sided:
        """The kind of p-value: `sided`, or the default of the test."""
        if not self.sided:
            return "two" if "two" in self.test.sides else "one"
        if self.sided not in self.test.sides:
            sides = " or ".join(sorted(self.test.sides))
            raise CapabilityError(f"test '{self.test.name}' is {sides}-sided, not {self.sided}-sided")
        return self.sided

    @property
    def controls_any_error(self) -> bool:
        """Whether all significant differences hold together with confidence 1 - alpha, where the p-values hold."""
        return self.correction.controls_any_error and self.side == "two"

    def works_on(self, contest: Contest) -> bool:
        """Return whether the test can be run on a contest, of one task or of an aggregate over several."""
        needs = self.test.needs
        if contest.is_single or self.test.combines_tasks or needs in {"bind", "smooth", "grid"}:
            return True
        return needs == "exchange" and contest.linear

    def significant(self, adjusted: FloatArray) -> BoolArray:
        """Return which adjusted p-values are significant; NaN is not."""
        return adjusted < self.alpha if self.strict else adjusted <= self.alpha


TestOfEquivalence: TypeAlias = Callable[[Contest, BoolArray, ComparisonRules], Sequence[PairEquivalence]]
"""From a contest, which of its pairs are significant, (pairs,) bool, and the rules to a value for each pair."""


def check_capability(metric: Metric, test: SignificanceTest) -> None:
    """Raise a `CapabilityError` with the reason if a test cannot be run on a metric."""
    if why := missing_capability(metric, test):
        raise CapabilityError(f"test {why}")


def comparison_rules(
    resolved: ResolvedProfile, test: SignificanceTest | None, *, equivalence: TestOfEquivalence | None = None
) -> ComparisonRules | None:
    """Return how a profile compares pairs by a test, None without a test.

    Raises DataError if equivalence is asked for without a test: nothing would be found to be different.
    """
    rules = resolved.profile
    if test is None:
        if equivalence is not None:
            raise DataError("equivalence needs a significance test", remedy="set one, such as --set test=jackknife")
        return None
    return ComparisonRules(
        test=test,
        sided=rules.sided,
        correction=resolved.correction,
        alpha=rules.alpha,
        strict=rules.strict,
        equivalence=equivalence,
        adaptive=resolved.adaptive,
    )


def run_on_pairs(contest: Contest, rules: ComparisonRules) -> Pairwise:
    """Run the test of the rules on all pairs.

    Raises CapabilityError if the metric lacks a capability that the test needs.
    """
    if contest.is_single:
        check_capability(contest.metric, rules.test)
    return run(rules.test, contest, rules.side)


def adjusted_pairs(contest: Contest, pairwise: Pairwise, rules: ComparisonRules) -> FloatArray:
    """Return the adjusted p of all pairs, NaN where p is. The family holds the pairs that could be tested.

    A family of one pair has nothing to correct.
    """
    tested = ~np.isnan(pairwise.p)
    if tested.sum() < 2:
        return pairwise.p
    if rules.correction.adjust_jointly is not None and tested.any():
        return np.where(tested, adjust_jointly(rules.correction, contest, pairwise, rules.side), np.nan)
    adjusted = np.full_like(pairwise.p, np.nan)
    adjusted[tested] = adjust(rules.correction, pairwise.p[tested])
    return adjusted


def least_adjusted(correction: Correction, least: float, pairs: int, metrics: int) -> float:
    """Return the smallest adjusted p of a family whose p are not below `least`: of joint draws, whatever its size."""
    if correction.adjust_jointly is not None or not pairs:
        return min(1.0, least * metrics)
    return float(adjust(correction, np.full(pairs * metrics, least)).min())


def run_and_adjust(
    contest: Contest, rules: ComparisonRules, *, families: int = 1, first: Pairwise | None = None
) -> tuple[ComparisonRules, Pairwise, FloatArray]:
    """Test all pairs and correct the p-values, again with more draws if one is near alpha, or too few can reach it.

    The first of more draws are the same ones.

    `families`: how many families are corrected together, each by itself: the adjusted p are multiplied by it. `first`:
    what the test found, if it is known. Returns `rules`: those that were used: with their number of draws. `adjusted`
    (pairs,).
    """
    pairwise = first or run_on_pairs(contest, rules)
    adjusted = np.minimum(adjusted_pairs(contest, pairwise, rules) * families, 1.0)
    tested = int(np.count_nonzero(~np.isnan(adjusted)))
    draws_on = rules.is_near(adjusted) or rules.is_unresolved(adjusted, families)
    while draws_on:
        # joint draws are taken step by step up to the most, since no number of pairs multiplies their p
        joint = rules.correction.adjust_jointly is not None
        more = rules.with_more_draws if joint else rules.with_enough_draws(tested, families)
        if more is None:
            break
        rules, pairwise = more, run_on_pairs(contest, more)
        adjusted = np.minimum(adjusted_pairs(contest, pairwise, rules) * families, 1.0)
        draws_on = rules.is_unresolved(adjusted, families)
    return rules, pairwise, adjusted


@frozen(kw_only=True, eq=False)
class Compared:
    """All pairs of a contest, compared: arrays in the order of its pairs.

    `names`: of its submissions. `metric`, `task`: for what is shown; `task` is empty for all tasks together.
    `rules`: those that were used, with their number of draws.
    `adjusted` (pairs,): p after the correction. The family holds the pairs that could be tested.
    """

    contest: Contest
    names: Sequence[str]
    metric: str
    task: str = ""
    rules: ComparisonRules
    pairwise: Pairwise
    adjusted: FloatArray

    @cached_property
    def significant(self) -> BoolArray:
        """(pairs,) bool: whether the first submission of each pair is significantly better."""
        return self.rules.significant(self.adjusted)

    @cached_property
    def differences(self) -> FloatArray:
        """(pairs,) float64: the score of the first submission less that of the second, not oriented; no zero is -0."""
        first, second = self.contest.pairs
        return self.contest.sign * (self.contest.oriented[first] - self.contest.oriented[second]) + 0.0

    @cached_property
    def better(self) -> BoolArray:
        """(S, S) bool: which submission is significantly better than which."""
        better = np.zeros((len(self.names), len(self.names)), dtype=np.bool_)
        better[self.contest.pairs] = self.significant
        return better

    @property
    def is_untested(self) -> bool:
        """Whether no pair could be tested, and there is a pair."""
        return bool(len(self.adjusted) and np.isnan(self.pairwise.p).all())

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """A value for each pair."""
        pairwise, rules = self.pairwise, self.rules
        least_p = rules.test.least_p if pairwise.least_p is None else pairwise.least_p
        scores = self.contest.sign * self.contest.oriented + 0.0
        # a non-strict rule also claims p equal to alpha; of one side, the two-sided interval has twice the level
        level = rules.alpha * (1.0 if rules.strict else 1.0 + 1e-9) * (1 if rules.side == "two" else 2)
        together = max(1, int((~np.isnan(pairwise.p)).sum())) if rules.simultaneous else 1
        *ends, whose = difference_intervals(rules.test, self.contest, min(level, 1.0) / together)
        whose += SIMULTANEOUS if rules.simultaneous else ""
        low, high = np.sort(self.contest.sign * np.where(np.isnan(pairwise.p), np.nan, ends), axis=0) + 0.0
        equivalence = rules.equivalence and rules.equivalence(self.contest, self.significant, rules)
        return tuple(
            Comparison(
                a=self.names[i],
                b=self.names[j],
                metric=self.metric,
                task=self.task,
                test=rules.test.name,
                sided=rules.side,
                difference=float(self.differences[pair]),
                score_a=float(scores[i]),
                score_b=float(scores[j]),
                low=float(low[pair]),
                high=float(high[pair]),
                interval="" if np.isnan(low[pair]) else whose,
                p=float(pairwise.p[pair]),
                p_adjusted=float(self.adjusted[pair]),
                significant=bool(self.significant[pair]),
                least_p=least_p,
                reason=pairwise.reasons[pair] if pairwise.reasons else "",
                p_of={name: float(values[pair]) for name, values in pairwise.p_of.items()},
                equivalence=equivalence[pair] if equivalence else None,
            )
            for pair, (i, j) in enumerate(zip(*self.contest.pairs, strict=True))
        )

    def finish(self) -> tuple[Comparison, ...]:
        """Return the comparisons, then free the memory of the exchanges that their intervals share with the test."""
        comparisons = self.comparisons
        self.contest.release_exchanges()
        return comparisons


def compare_pairs(
    contest: Contest, names: Sequence[str], rules: ComparisonRules, *, metric: str, task: str = ""
) -> Compared:
    """Run a test on all pairs of submissions and correct the p-values.

    The corrected family holds the pairs that could be tested. A pair could not be tested if one of its submissions has
    no score or if the test is undefined for it: its p is NaN, and it is not significant. A test by resampling (one that
    needs 'bind') is undefined for all pairs if a task has fewer than two units.

    `names`, `metric`, `task`: as in `Compared`. Raises CapabilityError if the metric lacks a capability that the test
    needs.
    """
    used, pairwise, adjusted = run_and_adjust(contest, rules)
    return Compared(
        contest=contest, names=names, metric=metric, task=task, rules=used, pairwise=pairwise, adjusted=adjusted
    )


@frozen(kw_only=True, eq=False)
class Scored:
    """The scores of all submissions of a contest.

    `values`, `low`, `high` (S,): not oriented; NaN where there is no score or no interval.
    `details`: of each score.
    `draws` (B, S): the oriented scores in the draws of the intervals; None without intervals.
    """

    values: FloatArray
    low: FloatArray
    high: FloatArray
    details: Sequence[Mapping[str, Any]]
    draws: FloatArray | None

    @property
    def results(self) -> list[Result]:
        """A value for each score."""
        columns = zip(self.values.tolist(), self.low.tolist(), self.high.tolist(), self.details, strict=True)
        return [Result(value=value, low=low, high=high, details=details) for value, low, high, details in columns]


def details_of(contest: Contest) -> list[dict[str, Any]]:
    """Return what the metric reports of each submission of a single task; nothing of a score over several."""
    if not contest.is_single:
        return [{} for _ in contest.oriented]
    (term,) = contest.terms
    return [dict(checked.details(term.metric, batch)) for batch in term.sample.batches]


def undefined_details(score: float, undefined: int, draws: int) -> dict[str, Any]:
    """Return the details of a score that is undefined in some of its draws: of too many there is no interval."""
    if not undefined:
        return {}
    many = undefined > MOST_UNDEFINED * draws and not np.isnan(score)
    why = {"no_interval": f"the score is undefined in {undefined} of {draws} draws"} if many else {}
    return {"undefined_draws": undefined, **why}


def score_contest(
    contest: Contest, test: SignificanceTest | None, confidence: float, details: Sequence[Mapping[str, Any]] = ()
) -> Scored:
    """Return the scores of a contest.

    `test`: gives the intervals; None for none. `details`: of each score, to which those of intervals are added.
    """
    values, ends, draws = contest.sign * contest.oriented, np.full((2, len(contest.oriented)), np.nan), None
    if test is not None and test.interval is not None:
        low, high, draws = interval(test, contest, confidence)
        ends = contest.sign * np.stack([low, high] if contest.sign > 0 else [high, low]) + 0.0  # no zero is -0
        ends[:, np.isnan(values)] = np.nan  # draws can be defined where the score is not
    limits = interval_details(test, contest)
    undefined = np.zeros(len(values)) if draws is None else np.isnan(draws).sum(axis=0)
    total = 0 if draws is None else len(draws)
    lost = [undefined_details(score, int(count), total) for score, count in zip(values, undefined, strict=True)]
    stated = details or [{}] * len(values)
    merged = [{**own, **limit, **more} for own, limit, more in zip(stated, limits, lost, strict=True)]
    return Scored(values=values, low=ends[0], high=ends[1], details=merged, draws=draws)

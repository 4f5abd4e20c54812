"""Test all pairs of submissions and correct the p-values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import BoolArray, FloatArray
from qeframe.core.components.checks.significance import adjust, adjust_jointly, run
from qeframe.core.components.checks.supplement import values_of_pairs
from qeframe.core.components.pairs import Pairwise
from qeframe.core.evaluation.compared_pair import Comparison
from qeframe.core.evaluation.comparison_rules import ComparisonRules, check_capability
from qeframe.core.evaluation.contest import Contest


def run_on_pairs(contest: Contest, rules: ComparisonRules) -> Pairwise:
    """Run the test of the rules on all pairs.

    Raises CapabilityError if the metric lacks a capability that the test needs.
    """
    if contest.is_single:
        check_capability(contest.metric, rules.test)
    return run(rules.test, contest, rules.side)


def adjusted_pairs(contest: Contest, pairwise: Pairwise, rules: ComparisonRules) -> FloatArray:
    """Return the adjusted p of all pairs, NaN where p is. The family holds the pairs that could be tested."""
    tested = ~np.isnan(pairwise.p)
    if rules.correction.adjust_jointly is not None and tested.any():
        return np.where(tested, adjust_jointly(rules.correction, contest, pairwise, rules.side), np.nan)
    adjusted = np.full_like(pairwise.p, np.nan)
    adjusted[tested] = adjust(rules.correction, pairwise.p[tested])
    return adjusted


def run_and_adjust(
    contest: Contest, rules: ComparisonRules, *, families: int = 1, first: Pairwise | None = None
) -> tuple[ComparisonRules, Pairwise, FloatArray]:
    """Test all pairs and correct the p-values, again with more draws if one is near alpha.

    The first of more draws are the same ones, but for units drawn within drawn groups.

    `families`: how many families are corrected together, each by itself: the adjusted p are multiplied by it. `first`:
    what the test found, if it is known. Returns `rules`: those that were used: with their number of draws. `adjusted`
    (pairs,).
    """
    pairwise = first or run_on_pairs(contest, rules)
    adjusted = np.minimum(adjusted_pairs(contest, pairwise, rules) * families, 1.0)
    more = rules.with_more_draws
    if more is None or not rules.is_near(adjusted):
        return rules, pairwise, adjusted
    pairwise = run_on_pairs(contest, more)
    return more, pairwise, np.minimum(adjusted_pairs(contest, pairwise, more) * families, 1.0)


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
    def is_undefined(self) -> bool:
        """Whether the test is undefined for every pair with both scores, and there is such a pair."""
        scored = ~np.isnan(self.differences)
        return bool(scored.any() and np.isnan(self.pairwise.p[scored]).all())

    @property
    def is_untested(self) -> bool:
        """Whether no pair could be tested, and there is a pair."""
        return bool(len(self.adjusted) and np.isnan(self.pairwise.p).all())

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """A value for each pair."""
        pairwise, rules = self.pairwise, self.rules
        least_p = rules.test.least_p if pairwise.least_p is None else pairwise.least_p
        supplements = {s.key: values_of_pairs(s, self.contest, self.significant, rules) for s in rules.supplements}
        return tuple(
            Comparison(
                a=self.names[i],
                b=self.names[j],
                metric=self.metric,
                task=self.task,
                test=rules.test.name,
                sided=rules.side,
                difference=float(self.differences[pair]),
                p=float(pairwise.p[pair]),
                p_adjusted=float(self.adjusted[pair]),
                significant=bool(self.significant[pair]),
                least_p=least_p,
                reason=pairwise.reasons[pair] if pairwise.reasons else "",
                p_of={name: float(values[pair]) for name, values in pairwise.p_of.items()},
                supplements={key: values[pair] for key, values in supplements.items()},
            )
            for pair, (i, j) in enumerate(zip(*self.contest.pairs, strict=True))
        )


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

"""Test all pairs of submissions and correct the p-values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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


def compare_pairs(
    contest: Contest, names: Sequence[str], rules: ComparisonRules, *, metric: str, task: str = ""
) -> list[Comparison]:
    """Run a test on all pairs of submissions and correct the p-values.

    The corrected family holds the pairs that could be tested. A pair could not be tested if one of its submissions has
    no score or if the test is undefined for it: its p is NaN, and it is not significant. A test by resampling (one that
    needs 'bind') is undefined for all pairs if a task has fewer than two units.

    `names`: the names of its submissions. `metric`, `task`: entered in the results. `task` is empty for all tasks
    together. Result: in the order of the pairs of `contest`. Raises CapabilityError if the metric lacks a capability
    that the test needs.
    """
    used, pairwise, adjusted = run_and_adjust(contest, rules)
    return comparisons_of(contest, names, used, pairwise, adjusted, metric=metric, task=task)


def comparisons_of(
    contest: Contest,
    names: Sequence[str],
    rules: ComparisonRules,
    pairwise: Pairwise,
    adjusted: FloatArray,
    *,
    metric: str,
    task: str = "",
) -> list[Comparison]:
    """Return the comparisons of all pairs, from their p-values before and after the correction."""
    first, second = contest.pairs
    p, least_p = pairwise.p, rules.test.least_p if pairwise.least_p is None else pairwise.least_p
    significant = rules.significant(adjusted)
    supplements = {s.key: values_of_pairs(s, contest, significant, rules) for s in rules.supplements}
    differences = contest.sign * (contest.oriented[first] - contest.oriented[second]) + 0.0
    return [
        Comparison(
            a=names[i],
            b=names[j],
            metric=metric,
            task=task,
            test=rules.test.name,
            sided=rules.side,
            difference=float(differences[pair]),
            p=float(p[pair]),
            p_adjusted=float(adjusted[pair]),
            significant=bool(significant[pair]),
            least_p=least_p,
            reason=pairwise.reasons[pair] if pairwise.reasons else "",
            p_of={name: float(values[pair]) for name, values in pairwise.p_of.items()},
            supplements={key: values[pair] for key, values in supplements.items()},
        )
        for pair, (i, j) in enumerate(zip(first, second, strict=True))
    ]


def better_of(comparisons: Sequence[Comparison], names: Sequence[str]) -> BoolArray | None:
    """Return which submission is significantly better than which, (S, S); None if the test is undefined everywhere."""
    if comparisons and all(np.isnan(comparison.p) for comparison in comparisons):
        return None
    position = {name: i for i, name in enumerate(names)}
    better = np.zeros((len(names), len(names)), dtype=np.bool_)
    for comparison in comparisons:
        better[position[comparison.a], position[comparison.b]] = comparison.significant
    return better

"""The smallest differences that a leaderboard could have detected, and the equivalence of pairs of submissions."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import attrs
import numpy as np

from qeframe.core.batch import BoolArray
from qeframe.core.comparison import ComparisonRules, TestOfEquivalence
from qeframe.core.contest import Contest
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.findings import Detectable, PairEquivalence
from qeframe.core.significance import Sided, adjust
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs
from qeframe.statistics.power_and_units_needed import equivalence as one_sided_tests
from qeframe.statistics.power_and_units_needed import in_units_of_score, minimum_detectable_difference, no_error
from qeframe.supplements.given import SupplementInput


def detectable(power: float) -> Callable[[SupplementInput], Detectable]:
    """Return the function that finds the smallest differences that could have been detected with a chance of `power`.

    Raises DataError if `power` does not lie between 0 and 1.
    """
    if not 0 < power < 1:
        raise DataError(f"the power must lie between 0 and 1, not {power}", remedy="0.8 is common")
    return partial(_of_evaluation, power)


def _of_evaluation(power: float, given: SupplementInput) -> Detectable:
    """Return the smallest differences under the rules of the profile, or two-sided at its alpha without a test."""
    level, side = given.alpha, given.rules.side if given.rules else "two"
    if given.rules:
        level = level_of_one(given.rules, len(given.contest.pairs[0]))
    return detectable_differences(given.contest, given.submissions, level=level, sided=side, power=power)


def level_of_one(rules: ComparisonRules, pairs: int) -> float:
    """Return the p-value of a single difference among so many pairs that is significant if no other one is.

    Of a correction with joint draws it is the level of its adjustment of p-values alone: the joint one asks for no
    smaller p, since it knows how much the differences depend on each other.
    """
    p = np.ones(pairs)
    p[:1] = _SMALL
    return float(rules.alpha * _SMALL / adjust(rules.correction, p)[0]) if pairs else rules.alpha


_SMALL = 1e-9
"""A p-value so small that its adjusted value is below 1."""


def detectable_differences(
    contest: Contest, names: Sequence[str], *, level: float, sided: Sided = "two", power: float = 0.8
) -> Detectable:
    """Return the smallest differences that the jackknife t-test would have found with the given power.

    The better submission of a pair comes first. Undefined with a reason for fewer than two submissions, for fewer than
    7 units, for scores that are not smooth in the weights of units, and if no pair has a standard error.

    A correlation is compared on Fisher's scale. Its detectable difference depends on the better score, r: it is r -
    tanh(arctanh r - least), with the detectable difference `least` on Fisher's scale.
    """
    first, second = contest.pairs
    best = int(first[0]) if len(first) and not np.isnan(contest.oriented[first[0]]) else -1
    leader = names[best] if best >= 0 else ""
    reason = "fewer than two submissions" if not len(first) else no_error(contest)
    undefined = Detectable(power=power, level=level, sided=sided, leader=leader, reason=reason)
    if reason:
        return undefined
    pairs = jackknife_of_pairs(contest)
    least = minimum_detectable_difference(
        np.where(pairs.error > 0, pairs.error, np.nan),
        pairs.freedom,
        alpha=level if sided == "two" else min(2 * level, 1 - 1e-12),
        power=power,
    )
    sizes = in_units_of_score(contest, first, least)
    finite = sizes[np.isfinite(sizes)]
    if not len(finite):
        return attrs.evolve(undefined, reason="no difference has a standard error")
    of_leader = {names[j]: float(size) for i, j, size in zip(first, second, sizes, strict=True) if i == best}
    return attrs.evolve(
        undefined,
        from_leader={name: of_leader.get(name, math.nan) for name in names},
        smallest=float(finite.min()),
        median=float(np.median(finite)),
        largest=float(finite.max()),
    )


def equivalence(delta: float) -> TestOfEquivalence:
    """Return the function that tests whether the scores of pairs differ by less than `delta`, in units of the metric.

    Raises DataError if `delta` is not positive and finite.
    """
    if not 0 < delta < math.inf:
        what = f"the difference of equivalence must be positive and finite, not {delta:g}"
        raise DataError(what, remedy="give the smallest difference that matters")
    return partial(_equivalence_of_pairs, float(delta))


def _equivalence_of_pairs(
    delta: float, contest: Contest, significant: BoolArray, rules: ComparisonRules
) -> list[PairEquivalence]:
    """Test for all pairs whether the difference is smaller than `delta` in size.

    The p-values of the two one-sided tests (Schuirmann 1987) are corrected as a family of their own, without joint
    draws. The differences are those of the scores themselves, also of correlations: delta is in units of the score, so
    that Fisher's z is not used. Undefined, and never equivalent, with fewer than 7 units, and where a score is
    undefined with some unit left out. If no unit changes the difference, its error is 0: two equal submissions are
    equivalent.
    """
    if not contest.smooth:
        raise CapabilityError(f"equivalence cannot be tested: {no_error(contest)}")
    differences = jackknife_of_pairs(contest, "identity")
    error = np.full_like(differences.error, np.nan) if no_error(contest) else differences.error
    tests = one_sided_tests(differences.difference, error, differences.freedom, delta, alpha=rules.alpha)
    p = np.asarray(tests.p, dtype=np.float64)
    tested, adjusted = ~np.isnan(p), np.full_like(p, np.nan)
    adjusted[tested] = adjust(rules.correction, p[tested])
    accepted = rules.significant(adjusted)
    low, high = np.sort(contest.sign * np.stack([np.asarray(tests.low), np.asarray(tests.high)]), axis=0)
    return [
        PairEquivalence(
            delta=delta,
            low=float(low[i]),
            high=float(high[i]),
            p=float(p[i]),
            p_adjusted=float(adjusted[i]),
            verdict="equivalent" if accepted[i] else "different" if significant[i] else "not determined",
        )
        for i in range(len(p))
    ]

"""Equivalence of pairs of submissions: two one-sided tests of the differences of scores."""

import math
from functools import partial

import numpy as np

from qeframe.core.batch import BoolArray
from qeframe.core.comparison import ComparisonRules, TestOfEquivalence
from qeframe.core.contest import Contest
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.significance import adjust
from qeframe.core.supplements import PairEquivalence
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs
from qeframe.statistics.power_and_units_needed import equivalence as one_sided_tests
from qeframe.statistics.power_and_units_needed import no_error


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

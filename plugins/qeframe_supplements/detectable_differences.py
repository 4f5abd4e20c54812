"""The smallest differences that a leaderboard could have detected."""

import math
from collections.abc import Mapping, Sequence
from functools import partial

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin import Contest, DataError, Sided
from qeframe.plugin.evaluation import PairRules, Supplement, SupplementInput, adjust
from qeframe.plugin.report import Brief
from qeframe.plugin.resampling import in_units_of_score, jackknife_of_pairs, minimum_detectable_difference, no_error


@frozen(kw_only=True, repr=False)
class Detectable(Brief):
    """The smallest differences that an evaluation could have detected.

    Parameters
    ----------
    power : float
        The chance with which a difference of that size is found to be significant.
    level : float
        The p-value that is small enough for a single difference: alpha after the correction. For a correction by joint
        draws it is that of its adjustment of p-values alone: the joint draws ask for no smaller p.
    sided : {"one", "two"}
    leader : str
        The submission with the best score; empty if none has a score.
    from_leader : mapping of str to float
        By submission, the smallest detectable difference from the leader, in units of the metric and positive; NaN for
        the leader, and where the standard error is undefined.
    smallest, median, largest : float
        Of the smallest detectable differences of all pairs; NaN if all are undefined.
    reason : str
        Why all are undefined; empty if some is defined.
    """

    power: float
    level: float
    sided: Sided
    leader: str
    from_leader: Mapping[str, float] = field(factory=dict)
    smallest: float = math.nan
    median: float = math.nan
    largest: float = math.nan
    reason: str = ""


def detectable(*, power: float = 0.8) -> Supplement:
    """Find the smallest differences that could have been detected.

    Parameters
    ----------
    power : float
        The chance with which a difference of that size is found, in (0, 1).
    """
    if not 0 < power < 1:
        raise DataError(f"the power must lie between 0 and 1, not {power}", remedy="0.8 is common")
    return Supplement(
        name="detectable",
        summary="the smallest differences that a comparison could have detected",
        source="Cohen (1988), Statistical power analysis for the behavioral sciences",
        of_evaluation=partial(_of_evaluation, power),
        value=Detectable,
    )


def _of_evaluation(power: float, given: SupplementInput) -> Detectable:
    """Return the smallest differences under the rules of the profile, or two-sided at its alpha without a test."""
    level, side = given.alpha, given.rules.side if given.rules else "two"
    if given.rules:
        level = level_of_one(given.rules, len(given.contest.pairs[0]))
    return detectable_differences(given.contest, given.submissions, level=level, sided=side, power=power)


def level_of_one(rules: PairRules, pairs: int) -> float:
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

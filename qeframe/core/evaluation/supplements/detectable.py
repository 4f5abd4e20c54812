"""The smallest differences that a leaderboard could have detected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.components.comparable import Comparable
from qeframe.core.components.differences import jackknife_of_pairs
from qeframe.core.components.significance import Sided
from qeframe.core.evaluation.supplements.jackknife_use import no_error
from qeframe.core.resampling.standard_errors.power import minimum_detectable_difference
from qeframe.core.resampling.standard_errors.working_scale import from_working_scale, on_working_scale

__all__ = ["POWER", "Detectable", "detectable_differences", "in_units_of_score"]

POWER = 0.8
"""The chance with which a difference is to be found, unless another is asked for."""


@frozen(kw_only=True)
class Detectable:
    """The smallest differences that an evaluation could have detected.

    Parameters
    ----------
    power : float
        The chance with which a difference of that size is found to be significant.
    level : float
        The p-value that is small enough for a single difference: alpha after the correction.
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


def detectable_differences(
    comparable: Comparable, names: Sequence[str], *, level: float, sided: Sided = "two", power: float = POWER
) -> Detectable:
    """Return the smallest differences that the jackknife t-test would have found with the given power.

    Parameters
    ----------
    comparable : Comparable
        With pairs whose better submission comes first.
    names : sequence of str
        The names of its submissions.
    level : float
        In (0, 1): the p-value that is small enough.
    sided : {"one", "two"}
    power : float
        In (0, 1).

    Returns
    -------
    Detectable
        Undefined with a reason for fewer than two submissions, for fewer than 7 units, for scores that are not smooth
        in the weights of units, and if no pair has a standard error.

    Notes
    -----
    A correlation is compared on Fisher's scale. Its detectable difference depends on the better score, r: it is
    r - tanh(arctanh r - least), with the detectable difference `least` on Fisher's scale.
    """
    first, second = comparable.pairs
    best = int(first[0]) if len(first) and not np.isnan(comparable.oriented[first[0]]) else -1
    leader = names[best] if best >= 0 else ""
    reason = "fewer than two submissions" if not len(first) else no_error(comparable)
    undefined = Detectable(power=power, level=level, sided=sided, leader=leader, reason=reason)
    if reason:
        return undefined
    pairs = jackknife_of_pairs(comparable)
    least = minimum_detectable_difference(
        np.where(pairs.error > 0, pairs.error, np.nan),
        pairs.freedom,
        alpha=level if sided == "two" else min(2 * level, 1 - 1e-12),
        power=power,
    )
    sizes = in_units_of_score(comparable, first, least)
    known = sizes[np.isfinite(sizes)]
    if not len(known):
        return Detectable(
            power=power, level=level, sided=sided, leader=leader, reason="no difference has a standard error"
        )
    of_leader = {names[j]: float(size) for i, j, size in zip(first, second, sizes, strict=True) if i == best}
    return Detectable(
        power=power,
        level=level,
        sided=sided,
        leader=leader,
        from_leader={name: of_leader.get(name, math.nan) for name in names},
        smallest=float(known.min()),
        median=float(np.median(known)),
        largest=float(known.max()),
    )


def in_units_of_score(comparable: Comparable, better: IntArray, differences: FloatArray) -> FloatArray:
    """Return differences on the working scale below the scores of some submissions, as differences of scores.

    Parameters
    ----------
    comparable : Comparable
    better : (m,) int64
        The positions of the submissions with the better score.
    differences : (m,) float64
        Not negative, on the working scale.
    """
    scale, scores = comparable.working_scale, comparable.oriented[better]
    with np.errstate(invalid="ignore"):
        return scores - from_working_scale(on_working_scale(scores, scale) - differences, scale)

"""The influence of single units: those without which another submission wins, and those that move a score most."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from attrs import field, frozen

from qeframe.plugin import BoolArray, Contest, FloatArray, IntArray
from qeframe.plugin.evaluation import Unit
from qeframe.plugin.report import Brief
from qeframe.plugin.resampling import ROUNDING, rounding_slack

_MOST_LEFT_OUT = 0.5  # the largest share of the units that is left out
_GROWTH = 1.1


def fewest_to_pass(
    weighted: Callable[[FloatArray], FloatArray], oriented: FloatArray, left_out: FloatArray, leader: int
) -> tuple[int, IntArray] | None:
    """Return a challenger, and units without which it is better than the leader, the most influential first.

    It is the challenger that needs the fewest units by the sum of influences on the lead, from oriented scores (S,) and
    those with each unit left out, (n, S). Without the units the challenger is better, and without one unit less it is
    not. None if leaving out up to half of the units does not suffice, or no other submission has a score.

    The influences add up to a first guess of the number of units. The scores of the remaining units then decide, so
    that what is returned is a fact; that no smaller set exists is not.
    """
    units = len(left_out)
    with np.errstate(invalid="ignore"):
        lead = oriented[leader] - oriented
        falls = lead - (left_out[:, [leader]] - left_out)
    falls = np.where(np.isfinite(falls), falls, 0.0)
    largest = int(_MOST_LEFT_OUT * units)
    rivals = [i for i in range(len(oriented)) if i != leader and np.isfinite(lead[i])]
    if not rivals or not largest:
        return None
    needed = {i: _count_to(falls[:, i], lead[i]) for i in rivals}
    challenger = min(rivals, key=lambda i: (needed[i], lead[i]))
    order = np.argsort(-falls[:, challenger], kind="stable")

    def is_passed(count: int) -> bool:
        weights = np.ones(units)
        weights[order[:count]] = 0.0
        scores = weighted(weights)
        return bool(scores[challenger] > scores[leader])

    count = _smallest(is_passed, int(min(needed[challenger], largest)), largest)
    return None if count is None else (challenger, order[:count])


def _count_to(falls: FloatArray, lead: float) -> float:
    """Return how many of the largest falls add up to more than the lead; infinite if all do not, or it is undefined."""
    exceeded = np.cumsum(np.sort(falls)[::-1]) > lead
    return float(np.argmax(exceeded)) + 1 if exceeded.any() else math.inf


def _smallest(is_passed: Callable[[int], bool], start: int, largest: int) -> int | None:
    """Return a count that passes while one less does not; None if none is found from `start` up to `largest`."""
    high = start
    while not is_passed(high):
        if high >= largest:
            return None
        high = min(largest, max(high + 1, math.ceil(high * _GROWTH)))
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_passed(middle) else (middle, high)
    return high


@frozen(kw_only=True, repr=False)
class MovedScore(Brief):
    """How far a unit moves the score of a submission.

    Parameters
    ----------
    unit : Unit
    influence : float
        The score less the score without the unit, not oriented; NaN if there is no score without the unit.
    without : float
        The score without the unit.
    """

    unit: Unit
    influence: float
    without: float


@frozen(kw_only=True)
class WinnerWithout:
    """A unit without which another submission has the best score.

    Parameters
    ----------
    unit : Unit
    leaders : tuple of str
        The submissions with the best score without the unit; several if they are equal.
    lead : float
        By how much the best of the new leaders is better than the former one without the unit: 0 if they are equal, NaN
        if the former one has no score then.
    """

    unit: Unit
    leaders: tuple[str, ...]
    lead: float


@frozen(kw_only=True, repr=False)
class FewestUnits(Brief):
    """A small set of units without which another submission is better than the leader.

    Parameters
    ----------
    count : int
        Its size. It is found by influences and confirmed by scoring the other units; a smaller set may exist.
    share : float
        Of all units.
    challenger : str
        The submission that is then better than the leader.
    units : tuple of Unit
        The most influential of the set.
    """

    count: int
    share: float
    challenger: str
    units: tuple[Unit, ...]


@frozen(kw_only=True, repr=False)
class Influence(Brief):
    """The influence of units on the primary scores.

    Parameters
    ----------
    metric : str
    units : int
        How many units can be left out, over all tasks.
    unit : str
        What they are: "segment", "document".
    leaders : tuple of str
        The submissions with the best score; several if they are equal.
    changing : int
        The number of units without which the leaders are others.
    winners_without : tuple of WinnerWithout
        Those units, the one with the largest new lead first; at most as many as were asked for.
    fewest : FewestUnits or None
        None if leaving out up to half of the units, the most influential ones first, leaves the leader in place, if
        several submissions lead, or if there is one submission only.
    moved : mapping of str to tuple of MovedScore
        By submission, the best first, the units that move its score most, the largest first; units without influence
        are left out.
    reason : str
        Why nothing was computed; empty if it was.
    """

    metric: str
    units: int
    unit: str
    leaders: tuple[str, ...] = ()
    changing: int = 0
    winners_without: tuple[WinnerWithout, ...] = ()
    fewest: FewestUnits | None = None
    moved: Mapping[str, tuple[MovedScore, ...]] = field(factory=dict)
    reason: str = ""


def influences(
    contest: Contest,
    names: Sequence[str],
    describe: Callable[[int], Unit],
    *,
    metric: str,
    unit: str,
    most: int,
    reason: str = "",
) -> Influence:
    """Return the units that change the winner, and those that move each score most; `most` of them are listed.

    The influence of unit i is theta - theta(1 - e_i), a term of the jackknife (Cook 1977; Efron and Stein 1981). The
    search for the fewest units adds the influences on the lead until they exceed it (Broderick, Giordano and Meager
    2020), and then scores the other units to confirm the set, or to enlarge or shrink it.
    """
    units = sum(contest.sizes)
    if reason:
        return Influence(metric=metric, units=units, unit=unit, reason=reason)
    oriented, left_out = contest.oriented, contest.jackknife()
    leading = _best(oriented)
    defined = ~np.isnan(left_out[:, leading]).any(axis=-1)
    changed = np.flatnonzero((_best(left_out) != leading).any(axis=-1) & leading.any() & defined)
    return Influence(
        metric=metric,
        units=units,
        unit=unit,
        leaders=_named(names, leading),
        changing=len(changed),
        winners_without=tuple(_winners_without(left_out, leading, changed, names, describe, most)),
        fewest=_fewest(contest, left_out, leading, names, describe, most),
        moved={
            names[i]: tuple(_moved(contest.sign, oriented[i], left_out[:, i], describe, most))
            for i in np.argsort(-np.nan_to_num(oriented, nan=-np.inf), kind="stable").tolist()
        },
    )


def _best(oriented: FloatArray) -> BoolArray:
    """Return which scores are the best of their row, (..., S) bool; none where all are undefined."""
    best = np.fmax.reduce(oriented, axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray(oriented >= best - rounding_slack(best, best))


def _named(names: Sequence[str], chosen: BoolArray) -> tuple[str, ...]:
    return tuple(name for name, is_chosen in zip(names, chosen, strict=True) if is_chosen)


def _winners_without(
    left_out: FloatArray,
    leading: BoolArray,
    changed: IntArray,
    names: Sequence[str],
    describe: Callable[[int], Unit],
    most: int,
) -> list[WinnerWithout]:
    """Return the units without which the leaders are others, the largest new lead first."""
    rows = left_out[changed]
    if not len(rows):
        return []
    before = np.fmax.reduce(np.where(leading, rows, np.nan), axis=-1)
    leads = np.fmax.reduce(rows, axis=-1) - before
    leads = np.where(leads <= ROUNDING, 0.0, leads)
    order = np.argsort(-np.nan_to_num(leads, nan=np.inf), kind="stable")[:most]
    best = _best(rows)
    return [
        WinnerWithout(unit=describe(int(changed[i])), leaders=_named(names, best[i]), lead=float(leads[i]))
        for i in map(int, order)
    ]


def _moved(
    sign: float, oriented: float, left_out: FloatArray, describe: Callable[[int], Unit], most: int
) -> list[MovedScore]:
    """Return the units that move one score most; none if the score is undefined."""
    if math.isnan(oriented):
        return []
    influence = oriented - left_out
    size = np.nan_to_num(np.abs(influence), nan=np.inf)
    order = np.argsort(-size, kind="stable")[:most]
    return [
        MovedScore(unit=describe(int(i)), influence=float(sign * influence[i]), without=float(sign * left_out[i]) + 0.0)
        for i in order
        if size[i] > ROUNDING
    ]


def _fewest(
    contest: Contest,
    left_out: FloatArray,
    leading: BoolArray,
    names: Sequence[str],
    describe: Callable[[int], Unit],
    most: int,
) -> FewestUnits | None:
    """Return the small set of units without which the only leader is passed; None if there is none."""
    if leading.sum() != 1 or len(names) < 2:
        return None
    fewest = fewest_to_pass(contest.weighted, contest.oriented, left_out, int(np.flatnonzero(leading)[0]))
    if fewest is None:
        return None
    challenger, chosen = fewest
    return FewestUnits(
        count=len(chosen),
        share=len(chosen) / len(left_out),
        challenger=names[challenger],
        units=tuple(describe(int(i)) for i in chosen[:most]),
    )

"""What an evaluation finds on request, and the functions that a profile names under `supplements`."""

import math
from collections.abc import Callable, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any, Literal

from attrs import field, frozen

from qeframe.core.calls import Call, Parametric, parse_call
from qeframe.core.display import Brief
from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.significance import Sided

Verdict = Literal["equivalent", "different", "not determined"]


@frozen(kw_only=True, repr=False)
class Unit(Brief):
    """One unit of the gold.

    Parameters
    ----------
    task : str
        Empty if there is only one task.
    name : str
        The name that the gold gives it, its id, or the label of a group of units.
    texts : mapping of str to str
        What it holds, by side: a reference and the candidates, a gold value and the answers; empty if that is unknown.
    """

    task: str = ""
    name: str
    texts: Mapping[str, str] = field(factory=dict)


@frozen(kw_only=True, repr=False)
class PairEquivalence(Brief):
    """Whether the scores of a pair differ by less than matters.

    Parameters
    ----------
    delta : float
        The smallest difference that matters, in units of the metric.
    low, high : float
        The interval of the difference with confidence 1 - 2 alpha, by the jackknife; NaN if it is undefined.
    p, p_adjusted : float
        Of the claim that the difference is between -delta and delta, before and after the correction; NaN if undefined.
    verdict : {"equivalent", "different", "not determined"}
        equivalent: the claim is accepted, also if a difference smaller than delta is significant. different: the
        difference is significant, and not shown to be smaller than delta. not determined: neither.
    """

    delta: float
    low: float
    high: float
    p: float
    p_adjusted: float
    verdict: Verdict


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


_PLACES = {"wmt26_rankings": "qeframe.supplements.wmt26_rankings:wmt26_rankings"}  # by name: they lie above the kernel


def find_supplement(name: str) -> tuple[Parametric[Any], Call]:
    """Return what makes the function of a name, and its parameters.

    Raises UnknownNameError if there is no such function.
    """
    call = parse_call(name)
    if call.name not in _PLACES:
        raise UnknownNameError("supplement", call.name, _PLACES)
    return Parametric(resolve_name(_PLACES[call.name])), call


def make_supplements(names: Sequence[str]) -> dict[str, Callable[[Any], Any]]:
    """Return the functions of some names: each from a `SupplementInput` to values of JSON.

    Raises UnknownNameError, DataError if there is no such function or parameter, a parameter has a wrong value, or a
    function is named twice.
    """
    made: dict[str, Callable[[Any], Any]] = {}
    for found, call in map(find_supplement, names):
        if call.name in made:
            raise DataError(f"'{call.name}' is named twice", remedy="name it once")
        made[call.name] = found.build(**{key: found.checked(key, value) for key, value in call.parameters.items()})
    return made

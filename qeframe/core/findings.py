"""What a result holds beside its scores: compared pairs, what was found on request, places of entered submissions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import attrs
from attrs import field, frozen

from qeframe.core.batch import BoolArray, IntArray
from qeframe.core.display import Brief, plain_values
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


SIMULTANEOUS = ", simultaneous"
"""What follows the name of a test whose intervals hold together for all pairs."""


@frozen(kw_only=True, repr=False)
class Comparison(Brief):
    """One pair of submissions compared under one metric.

    Parameters
    ----------
    a, b : str
        `a` is the submission with the better score.
    metric, task : str
        `task` is empty for all tasks together, also if there is only one.
    test, sided : str
        If `sided` is "one", p is for the claim that a is better than b.
    difference : float
        The score of a minus the score of b, not oriented: at most 0 if lower is better.
    score_a, score_b : float
        The two scores.
    low, high : float
        The ends of the interval of the difference, of the pair alone: with confidence 1 - alpha, and 1 - 2 alpha if
        the test is one-sided. NaN without one.
    interval : str
        The test that the interval belongs to: where it is `test`, an interval of a pair with p below alpha has no 0.
        With ", simultaneous" behind it the intervals of all pairs hold together.
    p, p_adjusted : float
        Before and after the correction; NaN if the pair could not be tested.
    significant : bool
        Whether the adjusted p is below alpha; where the profile is not `strict`, also equal to it.
    least_p : float
        The smallest p that the test can give for this number of units and draws. An example: 4 units have 16 exchanges,
        and the smallest two-sided p is 1/8. 0 means that there is no bound.
    reason : str
        Why p is undefined, or that of one test alone; else empty, and where the test gives no reason.
    p_of : mapping of str to float
        By the tests of which p is the largest, the p of each; NaN where it is undefined. Empty for a test of one p.
    equivalence : PairEquivalence or None
        Whether the difference is smaller than matters; None if that was not asked for.

    Examples
    --------
    >>> import qeframe
    >>> answers = {"good": [1, 2, 3, 5, 4, 6, 8, 7], "poor": [3, 1, 2, 4, 8, 7, 5, 6]}
    >>> pairs = qeframe.compare("pearson", range(8), answers)
    >>> [pair] = pairs
    >>> pair.a, pair.b, pair.test, round(pair.difference, 2)
    ('good', 'poor', 'jackknife_and_exchange', 0.24)
    """

    a: str
    b: str
    metric: str
    task: str = ""
    test: str
    sided: Sided
    difference: float
    score_a: float = math.nan
    score_b: float = math.nan
    low: float = math.nan
    high: float = math.nan
    interval: str = ""
    p: float
    p_adjusted: float
    significant: bool
    least_p: float = 0.0
    reason: str = ""
    p_of: Mapping[str, float] = field(factory=dict)
    equivalence: PairEquivalence | None = None

    @property
    def by(self) -> str:
        """Which of the tests of `p_of` gave p: its name, with "alone" if it alone is defined; "both" if they agree."""
        defined = {name: p for name, p in self.p_of.items() if not math.isnan(p)}
        most = max(defined.values(), default=0.0)
        largest = [name for name, p in defined.items() if p == most]
        if not largest:
            return ""
        return "both" if len(largest) > 1 else largest[0] + (" alone" if len(defined) < len(self.p_of) else "")

    def to_plain(self) -> dict[str, Any]:
        """Return values of JSON; `p_of` and `by` where there are some, equivalence also where it is None."""
        values = {name: plain_values(getattr(self, name)) for name in _FIELDS}
        return values | ({"p_of": plain_values(self.p_of), "by": self.by} if self.p_of else {})


_FIELDS = tuple(a.name for a in attrs.fields(Comparison) if a.name != "p_of")


def rank_sets(better: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the first and the last rank that each submission can have if all significant differences hold.

    `better` (S, S): ``better[i, j]``: i is significantly better than j. Returns `low, high`: low = 1 + the number of
    submissions that are better; high = S less the number of submissions that are worse. If the differences hold
    together with confidence 1 - alpha, so do all ranks.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), Inference for ranks with applications to mobility across neighbourhoods
    and academic achievement across countries.
    """
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)


@frozen(kw_only=True)
class ValidPlace:
    """Where a submission is by rules that limit the chance of any false claim, where those of the profile do not.

    `rank_set` (int, int): as in `Entered`. `beats`, `beaten_by`: over all tasks.
    """

    test: str
    sided: Sided
    correction: str
    rank_set: tuple[int, int] | None = None
    beats: tuple[str, ...] = ()
    beaten_by: tuple[str, ...] = ()


@frozen(kw_only=True, repr=False)
class InfluentialUnit(Brief):
    """A unit that moves the score of an entered submission, or the rank that it takes.

    `score`: its score without the unit. `rank`: the rank that it takes without the unit, which the others lack too.
    """

    unit: Unit
    score: float
    rank: int


@frozen(kw_only=True, repr=False)
class AttackGain(Brief):
    """What an entered submission would gain by a transformation of its answers that adds no information.

    `setting`: chosen on other units than it is scored on; where halves of the units choose two, the worse one counts.
    `gain`: by how much the score is better than its own; below 0 it is worse.
    `rank`: the rank that the transformed answers would take.
    """

    attack: str
    summary: str
    setting: str = ""
    score: float
    gain: float
    rank: int


@frozen(kw_only=True, repr=False)
class Entered:
    """The place of a submission that the user entered alone among the ranked ones.

    `rank`: the rank that its score takes.
    `of`: how many submissions are ranked over all tasks, without it.
    `rank_set` (int, int): the first and the last rank that all significant differences allow. None where the family is
      not controlled.
    `comparisons`: with each ranked submission, over all tasks and in each: families of its own. Empty without a test.
    `absent`: the tasks that it lacks: it has no rank over all tasks, unless the profile's rule `partial` gives one.
    `ranks`: by task, where there are several, the rank that its score takes there.
    `valid`: its place by the profile's valid rules, where its own rules do not limit the chance of a false claim.
    `influential`: single units without which it takes another rank, then those that move its score most, at most five.
    `changing`: how many single units there are without which it takes another rank.
    `unit`: what these units are: "segment", "document".
    `gains`: by known transformations of its answers, the largest gain first.
    """

    name: str
    rank: int
    of: int
    rank_set: tuple[int, int] | None = None
    comparisons: tuple[Comparison, ...] = ()
    absent: tuple[str, ...] = ()
    ranks: Mapping[str, int] = field(factory=dict)
    valid: ValidPlace | None = None
    influential: tuple[InfluentialUnit, ...] = ()
    changing: int = 0
    unit: str = "unit"
    gains: tuple[AttackGain, ...] = ()

    def __repr__(self) -> str:
        return f"<Entered {self.name}: rank {self.rank} of {self.of + 1}>"

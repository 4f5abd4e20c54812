"""The place of a submission that the user entered alone: its rank, whom it beats, and what moves it."""

from collections.abc import Mapping

from attrs import field, frozen

from qeframe.core.components.significance import Sided
from qeframe.core.components.supplement import Unit
from qeframe.core.evaluation.compared_pair import Comparison
from qeframe.core.short_repr import Brief


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

    def standing(self, task: str = "") -> tuple[list[str], list[str], list[str]]:
        """Return whom it beats, who beats it, and from whom it cannot be told apart, over all tasks or in one."""
        beaten, better, not_told_apart = list[str](), list[str](), list[str]()
        for pair in (pair for pair in self.comparisons if pair.task == task):
            other = pair.b if pair.a == self.name else pair.a
            where = not_told_apart if not pair.significant else beaten if pair.a == self.name else better
            where.append(other)
        return beaten, better, not_told_apart

    def __repr__(self) -> str:
        return f"<Entered {self.name}: rank {self.rank} of {self.of + 1}>"

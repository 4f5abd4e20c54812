"""`Supplement`: what an evaluation computes besides scores and comparisons, on request; checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batch import BoolArray, FloatArray, IntArray
from qeframe.core.component import Component, at_work, failure_of, full_name, is_foreign
from qeframe.core.errors import DataError
from qeframe.core.ranking import RankingRule
from qeframe.core.returned import StatisticError, WrongReturnError, describe
from qeframe.core.short_repr import Brief
from qeframe.core.significance import Correction, Sided, SignificanceTest
from qeframe.core.statistic_stack import StatisticStack

if TYPE_CHECKING:
    from qeframe.core.contest import Contest


UNIT_NAMES = "its name or number in the files; without one its line, from 1"
"""What tables call a unit."""


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


class PairRules(Protocol):
    """How pairs of submissions are compared."""

    @property
    def alpha(self) -> float:
        """The threshold of the adjusted p, in (0, 1)."""

    @property
    def strict(self) -> bool:
        """Whether significant means adjusted p < alpha; otherwise it means p <= alpha."""

    @property
    def correction(self) -> Correction:
        """The correction of the family of all pairs."""

    @property
    def side(self) -> Sided:
        """The kind of p-value."""

    @property
    def test(self) -> SignificanceTest:
        """The test of all pairs."""

    def significant(self, adjusted: FloatArray) -> BoolArray:
        """Return which adjusted p-values are significant."""


@frozen(kw_only=True, eq=False)
class TaskScores:
    """The scores of one task under the primary metric: what `Supplement.of_scores` is given.

    Parameters
    ----------
    contest : Contest
        The submissions of the task, with their scores.
    stack : StatisticStack
        The metric on single units, one statistic for each submission.
    ids : (n,) int64
        The ids of the units.
    groups : mapping of str to sequence of str
        By grouping, the group of every unit.
    unit_name : callable
        From the id of a unit to what tables call it.
    """

    contest: Contest
    stack: StatisticStack
    ids: IntArray
    groups: Mapping[str, Sequence[str]]
    unit_name: Callable[[int], str]


@frozen(kw_only=True, eq=False)
class ComparedTask:
    """The submissions of one task, and which is better than which.

    Parameters
    ----------
    name : str
    submissions : sequence of str
        Their names.
    contest : Contest
        The submissions in this task, with their scores.
    groups : mapping of str to sequence of str
        By grouping, the group of every unit.
    better, valid : (S, S) bool or None
        Whether i is significantly better than j, by the rules of the profile, and by its valid ones; None if that was
        not tested, and for `valid` also where the rules of the profile are valid themselves.
    """

    name: str
    submissions: Sequence[str]
    contest: Contest
    groups: Mapping[str, Sequence[str]]
    better: BoolArray | None
    valid: BoolArray | None


@frozen(kw_only=True, eq=False)
class SupplementInput:
    """A whole evaluation under the primary metric: what `Supplement.of_evaluation` is given.

    Parameters
    ----------
    contest : Contest
        The submissions over all tasks, with their scores.
    submissions : sequence of str
        Their names.
    metric, unit : str
        The metric, and what the units are that are resampled: "segment", "document".
    describe : callable
        From the position of such a unit, sample after sample, to the `Unit`.
    rules : PairRules or None
        How pairs are compared; None without a test.
    alpha : float
        That of the profile, also without a test.
    not_left_out : str
        Why scores are not computed without single units: it would take too long, or they are units of several parts.
        Empty where they can be.
    ranking : RankingRule or None
        That of the profile; None where the submissions are not ranked by tasks.
    compared : callable
        Returns the `ComparedTask` of each task; none for the parts of a task set.
    """

    contest: Contest
    submissions: Sequence[str]
    metric: str
    unit: str
    describe: Callable[[int], Unit]
    rules: PairRules | None
    alpha: float
    not_left_out: str = ""
    ranking: RankingRule | None = None
    compared: Callable[[], Sequence[ComparedTask]] = tuple


@frozen(kw_only=True, repr=False)
class Supplement(Component):
    """What an evaluation computes besides scores and comparisons, where it is asked for by name.

    It has one of the three functions, which says what is supplemented.

    Parameters
    ----------
    of_pairs : callable, optional
        From a `Contest`, from which of its pairs are significant, (pairs,) bool, and from `PairRules` to one
        value for each pair: `Comparison.supplements`. It is called for all tasks together and for each.
    of_scores : callable, optional
        From `TaskScores` to one mapping for each submission: more details of its primary score in the task, as values
        of JSON.
    of_evaluation : callable, optional
        From a `SupplementInput` to one value: `Evaluation.supplements`.
    value : type, optional
        The class of the values of `of_pairs` or `of_evaluation`: frozen, of values that JSON has. It is what they are
        read back as. Without it, they are values of JSON.
    tables : callable, optional
        From the value of `of_evaluation` (None for `of_pairs`) and the `Evaluation`, with its submissions in the order
        of all tables, to tables for the page, the files and the terminal. Details of scores have tables without it.
    """

    of_pairs: Callable[[Contest, BoolArray, PairRules], Sequence[Any]] | None = None
    of_scores: Callable[[TaskScores], Sequence[Mapping[str, Any]]] | None = None
    of_evaluation: Callable[[SupplementInput], Any] | None = None
    value: type | None = None
    tables: Callable[[Any, Any], Sequence[Any]] | None = None

    def __attrs_post_init__(self) -> None:
        given = [name for name in ("of_pairs", "of_scores", "of_evaluation") if getattr(self, name) is not None]
        if len(given) != 1:
            stated = " and ".join(given) or "none"
            raise DataError(f"supplement '{self.name}' has one of of_pairs, of_scores and of_evaluation, not {stated}")
        if self.of_scores is not None and (self.value is not None or self.tables is not None):
            raise DataError(f"supplement '{self.name}' gives details of scores, which have no value and no tables")

    @property
    def key(self) -> str:
        """The name without parameters, under which results hold its values."""
        return self.name.partition("(")[0]


@contextmanager
def _at_work(supplement: Supplement, where: str, metric: Component | None = None) -> Iterator[None]:
    """Run code of a supplement; the failure of a statistic is named as that of the metric."""
    with at_work(supplement, where, watched=is_foreign(supplement)):
        try:
            yield
        except StatisticError as error:
            if metric is None:
                raise
            cause = error.cause
            raise failure_of(full_name(metric), "score", cause) from cause


def values_of_pairs(supplement: Supplement, contest: Contest, significant: BoolArray, rules: PairRules) -> list[Any]:
    """Return the value of every pair."""
    assert supplement.of_pairs is not None
    with _at_work(supplement, "of_pairs"):
        values = supplement.of_pairs(contest, significant, rules)
        return [
            _checked(supplement, "of_pairs", value) for value in _each(values, len(significant), "of_pairs", "pair")
        ]


def more_details(supplement: Supplement, scores: TaskScores, metric: Component) -> list[Mapping[str, Any]]:
    """Return more details of the score of every submission."""
    assert supplement.of_scores is not None
    with _at_work(supplement, "of_scores", metric):
        details = _each(supplement.of_scores(scores), len(scores.contest.oriented), "of_scores", "submission")
        for detail in details:
            if not (isinstance(detail, Mapping) and _is_plain(detail)):
                raise WrongReturnError("of_scores", describe(detail), "a mapping to values of JSON for each submission")
        return list(details)


def value_of_evaluation(supplement: Supplement, given: SupplementInput) -> Any:
    """Return the value of an evaluation."""
    assert supplement.of_evaluation is not None
    with _at_work(supplement, "of_evaluation"):
        return _checked(supplement, "of_evaluation", supplement.of_evaluation(given))


def tables(supplement: Supplement, value: Any, evaluation: Any, kind: type) -> list[Any]:
    """Return the tables of a supplement, which are of a class; none where it has none."""
    if supplement.tables is None:
        return []
    with _at_work(supplement, "tables"):
        returned = supplement.tables(value, evaluation)
        if not isinstance(returned, Sequence) or not all(isinstance(table, kind) for table in returned):
            raise WrongReturnError("tables", describe(returned), f"a sequence of {kind.__name__}")
        return list(returned)


def _each(values: Any, count: int, where: str, what: str) -> Sequence[Any]:
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise WrongReturnError(where, describe(values), f"a sequence with one value for each {what}")
    if len(values) != count:
        raise WrongReturnError(where, f"{len(values)} values", f"{count}, one for each {what}")
    return values


def _checked(supplement: Supplement, where: str, value: Any) -> Any:
    if supplement.value is not None and not isinstance(value, supplement.value):
        raise WrongReturnError(where, describe(value), f"a {supplement.value.__name__}")
    if not _is_plain(value):
        raise WrongReturnError(where, describe(value), "values that JSON has")
    return value


def _is_plain(value: Any) -> bool:
    """Return whether a value can be written as JSON: numbers, texts, arrays, and frozen values and tables of such."""
    match value:
        case str() | int() | float() | None:
            return True
        case Mapping():
            return all(map(_is_plain, value.values()))
        case np.ndarray() | np.generic():
            return value.dtype.kind in "biufU"
        case list() | tuple() | set() | frozenset():
            return all(map(_is_plain, value))
    return attrs.has(type(value)) and all(_is_plain(getattr(value, a.name)) for a in attrs.fields(type(value)))

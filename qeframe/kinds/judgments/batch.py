"""Batches of judgments: for each pair of translations, the human relation and the metric's scores.

Signs are the same everywhere. +1 means that the left translation is better, written ``<``; 0 is a tie, ``=``; -1 means
that the right one is better, ``>``. The difference of a metric is left minus right; higher is better.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar, Self

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.core.batch import ALL_TIED, Batch, Best, BoolArray, FloatArray, IntArray, unit_field
from qeframe.core.errors import DataError, counted
from qeframe.data.numbers import LARGEST, real_numbers, unmasked
from qeframe.kinds.answers import range_of, swapped

RELATIONS = "<=>"
"""The relations in the order of the rows and columns of tie tables: left better, tie, right better."""

_SIGNS: Mapping[Any, int] = {"<": 1, "=": 0, ">": -1, 1: 1, 0: 0, -1: -1}
_SHAPE = "write '<' (left better), '=' and '>', or the signs 1, 0 and -1"


def _two_systems(batch: "Judgments") -> IntArray:
    return np.tile(np.arange(2), (len(batch.human), 1))


@frozen(kw_only=True, eq=False, repr=False)
class Judgments(Batch):
    """Human comparisons of two translations, and a metric's scores of both.

    The judge, the ranking and the segment of a judgment are groupings of the task, not part of the batch.

    Parameters
    ----------
    human : (n,) int8
        +1 left better (``<``), 0 tie (``=``), -1 right better (``>``).
    predicted : (n, 2) float64
        The metric's scores of left and right, finite; higher is better.
    systems : (n, 2) int64
        The systems of left and right, counted from 0. By default there are two systems.
    system_count : int
        The number of systems.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Judgments
    >>> judgments = Judgments.from_plain([-1, 1, 1], [-0.5, 0.2, -0.1])  # which of two is better, and by how much
    >>> round(qeframe.score("kendall", judgments), 3)
    0.333
    """

    unit: ClassVar[str] = "judgment"
    compares: ClassVar[bool] = True
    human: NDArray[np.int8] = unit_field()
    predicted: FloatArray = unit_field()
    systems: IntArray = unit_field(default=attrs.Factory(_two_systems, takes_self=True))
    system_count: int = 2

    @classmethod
    def from_plain(cls, gold: str | Sequence[Any] | ArrayLike, predicted: ArrayLike, **declared: Any) -> Self:
        """Make a batch from human relations and a metric's scores; it may be empty.

        Parameters
        ----------
        gold : str or sequence
            One of ``<=>``, or a sign, for each judgment.
        predicted : (n,) or (n, 2) array_like
            Differences left minus right, or the scores of left and right.

        Raises
        ------
        DataError
            If a relation is unknown, a metric score is missing or infinite, or the lengths differ.
        """
        human, scores = relations(gold), _metric_scores(predicted)
        if len(human) != len(scores):
            what = f"length mismatch: {counted(len(human), 'human judgment')} and {len(scores)} of the metric"
            raise DataError(what, remedy="give both sides the same pairs in the same order")
        return cls(ids=np.arange(len(human)), human=human, predicted=scores)

    @classmethod
    def from_gold(cls, gold: Any) -> Self:
        """Make a batch of human relations, whose signs are handed in as differences."""
        return cls.from_plain(gold, relations(gold).astype(np.float64))

    @classmethod
    def pair(cls, *, ids: IntArray, gold: NDArray[Any], predicted: FloatArray, best: Best = "high") -> Self:
        """Make a batch from aligned sides: signs (n,), or signs and both systems (n, 3), and scores (n, 2)."""
        if gold.ndim == 1:
            return cls(ids=ids, human=gold, predicted=predicted)
        systems = gold[:, 1:].astype(np.int64)
        count = int(systems.max(initial=-1)) + 1
        return cls(ids=ids, human=gold[:, 0].astype(np.int8), predicted=predicted, systems=systems, system_count=count)

    @classmethod
    def worst_answers(cls, gold: NDArray[Any], predicted: FloatArray) -> FloatArray:
        """Return scores that contradict each judgment: the worse side has the highest score of `predicted`."""
        low, high = range_of(predicted)
        human = np.asarray(gold).reshape(len(gold), -1)[:, :1]
        return np.where(human >= 0, [low, high], [high, low])

    def gold_warning(self) -> str:
        """Return a warning if humans decided no pair."""
        return ALL_TIED if len(self) and not self.human.any() else ""

    def metric_relations(self, epsilon: float = 0.0) -> NDArray[np.int8]:
        """Return the metric's signs, (n,) int8: a tie where left and right differ by at most `epsilon`."""
        difference = self.predicted[:, 0] - self.predicted[:, 1]
        return (difference > epsilon).view(np.int8) - (difference < -epsilon).view(np.int8)

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the scores of both sides of the judgments where `mask`, (n,), is true."""
        return swapped(self, other, mask)


def relations(values: str | Sequence[Any] | ArrayLike) -> NDArray[np.int8]:
    """Return signs, (n,) int8, from characters ``<=>`` or signs.

    Raises
    ------
    DataError
        If a value is neither; the message names the first one.
    """
    if values is None:
        raise DataError("human judgments are missing", remedy=_SHAPE)
    listed: list[Any] = list(values) if isinstance(values, str) else np.asarray(values, dtype=object).ravel().tolist()
    try:
        return np.array([_SIGNS[value] for value in listed], dtype=np.int8)
    except (KeyError, TypeError):
        wrong = next(i for i, value in enumerate(listed) if not _is_relation(value))
        raise DataError(f"human judgment {listed[wrong]!r} at position {wrong} is no relation", remedy=_SHAPE) from None


def _is_relation(value: Any) -> bool:
    """Return whether a value is a relation or a sign; an unhashable value is not."""
    try:
        return value in _SIGNS
    except TypeError:
        return False


def _metric_scores(values: ArrayLike) -> FloatArray:
    """Return scores of left and right, (n, 2); a difference becomes the score of left, and right is 0."""
    unmasked(values, "the metric scores")
    try:
        array = real_numbers(values)
    except (TypeError, ValueError, OverflowError):
        remedy = "give one difference, or the scores of left and right, for each judgment"
        raise DataError("metric scores must be numbers", remedy=remedy) from None
    if array.ndim == 1:
        array = np.stack([array, np.zeros_like(array)], axis=1)
    if array.ndim != 2 or array.shape[1] != 2:
        what = f"metric scores must be differences (n,) or scores (n, 2), not of shape {array.shape}"
        raise DataError(what, remedy="give one difference, or two scores, for each judgment")
    wrong = np.flatnonzero(~(np.abs(array) <= LARGEST).all(axis=1))
    if len(wrong):
        of_judgment = array[wrong[0]]
        kind = "infinite" if np.isinf(of_judgment).any() else "too large a"
        kind = f"{'missing' if np.isnan(of_judgment).any() else kind} metric score"
        raise DataError(f"{kind} at position {wrong[0]}", remedy="every judgment needs finite numbers on both sides")
    return array


@frozen(kw_only=True, eq=False)
class PairedSystems:
    """Pairs of systems with a human relation.

    Parameters
    ----------
    source : (pairs,) int64
        The ranking (row) or segment of each pair.
    left, right : (pairs,) int64
        The positions of the systems.
    human : (pairs,) int8
        +1 left better, 0 tie, -1 right better.
    """

    source: IntArray
    left: IntArray
    right: IntArray
    human: NDArray[np.int8]


def pairs_from_ranks(ranks: Mapping[str, int | None]) -> list[tuple[str, str, str]]:
    """Return the pairs of one ranking, in the order of its systems.

    Parameters
    ----------
    ranks : mapping of str to int
        The rank of each system, 1 is best. None or -1 means that the system was not judged.

    Returns
    -------
    list of (str, str, str)
        Left, right, and ``<`` (left better), ``=`` or ``>``; empty for fewer than two judged systems.

    Raises
    ------
    DataError
        If a rank is neither missing nor a whole number of at least 1.
    """
    judged = {system: rank for system, rank in ranks.items() if rank is not None and rank != -1}
    for system, rank in judged.items():
        if isinstance(rank, bool) or not isinstance(rank, (int, np.integer)) or rank < 1:
            raise DataError(f"{rank!r} is no rank of '{system}'", remedy="ranks count from 1; -1 means not judged")
    return [(a, b, "<=>"[(judged[a] >= judged[b]) + (judged[a] > judged[b])]) for a, b in combinations(judged, 2)]


def pairs_of_rankings(ranks: ArrayLike, systems: ArrayLike) -> PairedSystems:
    """Return the pairs of many rankings.

    Parameters
    ----------
    ranks : (rankings, k) array_like of int
        1 is best, -1 not judged.
    systems : (rankings, k) array_like of int
        The system of each rank; negative for a system that is left out, such as a reference.

    Returns
    -------
    PairedSystems
        Ranking by ranking, with the columns in order. A pair that was judged twice occurs twice.

    Raises
    ------
    DataError
        If the shapes differ or a rank is neither -1 nor at least 1.
    """
    rank_table, system_table = np.asarray(ranks, dtype=np.int64), np.asarray(systems, dtype=np.int64)
    if rank_table.shape != system_table.shape or rank_table.ndim != 2:
        what = f"length mismatch: ranks of shape {rank_table.shape}, systems of shape {system_table.shape}"
        raise DataError(what, remedy="give two tables of the same shape, one row per ranking")
    if ((rank_table < 1) & (rank_table != -1)).any():
        raise DataError("a rank is below 1", remedy="ranks count from 1; -1 means not judged")
    first, second = np.triu_indices(rank_table.shape[1], 1)
    kept = (rank_table > 0) & (system_table >= 0)
    source, pair = np.nonzero(kept[:, first] & kept[:, second])
    left, right = (source, first[pair]), (source, second[pair])
    human = np.sign(rank_table[right] - rank_table[left]).astype(np.int8)
    return PairedSystems(source=source, left=system_table[left], right=system_table[right], human=human)


def pairs_from_scores(scores: ArrayLike, *, threshold: float = 25.0, strict: bool = False) -> PairedSystems:
    """Return relative rankings from direct assessments (DARR): the pairs of a segment whose scores differ enough.

    Parameters
    ----------
    scores : (segments, systems) array_like
        Raw mean assessments; NaN where there is none.
    threshold : float
        The smallest difference between the scores of a pair.
    strict : bool
        Whether the difference must exceed the threshold, as the papers state. The script of 2020 also takes pairs whose
        difference equals the threshold.

    Returns
    -------
    PairedSystems
        Without ties, also if the threshold is 0.

    References
    ----------
    Metrics tasks 2017-20.
    """
    cells: FloatArray = np.asarray(scores, dtype=np.float64)
    if cells.ndim != 2:
        what = f"assessments must be segments x systems, not of {cells.ndim} dimensions"
        raise DataError(what, remedy="give a table with one row per segment")
    first, second = np.triu_indices(cells.shape[1], 1)
    difference = cells[:, first] - cells[:, second]
    apart = np.abs(difference) > threshold if strict else np.abs(difference) >= threshold
    source, pair = np.nonzero(apart & (difference != 0) & ~np.isnan(difference))
    human = np.sign(difference[source, pair]).astype(np.int8)
    return PairedSystems(source=source, left=first[pair], right=second[pair], human=human)

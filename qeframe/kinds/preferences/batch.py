"""Batches of pairwise preferences: two answers a unit, the better one, and what a judge decided."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from qeframe.core.batch import ALL_TIED, Batch, Best, BoolArray, FloatArray, IntArray, labels_to_index, unit_field
from qeframe.core.errors import DataError, counted
from qeframe.kinds.answers import swapped

NO_DECISION, NOT_ASKED = 2.0, 3.0
"""The codes of an answer of the judge that decides nothing, and of an order that the judge was not asked in."""

UNKNOWN_LENGTH = -1
"""The length of an answer that is not known."""

_CODES: Mapping[Any, float] = {
    "A": 1.0,
    "A>B": 1.0,
    1: 1.0,
    "tie": 0.0,
    "A=B": 0.0,
    0: 0.0,
    "B": -1.0,
    "B>A": -1.0,
    -1: -1.0,
    None: NO_DECISION,
    "none": NO_DECISION,
    NO_DECISION: NO_DECISION,
    "-": NOT_ASKED,
    NOT_ASKED: NOT_ASKED,
}
_SHAPE = "write A, B or tie, and none where the judge decided nothing"
_ORDERS = 2


def _unknown_lengths(batch: "Preferences") -> IntArray:
    return np.full((len(batch.gold), 2), UNKNOWN_LENGTH)


def _zeros(batch: "Preferences") -> IntArray:
    return np.zeros(len(batch.gold), dtype=np.int64)


def _ones(batch: "Preferences") -> NDArray[np.int8]:
    return np.ones(len(batch.gold), dtype=np.int8)


@frozen(kw_only=True, eq=False, repr=False)
class Preferences(Batch):
    """Which of two answers is better, by the gold and by a judge that saw them in one order or in both.

    Parameters
    ----------
    gold : (n,) int8
        +1 answer A is better, 0 tie, -1 answer B is better.
    predicted : (n, 4) float64
        The judge's decisions in the first and in the second order, both of A and B as the gold names them: +1, 0, -1,
        `NO_DECISION` or `NOT_ASKED`. Then its scores of A and B, NaN where it gives none. Every pair was judged in the
        first order.
    lengths : (n, 2) int64
        The lengths of A and B, or `UNKNOWN_LENGTH`.
    section : (n,) int64
        The section of each pair: an index into `section_names`.
    section_names : tuple of str
    shown_first : (n,) int8
        +1 if the first order shows A first, -1 if it shows B first, 0 if there is no such order: the judge scores
        single answers, or the file has the better answer first. The second order is the opposite one.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Preferences
    >>> qeframe.score("preference_accuracy", Preferences.from_plain(["A", "B", "A"], ["A", "B", "B"]))
    0.6666666666666666
    """

    unit: ClassVar[str] = "pair"
    gold: NDArray[np.int8] = unit_field()
    predicted: FloatArray = unit_field()
    lengths: IntArray = unit_field(default=attrs.Factory(_unknown_lengths, takes_self=True))
    section: IntArray = unit_field(default=attrs.Factory(_zeros, takes_self=True))
    section_names: tuple[str, ...] = ("all",)
    shown_first: NDArray[np.int8] = unit_field(default=attrs.Factory(_ones, takes_self=True))

    @property
    def decisions(self) -> FloatArray:
        """The decisions in both orders, (n, 2)."""
        return self.predicted[:, :_ORDERS]

    @property
    def scores(self) -> FloatArray:
        """The judge's scores of A and B, (n, 2); NaN where it gives none."""
        return self.predicted[:, _ORDERS:]

    @classmethod
    def from_plain(
        cls,
        gold: Sequence[Any] | ArrayLike,
        predicted: Sequence[Any] | ArrayLike,
        *,
        lengths: ArrayLike | None = None,
        sections: Sequence[str] | None = None,
        shown_first: ArrayLike | None = None,
        **declared: Any,
    ) -> Self:
        """Make a batch from words or signs; it may be empty.

        Parameters
        ----------
        gold : sequence
            A, B or tie for each pair (or A>B, B>A, A=B, or 1, -1, 0).
        predicted : sequence
            For each pair one decision, or the decisions in both orders; None where the judge decided nothing.
        lengths : (n, 2) array_like, optional
            The lengths of A and B, in any unit.
        sections : sequence of str, optional
            The section of each pair.
        shown_first : (n,) array_like, optional
            See `Preferences`; by default A is shown first.

        Raises
        ------
        DataError
            If a value is no decision, the gold of a pair is not decided, or the numbers of pairs differ.
        """
        truth, answers = gold_preferences(gold), decisions_of(predicted)
        names = ["all"] * len(truth) if sections is None else list(sections)
        if len({len(truth), len(answers), len(names)}) > 1:
            what = f"length mismatch: {counted(len(truth), 'gold preference')}, {len(answers)} of the judge"
            raise DataError(f"{what}, {len(names)} sections", remedy="give all sides the same pairs in the same order")
        optional = {"lengths": (lengths, np.int64), "shown_first": (shown_first, np.int8)}
        given = {name: np.asarray(values, dtype) for name, (values, dtype) in optional.items() if values is not None}
        section, section_names = labels_to_index(names)
        ids = np.arange(len(truth))
        return cls(
            ids=ids, gold=truth, predicted=answers, section=section, section_names=section_names or ("all",), **given
        )

    @classmethod
    def pair(cls, *, ids: IntArray, gold: NDArray[Any], predicted: FloatArray, best: Best = "high") -> Self:
        """Make a batch from aligned sides.

        Parameters
        ----------
        gold : (n,) array
            Signs, or records with the fields ``preference``, ``lengths``, ``section`` (text) and ``shown_first``; of
            decisions (n, 4), as of plain files, the first.
        predicted : (n, 4) float64
        """
        truth = _signs(gold)
        if gold.dtype.names is None:
            return cls(ids=ids, gold=truth, predicted=predicted)
        section, names = labels_to_index(gold["section"].tolist())
        return cls(
            ids=ids,
            gold=truth,
            predicted=predicted,
            lengths=gold["lengths"],
            section=section,
            section_names=names or ("all",),
            shown_first=gold["shown_first"],
        )

    @classmethod
    def worst_answers(cls, gold: NDArray[Any], predicted: FloatArray) -> FloatArray:
        """Return decisions for the worse answer, in the orders that the submission was asked in; against a tie, A."""
        truth = _signs(gold)
        if not len(predicted):
            raise DataError("a submission without any answer was asked in no order", remedy="remove it")
        worst = np.full((len(truth), 2 * _ORDERS), np.nan)
        wrong = np.where(truth == 0, 1.0, -truth)
        asked = (predicted[:, :_ORDERS] != NOT_ASKED).any(axis=0)
        worst[:, :_ORDERS] = np.where(asked, wrong[:, None], NOT_ASKED)
        return worst

    def gold_warning(self) -> str:
        """Return a warning if all pairs are ties, or if the answer that is shown first is always the better one."""
        if not len(self):
            return ""
        if not self.gold.any():
            return ALL_TIED
        always = self.gold[0] != 0 and (self.gold == self.gold[0]).all() and self.shown_first.all()
        side = "A" if self.gold[0] > 0 else "B"
        return f"the gold always prefers {side}: a judge that always does so is right everywhere" if always else ""

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the decisions and scores of the pairs where `mask`, (n,), is true."""
        return swapped(self, other, mask)


def _signs(gold: NDArray[Any]) -> NDArray[np.int8]:
    """Return the gold preferences, (n,), of signs, of records or of decisions (n, 4)."""
    if gold.dtype.names is not None:
        gold = gold["preference"]
    return (gold if gold.ndim == 1 else gold[:, 0]).astype(np.int8)


def gold_preferences(values: Sequence[Any] | ArrayLike) -> NDArray[np.int8]:
    """Return +1, 0 or -1 for each pair, (n,) int8.

    Raises DataError if a pair has more than one preference, or none; the message names the first.
    """
    codes = decisions_of(values)
    several = (codes[:, 1] != NOT_ASKED) & (codes[:, 1] != codes[:, 0])
    wrong = np.flatnonzero(several | (codes[:, 0] == NO_DECISION))
    if len(wrong):
        what = f"the gold of the pair at position {wrong[0]} is not one preference"
        raise DataError(what, remedy="write A, B or tie")
    return codes[:, 0].astype(np.int8)


def decisions_of(values: Sequence[Any] | ArrayLike) -> FloatArray:
    """Return decisions and scores, (n, 4), as `Preferences` has them.

    Parameters
    ----------
    values : sequence
        For each pair one decision in the first order, or a list of the decisions in both orders, which may end with the
        scores of A and B.

    Raises
    ------
    DataError
        If a value is no decision, or a pair was not judged in the first order; the message names the first.
    """
    if values is None or isinstance(values, str):
        raise DataError("decisions must be a list with one entry for each pair", remedy=_SHAPE)
    rows = [_row(value, position) for position, value in enumerate(_listed(values))]
    return np.array(rows, dtype=np.float64).reshape(-1, 2 * _ORDERS)


def _listed(values: Any) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def _row(value: Any, position: int) -> tuple[float, float, float, float]:
    given = list(value) if isinstance(value, (list, tuple)) else [value]
    if len(given) not in {1, _ORDERS, 2 * _ORDERS}:
        what = f"{counted(len(given), 'decision')} at position {position}"
        raise DataError(what, remedy="give one decision, or one for each order")
    first, second = (_code(decision, position) for decision in [*given[:_ORDERS], NOT_ASKED][:_ORDERS])
    if first == NOT_ASKED:
        raise DataError(f"no decision in the first order at position {position}", remedy=_SHAPE)
    score_a, score_b = given[_ORDERS:] or (np.nan, np.nan)
    return first, second, score_a, score_b


def _code(value: Any, position: int) -> float:
    try:
        return _CODES[value]
    except (KeyError, TypeError):
        raise DataError(f"{value!r} at position {position} is no decision", remedy=_SHAPE) from None

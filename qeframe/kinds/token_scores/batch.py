"""Batches of token scores: a gold of two classes and a predicted number for each token of each sentence."""

from collections.abc import Iterable
from typing import Any, ClassVar, Self

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batch import Batch, Best, BoolArray, unit_field
from qeframe.core.batch import IntArray as Ids
from qeframe.core.errors import DataError, counted
from qeframe.core.ragged import Ragged
from qeframe.data.numbers import finite_numbers
from qeframe.kinds.detections.batch import binary_numbers
from qeframe.kinds.tags.batch import SPELLINGS, exchange_rows_of

_SHAPE = "give a list of sentences, each a list of numbers, one for each token"


@frozen(kw_only=True, eq=False, repr=False)
class TokenScores(Batch):
    """Gold classes and predicted numbers of the tokens of each sentence: explanations of quality estimates.

    Parameters
    ----------
    gold : Ragged of (tokens,) float64
        1 for a token that is BAD, 0 for a token that is OK; one row for each sentence.
    predicted : Ragged of (tokens,) float64
        Finite, with the rows of the gold; high values speak for BAD.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import TokenScores
    >>> qeframe.score("token_auroc", TokenScores.from_plain([[0, 1]], [[0.1, 0.9]]))
    1.0
    """

    unit: ClassVar[str] = "sentence"
    gold: Ragged = unit_field()
    predicted: Ragged = unit_field()

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, **declared: Any) -> Self:
        """Make a batch from two lists of sentences.

        Parameters
        ----------
        gold : sequence of (str or sequence of (str or number))
            The tags of each sentence: OK and BAD, or 0 and 1. A string is split at blanks.
        predicted : sequence of sequence of number

        Raises
        ------
        DataError
            If a tag or a number cannot be used, or the sides differ in the number of sentences or of tokens.
        """
        truth, answers = _ragged(_codes(gold), "gold"), _ragged(predicted, "predicted")
        binary_numbers(truth.values)
        if len(truth) != len(answers):
            what = f"number of sentences differs: {len(truth)} gold and {len(answers)} predicted ones"
            raise DataError(what, remedy="give both sides the same sentences in the same order")
        wrong = np.flatnonzero(truth.lengths != answers.lengths)
        if len(wrong):
            at = int(wrong[0])
            what = f"sentence {at} has {counted(truth.lengths[at], 'gold tag')} and {answers.lengths[at]} numbers"
            raise DataError(what, remedy="give one number for each token")
        return cls(ids=np.arange(len(truth)), gold=truth, predicted=answers)

    @classmethod
    def pair(cls, *, ids: Ids, gold: Ragged, predicted: Ragged, best: Best = "low") -> Self:
        """Make a batch from two aligned sides; gold tags may be the codes of `Tags`."""
        return cls(ids=ids, gold=_as_float(gold), predicted=_as_float(predicted))

    @classmethod
    def worst_answers(cls, gold: Ragged, predicted: Ragged) -> Ragged:
        """Return, for sentences that a submission left out, its lowest number for BAD tokens and its highest for OK."""
        values = predicted.values if len(predicted.values) else np.zeros(1)
        return Ragged(np.where(gold.values == 1, values.min(), values.max()).astype(np.float64), gold.offsets)

    def gold_warning(self) -> str:
        """Return a warning if no sentence has tokens of both classes."""
        positives = self.gold.sum_rows(self.gold.values)
        mixed = (positives > 0) & (positives < self.gold.lengths)
        return (
            "no sentence has both OK and BAD tokens: all scores are undefined" if len(self) and not mixed.any() else ""
        )

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the numbers of the sentences where `mask`, (n,), is true."""
        mine, theirs = exchange_rows_of(self.predicted, other.predicted, mask)
        return attrs.evolve(self, predicted=mine), attrs.evolve(other, predicted=theirs)


def _as_float(side: Ragged) -> Ragged:
    return side if side.values.dtype == np.float64 else Ragged(side.values.astype(np.float64), side.offsets)


def _codes(gold: Any) -> Any:
    """Return gold with tags replaced by 0 and 1; what is no list of sentences is returned as it is."""
    if gold is None or isinstance(gold, str) or not isinstance(gold, Iterable):
        return gold
    return [_codes_of_sentence(row, at) for at, row in enumerate(gold)]


def _codes_of_sentence(row: Any, sentence: int) -> Any:
    tags = row.split() if isinstance(row, str) else row
    if not isinstance(tags, Iterable):
        return tags
    codes = [float(SPELLINGS[tag] == "BAD") if isinstance(tag, str) and tag in SPELLINGS else tag for tag in tags]
    unknown = next((tag for tag in codes if isinstance(tag, str)), None)
    if unknown is not None:
        remedy = f"a tag is one of {', '.join(SPELLINGS)}, or 0 or 1"
        raise DataError(f"unknown tag {unknown!r} in sentence {sentence} of gold", remedy=remedy)
    return codes


def _ragged(side: Any, what: str) -> Ragged:
    """Return the numbers of a side; raise a `DataError` for the first sentence that cannot be used."""
    if side is None or isinstance(side, str) or not isinstance(side, Iterable):
        raise DataError(f"{what} sentences are missing", remedy=_SHAPE)
    rows = [finite_numbers(_sequence(row), f"{what} (sentence {at})", least=0) for at, row in enumerate(side)]
    flat = np.concatenate([np.empty(0), *rows])
    return Ragged.from_lengths(flat, np.array([len(row) for row in rows], dtype=np.int64))


def _sequence(row: Any) -> Any:
    return row if isinstance(row, np.ndarray) else list(row) if isinstance(row, Iterable) else row

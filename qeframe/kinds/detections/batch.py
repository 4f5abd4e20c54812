"""Batches of detections: a gold of two classes and a predicted number for each unit."""

from typing import Any, ClassVar, Self

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike

from qeframe.core.batch import Best, FloatArray
from qeframe.core.errors import DataError
from qeframe.data.numbers import check_same_length, finite_numbers
from qeframe.kinds.answers import range_of
from qeframe.kinds.rare_classes import rare_class_warning
from qeframe.kinds.scores.batch import Scores


@frozen(kw_only=True, eq=False, repr=False)
class Detections(Scores):
    """A gold of two classes and a predicted number for each unit: critical errors, hallucinations, error-free segments.

    Metrics on `Scores` work on detections too: Pearson's correlation is then the point-biserial one.

    Parameters
    ----------
    gold : (n,) float64
        1 for the positive class, which is to be found; 0 for the negative class.
    predicted : (n,) float64
        Finite; high values speak for the positive class. A decision is 1 or 0, a probability is from 0 to 1.
    best : {"low", "high"}
        Which class is good: "low" where errors are to be found, "high" where segments without errors are.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Detections
    >>> qeframe.score("auroc", Detections.from_plain([1, 0, 1, 0], [0.9, 0.1, 0.8, 0.3]))
    1.0
    """

    unit: ClassVar[str] = "segment"

    @classmethod
    def from_plain(cls, gold: ArrayLike | None, predicted: ArrayLike, *, best: Best = "low", **declared: Any) -> Self:
        """Make a batch from two sequences of numbers of the same length, at least one.

        Raises
        ------
        DataError
            If a gold value is not 0 or 1, a value is missing (None, NaN), infinite or not a number, lengths differ, or
            there is none.
        """
        if gold is None:
            raise DataError("gold values are missing", remedy="give 1 for each positive unit and 0 for the others")
        truth = binary_numbers(finite_numbers(gold, "gold", least=1))
        answers = finite_numbers(predicted, "predicted", least=1)
        check_same_length(len(truth), len(answers))
        return cls(ids=np.arange(len(truth)), gold=truth, predicted=answers, best=best)

    def gold_warning(self) -> str:
        """Return a warning if the gold has only one class, or few positive units among few."""
        positives = int(self.gold.sum())
        if not len(self):
            return ""
        if 0 < positives < len(self):
            return rare_class_warning("units are positive", positives, len(self), len(self))
        absent = "negative" if positives else "positive"
        return f"the gold has no {absent} unit: MCC and kappa are 0 by convention, AUROC is undefined"

    @classmethod
    def worst_answers(cls, gold: FloatArray, predicted: FloatArray) -> FloatArray:
        """Return the lowest predicted number for positive units, and the highest for negative units."""
        low, high = range_of(predicted)
        return np.where(gold == 1, low, high)


def binary_numbers(values: FloatArray) -> FloatArray:
    """Return gold values if all are 0 or 1.

    Raises DataError naming the first value that is not.
    """
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if len(wrong):
        what = f"gold value {values[wrong[0]]:g} at position {wrong[0]} is neither 0 nor 1"
        raise DataError(what, remedy="give 1 for each positive unit and 0 for the others")
    return values

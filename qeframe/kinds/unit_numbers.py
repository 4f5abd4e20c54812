"""Numbers of units that several kinds compare with the gold: z-scores, and shares that are marked as errors."""

import numpy as np
from attrs import frozen

from qeframe.core.batch import BoolArray, FloatArray, IntArray


@frozen(kw_only=True, eq=False)
class UnitNumbers:
    """Numbers of the units of a batch, which can be compared with the gold.

    There are m = n numbers for n units, or m = n * k for a kind that is `crossed`, with k systems: row by row. NaN is a
    missing number.

    Parameters
    ----------
    answers : (m,) float64
        Of the submission.
    gold : (m,) float64, optional
        Of the gold, where the kind has one.
    gaps : (m,) float64, optional
        How far answer and gold are apart, at least 0.
    sizes : (m,) float64, optional
        Of how many parts of a unit (tokens, characters) the numbers are percentages.
    values : str
        What the numbers are.
    measure : str
        What the mean of `gaps` over submissions is.
    ends : (float, float), optional
        The ends of an axis of the numbers. Without them the numbers are those that were handed in: they have an axis of
        their own range, and the figure of correlations shows them.
    text : str
        Which side of `Batch.contents` is shown beside a unit; empty for none.
    """

    answers: FloatArray
    gold: FloatArray | None = None
    gaps: FloatArray | None = None
    sizes: FloatArray | None = None
    values: str = "value"
    measure: str = ""
    ends: tuple[float, float] | None = None
    text: str = ""


def z_scores(values: FloatArray) -> FloatArray:
    """Return the z-scores of the finite values, NaN for the others; all zero for constant values."""
    finite = np.isfinite(values)
    scores, present = np.full_like(values, np.nan), values[finite]
    if len(present):
        centered = present - present.mean()
        deviation = float(centered.std())
        varied = deviation > 1e-12 * float(np.abs(present).max())
        scores[finite] = centered / deviation if varied else 0.0
    return scores


def error_shares(gold: BoolArray, predicted: BoolArray, offsets: IntArray, *, part: str, text: str) -> UnitNumbers:
    """Return the percentage of each unit that the gold marks, that the submission marks, and that one alone marks.

    `gold`, `predicted`: whether each token or character is marked as an error, unit after unit.
    `offsets` (n + 1,): where each unit begins. A unit without tokens or characters has no percentage (NaN).
    `part`: what the parts of a unit are, in the plural.
    `text`: which side of the contents of a unit is shown.
    """
    sizes = np.diff(offsets).astype(np.float64)
    # the marks of a unit are the difference of running sums at its ends, which is 0 for an empty one
    counts = (
        np.diff(np.concatenate([[0], np.cumsum(marks)])[offsets]) for marks in (gold, predicted, gold != predicted)
    )
    empty = np.full(len(sizes), np.nan)
    of_gold, of_answers, gaps = (np.divide(100.0 * c, sizes, out=empty.copy(), where=sizes > 0) for c in counts)
    return UnitNumbers(
        gold=of_gold,
        answers=of_answers,
        gaps=gaps,
        sizes=sizes,
        values=f"% of {part} marked as an error",
        measure=f"mean % of {part} that only one side marks",
        ends=(0.0, 100.0),
        text=text,
    )

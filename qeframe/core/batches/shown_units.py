"""What pages, figures and tables show of single units, as a batch states it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray


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
        their own range, and figures of distributions and scatter plots show them.
    text : str
        Which side of `Batch.contents` is shown beside a unit; empty for none.
    """

    answers: NDArray[np.float64]
    gold: NDArray[np.float64] | None = None
    gaps: NDArray[np.float64] | None = None
    sizes: NDArray[np.float64] | None = None
    values: str = "value"
    measure: str = ""
    ends: tuple[float, float] | None = None
    text: str = ""


@frozen
class Mark:
    """A marked stretch of a text: where it starts and ends (exclusive), its severity, its category or ""."""

    start: int
    end: int
    severity: str
    category: str = ""


@frozen(kw_only=True)
class MarkedText:
    """The text of one unit with what both sides mark in it.

    Parameters
    ----------
    text : str
        A character is "·" where the text is not known.
    known : bool
        Whether the text is known.
    sides : sequence of (str, sequence of Mark)
        The gold and the submission, each with its name and its marks in the order of the file.
    faults : sequence of str
        What is said of the whole unit, such as "omission in gold: major".
    """

    text: str
    known: bool
    sides: Sequence[tuple[str, Sequence[Mark]]]
    faults: Sequence[str] = ()

"""What pages, figures and tables show of single units, as a batch states it."""

from __future__ import annotations

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
        their own range, and the figure of correlations shows them.
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

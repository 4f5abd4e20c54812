"""The exact test of two metrics when the outcomes of pairs are exchanged instead of scores: a sign test.

Under the exchange of outcomes, each pair of systems on which exactly one of two metrics is right goes to either of them
with equal chance. The number that goes to the first is binomial: no draws are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from qeframe.batch import FloatArray
from qeframe.errors import DataError
from qeframe.grid import Grid
from qeframe_agreement.calibration import calibrate
from qeframe_agreement.cells import ACC23
from qeframe_agreement.pairing import item_pairs

__all__ = ["count_outcomes", "sign_p_values"]


def count_outcomes(
    batches: Sequence[Grid], *, epsilon: float | Literal["calibrated"] | Sequence[float] = "calibrated"
) -> FloatArray:
    """Count the pairs of systems within items that one metric gets right and another one wrong.

    Parameters
    ----------
    batches : sequence of Grid
        With the same gold and the same cells.
    epsilon : float, sequence of float or "calibrated"
        The threshold of ties, one for all metrics or one for each; calibrated: each at its own best one.

    Returns
    -------
    (metrics, metrics) float64
        Row right, column wrong; 0 on the diagonal. Every pair counts alike: the difference of two entries is that of
        `acc_eq` times the number of pairs if all items have as many pairs.

    Raises
    ------
    DataError
        If the grids differ in gold or cells.
    """
    pairs = item_pairs(batches[0], ACC23)
    counted, right = pairs.counted, []
    for nth, batch in enumerate(batches):
        if (
            not np.array_equal(batch.gold, batches[0].gold, equal_nan=True)
            or (batch.present != batches[0].present).any()
        ):
            raise DataError(f"metric {nth} is on another gold, or lacks other cells, than metric 0")
        if isinstance(epsilon, str):
            threshold = calibrate(batch, ACC23)[0]
        else:
            threshold = float(np.broadcast_to(np.asarray(epsilon, dtype=np.float64), len(batches))[nth])
        right.append(pairs.outcome(pairs.differences(batch.predicted), threshold)[counted])
    matrix = np.stack(right).astype(np.float32)  # counts below 2**24 are exact
    return np.asarray(matrix @ (1 - matrix).T, dtype=np.float64)


def sign_p_values(wins: ArrayLike, losses: ArrayLike, *, sided: Literal["one", "two"] = "two") -> FloatArray:
    """Return the exact p-values of the sign test.

    Parameters
    ----------
    wins, losses : array_like of int
        How often the first one was right and the second one wrong, and the reverse.
    sided : {"one", "two"}
        one: for the claim that the first one is better.

    Returns
    -------
    float64 array
        In (0, 1]; 1 without any difference.
    """
    from scipy.special import bdtr

    won, lost = np.asarray(wins, dtype=np.int64), np.asarray(losses, dtype=np.int64)
    above = bdtr(lost.astype(np.float64), won + lost, 0.5)  # the law is symmetric: P(X >= won) = P(X <= lost)
    if sided == "one":
        return np.asarray(above, dtype=np.float64)
    below = bdtr(won.astype(np.float64), won + lost, 0.5)
    return np.minimum(1.0, 2 * np.minimum(above, below))

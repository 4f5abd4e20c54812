"""Outcomes: the pairs of systems within items that one metric gets right and another one wrong.

Under the exchange of outcomes, each pair of systems on which exactly one of two metrics is right is credited to either
of them with equal chance. The number credited to the first is binomial: the test `sign` needs no draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from qeframe.plugin import DataError, FloatArray, Grid
from qeframe_agreement.accuracy.tie_calibration import calibrate
from qeframe_agreement.grids.pairing import item_pairs
from qeframe_agreement.tie_tables import ACC23


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

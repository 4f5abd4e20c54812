"""The exchange of cells under Pearson's correlation over all cells, for all pairs of submissions at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import FloatArray, Grid, IntArray
from qeframe.plugin.resampling import bounded_slices
from qeframe_agreement.exchanges.axes import standardized

_NOISE = 1e-13
"""A variance below this share of the second moment is rounding noise of a constant."""
_ARRAYS = 6
"""How many tables of submissions by submissions a draw needs at once."""


@frozen(eq=False)
class PearsonExchange:
    """Sums of scores, of their squares and of their products with the gold move from one submission to the other.

    The gold is centered over the cells, so that the third sum is the covariance.

    Parameters
    ----------
    sums : (units, 3 * S) float64
        Of every unit that is swapped, a cell or a system: the scores of all submissions, squares, products.
    count : int
        The number of cells.
    spread : float
        The sum of the squares of the centered gold; 0 if it is constant.
    """

    sums: FloatArray
    count: int
    spread: float

    @property
    def cells(self) -> int:
        """How many units are swapped."""
        return len(self.sums)

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        moved = (masks.astype(np.float64) @ self.sums).reshape(len(masks), 3, -1)
        kept = self.sums.sum(axis=0).reshape(3, -1) - moved
        differences = np.empty((len(masks), len(first)))
        for part in bounded_slices(len(masks), _ARRAYS * moved.shape[-1] ** 2):
            scores = self._scores(kept[part], moved[part])
            differences[part] = scores[:, first, second] - scores[:, second, first]
        return differences

    def _scores(self, kept: FloatArray, moved: FloatArray) -> FloatArray:
        """Return the correlations of mixtures, (draws, keeping, giving)."""
        total, squares, covariance = (kept[:, k, :, None] + moved[:, k, None, :] for k in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = squares - total**2 / self.count
            r = np.clip(covariance / np.sqrt(variance * self.spread), -1.0, 1.0)
        return np.where(variance > _NOISE * squares, r, np.nan)


def pearson_exchange(batches: Sequence[Grid], *, by_system: bool, standardize: bool) -> PearsonExchange:
    """Return the exchange of single cells, or of systems, of submissions that have the same cells."""
    there = batches[0].present
    middle = 0.0 if standardize else float(np.mean([batch.pivot[1] for batch in batches]))
    chosen = standardized(batches) if standardize else batches
    gold = np.where(there, batches[0].gold, 0.0)
    shifted = gold - batches[0].pivot[0]
    centered = np.where(there, shifted - shifted[there].mean(), 0.0) if there.any() else gold
    scores = np.stack([np.where(there, batch.predicted - middle, 0.0) for batch in chosen], axis=-1)
    sums = np.concatenate([scores, scores**2, scores * centered[..., None]], axis=-1)
    spread = float((centered**2).sum())
    varied = spread > _NOISE * float((shifted[there] ** 2).sum())
    return PearsonExchange(
        np.ascontiguousarray(sums.sum(axis=0) if by_system else sums.reshape(-1, sums.shape[-1])),
        int(there.sum()),
        spread if varied else np.nan,
    )

"""Soft pairwise accuracy where no item has all systems: two systems are compared on the items that both have."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import DataError, FloatArray, Grid, Metric
from qeframe.plugin.resampling import Exchange, Standardize, flatten_draws
from qeframe_agreement.exchanges.axes import Axis, Bind, GridExchange, make_stacked, same_cells, standardized
from qeframe_agreement.soft_accuracy.p_values import closed_exchange, keyed_signs, p_of_draws

_SLACK = 1e-12


@frozen(eq=False)
class CommonItems:
    """Soft pairwise accuracy as a statistic of differences of systems in single items."""

    gold: FloatArray  # (pairs, n), 0 where an item lacks one of the two systems
    predicted: FloatArray
    ids: bytes  # of the items, which the signs are keyed by
    draws: int
    units: int
    unit: str

    def __call__(self, weights: FloatArray) -> FloatArray:
        signs = keyed_signs(self.ids, self.draws)
        scores = [self._score(row, signs) for row in flatten_draws(weights)]
        return np.reshape(scores, weights.shape[:-1])

    def _score(self, weights: FloatArray, signs: FloatArray) -> float:
        apart = _p_values(self.gold * weights, signs) - _p_values(self.predicted * weights, signs)
        return float(1.0 - np.abs(apart).mean()) if len(apart) else np.nan


def _p_values(differences: FloatArray, signs: FloatArray) -> FloatArray:
    """Return the one-sided p-values of all pairs, (pairs,), under exchanges of items by signs (draws, n)."""
    slack = _SLACK * np.abs(differences).sum(axis=1).max(initial=1e-300)
    return p_of_draws(differences.sum(axis=1)[None], (differences @ signs.T)[None], np.array([[slack]]))[0]


def _differences(batch: Grid) -> tuple[FloatArray, FloatArray]:
    first, second = np.triu_indices(batch.systems, 1)
    both = (batch.present[:, first] & batch.present[:, second]).T
    gold, predicted = (
        np.ascontiguousarray(np.where(both, (side[:, first] - side[:, second]).T, 0.0))
        for side in (batch.gold, batch.predicted)
    )
    return gold, predicted


def _common(batch: Grid) -> FloatArray:
    """Return the number of common items of each pair of systems, (pairs,)."""
    present = batch.present.astype(np.float64)
    return (present.T @ present)[np.triu_indices(batch.systems, 1)]


def _bind(draws: int, least: int, batch: Grid) -> CommonItems:
    common = _common(batch)
    if len(common) and common.min() < least:
        few = int((common < least).sum())
        what = f"{few} of {len(common)} pairs of systems have fewer than {least} common items, one {common.min():.0f}"
        raise DataError(f"spa: {what}", remedy="leave out systems with few items, or set least")
    ids = batch.ids.astype(np.int64).tobytes()
    return CommonItems(*_differences(batch), ids, draws, len(batch), batch.unit)


def _details(batch: Grid) -> Mapping[str, Any]:
    common = _common(batch)
    fewest, middle = (float(common.min()), float(np.median(common))) if len(common) else (np.nan, np.nan)
    return {"pairs": float(len(common)), "fewest_common_items": fewest, "median_common_items": middle}


def _along(bind: Bind, batches: Sequence[Grid], axis: Axis, standardize: Standardize) -> Exchange:
    if axis == "segment" and same_cells(batches):
        return closed_exchange(standardized(batches) if standardize else batches, common=True)
    return make_stacked(batches, bind, axis, standardize)


def _exchange(bind: Bind, batches: Sequence[Grid]) -> GridExchange:
    make = partial(_along, bind, batches)
    return GridExchange(len(batches[0]), partial(make, "segment", False), make)


def of_common_items(metric: Metric, permutations: int, least: int) -> Metric:
    """Return soft pairwise accuracy on common items in the place of that on complete ones."""
    bind = partial(_bind, permutations, least)
    return attrs.evolve(metric, bind=bind, exchange=partial(_exchange, bind), details=_details)

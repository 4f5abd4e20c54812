"""Pearson's correlation of the differences of systems within items."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import Additive, FloatArray, Grid, IntArray, Metric, additive
from qeframe.plugin.resampling import Exchange, additive_exchange, bounded_slices, from_first
from qeframe_agreement.exchanges.axes import Axis, CellExchange, GridExchange, make_stacked, same_cells, standardized

_NOISE = 1e-13  # a sum of squared differences below this share of the sum of squares is rounding noise of equal scores

_ARRAYS = 4
"""How many arrays of one number a draw, item and submission live at once: sums kept and given, and their blocks."""


def _centered(side: FloatArray, present: FloatArray) -> FloatArray:
    """Return scores less the mean of their item, (n, systems); 0 where a cell is missing, exactly 0 for constants."""
    shifted = from_first(np.where(present > 0, side, 0.0), present)
    count = np.maximum(present.sum(axis=1, keepdims=True), 1.0)
    return np.where(present > 0, shifted - shifted.sum(axis=1, keepdims=True) / count, 0.0)


def _rows(batch: Grid) -> FloatArray:
    """Return the sums over the pairs of each item: products of differences, squares of both sides, (n, 3)."""
    present = batch.present.astype(np.float64)
    x, y = (_centered(side, present) for side in (batch.gold, batch.predicted))
    count = present.sum(axis=1)
    return np.stack([count * (a * b).sum(axis=1) for a, b in ((x, y), (x, x), (y, y))], axis=1)


def _score(sums: FloatArray) -> FloatArray:
    """Return the correlations from sums (..., 3)."""
    product, human, metric = (sums[..., column] for column in range(3))
    varied = (human > 0) & (metric > 0)
    spread = np.sqrt(np.where(varied, human, 1.0)) * np.sqrt(np.where(varied, metric, 1.0))
    return np.where(varied, np.clip(product / spread, -1.0, 1.0), np.nan)


@frozen(kw_only=True, eq=False)
class DifferenceExchange(CellExchange):
    """The exchange of cells or systems: sums of cells move from one metric to the other.

    With t the sum of an item's scores after an exchange, the squared differences of its pairs sum to count * sum of
    squares - t^2. Of two metrics t is a sum kept plus a sum received, and |kept + received|^2 over all items needs one
    product for all pairs of submissions.
    """

    # The gold is less the mean of the item, scores less a number of the item; both are 0 where a cell is missing.
    count: FloatArray  # how many cells each item has, (n,)

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        differences = np.empty((len(masks), len(first)))
        for part in bounded_slices(len(masks), _ARRAYS * (self.predicted[..., 0].size + len(self.predicted) ** 2)):
            scores = self._scores(masks[part].astype(np.float64))
            differences[part] = scores[:, first, second] - scores[:, second, first]
        return differences

    def _scores(self, masks: FloatArray) -> FloatArray:
        """Return the scores, (draws, S, S), of submissions (rows) that receive swapped cells of others (columns)."""
        swapped = self.swapped(masks)
        weighted = self.count[:, None] * self.predicted
        product, square = (self._mixed(swapped, cells) for cells in (weighted * self.gold, weighted * self.predicted))
        given = (swapped.transpose(1, 0, 2) @ self.predicted.transpose(1, 2, 0)).transpose(1, 2, 0)
        kept = self.predicted.sum(axis=2) - given
        of_kept, of_given = ((side * side).sum(axis=2) for side in (kept, given))
        # over the pairs of an item, squared differences sum to count times the squares less the square of the sum
        total = of_kept[:, :, None] + of_given[:, None] + 2 * (kept @ given.swapaxes(1, 2))
        metric = np.where(square - total > _NOISE * square, square - total, 0.0)
        human = np.full_like(metric, (self.count[:, None] * self.gold**2).sum())
        return _score(np.stack([product, human, metric], axis=-1))

    @staticmethod
    def _mixed(swapped: FloatArray, cells: FloatArray) -> FloatArray:
        """Return the sums over all cells, (draws, S, S), kept by the row and received from the column."""
        flat = cells.reshape(len(cells), -1)
        given = swapped.reshape(len(swapped), -1) @ flat.T
        return np.asarray((flat.sum(axis=1) - given)[:, :, None] + given[:, None])


_bind = additive(columns=("product", "human", "metric"), extract=_rows, score=_score)


def _along(batches: Sequence[Grid], axis: Axis, standardize: bool) -> Exchange:
    chosen = standardized(batches) if standardize else batches
    if axis == "segment":
        return additive_exchange([Additive(_rows(batch), _score, batch.unit) for batch in chosen])
    if not same_cells(batches):
        return make_stacked(batches, _bind, axis, standardize)
    present = batches[0].present.astype(np.float64)
    count = present.sum(axis=1)
    sides = np.stack([np.where(present > 0, batch.predicted, 0.0) for batch in chosen])
    middle = sides.sum(axis=(0, 2)) / np.maximum(len(chosen) * count, 1.0)
    return DifferenceExchange(
        gold=_centered(batches[0].gold, present), predicted=(sides - middle[:, None]) * present, count=count, axis=axis
    )


def _exchange(batches: Sequence[Grid]) -> GridExchange:
    make = partial(_along, batches)
    return GridExchange(len(batches[0]), partial(make, "segment", False), make)


pairwise_difference_pearson = Metric(
    name="pairwise_difference_pearson",
    summary="Pearson's correlation of differences of systems within items; undefined if a side has none",
    source="mt-metrics-eval (2025), PDP",
    formula=r"\frac{\sum_{i} \sum_{s < t} (x_{is} - x_{it})(y_{is} - y_{it})}{\sqrt{\sum_{i} \sum_{s < t} (x_{is} - "
    r"x_{it})^2} \sqrt{\sum_{i} \sum_{s < t} (y_{is} - y_{it})^2}}",
    symbols="$y_{is}$ is the human score of system $s$ on item $i$, $x_{is}$ that of the metric; $s < t$ are the "
    "pairs of systems that both have a cell. Each pair counts in both orders, so that the mean difference is 0.",
    kind=Grid,
    bind=_bind,
    smooth=True,
    exchange=_exchange,
    bounds=(-1.0, 1.0),
    working_scale="arctanh",
    claims=("constant_proof", "blind_proof", "location_scale_invariant"),
    known_weaknesses={"cosmetic": 0.11},
)
"""Pearson's correlation of human and metric differences over all pairs of systems within items (PDP).

Both orders of a pair count, so that the mean difference is 0: the score is the sum of products of differences over the
root of the product of both sums of squares. These are three sums for each item. A pair with a missing cell is left out.
Undefined (NaN) if a side has no difference in any item.
"""

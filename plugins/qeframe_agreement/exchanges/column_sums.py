"""Exchanges of metrics that depend on sums over each system's column: by items, by cells, by systems.

A swap of a cell moves its contribution from the sums of one metric to those of the other. A draw is then a product of
masks and cells, system by system, and no statistic is bound again.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import Additive, CapabilityError, FloatArray, Grid, IntArray
from qeframe.plugin.resampling import Exchange, OutcomeExchange, additive_exchange, bounded_slices
from qeframe_agreement.exchanges.axes import Axis, GridExchange, standardized

Score = Callable[[FloatArray], FloatArray]
_ARRAYS = 4  # how many arrays of one number a pair, draw and system live at once: sums kept and received, on both sides


@frozen(eq=False)
class ColumnExchange:
    """The exchange of cells or systems: contributions move from sums to sums."""

    rows: FloatArray  # what each cell of each of S submissions adds to the k sums of its system, (systems, n, S, k)
    score: Score  # from sums (..., k * systems), kind after kind, to scores (...)
    by_cell: bool  # whether single cells are swapped, not whole systems

    @property
    def cells(self) -> int:
        """One cell for each system, or for each cell of the grid."""
        systems, items = self.rows.shape[:2]
        return items * systems if self.by_cell else systems

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        total = self.rows.sum(axis=1)[None]
        moved = self._moved(masks.astype(np.float64), total)
        kept = total - moved
        differences = np.empty((len(masks), len(first)))
        for part in bounded_slices(len(first), _ARRAYS * len(masks) * total[0, :, 0].size):
            a, b = first[part], second[part]
            mine, theirs = kept[:, :, a] + moved[:, :, b], kept[:, :, b] + moved[:, :, a]
            differences[:, part] = self._score(mine) - self._score(theirs)
        return differences

    def _moved(self, masks: FloatArray, total: FloatArray) -> FloatArray:
        """Return the sums of the swapped cells, (draws, systems, S, k)."""
        if not self.by_cell:
            return masks[:, :, None, None] * total
        systems, items, submissions, kinds = self.rows.shape
        by_system = masks.reshape(-1, items, systems).transpose(2, 0, 1)
        moved = by_system @ self.rows.reshape(systems, items, submissions * kinds)
        return moved.reshape(systems, -1, submissions, kinds).transpose(1, 0, 2, 3)

    def _score(self, sums: FloatArray) -> FloatArray:
        """Return the scores, (draws, pairs), of sums (draws, systems, pairs, k)."""
        ordered = sums.transpose(0, 2, 3, 1)
        return self.score(ordered.reshape(*ordered.shape[:2], -1))


def column_exchange(
    bind: Callable[[Grid], Additive],
    batches: Sequence[Grid],
    *,
    outcomes: Callable[[Grid], tuple[FloatArray, FloatArray]] | None = None,
) -> GridExchange:
    """Return the exchange of a metric whose rows, (n, k * systems), have, kind after kind, one number for each system.

    `outcomes`, for metrics whose score is their mean, are those of all pairs of systems, and which pairs count.
    """
    axes: tuple[Axis, ...] = ("segment", "cell", "system", "pair")
    make = partial(_along, bind, outcomes, batches)
    offered = axes if outcomes else axes[:-1]
    return GridExchange(len(batches[0]), partial(make, "segment", False), make, offered)


def _along(
    bind: Callable[[Grid], Additive],
    outcomes: Callable[[Grid], tuple[FloatArray, FloatArray]] | None,
    batches: Sequence[Grid],
    axis: Axis,
    standardize: bool,
) -> Exchange:
    if axis == "pair":
        assert outcomes is not None, "known by the axes"
        return _by_pair([outcomes(batch) for batch in batches])
    bound = [bind(batch) for batch in (standardized(batches) if standardize else batches)]
    if axis == "segment":
        return additive_exchange(bound)
    items, systems = batches[0].gold.shape
    kinds = bound[0].rows.shape[1] // systems if systems else 1
    rows = np.stack([statistic.rows.reshape(items, kinds, systems) for statistic in bound]).transpose(3, 1, 0, 2)
    return ColumnExchange(np.ascontiguousarray(rows), bound[0].score, axis == "cell")


def _by_pair(outcomes: Sequence[tuple[FloatArray, FloatArray]]) -> OutcomeExchange:
    right, counted = (np.stack(side) for side in zip(*outcomes, strict=True))
    if (counted != counted[0]).any():
        raise CapabilityError("metrics that lack different systems cannot exchange outcomes of pairs")
    pairs = counted[0] > 0
    return OutcomeExchange(right[:, pairs], np.full(int(pairs.sum()), 1 / max(1, int(pairs.sum()))))

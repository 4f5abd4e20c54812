"""Exchanges of outcomes, by one matrix product, and of units through weights, for statistics that are not additive."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batch import Batch, FloatArray, IntArray
from qeframe.core.draws import CELLS_IN_CACHE, bounded_slices
from qeframe.core.exchange import Exchange
from qeframe.core.statistic import Statistic


@frozen(eq=False)
class PairExchange:
    """The exchange of units through weights, for any statistic of weights.

    After an exchange a submission has its own units with the weights 1 - mask, and those of the other submission with
    the weights mask. The units of both are bound once, and all draws are scored together.
    """

    batches: Sequence[Batch]
    bind: Callable[[Any], Statistic]
    recomputes: bool = False

    @property
    def cells(self) -> int:
        """One cell for each unit."""
        return len(self.batches[0])

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        swapped = masks.astype(np.float64)
        kept, received = np.hstack([1 - swapped, swapped]), np.hstack([swapped, 1 - swapped])
        differences = np.empty((len(masks), len(first)))
        for column, (a, b) in enumerate(zip(first, second, strict=True)):
            both = self.bind(self.batches[a].join_units(self.batches[b]))
            differences[:, column] = both(kept)
            differences[:, column] -= both(received)
        return differences


@frozen
class ExchangeByWeights:
    """The ``exchange`` of a metric whose score of the units of two submissions together is defined by their weights.

    Parameters
    ----------
    bind : callable
        That of the metric. It must accept a batch in which ids occur twice.
    recomputes : bool
        Whether scores under other weights take long, so that a test that is chosen by default exchanges nothing.
    """

    bind: Callable[[Any], Statistic]
    recomputes: bool = False

    def __call__(self, batches: Sequence[Batch]) -> Exchange:
        return PairExchange(batches, self.bind, self.recomputes)


_EXACT_IN_FLOAT32 = 2**24


@frozen(eq=False)
class OutcomeExchange:
    """The exchange of outcomes whose weighted sums are the scores: right or wrong, judgment by judgment.

    Parameters
    ----------
    outcomes : (S, m) float64
    weight : (m,) float64
    """

    outcomes: FloatArray
    weight: FloatArray

    @property
    def cells(self) -> int:
        """One cell for each outcome."""
        return self.outcomes.shape[1]

    @cached_property
    def _exact(self) -> tuple[NDArray[Any], float]:
        """Outcomes and a factor; whole numbers in single precision, with exact sums, where all weights are equal."""
        # outcomes such as 1, 1/2 and 1/4 are whole when multiplied by 4; sums of whole numbers below 2^24 are exact
        fourfold, level = 4 * self.outcomes, len(self.weight) > 0 and bool((self.weight == self.weight[0]).all())
        whole = level and bool((fourfold == np.rint(fourfold)).all())
        if whole and np.abs(fourfold).sum(axis=1).max(initial=0.0) < _EXACT_IN_FLOAT32:
            return fourfold.astype(np.float32), float(self.weight[0]) / 4
        return self.outcomes * self.weight, 1.0

    @cached_property
    def _totals(self) -> NDArray[Any]:
        return np.asarray(self._exact[0].sum(axis=1))

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        values, scale = self._exact
        # by parts of the cells, so that masks are made floats in the cache
        moved = np.zeros((len(masks), len(values)), dtype=values.dtype)
        for columns in bounded_slices(self.cells, len(masks) + len(values), most=CELLS_IN_CACHE * 2):
            moved += masks[:, columns].astype(values.dtype) @ values[:, columns].T
        # (sum_a - moved_a + moved_b) - (sum_b - moved_b + moved_a) has one term for each submission: sum - 2 moved
        sums = (self._totals - 2 * moved).astype(np.float64)
        return (sums[:, first] - sums[:, second]) * scale

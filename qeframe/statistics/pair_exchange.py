"""Exchanges of units through weights, for statistics that are not additive but take many weights at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batches.base import Batch, FloatArray, IntArray
from qeframe.core.resampling.exchange import Exchange
from qeframe.core.resampling.statistic import Statistic


@frozen(eq=False)
class PairExchange:
    """The exchange of units through weights, for any statistic of weights.

    After an exchange a submission has its own units with the weights 1 - mask, and those of the other submission with
    the weights mask. The units of both are bound once, and all draws are scored together.
    """

    batches: Sequence[Batch]
    bind: Callable[[Any], Statistic]

    @property
    def cells(self) -> int:
        """One cell for each unit."""
        return len(self.batches[0])

    def __call__(self, masks: NDArray[Any], first: IntArray, second: IntArray) -> FloatArray:
        swapped = masks.astype(np.float64)
        mine, theirs = np.hstack([1 - swapped, swapped]), np.hstack([swapped, 1 - swapped])
        differences = np.empty((len(masks), len(first)))
        for column, (a, b) in enumerate(zip(first, second, strict=True)):
            both = self.bind(self.batches[a].join_units(self.batches[b]))
            differences[:, column] = both(mine) - both(theirs)
        return differences


@frozen
class ExchangeByWeights:
    """The ``exchange`` of a metric whose score of the units of two submissions together is defined by their weights.

    Parameters
    ----------
    bind : callable
        That of the metric. It must accept a batch in which ids occur twice.
    """

    bind: Callable[[Any], Statistic]

    def __call__(self, batches: Sequence[Batch]) -> Exchange:
        return PairExchange(batches, self.bind)

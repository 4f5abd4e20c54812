"""Results in place of blocks which are computed elsewhere.

A shard goes through the whole evaluation, to find which blocks there are. It needs results of the right shape, and gets
them from very few draws. It goes on with these few alone, since what is made from them is not kept.
"""

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from qeframe.core.resampling.draws import DrawBlock

FEW = 8
"""From so many draws the others are repeated."""


def draws_of(item: Any) -> int | None:
    """Return how many draws an item has; None if it is not a block of draws, or several."""
    if isinstance(item, DrawBlock):
        return item.draws
    if isinstance(item, Sequence) and item and all(isinstance(block, DrawBlock) for block in item):
        return sum(block.draws for block in item)
    return None


def few_draws(item: Any, draws: int) -> Any:
    """Return the first draws of an item."""
    block = item if isinstance(item, DrawBlock) else item[0]
    first = attrs.evolve(block, draws=min(draws, block.draws))
    return first if isinstance(item, DrawBlock) else [first]


def placeholder(work: Callable[[Any], Any], item: Any) -> Callable[[int], Any] | None:
    """Return a function from a number of draws to a result of the right shape; None if there is none.

    A result has a row for each draw, or the same shape for any number of draws, such as counts.
    """
    single, few = work(few_draws(item, 1)), work(few_draws(item, FEW))
    if not (isinstance(single, np.ndarray) and isinstance(few, np.ndarray)):
        return None
    first = few_draws(item, FEW)
    drawn = draws_of(first) or 1
    if single.shape == few.shape and drawn > 1:
        return lambda draws: few.copy()
    if drawn == 1 or (len(single) == 1 and len(few) == drawn):
        return lambda draws: np.resize(few, (draws, *few.shape[1:]))
    return None

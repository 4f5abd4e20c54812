"""The power in samples of other sizes, drawn from the units that there are: a check of power curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import FloatArray
from qeframe.core.resampling.draws import DrawBlock, Key, bootstrap_counts, draw_blocks
from qeframe.core.resampling.parallel import Runner

Weighted = Callable[[FloatArray], FloatArray]


@frozen(kw_only=True)
class PowerInDraws:
    """The share of drawn samples in which the difference of a pair is large enough.

    Parameters
    ----------
    size : int
        How many units a sample has, over all tasks.
    power : float
        The share.
    error : float
        Its standard error from the number of draws.
    """

    size: int
    power: float
    error: float


def nested_scores(
    weighted: Weighted, sizes: Sequence[int], drawn: Sequence[int], *, draws: int, key: Key, runner: Runner
) -> FloatArray:
    """Return the oriented scores in samples that are drawn with replacement, (draws, S).

    Parameters
    ----------
    weighted : callable
        From weights (b, n) to oriented scores (b, S); n is the sum of `sizes`.
    sizes : sequence of int
        How many units each task has.
    drawn : sequence of int
        How many units of each task a sample has.
    draws : int
    key : tuple of int
        Of the stream of draws.
    runner : Runner
    """
    # the number of draws in a block is bounded by the widest array of a task, and is the same for all tasks
    widest = max(sum(sizes), *drawn)
    streams = [list(draw_blocks((*key, nth), draws, widest)) for nth in range(len(sizes))]
    work = partial(_scores_of_blocks, weighted, tuple(sizes), tuple(drawn))
    return np.concatenate(runner.map(work, list(zip(*streams, strict=True))))


def _scores_of_blocks(
    weighted: Weighted, sizes: Sequence[int], drawn: Sequence[int], blocks: Sequence[DrawBlock]
) -> FloatArray:
    counts = [bootstrap_counts(block, units, size) for block, units, size in zip(blocks, sizes, drawn, strict=True)]
    return weighted(np.concatenate(counts, axis=1))


def share_above(differences: FloatArray, thresholds: FloatArray, size: int) -> list[PowerInDraws]:
    """Return the share of draws in which each difference exceeds its threshold.

    Parameters
    ----------
    differences : (draws, pairs) float64
        Undefined ones do not exceed anything.
    thresholds : (pairs,) float64
    size : int
        Of the samples.
    """
    with np.errstate(invalid="ignore"):
        shares = (differences > thresholds).mean(axis=0)
    errors = [math.sqrt(share * (1 - share) / len(differences)) for share in shares]
    return [PowerInDraws(size=size, power=float(s), error=e) for s, e in zip(shares, errors, strict=True)]

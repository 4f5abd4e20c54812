"""Covariances of scores, and scores without groups of units, for all units and within every bootstrap draw."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.components.checks import metric as checked
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.sample import Sample
from qeframe.core.resampling.draws import DrawBlock, bootstrap_counts, draw_blocks, grouped_counts
from qeframe.core.resampling.memory import bounded_slices
from qeframe.core.resampling.standard_errors.draw_errors import covariance_by_influence, without_groups
from qeframe.core.resampling.statistic_stack import StatisticStack

_ARRAYS_OF_INFLUENCE = 3
"""How many arrays of one number a draw, statistic and unit live at once."""

_ARRAYS_OF_GROUPS = 3
"""How many arrays of one number a draw, group and unit live at once."""


def covariances_in_draws(sample: Sample, nth: int, draws: int) -> FloatArray:
    """Return the covariances of the scores of one metric, (1 + draws, S, S): of all units, then of each draw.

    The draws are those of `Sample.drawn_of`, the covariances those of `covariance_by_influence`.

    Raises CapabilityError if units are drawn within drawn groups.
    """
    stack = sample.stack_of(nth)
    whole = covariance_by_influence(stack, np.ones((1, stack.units), dtype=np.int64))
    return _in_draws(sample, nth, draws, whole, partial(_covariances_of_block, stack, *_drawn(sample)))


def without_groups_in_draws(sample: Sample, nth: int, draws: int, groups: int) -> FloatArray:
    """Return the scores of one metric without each group of units, (1 + draws, groups, S).

    Of all units, whose group is their position modulo `groups`, then of each draw of `Sample.drawn_of`.

    Raises CapabilityError if units are drawn within drawn groups.
    """
    stack = sample.stack_of(nth)
    dealt = np.arange(groups)[:, None] == sample.drawn_members % groups
    whole = without_groups(stack, dealt[None].astype(np.int64))
    return _in_draws(sample, nth, draws, whole, partial(_without_groups_of_block, stack, groups, *_drawn(sample)))


def _drawn(sample: Sample) -> tuple[int, IntArray | None]:
    """Return how many units a draw has, and the positions of those of this reading; None if they are all."""
    return sample.drawn_units, sample.joint.members if sample.joint else None


def _in_draws(
    sample: Sample, nth: int, draws: int, whole: FloatArray, compute: Callable[[DrawBlock], FloatArray]
) -> FloatArray:
    """Return what was computed for all units, then what `compute` makes of every block of draws."""
    if sample.is_nested:
        outer = sample.resample.partition("/")[0]
        raise CapabilityError(
            f"bootstrap_t needs a standard error within each draw, and a draw of units within drawn groups "
            f"('{sample.resample}') has none: a group that is drawn twice has other units each time; set "
            f"resample={outer}, or test=bootstrap"
        )
    chunks = list(draw_blocks((*sample.key, 1), draws, sample.drawn_units))
    with checked.statistics_at_work(sample.metrics[nth : nth + 1], len(sample.batches)):
        return np.concatenate([whole, *sample.runner.map(compute, chunks)])


def _covariances_of_block(stack: StatisticStack, units: int, chosen: IntArray | None, block: DrawBlock) -> FloatArray:
    counts = bootstrap_counts(block, units)
    counts = counts if chosen is None else counts[:, chosen]
    parts = bounded_slices(len(counts), _ARRAYS_OF_INFLUENCE * len(stack) * stack.units)
    return np.concatenate([covariance_by_influence(stack, counts[part]) for part in parts])


def _without_groups_of_block(
    stack: StatisticStack, groups: int, units: int, chosen: IntArray | None, block: DrawBlock
) -> FloatArray:
    counts = grouped_counts(block, units, groups)
    counts = counts if chosen is None else counts[:, :, chosen]
    parts = bounded_slices(len(counts), _ARRAYS_OF_GROUPS * groups * stack.units)
    return np.concatenate([without_groups(stack, counts[part]) for part in parts])

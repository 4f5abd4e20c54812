"""Covariances of scores, and scores without groups of units, for all units and within every bootstrap draw."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.components.checks import metric as checked
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.core.resampling.draws import DrawBlock, bootstrap_counts, draw_blocks, grouped_counts
from qeframe.core.resampling.memory import bounded_slices
from qeframe.core.resampling.standard_errors.draw_errors import covariance_by_influence, without_groups
from qeframe.core.resampling.statistic_stack import StatisticStack

_ARRAYS_OF_INFLUENCE = 3
"""How many arrays of one number a draw, statistic and unit live at once."""

_ARRAYS_OF_GROUPS = 3
"""How many arrays of one number a draw, group and unit live at once."""


def covariances_in_draws(scored: ScoredTask, nth: int, draws: int) -> FloatArray:
    """Return the covariances of the scores of one metric, (1 + draws, S, S): of all units, then of each draw.

    The draws are those of `ScoredTask.resampled`, the covariances those of `covariance_by_influence`.

    Raises CapabilityError if units are drawn within drawn groups.
    """
    stack = scored.stack_of(nth)
    whole = covariance_by_influence(stack, np.ones((1, stack.units), dtype=np.int64))
    return _in_draws(scored, nth, draws, whole, partial(_covariances_of_block, stack, *_drawn(scored)))


def without_groups_in_draws(scored: ScoredTask, nth: int, draws: int, groups: int) -> FloatArray:
    """Return the scores of one metric without each group of units, (1 + draws, groups, S).

    Of all units, whose group is their position modulo `groups`, then of each draw of `ScoredTask.resampled`.

    Raises CapabilityError if units are drawn within drawn groups.
    """
    stack = scored.stack_of(nth)
    dealt = np.arange(groups)[:, None] == scored.drawn_members % groups
    whole = without_groups(stack, dealt[None].astype(np.int64))
    return _in_draws(scored, nth, draws, whole, partial(_without_groups_of_block, stack, groups, *_drawn(scored)))


def _drawn(scored: ScoredTask) -> tuple[int, IntArray | None]:
    """Return how many units a draw has, and the positions of those of this reading; None if they are all."""
    return scored.drawn_units, scored.joint.members if scored.joint else None


def _in_draws(
    scored: ScoredTask, nth: int, draws: int, whole: FloatArray, compute: Callable[[DrawBlock], FloatArray]
) -> FloatArray:
    """Return what was computed for all units, then what `compute` makes of every block of draws."""
    if scored.is_nested:
        outer = scored.resample.partition("/")[0]
        raise CapabilityError(
            f"bootstrap_t needs a standard error within each draw, and a draw of units within drawn groups "
            f"('{scored.resample}') has none: a group that is drawn twice has other units each time; set "
            f"resample={outer}, or test=bootstrap"
        )
    chunks = list(draw_blocks((*scored.key, 1), draws, scored.drawn_units))
    with checked.statistics_at_work(scored.metrics[nth : nth + 1], len(scored.batches)):
        return np.concatenate([whole, *scored.runner.map(compute, chunks)])


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

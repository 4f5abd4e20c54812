"""The scores of a term with groups of units left out in every draw, or parts of grids; their covariances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, BoolArray, FloatArray, IntArray
from qeframe.core.draws import DrawBlock, bootstrap_counts, bounded_slices, draw_blocks, grouped_counts
from qeframe.core.errors import CapabilityError
from qeframe.core.sample import Sample
from qeframe.core.scales import GridLeftOut, covariance_by_influence, without_groups
from qeframe.core.statistic import Additive, Statistic, mean_of_sums
from qeframe.core.statistic_stack import StatisticStack

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


_MANY_CELLS = 5_000
"""From this number of cells on whose score is computed again, a notice says that the work may take long."""

Bind = Callable[[Batch], Statistic]


def leave_out_of_grid(bind: Bind, batch: Batch) -> GridLeftOut:
    """Return the score of a submission with each segment, each system and each cell left out in turn.

    `bind`: from a grid to a statistic. It is called on grids that lack cells. `batch`: of a kind that is `crossed`.
    Result: of one statistic. A segment or a system without any cell is not among those left out.

    Notes
    -----
    Where the statistic is additive, a segment without one of its cells has the row of the same segment on the grid
    without that system, since a row depends on its segment alone. All leave-one-out values then follow from one more
    binding for each system. Other statistics are bound again without each cell.

    In a mean over segments every segment counts alike, whichever of its cells is left out. A cell then contributes the
    difference of its segment from the mean too: leaving out one of the S systems of segment i takes away 2 / S of the
    pairs of systems, so that 2 (mean - score of i) / (n (S - 2)) is added.
    """
    whole, present = bind(batch), batch.present
    segments = StatisticStack([whole]).jackknife()[present.any(axis=1)]
    columns = np.flatnonzero(present.any(axis=0)).tolist()
    reduced = [bind(batch.without_cells(_column(present, column))) for column in columns]
    systems = np.array([[_score(statistic)] for statistic in reduced]).reshape(-1, 1)
    if sums_suffice(whole):
        cells = [
            _cells_of_system(whole, statistic, present, column)
            for column, statistic in zip(columns, reduced, strict=True)
        ]
    else:
        cells = [_cells_bound_again(bind, batch, present, column) for column in columns]
    joined = np.concatenate([np.empty(0), *cells])[:, None]
    return GridLeftOut(segments, systems, joined, _factor(whole, len(joined), len(columns)))


def leave_out_of_grids(
    binds: Sequence[Bind], batches: Sequence[Batch], sign: float, on_notice: Callable[[str], None], name: str
) -> GridLeftOut:
    """Return the oriented scores of all submissions on the same cells, with parts of the grid left out in turn.

    `binds`: by submission, from a grid to a statistic.
    `batches`: of a kind that is `crossed`.
    `sign`: 1 if a higher score is better, else -1.
    `on_notice`: called with one line of text before work that may take long.
    `name`: the metric's name, for this line.
    """
    cells = sum(int(batch.present.sum()) for batch in batches)
    if cells >= _MANY_CELLS and not sums_suffice(binds[0](batches[0])):
        on_notice(f"{name} is recomputed without each of {cells:,} cells, which may take long")
    left_out = [leave_out_of_grid(bind, batch) for bind, batch in zip(binds, batches, strict=True)]
    segments, systems, single = (
        sign * np.hstack([getattr(of_grid, axis) for of_grid in left_out]) for axis in ("segments", "systems", "cells")
    )
    return GridLeftOut(segments, systems, single, left_out[0].cell_factor)


def sums_suffice(statistic: Statistic) -> bool:
    """Return whether cells are left out by sums; else the statistic is bound again without each of them."""
    return isinstance(statistic, Additive)


def _factor(statistic: Statistic, cells: int, systems: int) -> float:
    """Return what makes the variance by cells of the squared deviations D^2 of the scores without each cell."""
    if systems < 2:
        return float("nan")
    if _is_mean_over_segments(statistic):
        # a cell changes its own segment alone: the S cells of each segment are a jackknife of their own
        return (systems - 1) / systems
    # the jackknife of N = n S cells, (N - 1) / N sum D^2, divides by N - 1 degrees of freedom; the systems of a segment
    # are compared with each other, so that cells have n (S - 1): times (N - 1) / (n (S - 1)) = (N - 1) / N S / (S - 1)
    return ((cells - 1) / cells) ** 2 * systems / (systems - 1)


def _is_mean_over_segments(statistic: Statistic) -> bool:
    """Return whether the score is `mean_of_sums` itself; the same mean by another function has the general formula."""
    return isinstance(statistic, Additive) and statistic.score is mean_of_sums


def _cells_of_system(whole: Statistic, without: Statistic, present: BoolArray, system: int) -> FloatArray:
    """Return the scores without each cell of one system, (segments that have it,).

    `without`: the statistic of the grid without the system. `present`: of the whole grid.
    """
    mask = present[:, system]
    assert isinstance(whole, Additive)
    assert isinstance(without, Additive)
    rows, others = (_dense(statistic.rows) for statistic in (whole, without))
    total = rows.sum(axis=0)
    left_out = np.asarray(whole.score(total - rows[mask] + others[mask]), dtype=np.float64)
    if not _is_mean_over_segments(whole):
        return left_out
    score, scores = _score(whole), np.asarray(whole.score(rows[mask]), dtype=np.float64)
    systems = present[mask].sum(axis=1)
    share = share_of_segment(rows[mask, 0], total[0])
    few = (systems <= 2) | np.isnan(scores)
    change = 2 / np.where(few, 1, systems - 2) * share * (score - scores)
    return left_out + np.where(few, 0.0, change)


def share_of_segment(counts: FloatArray, total: float) -> FloatArray:
    """Return the share of each segment in the mean, 1 / n where all count alike."""
    return counts / total if total else np.zeros_like(counts)


def _cells_bound_again(bind: Bind, batch: Batch, present: BoolArray, column: int) -> FloatArray:
    scores = []
    for row in np.flatnonzero(present[:, column]):
        left_out = np.zeros_like(present)
        left_out[row, column] = True
        scores.append(_score(bind(batch.without_cells(left_out))))
    return np.array(scores)


def _column(present: BoolArray, column: int) -> BoolArray:
    mask = np.zeros_like(present)
    mask[:, column] = True
    return mask


def _score(statistic: Statistic) -> float:
    return float(statistic(np.ones(statistic.units)))


def _dense(rows: Any) -> FloatArray:
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows)

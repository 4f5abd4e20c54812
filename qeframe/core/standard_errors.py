"""Standard errors from what is left out of a sample, and the scales on which errors are nearest to normal."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batch import Batch, BoolArray, FloatArray, IntArray, is_sparse
from qeframe.core.statistic import Additive, Statistic, mean_of_sums
from qeframe.core.statistic_stack import StatisticStack

WorkingScale = Literal["identity", "arctanh"]
"""identity: the score itself. arctanh: Fisher's z, on which the error of a correlation depends little on its size."""

IntervalScale = WorkingScale | Literal["logit", "log"]
"""As `WorkingScale`; logit: for shares, in (0, 1). log: for positive errors, negated as they are when oriented."""

RANGE_OF_SCALE: Mapping[IntervalScale, tuple[float, float]] = {
    "identity": (-math.inf, math.inf),
    "arctanh": (-1.0, 1.0),
    "logit": (0.0, 1.0),
    "log": (-math.inf, 0.0),
}
"""By scale, the oriented scores that it has values for; those at an end are infinite."""


@frozen(eq=False)
class GridLeftOut:
    """The scores of m statistics on a grid, with parts of the grid left out.

    `segments` (n, m): with each segment left out in turn.
    `systems` (systems, m): with each system left out in turn.
    `cells` (cells, m): with each cell that is present left out in turn, system after system.
    `cell_factor`: what the sum of the squared deviations of `cells` is multiplied by. It corrects for the number of
      systems.
    """

    segments: FloatArray
    systems: FloatArray
    cells: FloatArray
    cell_factor: float

    def changed(self, change: Callable[[FloatArray], FloatArray]) -> GridLeftOut:
        """Return the same with a function of the scores (k, m) applied, such as differences of statistics."""
        with np.errstate(invalid="ignore"):
            return GridLeftOut(change(self.segments), change(self.systems), change(self.cells), self.cell_factor)


_STEP = 1e-2
"""The step of the numerical derivatives, in units of what one typical unit adds to a sum."""

_STENCIL = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
"""Steps k and factors c_k of f'(x) = sum of c_k (f(x + k h) - f(x - k h)) / h, central differences of sixth order.

Their error is 1e-12 of the derivative at this step."""


def influence(stack: StatisticStack, weights: NDArray[Any]) -> FloatArray:
    """Return the derivative of each score by the weight of each unit.

    `stack`: of additive statistics whose scores are smooth functions of their sums. `weights` (draws, n). Result: NaN
    where a score is undefined near the weights.
    """
    assert stack.additive, "scores of sums"
    rows = stack.columns.toarray() if is_sparse(stack.columns) else np.asarray(stack.columns, dtype=np.float64)
    sums = stack.sums(weights)
    # a power of two, so that squares of rows / unit do not vanish
    unit = np.exp2(np.ceil(np.log2(np.max(np.abs(rows), axis=1, initial=1e-300))))
    size = unit * np.sqrt(np.mean((rows / unit[:, None]) ** 2, axis=1))
    step = _STEP * np.where(size > 0, size, 1.0)
    slopes = np.empty((len(stack), len(weights), stack.units))
    for score, where, index in stack.additive_groups:
        at = np.moveaxis(sums[index], 0, -1)  # (m, draws, k)
        gradient = np.zeros_like(at)
        for column in range(at.shape[-1]):
            width = step[index[column]][:, None]
            for times, factor in _STENCIL:
                ends = np.empty((2, *at.shape[:-1]))
                for end, sign in zip(ends, (1, -1), strict=True):
                    moved = at.copy()
                    moved[..., column] += sign * times * width
                    end[...] = score(moved)
                gradient[..., column] += factor * (ends[0] - ends[1])
            gradient[..., column] /= width
        # the chain rule: a unit's weight moves the sums by its row, and the sums move the score
        slopes[where] = gradient @ np.moveaxis(rows[index], 1, 0)
    return np.moveaxis(slopes, 0, 1)


def covariance_by_influence(stack: StatisticStack, weights: NDArray[Any]) -> FloatArray:
    """Return the covariance of the scores of each draw by the infinitesimal jackknife.

    `stack`: as for `influence`. `weights` (draws, n): counts: a unit that was drawn twice counts twice. Returns the sum
    over units of weight x influence x influence, with influences less their weighted mean.

    References
    ----------
    Efron (1982), The jackknife, the bootstrap and other resampling plans, chapter 6.
    """
    counts = np.asarray(weights, dtype=np.float64)[:, None]
    slopes = influence(stack, weights)
    centered = slopes - (counts * slopes).sum(axis=2, keepdims=True) / counts.sum(axis=2, keepdims=True)
    return np.asarray((counts * centered) @ np.swapaxes(centered, 1, 2))


def without_groups(stack: StatisticStack, counts: IntArray) -> FloatArray:
    """Return the scores of each draw with each group of its units left out in turn.

    `counts` (draws, groups, n): how often each unit is in each group. Result: (draws, groups, S).
    """
    own = stack.without_groups
    return stack(counts.sum(axis=1, keepdims=True) - counts) if own is None else own(counts)


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
    columns, every = np.flatnonzero(present.any(axis=0)).tolist(), np.arange(present.shape[1])
    reduced = [bind(batch.without_cells(np.broadcast_to(every == column, present.shape))) for column in columns]
    systems = np.array([[_score(statistic)] for statistic in reduced]).reshape(-1, 1)
    if isinstance(whole, Additive):
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
    if cells >= _MANY_CELLS and not isinstance(binds[0](batches[0]), Additive):
        on_notice(f"{name} is recomputed without each of {cells:,} cells, which may take long")
    left_out = [leave_out_of_grid(bind, batch) for bind, batch in zip(binds, batches, strict=True)]
    segments, systems, single = (
        sign * np.hstack([getattr(of_grid, axis) for of_grid in left_out]) for axis in ("segments", "systems", "cells")
    )
    return GridLeftOut(segments, systems, single, left_out[0].cell_factor)


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
    left_out = np.array(whole.score(total - rows[mask] + others[mask]), dtype=np.float64)
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


def _score(statistic: Statistic) -> float:
    return float(statistic(np.ones(statistic.units)))


def _dense(rows: Any) -> FloatArray:
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows)

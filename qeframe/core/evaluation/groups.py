"""Groups of units: their labels, a statistic of each, and the score that they combine into."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from qeframe.core.batches.base import Batch, FloatArray, IntArray
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.checks.aggregation import aggregate
from qeframe.core.errors import DataError
from qeframe.core.resampling.statistic import Combine, Sliced, Statistic


def labels_of(groups: Mapping[str, Sequence[str]], name: str, unit: str) -> Sequence[str]:
    """Return the labels of a grouping; raise a `DataError` that lists the groupings if there is no such one."""
    if name not in groups:
        known = ", ".join([unit, *sorted(groups)])
        raise DataError(f"there is no grouping '{name}' of the units", remedy=f"choose one of: {known}")
    return groups[name]


def bind_within(
    bind: Callable[[Batch], Statistic],
    members: tuple[IntArray, ...],
    combine: Combine,
    batch: Batch,
) -> Statistic:
    """Return the statistic of a batch whose groups, the positions in `members`, are scored and then combined."""
    parts = tuple(bind(batch.take(units)) for units in members)
    return Sliced(parts, members, combine, len(batch), batch.unit)


def combine_groups(within: Aggregation, higher_is_better: bool, scores: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the combined scores of groups: (..., groups) scores, weights of groups -> (...)."""
    part_weights = weights if weights.ndim == 1 else weights[..., None, :]
    return aggregate(within, scores[..., None, :], part_weights, higher_is_better)[..., 0]

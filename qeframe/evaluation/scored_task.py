"""All metrics on all submissions of one task, resampled and exchanged from one stream of draws.

A `ScoredTask` binds every metric to every submission. Significance tests are given one of its metrics at a time, as a
`ComparableInTask`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.batches.base import Batch, FloatArray, IntArray, check_kind, labels_to_index
from qeframe.batches.ragged import fresh
from qeframe.components.aggregation import Aggregation
from qeframe.components.checks import metric as checked
from qeframe.components.checks.aggregation import aggregate
from qeframe.components.comparable import Scheme
from qeframe.components.metric import Metric
from qeframe.errors import CapabilityError, DataError
from qeframe.resampling.draws import (
    DrawBlock,
    Key,
    bootstrap_counts,
    draw_blocks,
    poisson_counts,
)
from qeframe.resampling.exchange import (
    AxisExchange,
    Exchange,
    GroupedExchange,
    RecomputedExchange,
    Swap,
    exchange_rows,
)
from qeframe.resampling.parallel import Runner
from qeframe.resampling.stack import StatisticStack
from qeframe.resampling.statistic import Combine, Sliced, Statistic, by_group

__all__ = ["ScoredTask"]

AS_RESAMPLED = Swap()
"""The exchange of the units that are resampled."""


@frozen(kw_only=True, eq=False)
class ScoredTask:
    """All metrics on all submissions of one task.

    Parameters
    ----------
    metrics : tuple of Metric
    batches : tuple of Batch
        One for each submission, all on the same units. Every metric is bound to every batch.
    key : tuple of int
        The key of the streams of draws.
    groups : mapping of str to sequence of str
        By grouping, the label of every unit.
    resample : str
        What is resampled and exchanged: "unit", the name of the unit, or a grouping.
    within : Aggregation, optional
        How groups of units combine into a score. None, or an aggregation without ``by``, scores all units at once. If a
        group of such parts is resampled (or one part), the parts keep their scores and a draw weights them. If what is
        resampled lies within parts or across them, every draw recomputes the scores of the parts; a part that has no
        unit in a draw is undefined.
    runner : Runner
    """

    metrics: tuple[Metric, ...]
    batches: tuple[Batch, ...]
    key: Key
    groups: Mapping[str, Sequence[str]] = field(factory=dict)
    resample: str = "unit"
    within: Aggregation | None = None
    runner: Runner = field(factory=Runner)
    _drawn: dict[tuple[int, Scheme], FloatArray] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for metric in self.metrics:
            for batch in self.batches:
                check_kind(batch, metric.kind, f"metric '{metric.name}'")

    @cached_property
    def grouping(self) -> tuple[IntArray, tuple[str, ...]] | None:
        """The group of every unit, (n,), and the labels of the groups; None if single units are resampled."""
        if self.resample in {"unit", self.batches[0].unit}:
            return None
        return labels_to_index(labels_of(self.groups, self.resample, self.batches[0].unit))

    def bind(self, metric: Metric, batch: Batch) -> Statistic:
        """Bind a metric to a batch; combine groups of units if `within` says so."""
        return self._binding(metric, partial(checked.bind, metric))(batch)

    def _binding(self, metric: Metric, bind: Callable[[Batch], Statistic]) -> Callable[[Batch], Statistic]:
        """Return the function that binds a metric. It holds only what it needs, since it is sent to other processes.

        `bind` is the metric's own function, or the same with a check of what it returns: once, not in every draw.
        """
        if self.within is None or not self.within.by:
            return bind
        index, labels = labels_to_index(labels_of(self.groups, self.within.by, self.batches[0].unit))
        members = tuple(np.flatnonzero(index == group) for group in range(len(labels)))
        return partial(_bind_within, bind, members, partial(_combine, self.within, metric.higher_is_better))

    def unit_stack(self, metric: int) -> StatisticStack:
        """Return the statistics of one metric on single units, also if groups are resampled."""
        if self.grouping is None and len(self.metrics) == 1:
            return self.stack
        return StatisticStack([self.bind(self.metrics[metric], batch) for batch in self.batches])

    @cached_property
    def stack(self) -> StatisticStack:
        """All statistics, metric after metric, on the units that are resampled."""
        return StatisticStack([self._regrouped(self.bind(m, batch)) for m in self.metrics for batch in self.batches])

    def _regrouped(self, statistic: Statistic) -> Statistic:
        """Return the statistic as a function of the weights of groups, if groups are resampled."""
        if self.grouping is None:
            return statistic
        index, labels = self.grouping
        return by_group(statistic, index, len(labels), self.resample)

    @cached_property
    def scores(self) -> FloatArray:
        """(M, S) float64: the point estimates, read-only, each within the bounds of its metric."""
        stack = self.stack
        with checked.statistics_at_work(self.metrics, len(self.batches)):
            scores = stack.scores().reshape(len(self.metrics), len(self.batches))
        if self.within is None or self.within.linear:
            for metric, row in zip(self.metrics, scores, strict=True):
                checked.check_scores(metric, row)
        return fresh(scores)

    def resampled(self, draws: int, scheme: Scheme) -> FloatArray:
        """Return the scores of every draw, (draws, M, S). They are computed once for all callers."""
        if (draws, scheme) not in self._drawn:
            chunks = list(draw_blocks((*self.key, 1), draws, self.stack.units))
            work = partial(_resample_block, self.stack, self._stream_ids() if scheme == "poisson" else None)
            with checked.statistics_at_work(self.metrics, len(self.batches)):
                flat = np.concatenate([np.empty((0, len(self.stack))), *self.runner.map(work, chunks)])
            self._drawn[draws, scheme] = flat.reshape(draws, len(self.metrics), len(self.batches))
        return self._drawn[draws, scheme]

    def _stream_ids(self) -> IntArray:
        """Return the number that keys the Poisson stream of every unit, or of every group by its label, int64."""
        if self.grouping is None:
            return self.batches[0].ids
        digests = [hashlib.sha256(label.encode()).digest()[:7] for label in self.grouping[1]]
        return np.array([int.from_bytes(digest, "big") for digest in digests], dtype=np.int64)

    @cached_property
    def left_out(self) -> FloatArray:
        """(n, M, S) float64: the scores with each unit left out."""
        with checked.statistics_at_work(self.metrics, len(self.batches)):
            return self.stack.jackknife().reshape(-1, len(self.metrics), len(self.batches))

    def exchange(self, metric: Metric, swap: Swap = AS_RESAMPLED) -> Exchange:
        """Return the exchange of a metric: of the units that are resampled, or as `swap` asks.

        Raises
        ------
        CapabilityError
            If the metric cannot exchange what `swap` asks for.
        """
        if swap.unit:
            return self._exchange_along(metric, swap)
        if metric.exchange is not None and (self.within is None or not self.within.by):
            units = checked.exchange(metric, self.batches)
        else:
            through_rows = exchange_rows(self.batches, lambda batch: self._regrouped(self.bind(metric, batch)))
            if not isinstance(through_rows, RecomputedExchange):
                return through_rows
            units = RecomputedExchange(self.batches, self._binding(metric, metric.bind))
        if self.grouping is None:
            return units
        index, labels = self.grouping
        return GroupedExchange(units, index, len(labels))

    def _exchange_along(self, metric: Metric, swap: Swap) -> Exchange:
        """Return the exchange along an axis of the metric's own exchange, of single units, or of groups of units."""
        whole = attrs.evolve(self, resample=swap.unit if swap.unit in self.groups else "unit")
        own = whole.exchange(metric)
        if isinstance(own, AxisExchange):
            return own.along(swap.unit, standardize=swap.standardize)
        unit = self.batches[0].unit
        if swap.standardize or (swap.unit != unit and swap.unit not in self.groups):
            unavailable = "standardized scores" if swap.standardize else f"'{swap.unit}'"
            known = ", ".join([unit, *sorted(self.groups)])
            within = self.within.by if self.within else ""
            why = f"'within' scores every {within} separately" if within else "it is not computed from a grid of scores"
            raise CapabilityError(
                f"metric '{metric.name}' has no exchange of {unavailable}: {why}; what can be exchanged: {known}"
            )
        return own


def labels_of(groups: Mapping[str, Sequence[str]], name: str, unit: str) -> Sequence[str]:
    """Return the labels of a grouping; raise a `DataError` that lists the groupings if there is no such one."""
    if name not in groups:
        known = ", ".join([unit, *sorted(groups)])
        raise DataError(f"there is no grouping '{name}' of the units", remedy=f"choose one of: {known}")
    return groups[name]


def _bind_within(
    bind: Callable[[Batch], Statistic],
    members: tuple[IntArray, ...],
    combine: Combine,
    batch: Batch,
) -> Statistic:
    parts = tuple(bind(batch.take(units)) for units in members)
    return Sliced(parts, members, combine, len(batch), batch.unit)


def _combine(within: Aggregation, higher_is_better: bool, scores: FloatArray, weights: FloatArray) -> FloatArray:
    part_weights = weights if weights.ndim == 1 else weights[..., None, :]
    return aggregate(within, scores[..., None, :], part_weights, higher_is_better)[..., 0]


def _resample_block(stack: StatisticStack, ids: IntArray | None, block: DrawBlock) -> FloatArray:
    return stack(bootstrap_counts(block, stack.units) if ids is None else poisson_counts(block, ids))

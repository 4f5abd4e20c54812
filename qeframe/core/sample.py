"""All metrics on all submissions of one task: a sample of units, which all of them draw, leave out and swap together.

A `Sample` binds every metric to every submission. Contests are made of its metrics one at a time: a term of each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, FloatArray, IntArray, check_kind, labels_to_index, private_copy
from qeframe.core.component import is_foreign
from qeframe.core.draws import (
    JointUnits,
    Kept,
    Key,
    bootstrap_counts,
    draw_blocks,
    grouped_blocks,
    poisson_counts,
    score_blocks,
)
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.exchange import (
    AS_RESAMPLED,
    AxisExchange,
    Exchange,
    GroupedExchange,
    RecomputedExchange,
    Swap,
    exchange_of_stack,
    on_one_scale,
)
from qeframe.core.metric import Metric
from qeframe.core.ragged import freeze
from qeframe.core.ranking import Aggregation, aggregate
from qeframe.core.runner import Runner
from qeframe.core.significance import Scheme
from qeframe.core.statistic import Additive, Combine, Sliced, Statistic, by_group
from qeframe.core.statistic_stack import StatisticStack


def labels_of(groups: Mapping[str, Sequence[str]], name: str, unit: str) -> Sequence[str]:
    """Return the labels of a grouping; raise a `DataError` that lists the groupings if there is no such one."""
    if name not in groups:
        choices = ", ".join([unit, *sorted(groups)])
        raise DataError(f"there is no grouping '{name}' of the units", remedy=f"choose one of: {choices}")
    return groups[name]


def bind_groups(
    bind: Callable[[Batch], Statistic], members: tuple[IntArray, ...], combine: Combine, batch: Batch
) -> Statistic:
    """Return the statistic of a batch whose groups, the positions in `members`, are scored and then combined."""
    parts = tuple(bind(batch.take(units)) for units in members)
    return Sliced(parts, members, combine, len(batch), batch.unit)


def combine_groups(within: Aggregation, higher_is_better: bool, scores: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the combined scores of groups: (..., groups) scores, weights of groups -> (...)."""
    # an aggregation takes scores (..., submissions, parts): here is one submission
    part_weights = weights if weights.ndim == 1 else weights[..., None, :]
    return aggregate(within, scores[..., None, :], part_weights, higher_is_better)[..., 0]


def unchecked_bind(metric: Metric) -> Callable[[Batch], Statistic]:
    """Return what binds a metric in every draw: without a check of what it returns, and without the metric itself."""
    return partial(_bind_private_copy, metric.bind) if is_foreign(metric) else metric.bind


def _bind_private_copy(bind: Callable[[Batch], Statistic], batch: Batch) -> Statistic:
    return bind(private_copy(batch))


@frozen(kw_only=True, eq=False)
class Sample:
    """All metrics on all submissions of one task.

    `batches`: one for each submission, all on the same units. Every metric is bound to every batch.
    `key`: the key of the streams of draws.
    `groups`: by grouping, the label of every unit.
    `resample`: what is resampled and exchanged: "unit", the name of the unit, or a grouping.
    `within`: how groups of units combine into a score. None, or an aggregation without ``by``, scores all units at
      once. If whole groups are resampled, or sets of them, the groups keep their scores and a draw weights them. If
      what is resampled lies within groups or across them, every draw recomputes the scores of the groups; a group that
      has no unit in a draw is undefined.
    `joint`: the units that are drawn, if they are those of several readings together. Other units then have no effect
      here, so that the number of drawn units of the task varies.
    """

    metrics: tuple[Metric, ...]
    batches: tuple[Batch, ...]
    key: Key
    groups: Mapping[str, Sequence[str]] = field(factory=dict)
    resample: str = "unit"
    within: Aggregation | None = None
    runner: Runner = field(factory=Runner)
    joint: JointUnits | None = None
    _scored: Kept = field(factory=Kept, init=False)  # of draws, and without each unit

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
        return self._scoring_groups(metric, partial(checked.bind, metric))(batch)

    def _scoring_groups(self, metric: Metric, bind: Callable[[Batch], Statistic]) -> Callable[[Batch], Statistic]:
        """Return the function that binds a metric. It holds only what it needs, since it is sent to other processes.

        `bind` is the metric's own function, or the same with a check of what it returns: once, not in every draw.
        """
        if self.within is None or not self.within.by:
            return bind
        index, labels = labels_to_index(labels_of(self.groups, self.within.by, self.batches[0].unit))
        members = tuple(np.flatnonzero(index == group) for group in range(len(labels)))
        return partial(bind_groups, bind, members, partial(combine_groups, self.within, metric.higher_is_better))

    @cached_property
    def stack(self) -> StatisticStack:
        """All statistics, metric after metric, on the units that are resampled."""
        return self._scored.once(
            "stack", lambda: checked.stack(self.metrics, list(map(self._regrouped, self._of_units(self.metrics))))
        )

    def only(self, chosen: Sequence[int]) -> Sample:
        """Return the sample with some of the submissions, by their positions; nothing is bound again."""
        if len(chosen) == len(self.batches):
            return self
        return self._scored.once(("only", *chosen), partial(self._choose, chosen))

    def _choose(self, chosen: Sequence[int]) -> Sample:
        sample = attrs.evolve(self, batches=tuple(self.batches[i] for i in chosen))
        statistics = [self.statistics_of(nth)[i] for nth in range(len(self.metrics)) for i in chosen]
        sample._scored.once("stack", partial(checked.stack, self.metrics, statistics))
        return sample

    def _of_units(self, metrics: Sequence[Metric]) -> list[Statistic]:
        """Return the statistics on single units, metric after metric."""
        bound = [[self.bind(metric, batch) for batch in self.batches] for metric in metrics]
        for metric, statistics in zip(metrics, bound, strict=True):
            checked.check_own_rows(metric, statistics, self.batches)
        return list(chain.from_iterable(bound))

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
        return freeze(scores)

    def check_repeated(self) -> None:
        """Raise a `PluginError` if a metric of third parties has other scores when asked or bound again, or alone."""
        foreign = [nth for nth, metric in enumerate(self.metrics) if is_foreign(metric)]
        again = attrs.evolve(self, metrics=tuple(self.metrics[nth] for nth in foreign))
        for nth, metric, bound in zip(foreign, again.metrics, again.scores if foreign else (), strict=True):
            scores = self.scores[nth]
            with checked.statistics_at_work((metric,), len(self.batches)):
                alone = [StatisticStack([statistic]).scores()[0] for statistic in self.statistics_of(nth)]
            checked.check_equal(metric, scores, "again", bound, "the same submission")
            checked.check_equal(metric, scores, "alone", alone, "the same submission")
            checked.check_absent(metric, self.batches[int(np.isnan(scores).argmin())])

    def drawn_of(self, nth: int, draws: int, scheme: Scheme) -> FloatArray:
        """Return the scores of one metric in every draw, (draws, S). They are computed once for all callers.

        Additive metrics are drawn together, without the others, which would be computed again in every draw. One that
        is not additive is drawn with all of them.
        """
        additive, every = self._additive_metrics, tuple(range(len(self.metrics)))
        drawn = additive if nth in additive and ("drawn", every, draws, scheme) not in self._scored else every
        scores = self._scored.once(("drawn", drawn, draws, scheme), partial(self._draw, drawn, draws, scheme))
        return scores[:, drawn.index(nth)]

    def weighted(self, nth: int, weights: NDArray[Any]) -> FloatArray:
        """Return the scores of one metric under weights of the units that are resampled, (..., n) -> (..., S)."""
        with checked.statistics_at_work(self.metrics, len(self.batches)):
            return self.stack(weights)[..., self.columns_of(nth)]

    @cached_property
    def _additive_metrics(self) -> tuple[int, ...]:
        """The positions of the metrics that are additive for every submission."""
        metrics = range(len(self.metrics))
        return tuple(m for m in metrics if all(isinstance(s, Additive) for s in self.statistics_of(m)))

    def _draw(self, drawn: tuple[int, ...], draws: int, scheme: Scheme) -> FloatArray:
        """Return the scores of some metrics in every draw, (draws, metrics, S), read-only."""
        stack, metrics = self.stack, [self.metrics[nth] for nth in drawn]
        if len(metrics) < len(self.metrics):  # nothing is bound again
            columns = np.arange(len(stack))
            stack = stack.additive_at(np.concatenate([columns[self.columns_of(nth)] for nth in drawn]))
        if scheme == "poisson":
            work, units = partial(score_blocks, stack, partial(poisson_counts, ids=self.unit_ids), None), stack.units
        else:
            units, chosen = self.drawn_units, self.joint.members if self.joint else None
            work = partial(score_blocks, stack, partial(bootstrap_counts, units=units), chosen)
        # stream 1 of the task has its bootstrap draws, stream 2 its exchanges
        chunks = list(draw_blocks((*self.key, 1), draws, units))
        # a product of few draws would read the columns of all submissions too often
        items = grouped_blocks(chunks, units) if stack.additive else [[chunk] for chunk in chunks]
        with checked.statistics_at_work(metrics, len(self.batches)):
            flat = np.concatenate([np.empty((0, len(stack))), *self.runner.map(work, items)])
            scores: FloatArray = freeze(flat).reshape(-1, len(metrics), len(self.batches))
            if draws and any(map(is_foreign, metrics)):
                last = work.func(lambda weights: work.args[0](weights[-1:]), *work.args[1:], chunks[-1:])
                for metric, before, now in zip(metrics, scores[-1], last.reshape(scores[0].shape), strict=True):
                    checked.check_equal(metric, before, "alone", now, "the same draw")
        return scores

    @property
    def unit_ids(self) -> IntArray:
        """(n,) int64: a number for every unit that is resampled: its id, or that of a group by its label."""
        if self.grouping is None:
            return self.batches[0].ids
        # 7 bytes, so that the number is positive in 64 bits
        digests = [hashlib.sha256(label.encode("utf-8", "surrogatepass")).digest()[:7] for label in self.grouping[1]]
        return np.array([int.from_bytes(digest, "big") for digest in digests], dtype=np.int64)

    @property
    def identity(self) -> tuple[Key, bytes]:
        """What it has in common with the samples whose units are drawn together with its own."""
        return self.key, (self.unit_ids if self.joint is None else self.joint.ids).tobytes()

    def left_out(self, nth: int) -> FloatArray:
        """Return the scores of one metric with each unit left out, (n, S). They are computed once for all callers.

        Other metrics are not computed: a metric that is not additive is computed again for every unit.
        """
        return self._scored.once(("left out", nth), partial(self._leave_out, nth))

    def _leave_out(self, nth: int) -> FloatArray:
        with checked.statistics_at_work((self.metrics[nth],), len(self.batches)):
            return freeze(self.stack_of(nth).jackknife())

    @property
    def drawn_units(self) -> int:
        """How many units a draw has: those of all readings that are drawn together."""
        return len(self.joint.ids) if self.joint else self.stack.units

    @property
    def drawn_members(self) -> IntArray:
        """(n,) int64: the positions of the units of this reading among the units of a draw."""
        return self.joint.members if self.joint else np.arange(self.stack.units)

    @property
    def is_mean(self) -> bool:
        """Whether a score is that of its metric, or a mean of those of groups of units: no other combination."""
        return self.within is None or not self.within.by or self.within.linear

    def columns_of(self, nth: int) -> slice:
        """Return where the statistics of one metric, one for each submission, are in `stack`."""
        return slice(nth * len(self.batches), (nth + 1) * len(self.batches))

    def statistics_of(self, nth: int) -> tuple[Statistic, ...]:
        """Return the statistics of one metric, by its position: one for each submission."""
        return self.stack.statistics[self.columns_of(nth)]

    def stack_of(self, nth: int) -> StatisticStack:
        """Return the statistics of one metric, by its position, on the units that are resampled."""
        return self.stack if len(self.metrics) == 1 else checked.stack([self.metrics[nth]], self.statistics_of(nth))

    def stack_of_units(self, nth: int) -> StatisticStack:
        """Return the statistics of one metric, by its position, on single units, also if groups are resampled."""
        metric = self.metrics[nth]
        return self.stack_of(nth) if self.grouping is None else checked.stack([metric], self._of_units([metric]))

    def exchange(self, metric: Metric, swap: Swap = AS_RESAMPLED) -> Exchange:
        """Return the exchange of a metric: of the units that are resampled, or as `swap` asks.

        Raises CapabilityError if the metric cannot exchange what `swap` asks for.
        """
        # three steps: on which scale the answers are, how the units are swapped, along which axis of the metric
        task = self._on_scale_of(metric) if swap.standardize == "as_needed" else self
        if swap.unit:
            unit = swap.unit if swap.unit in self.groups else "unit"
            task = attrs.evolve(task, metrics=(metric,), resample=unit)
        return self._along_axis(metric, task._exchange_of_resampled(metric), swap)

    def _on_scale_of(self, metric: Metric) -> Sample:
        """Return the task with its answers on one scale, if the metric says that their scales do not matter."""
        if "location_scale_invariant" not in metric.claims or any(batch.crossed for batch in self.batches):
            return self
        return attrs.evolve(self, metrics=(metric,), batches=on_one_scale(self.batches, metric.kind))

    def _exchange_of_resampled(self, metric: Metric) -> Exchange:
        """Return the exchange of what is resampled: of the metric itself, through sums of rows, or by binding again."""
        if metric.exchange is not None and (self.within is None or not self.within.by):
            units = checked.exchange(metric, self.batches)
        else:
            through_rows = exchange_of_stack(self.stack_of(self.metrics.index(metric)))
            if through_rows is not None:
                return through_rows
            units = RecomputedExchange(self.batches, self._scoring_groups(metric, unchecked_bind(metric)))
        if self.grouping is None:
            return units
        index, labels = self.grouping
        return GroupedExchange(units, index, len(labels))

    def _along_axis(self, metric: Metric, exchange: Exchange, swap: Swap) -> Exchange:
        """Return an exchange along the axis that a swap names; if it only standardizes, along that of segments."""
        if not swap.unit and swap.standardize == "as_needed":
            # not demanded: an exchange without axes stays, and below groups of units the axis is that of the units
            of_units = exchange.exchange if isinstance(exchange, GroupedExchange) else exchange
            if not isinstance(of_units, AxisExchange):
                return exchange
            along = checked.exchange_along(metric, of_units, "segment", swap.standardize)
            return attrs.evolve(exchange, exchange=along) if isinstance(exchange, GroupedExchange) else along
        if isinstance(exchange, AxisExchange) and swap != AS_RESAMPLED:
            return checked.exchange_along(metric, exchange, swap.unit or "segment", swap.standardize)
        unit, demanded = self.batches[0].unit, swap.standardize is True
        if demanded or (swap.unit and swap.unit != unit and swap.unit not in self.groups):
            unavailable = "standardized scores" if demanded else f"'{swap.unit}'"
            choices = ", ".join([unit, *sorted(self.groups)])
            within = self.within.by if self.within else ""
            why = f"'within' scores every {within} separately" if within else "it is not computed from a grid of scores"
            raise CapabilityError(
                f"metric '{metric.name}' has no exchange of {unavailable}: {why}; what can be exchanged: {choices}"
            )
        return exchange

"""The bench: all metrics on all submissions of one task, resampled and exchanged from one stream of draws.

A `TaskTrial` is one metric of it, which significance tests are given.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.batch import Batch, FloatArray, IntArray, check_kind, labels_to_index
from qeframe.components import Aggregation, Metric
from qeframe.errors import CapabilityError, DataError
from qeframe.exchange import (
    AxisExchange,
    Exchange,
    GroupedExchange,
    RecomputedExchange,
    Swap,
    exchange_rows,
    recomputes,
)
from qeframe.panel import Panel
from qeframe.parallel import Runner
from qeframe.statistic import Combine, Sliced, Statistic, by_group
from qeframe.trial import Predicate, Scheme, ordered_pairs, parts_of_pairs
from qeframe.weights import (
    Block,
    Key,
    all_masks,
    blocks,
    bootstrap_counts,
    exchange_blocks,
    exchange_masks,
    poisson_counts,
)

__all__ = ["Bench", "TaskTrial"]

_AS_RESAMPLED = Swap()


@frozen(kw_only=True, eq=False)
class Bench:
    """All metrics on all submissions of one task.

    Parameters
    ----------
    metrics, batches
        Every metric is bound to every batch; the batches are on the same units.
    key : tuple of int
        Of the streams of draws.
    groups : mapping of str to sequence of str
        Labels of the units for each grouping.
    resample : str
        What is resampled and exchanged: "unit", the name of the unit, or a grouping.
    within : Aggregation, optional
        How groups of units combine into a score; None or without ``by``: all units at once. Where what is resampled is
        a group of such parts (or the part itself), the parts keep their scores and a draw weighs them; where it lies
        within parts or across them, every draw scores the parts anew, and a part without any unit is undefined.
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

    def trial(self, metric: int = 0, *, as_given: bool = False) -> TaskTrial:
        """Return the trial of one metric, by position."""
        return TaskTrial(bench=self, nth=metric, as_given=as_given)

    @cached_property
    def grouping(self) -> tuple[IntArray, tuple[str, ...]] | None:
        """The group of every unit and the labels of the groups, if groups are resampled."""
        if self.resample in {"unit", self.batches[0].unit}:
            return None
        return labels_to_index(labels_of(self.groups, self.resample, self.batches[0].unit))

    def bind(self, metric: Metric, batch: Batch) -> Statistic:
        """Bind a metric, combined over groups where that is declared."""
        return self._binding(metric)(batch)

    def _binding(self, metric: Metric) -> Callable[[Batch], Statistic]:
        """Return a bind that knows no more than it needs: it is sent to other processes."""
        if self.within is None or not self.within.by:
            return metric.bind
        index, labels = labels_to_index(labels_of(self.groups, self.within.by, self.batches[0].unit))
        members = tuple(np.flatnonzero(index == group) for group in range(len(labels)))
        return partial(_bind_within, metric.bind, members, partial(_combine, self.within, metric.higher_is_better))

    def unit_panel(self, metric: int) -> Panel:
        """Return the statistics of one metric on single units, whatever is resampled."""
        if self.grouping is None and len(self.metrics) == 1:
            return self.panel
        return Panel([self.bind(self.metrics[metric], batch) for batch in self.batches])

    @cached_property
    def panel(self) -> Panel:
        """All statistics, metric after metric, on the units that are resampled."""
        return Panel([self._regrouped(self.bind(m, batch)) for m in self.metrics for batch in self.batches])

    def _regrouped(self, statistic: Statistic) -> Statistic:
        if self.grouping is None:
            return statistic
        index, labels = self.grouping
        return by_group(statistic, index, len(labels), self.resample)

    @cached_property
    def scores(self) -> FloatArray:
        """(M, S) float64: the point estimates."""
        return self.panel.scores().reshape(len(self.metrics), len(self.batches))

    def resampled(self, draws: int, scheme: Scheme) -> FloatArray:
        """Return the scores of every draw, (draws, M, S); drawn once, shared by all that ask."""
        if (draws, scheme) not in self._drawn:
            parts = list(blocks((*self.key, 1), draws, self.panel.units))
            work = partial(_resample_block, self.panel, self._stream_ids() if scheme == "poisson" else None)
            flat = np.concatenate([np.empty((0, len(self.panel))), *self.runner.map(work, parts)])
            self._drawn[draws, scheme] = flat.reshape(draws, len(self.metrics), len(self.batches))
        return self._drawn[draws, scheme]

    def _stream_ids(self) -> IntArray:
        if self.grouping is None:
            return self.batches[0].ids
        digests = [hashlib.sha256(label.encode()).digest()[:7] for label in self.grouping[1]]
        return np.array([int.from_bytes(digest, "big") for digest in digests], dtype=np.int64)

    @cached_property
    def left_out(self) -> FloatArray:
        """(n, M, S) float64: the scores with each unit left out."""
        return self.panel.jackknife().reshape(-1, len(self.metrics), len(self.batches))

    def exchange(self, metric: Metric, swap: Swap = _AS_RESAMPLED) -> Exchange:
        """Return the exchange of a metric, on the units that are resampled unless a test wants others."""
        if swap.unit:
            return self._exchange_along(metric, swap)
        if metric.exchange is not None and (self.within is None or not self.within.by):
            units = metric.exchange(self.batches)
        else:
            through_rows = exchange_rows(self.batches, lambda batch: self._regrouped(self.bind(metric, batch)))
            if not isinstance(through_rows, RecomputedExchange):
                return through_rows
            units = RecomputedExchange(self.batches, self._binding(metric))
        if self.grouping is None:
            return units
        index, labels = self.grouping
        return GroupedExchange(units, index, len(labels))

    def _exchange_along(self, metric: Metric, swap: Swap) -> Exchange:
        """Return the exchange along an axis of the metric's own exchange, of single units, or of groups of units."""
        whole = attrs.evolve(self, resample=swap.unit if swap.unit in self.groups else "unit")
        own = whole.exchange(metric)
        if isinstance(own, AxisExchange):
            return own.along(swap.unit, standardise=swap.standardise)
        unit = self.batches[0].unit
        if swap.standardise or (swap.unit != unit and swap.unit not in self.groups):
            wanted = "standardised scores" if swap.standardise else f"'{swap.unit}'"
            known = ", ".join([unit, *sorted(self.groups)])
            apart = self.within.by if self.within else ""
            why = f"'within' scores every {apart} apart" if apart else "its scores do not stand in cells"
            raise CapabilityError(
                f"metric '{metric.name}' has no exchange of {wanted}: {why}; what can be exchanged: {known}"
            )
        return own


def labels_of(groups: Mapping[str, Sequence[str]], name: str, unit: str) -> Sequence[str]:
    """Return the labels of a grouping, or say which groupings there are."""
    if name not in groups:
        known = ", ".join([unit, *sorted(groups)])
        raise DataError(f"there is no grouping '{name}' of the units", remedy=f"there are: {known}")
    return groups[name]


def _bind_within(
    bind: Callable[[Batch], Statistic],
    members: tuple[IntArray, ...],
    combine: Combine,
    batch: Batch,
) -> Statistic:
    parts = tuple(bind(batch.take(of)) for of in members)
    return Sliced(parts, members, combine, len(batch), batch.unit)


def _combine(within: Aggregation, higher_is_better: bool, scores: FloatArray, weights: FloatArray) -> FloatArray:
    of_parts = weights if weights.ndim == 1 else weights[..., None, :]
    return within.aggregate(scores[..., None, :], of_parts, higher_is_better)[..., 0]


def _resample_block(panel: Panel, ids: IntArray | None, block: Block) -> FloatArray:
    return panel(bootstrap_counts(block, panel.units) if ids is None else poisson_counts(block, ids))


_MANY = 50_000
"""Scores that are computed one by one before somebody is told."""


@frozen(kw_only=True, eq=False)
class TaskTrial:
    """One metric on one task. See `Trial` for what the methods return."""

    bench: Bench
    nth: int
    as_given: bool = False
    swap: Swap = _AS_RESAMPLED

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.bench.metrics[self.nth]

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is better."""
        return self.metric.higher_is_better

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return 1.0 if self.higher_is_better else -1.0

    @cached_property
    def goodness(self) -> FloatArray:
        """The scores, higher is better."""
        return self.sign * self.bench.scores[self.nth]

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """Every unordered pair once."""
        return ordered_pairs(self.goodness, as_given=self.as_given)

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the goodness of every draw."""
        return self.sign * self.bench.resampled(draws, scheme)[:, self.nth]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many units are resampled."""
        return (self.bench.panel.units,)

    def jackknife(self) -> FloatArray:
        """Return the goodness with each unit left out."""
        return self.sign * self.bench.left_out[:, self.nth]

    def count_exchanges(self, draws: int, extreme: Predicate) -> tuple[FloatArray, int, bool]:
        """Count the exchanges whose differences are extreme."""
        exchange = self._exchange(draws, len(self.pairs[0]))
        parts, total, exhaustive = exchange_blocks((*self.bench.key, 2), draws, exchange.cells, enumerable=True)
        work = partial(_count_block, exchange, self.pairs, self.sign, extreme, exhaustive)
        counts = np.zeros(len(self.pairs[0]))
        for of_block in self.bench.runner.each(work, parts):
            counts += of_block
        return counts, total, exhaustive

    def exchanged(self, draws: int, pairs: tuple[IntArray, IntArray]) -> FloatArray:
        """Return the differences of drawn exchanges, (draws, pairs)."""
        exchange = self._exchange(draws, len(pairs[0]))
        parts, _, _ = exchange_blocks((*self.bench.key, 2), draws, exchange.cells, enumerable=False)
        work = partial(_differences_of_block, exchange, pairs, self.sign)
        return np.concatenate([np.empty((0, len(pairs[0]))), *self.bench.runner.map(work, parts)])

    def _exchange(self, draws: int, pairs: int) -> Exchange:
        """Return the exchange; before long work it is told how long it is."""
        exchange = self.bench.exchange(self.metric, self.swap)
        if draws * pairs >= _MANY and recomputes(exchange):
            self.bench.runner.say(
                f"{self.metric.name} is computed anew for {pairs:,} pairs x {draws:,} exchanges, which may take long; "
                "--set test= leaves the test out"
            )
        return exchange

    def along(self, unit: str, *, standardise: bool = False) -> TaskTrial:
        """Return the same trial with exchanges along an axis."""
        return attrs.evolve(self, swap=Swap(unit, standardise))

    def outcomes(self) -> FloatArray:
        """Return the outcomes that the metric names, else the values whose means are the goodness."""
        self._check_ungrouped("outcomes")
        metric = self.metric
        if metric.outcomes is None and metric.per_unit is None:
            raise CapabilityError(
                f"metric '{metric.name}' has no outcomes to exchange: it is neither a mean over pairs nor a mean "
                "of one value a unit"
            )
        if metric.outcomes is None:
            outcomes = self.per_unit()
        else:
            each = [metric.outcomes(batch) for batch in self.bench.batches]
            self._check_common("outcomes", each)
            outcomes = self.sign * np.stack(each)
        if outcomes.size and not _are_means(self.goodness, outcomes):
            raise CapabilityError(
                f"the outcomes of metric '{metric.name}' do not weigh alike in its score, as where items have "
                "different numbers of pairs: 'permutation(unit=pair)' and 'randomisation' weigh them as the score does"
            )
        return outcomes

    def vectors(self) -> tuple[FloatArray, FloatArray]:
        """Return gold and predicted vectors."""
        self._check_ungrouped("vectors")
        if self.metric.vectors is None:
            raise CapabilityError(f"metric '{self.metric.name}' is not a correlation of two vectors")
        both = [self.metric.vectors(batch) for batch in self.bench.batches]
        self._check_common("vectors", [gold for gold, _ in both])
        if any(not np.array_equal(gold, both[0][0]) for gold, _ in both):
            raise CapabilityError(f"the vectors of metric '{self.metric.name}' have no gold in common")
        return both[0][0], self.sign * np.stack([predicted for _, predicted in both])

    def per_unit(self) -> FloatArray:
        """Return the values whose means are the goodness."""
        self._check_ungrouped("values per unit")
        if self.metric.per_unit is None:
            raise CapabilityError(f"metric '{self.metric.name}' is not a mean of one value a unit")
        return self.sign * np.stack([self.metric.per_unit(batch) for batch in self.bench.batches])

    def _check_ungrouped(self, what: str) -> None:
        bench = self.bench
        within = bench.within.by if bench.within else ""
        if within or bench.grouping is not None:
            why = f"'within' scores every {within} apart" if within else f"'resample' is '{bench.resample}'"
            raise CapabilityError(f"there are no {what} of metric '{self.metric.name}' over groups of units: {why}")

    def _check_common(self, what: str, each: Sequence[FloatArray]) -> None:
        """Refuse what is not of the same single units in all submissions."""
        first, *others = self.bench.batches
        if len({len(one) for one in each}) > 1 or not all(first.same_places(other) for other in others):
            raise CapabilityError(f"submissions that lack different units have no {what} in common")


def _are_means(goodness: FloatArray, outcomes: FloatArray) -> bool:
    """Say whether scores are the means of outcomes, (S, m), as far as they are defined."""
    roundings = 1e-9 * np.maximum(1.0, np.abs(outcomes).max(axis=1))
    return not (np.abs(outcomes.mean(axis=1) - goodness) > roundings).any()


def _masks(block: Block, cells: int, exhaustive: bool) -> NDArray[Any]:
    return all_masks(cells, block.start, block.start + block.draws) if exhaustive else exchange_masks(block, cells)


def _differences_of_block(
    exchange: Exchange, pairs: tuple[IntArray, IntArray], sign: float, block: Block
) -> FloatArray:
    return sign * exchange(_masks(block, exchange.cells, exhaustive=False), *pairs)


def _count_block(
    exchange: Exchange,
    pairs: tuple[IntArray, IntArray],
    sign: float,
    extreme: Predicate,
    exhaustive: bool,
    block: Block,
) -> FloatArray:
    masks, (first, second) = _masks(block, exchange.cells, exhaustive), pairs
    counts = np.empty(len(first))
    for part in parts_of_pairs(len(first), len(masks)):
        differences = sign * exchange(masks, first[part], second[part])
        counts[part] = extreme(differences, part).sum(axis=0, dtype=np.float64)
    return counts

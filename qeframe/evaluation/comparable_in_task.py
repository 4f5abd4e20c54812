"""The submissions of one task under one metric: what a significance test is given."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.batches.base import FloatArray, IntArray
from qeframe.batches.ragged import fresh
from qeframe.components.checks import metric as checked
from qeframe.components.checks.work import at_work
from qeframe.components.comparable import IsExtreme, Scheme, ordered_pairs, parts_of_pairs
from qeframe.components.metric import Metric
from qeframe.errors import CapabilityError
from qeframe.evaluation.scored_task import AS_RESAMPLED, ScoredTask
from qeframe.resampling.draws import (
    DrawBlock,
    all_masks,
    exchange_blocks,
    exchange_masks,
)
from qeframe.resampling.exchange import (
    Exchange,
    Swap,
    recomputes,
)

__all__ = ["ComparableInTask"]


_MANY = 50_000
"""From this number of recomputed scores on, the runner reports that the work may take long."""


@frozen(eq=False)
class ComparableInTask:
    """The submissions of one task under one metric. `Comparable` documents what the methods return.

    Parameters
    ----------
    scored_task : ScoredTask
    nth : int
        The position of the metric among those of the task.
    as_given : bool
        Whether the pairs keep the order of the submissions. By default the better submission comes first.
    swap : Swap
        What an exchange swaps.
    """

    scored_task: ScoredTask
    nth: int = 0
    as_given: bool = field(default=False, kw_only=True)
    swap: Swap = field(default=AS_RESAMPLED, kw_only=True)

    @property
    def metric(self) -> Metric:
        """The metric under which the submissions are compared."""
        return self.scored_task.metrics[self.nth]

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is better."""
        return self.metric.higher_is_better

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return 1.0 if self.higher_is_better else -1.0

    @cached_property
    def oriented(self) -> FloatArray:
        """(S,) float64: the oriented scores, read-only."""
        return fresh(self.sign * self.scored_task.scores[self.nth])

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The positions of both submissions of every unordered pair, (pairs,) each."""
        return ordered_pairs(self.oriented, as_given=self.as_given)

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented scores of every draw."""
        return self.sign * self.scored_task.resampled(draws, scheme)[:, self.nth]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of units that are resampled, as a tuple of one."""
        return (self.scored_task.stack.units,)

    def jackknife(self) -> FloatArray:
        """Return the oriented scores with each unit left out."""
        return self.sign * self.scored_task.left_out[:, self.nth]

    def count_exchanges(self, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
        """Count the exchanges whose differences are extreme."""
        exchange = self._exchange(draws, len(self.pairs[0]))
        chunks, total, exhaustive = exchange_blocks((*self.scored_task.key, 2), draws, exchange.cells, enumerable=True)
        work = partial(_count_block, exchange, self.pairs, self.sign, extreme, exhaustive)
        counts = np.zeros(len(self.pairs[0]))
        with at_work(self.metric, "exchange"):
            for block_counts in self.scored_task.runner.imap(work, chunks):
                counts += block_counts
        return counts, total, exhaustive

    def exchanged_differences(self, draws: int, pairs: tuple[IntArray, IntArray]) -> FloatArray:
        """Return the differences of drawn exchanges, (draws, pairs)."""
        exchange = self._exchange(draws, len(pairs[0]))
        chunks, _, _ = exchange_blocks((*self.scored_task.key, 2), draws, exchange.cells, enumerable=False)
        work = partial(_differences_of_block, exchange, pairs, self.sign)
        with at_work(self.metric, "exchange"):
            return np.concatenate([np.empty((0, len(pairs[0]))), *self.scored_task.runner.map(work, chunks)])

    def _exchange(self, draws: int, pairs: int) -> Exchange:
        """Return the exchange. The runner reports long work before it begins."""
        exchange = self.scored_task.exchange(self.metric, self.swap)
        if draws * pairs >= _MANY and recomputes(exchange):
            self.scored_task.runner.on_notice(
                f"{self.metric.name} is recomputed for {pairs:,} pairs x {draws:,} exchanges, which may take long; "
                "an empty rule 'test' leaves the test out"
            )
        return exchange

    def along(self, unit: str, *, standardize: bool = False) -> ComparableInTask:
        """Return the same submissions and metric with exchanges along an axis."""
        return attrs.evolve(self, swap=Swap(unit, standardize))

    def outcomes(self) -> FloatArray:
        """Return outcomes, (S, m), whose means are the oriented scores: those of the metric, or its values per unit."""
        self._check_ungrouped("outcomes")
        metric = self.metric
        if metric.outcomes is None and metric.per_unit is None:
            raise CapabilityError(
                f"metric '{metric.name}' has no outcomes to exchange: it is neither a mean over pairs nor a mean "
                "of one value per unit"
            )
        if metric.outcomes is None:
            outcomes = self.per_unit()
        else:
            by_submission = [checked.outcomes(metric, batch) for batch in self.scored_task.batches]
            self._check_common("outcomes", by_submission)
            outcomes = self.sign * np.stack(by_submission)
        if outcomes.size and not _are_means(self.oriented, outcomes):
            raise CapabilityError(
                f"the outcomes of metric '{metric.name}' have different weights in its score, as when items have "
                "different numbers of pairs; a test that needs 'exchange' weighs them as the score does"
            )
        return outcomes

    def vectors(self) -> tuple[FloatArray, FloatArray]:
        """Return gold (n,) and oriented predicted vectors (S, n), whose correlations are the scores."""
        self._check_ungrouped("vectors")
        if self.metric.vectors is None:
            raise CapabilityError(f"metric '{self.metric.name}' is not a correlation of two vectors")
        vectors = [checked.vectors(self.metric, batch) for batch in self.scored_task.batches]
        self._check_common("vectors", [gold for gold, _ in vectors])
        if any(not np.array_equal(gold, vectors[0][0]) for gold, _ in vectors):
            raise CapabilityError(f"the vectors of metric '{self.metric.name}' differ in their gold")
        return vectors[0][0], self.sign * np.stack([predicted for _, predicted in vectors])

    def per_unit(self) -> FloatArray:
        """Return one value per unit, (S, n), whose means are the oriented scores."""
        self._check_ungrouped("values per unit")
        if self.metric.per_unit is None:
            raise CapabilityError(f"metric '{self.metric.name}' is not a mean of one value per unit")
        values = [checked.per_unit(self.metric, batch) for batch in self.scored_task.batches]
        return self.sign * np.stack(values)

    def _check_ungrouped(self, what: str) -> None:
        """Refuse `what`, which exists for single units only, if groups of units are scored or resampled."""
        scored_task = self.scored_task
        within = scored_task.within.by if scored_task.within else ""
        if within or scored_task.grouping is not None:
            why = f"'within' scores every {within} separately" if within else f"'resample' is '{scored_task.resample}'"
            raise CapabilityError(f"there are no {what} of metric '{self.metric.name}' over groups of units: {why}")

    def _check_common(self, what: str, by_submission: Sequence[FloatArray]) -> None:
        """Refuse `what` unless it belongs to the same units in all submissions."""
        first, *others = self.scored_task.batches
        if len({len(values) for values in by_submission}) > 1 or not all(
            first.answers_same_cells(other) for other in others
        ):
            raise CapabilityError(f"submissions that lack different units have no common {what}")


def _are_means(oriented: FloatArray, outcomes: FloatArray) -> bool:
    """Return whether all defined scores, (S,), are the means of the outcomes, (S, m), up to rounding."""
    roundings = 1e-9 * np.maximum(1.0, np.abs(outcomes).max(axis=1))
    return not (np.abs(outcomes.mean(axis=1) - oriented) > roundings).any()


def _masks(block: DrawBlock, cells: int, exhaustive: bool) -> NDArray[Any]:
    """Return the exchanges of a block, (draws, cells): enumerated if exhaustive, else drawn."""
    return all_masks(cells, block.start, block.start + block.draws) if exhaustive else exchange_masks(block, cells)


def _differences_of_block(
    exchange: Exchange, pairs: tuple[IntArray, IntArray], sign: float, block: DrawBlock
) -> FloatArray:
    return sign * exchange(_masks(block, exchange.cells, exhaustive=False), *pairs)


def _count_block(
    exchange: Exchange,
    pairs: tuple[IntArray, IntArray],
    sign: float,
    extreme: IsExtreme,
    exhaustive: bool,
    block: DrawBlock,
) -> FloatArray:
    masks, (first, second) = _masks(block, exchange.cells, exhaustive), pairs
    counts = np.empty(len(first))
    for part in parts_of_pairs(len(first), len(masks)):
        differences = sign * exchange(masks, first[part], second[part])
        counts[part] = extreme(differences, part).sum(axis=0, dtype=np.float64)
    return counts

"""A term: one metric on one sample of units, its scores, draws and exchanges."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core import metric_calls as checked
from qeframe.core.batch import FloatArray
from qeframe.core.component import at_work, is_foreign
from qeframe.core.draws import (
    CELLS_IN_CACHE,
    MOST_KEPT_OF_TASK,
    DrawBlock,
    DrawnCells,
    Key,
    bounded_slices,
    drawn_masks,
    enumerated_masks,
    exchange_blocks,
    grouped_blocks,
    named_key,
)
from qeframe.core.errors import CapabilityError
from qeframe.core.exchange import (
    RESAMPLED,
    Exchange,
    KeptExchanges,
    Masks,
    Standardize,
    Swap,
    count_block,
    differences_of_block,
    has_own_statistic,
    recomputes,
)
from qeframe.core.leave_out import covariances_in_draws, leave_out_of_grids, without_groups_in_draws
from qeframe.core.metric import Metric
from qeframe.core.ragged import freeze
from qeframe.core.sample import AS_RESAMPLED, Sample, unchecked_bind
from qeframe.core.scales import GridLeftOut, IntervalScale, WorkingScale
from qeframe.core.significance import IsExtreme, Pairs, Scheme, ordered_pairs, select_pairs
from qeframe.core.statistic import Additive

_MANY = 50_000
"""From this number of recomputed scores on, the runner reports that the work may take long."""


@frozen(eq=False)
class Term:
    """One metric on one sample of units, for all of its submissions. `Contest` documents what the methods return.

    `nth`: the position of the metric among those of the sample.
    `as_given`: whether the pairs keep the order of the submissions. By default the better submission comes first.
    `swap`: what an exchange swaps.
    `stream`: terms of one sample with the same stream and the same cells are exchanged by the same draws.
    `own_exchange`: an exchange in the place of the metric's, whose differences are oriented.
    `compared_with_all`: the submission that is compared with each other one: see `ordered_pairs`. None: all pairs are.
    """

    sample: Sample
    nth: int = 0
    as_given: bool = field(default=False, kw_only=True)
    swap: Swap = field(default=AS_RESAMPLED, kw_only=True)
    stream: str = field(default="", kw_only=True)
    own_exchange: Exchange | None = field(default=None, kw_only=True)
    compared_with_all: int | None = field(default=None, kw_only=True)

    @property
    def metric(self) -> Metric:
        """The metric under which the submissions are compared."""
        return self.sample.metrics[self.nth]

    @property
    def terms(self) -> tuple[Term, ...]:
        """The term itself."""
        return (self,)

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return 1.0 if self.metric.higher_is_better else -1.0

    @cached_property
    def oriented(self) -> FloatArray:
        """(S,) float64: the oriented scores, read-only."""
        return freeze(self.sign * self.sample.scores[self.nth])

    @property
    def _is_mean(self) -> bool:
        """Whether the score is that of the metric, or a mean of those of groups of units: no other combination."""
        within = self.sample.within
        return within is None or not within.by or within.linear

    @property
    def smooth(self) -> bool:
        """Whether the metric is smooth in the weights of units, and the combination of groups of units is too."""
        return self.metric.smooth and self._is_mean

    @property
    def working_scale(self) -> WorkingScale:
        """The working scale of the metric; that of the scores themselves where groups are not combined by a mean."""
        return self.metric.working_scale if self._is_mean else "identity"

    @property
    def interval_scale(self) -> IntervalScale:
        """The interval scale of the metric; that of the scores themselves where groups are not combined by a mean."""
        return (self.metric.interval_scale or self.metric.working_scale) if self._is_mean else "identity"

    @cached_property
    def pairs(self) -> Pairs:
        """The positions of both submissions of every unordered pair, (pairs,) each."""
        return ordered_pairs(self.oriented, as_given=self.as_given, compared_with_all=self.compared_with_all)

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented scores of every draw."""
        return self.sign * self.sample.drawn_of(self.nth, draws, scheme)

    def covariances(self, draws: int) -> FloatArray:
        """Return the covariances of the oriented scores, of all units and of each draw."""
        statistics = self.sample.statistics_of(self.nth)
        if not (self.smooth and all(isinstance(statistic, Additive) for statistic in statistics)):
            raise CapabilityError(f"the scores of metric '{self.metric.name}' are not smooth functions of sums")
        return covariances_in_draws(self.sample, self.nth, draws)

    def without_groups(self, draws: int, groups: int) -> FloatArray:
        """Return the oriented scores with each of at most so many groups left out, of all units and of each draw."""
        count = min(groups, self.sample.drawn_units)
        return self.sign * without_groups_in_draws(self.sample, self.nth, draws, count)

    @property
    def units(self) -> int:
        """The number of units that are resampled."""
        return self.sample.stack.units

    def jackknife(self) -> FloatArray:
        """Return the oriented scores with each unit left out."""
        return self.sign * self.sample.left_out(self.nth)

    @cached_property
    def left_out_of_grid(self) -> GridLeftOut:
        """The oriented scores with each segment, system and cell left out."""
        self._check_ungrouped("cells")
        grids = [batch for batch in self.sample.batches if batch.crossed]
        if len(grids) < len(self.sample.batches):
            raise CapabilityError(f"metric '{self.metric.name}' does not score grids of segments and systems")
        self._check_common("cells", [])
        with at_work(self.metric, "bind"):
            bind_parts = self.metric.bind_parts or (lambda _: unchecked_bind(self.metric))
            binds = [bind_parts(checked.batch_for(self.metric, grid)) for grid in grids]
            return leave_out_of_grids(binds, grids, self.sign, self.sample.runner.on_notice, self.metric.name)

    def weighted(self, weights: NDArray[Any]) -> FloatArray:
        """Return the oriented scores under weights of the units that are resampled, (..., n) -> (..., S)."""
        sample = self.sample
        with checked.statistics_at_work(sample.metrics, len(sample.batches)):
            scores = sample.stack(weights)
        return self.sign * scores[..., sample.columns_of(self.nth)]

    def count_exchanges(self, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
        """Count the exchanges whose differences are extreme."""
        if (kept := self._kept_differences(draws, enumerable=True)) is not None:
            counts = np.empty(len(self.pairs[0]))
            for part in bounded_slices(len(counts), len(kept), most=CELLS_IN_CACHE):
                counts[part] = extreme(kept[:, part], part).sum(axis=0, dtype=np.float64)
            return counts, len(kept), self.enumerates(draws)
        blocks, total, exhaustive, masks = self._exchanging(draws, len(self.pairs[0]), enumerable=True)
        work = partial(count_block, self._made, self.pairs, self._sign_of_exchange, extreme, masks)
        counts = np.zeros(len(self.pairs[0]))
        with at_work(self.metric, "exchange"):
            for block_counts in self.sample.runner.imap(work, blocks):
                counts += block_counts
        return counts, total, exhaustive

    def exchanged_differences(self, draws: int, pairs: Pairs, *, enumerable: bool = False) -> FloatArray:
        """Return the differences of drawn exchanges, (draws, pairs), or of all."""
        if (kept := self._kept_differences(draws, enumerable=enumerable)) is not None:
            differences = select_pairs(kept, self.pairs, pairs)
            if differences is not None:
                return differences
        return self._differences(draws, pairs, enumerable=enumerable)

    def _kept_differences(self, draws: int, *, enumerable: bool) -> FloatArray | None:
        """Return the differences of all pairs, which test, correction and sums share; None if there are many."""
        _, total, enumerated = self._blocks(draws, enumerable=enumerable)
        if self.own_exchange is not None:
            return None
        key, kept = self._key_of_kept(self.swap, draws, enumerated=enumerated), self.sample.differences
        if key not in kept and kept.numbers + total * len(self.pairs[0]) > MOST_KEPT_OF_TASK:
            return None
        return kept.once(key, lambda: freeze(self._differences(draws, self.pairs, enumerable=enumerable)))

    @property
    def kept_exchanges(self) -> list[tuple[Swap, int]]:
        """What was swapped how often in the drawn exchanges whose differences are kept."""
        keys = self.sample.differences
        drawn = [key for key in keys if key == self._key_of_kept(key.swap, key.draws, enumerated=False)]
        return [(key.swap, key.draws) for key in drawn]

    def release_exchanges(self) -> None:
        """Free the memory of exchanges; they are computed again if they are asked for."""
        self.sample.release_exchanges()

    def _key_of_kept(self, swap: Swap, draws: int, *, enumerated: bool) -> KeptExchanges:
        return KeptExchanges(swap, draws, enumerated, self.nth, self.stream, self.as_given, self.compared_with_all)

    def _differences(self, draws: int, pairs: Pairs, *, enumerable: bool) -> FloatArray:
        blocks, total, _, masks = self._exchanging(draws, len(pairs[0]), enumerable=enumerable)
        work = partial(differences_of_block, self._made, pairs, self._sign_of_exchange, masks)
        done, differences = 0, np.empty((total, len(pairs[0])))
        with at_work(self.metric, "exchange"):
            for block in self.sample.runner.imap(work, blocks):
                differences[done : done + len(block)] = block
                done += len(block)
            if done and len(pairs[0]) and self.own_exchange is None and is_foreign(self.metric):
                last = self.sign * self._made(masks(blocks[-1][-1:])[-1:], pairs[0][-1:], pairs[1][-1:])
                what, slack = "the same exchange of the same pair by itself", checked.ROUNDING_OF_SUMS
                checked.check_equal(self.metric, differences[done - 1, -1:], last[0], what, slack)
        return differences[:done]

    def unexchanged(self, pairs: Pairs) -> FloatArray:
        """Return the differences of pairs without an exchange, of the scores or of the exchange's own statistic."""
        if not self.has_own_statistic:
            return self.oriented[pairs[0]] - self.oriented[pairs[1]]
        with at_work(self.metric, "exchange"):
            nothing = np.zeros((1, self._made.cells), dtype=np.uint8)
            return np.asarray(self._sign_of_exchange * self._made(nothing, *pairs)[0])

    def exchanged_by(self, masks: NDArray[Any], pairs: Pairs) -> FloatArray:
        """Return the oriented differences of pairs after exchanges by masks, (draws, pairs)."""
        with at_work(self.metric, "exchange"):
            return np.asarray(self._sign_of_exchange * self._made(masks, *pairs))

    @property
    def has_own_statistic(self) -> bool:
        """Whether the differences of an exchange are not those of the score."""
        exchange = self.own_exchange
        return has_own_statistic(exchange) if exchange else self.sample.exchange_properties(self.nth, self.swap)[1]

    @property
    def recomputes(self) -> bool:
        """Whether an exchange computes every score again."""
        exchange = self.own_exchange
        return recomputes(exchange) if exchange else self.sample.exchange_properties(self.nth, self.swap)[0]

    def enumerates(self, draws: int) -> bool:
        """Return whether `count_exchanges` enumerates all exchanges, since there are not more than `draws`."""
        return self._blocks(draws, enumerable=True)[2]

    @property
    def _made(self) -> Exchange:
        """The exchange in force: that of a test, or that of the metric."""
        return self.own_exchange or self.sample.exchange_of(self.nth, self.swap)

    @property
    def _sign_of_exchange(self) -> float:
        return 1.0 if self.own_exchange else self.sign

    def _blocks(self, draws: int, *, enumerable: bool) -> tuple[list[DrawBlock], int, bool]:
        """Return the blocks of exchanges, their total, and whether they are all that there are."""
        cells = self._made.cells
        blocks = exchange_blocks(self._key, draws, cells, enumerable=enumerable)
        if blocks[2] or self._drawn is None:
            return blocks
        return exchange_blocks(self._key, draws, self._drawn.count, enumerable=False)

    @cached_property
    def _drawn(self) -> DrawnCells | None:
        """The cells that are drawn for all readings of the data together; None if there are none beside those here.

        Cells of a grid lie unit by unit. Other cells, such as pairs of systems, are drawn for each reading by itself.
        """
        sample, unit, cells = self.sample, self.swap.unit, self._made.cells
        joint, ungrouped = sample.joint, sample.grouping is None
        if joint is None:
            return None
        if unit == "system":  # readings with equally many systems swap the same ones
            return DrawnCells(cells, np.arange(cells))
        by_unit = unit in {RESAMPLED, sample.resample} or (ungrouped and unit == sample.batches[0].unit)
        return joint.cells_of(cells, by_unit=by_unit, by_cell=ungrouped and unit == "cell")

    @cached_property
    def _key(self) -> Key:
        """The key of the stream of exchanges: it depends on the cells that are swapped, not on the metric.

        * Units that are resampled, without a `stream`: all metrics of the task share the draws, and all joint readings.
        * Another axis, or a `stream`: terms share them that have axis, number of cells, ids and stream in common.
          Of joint readings that draw their cells together, ids and number are those of all, which so share the draws.
        * Cells that joint readings do not draw together, such as pairs: likewise, with ids and number of one reading.
        """
        sample, joint, drawn = self.sample, self.sample.joint, self._drawn
        batch, stream_of_task = sample.batches[0], (*sample.key, 2)
        is_shared = joint is None or drawn is not None  # with all readings that there are
        if is_shared and not self.stream and self.swap.unit in {RESAMPLED, batch.unit}:
            return stream_of_task
        if joint is not None and drawn is not None:
            ids, cells = joint.ids, drawn.count
        else:
            ids, cells = batch.ids, self._made.cells
        digest = hashlib.sha256(ids.tobytes()).hexdigest()
        return (*stream_of_task, *named_key(self.swap.unit, cells, digest, self.stream))

    def _exchanging(
        self, draws: int, pairs: int, *, enumerable: bool
    ) -> tuple[list[list[DrawBlock]], int, bool, Masks]:
        """Return the exchanges in groups of blocks, their total, whether they are all, and what makes masks of a group.

        The runner reports long work before it begins.
        """
        if draws * pairs >= _MANY and self.recomputes:
            self.sample.runner.on_notice(
                f"{self.metric.name} is recomputed for {pairs:,} pairs x {draws:,} exchanges, which may take long; "
                "an empty rule 'test' leaves the test out"
            )
        cells = self._made.cells
        blocks, total, exhaustive = self._blocks(draws, enumerable=enumerable)
        masks = partial(enumerated_masks, cells) if exhaustive else partial(drawn_masks, self._drawn, cells)
        return grouped_blocks(blocks, cells), total, exhaustive, masks

    def along(self, unit: str, *, standardize: Standardize = False) -> Term:
        """Return the same metric on the same sample with exchanges along an axis."""
        return attrs.evolve(self, swap=Swap(unit, standardize))

    def exchanging(self, exchange: Exchange) -> Term:
        """Return the same metric on the same sample with another exchange of the units that are resampled."""
        return attrs.evolve(self, own_exchange=exchange)

    def only(self, chosen: list[int]) -> Term:
        """Return the same metric on the same units for some of the submissions, by their positions."""
        alone = self.compared_with_all
        return attrs.evolve(
            self, sample=self.sample.only(chosen), compared_with_all=chosen.index(alone) if alone in chosen else None
        )

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
            by_submission = [checked.outcomes(metric, batch) for batch in self.sample.batches]
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
        vectors = [checked.vectors(self.metric, batch) for batch in self.sample.batches]
        self._check_common("vectors", [gold for gold, _ in vectors])
        if any(not np.array_equal(gold, vectors[0][0]) for gold, _ in vectors):
            raise CapabilityError(f"the vectors of metric '{self.metric.name}' differ in their gold")
        return vectors[0][0], self.sign * np.stack([predicted for _, predicted in vectors])

    def per_unit(self) -> FloatArray:
        """Return one value per unit, (S, n), whose means are the oriented scores."""
        self._check_ungrouped("values per unit")
        if self.metric.per_unit is None:
            raise CapabilityError(f"metric '{self.metric.name}' is not a mean of one value per unit")
        values = [checked.per_unit(self.metric, batch) for batch in self.sample.batches]
        return self.sign * np.stack(values)

    def _check_ungrouped(self, what: str) -> None:
        """Refuse `what`, which exists for single units only, if groups of units are scored or resampled."""
        within = self.sample.within.by if self.sample.within else ""
        if within or self.sample.grouping is not None:
            drawn = "whole groups ('resample', 'groups') are drawn"
            why = f"'within' scores every {within} separately" if within else drawn
            none = f"there are no {what} of metric '{self.metric.name}' over groups of units: {why}"
            raise CapabilityError(f"{none}; choose a test that resamples or exchanges")

    def _check_common(self, what: str, by_submission: Sequence[FloatArray]) -> None:
        """Refuse `what` unless it belongs to the same units in all submissions."""
        first, *others = self.sample.batches
        if len({len(values) for values in by_submission}) > 1 or not all(map(first.answers_same_cells, others)):
            raise CapabilityError(f"submissions that lack different units have no common {what}")


def _are_means(oriented: FloatArray, outcomes: FloatArray) -> bool:
    """Return whether all defined scores, (S,), are the means of the outcomes, (S, m), up to rounding."""
    roundings = 1e-9 * np.maximum(1.0, np.abs(outcomes).max(axis=1))
    return not (np.abs(outcomes.mean(axis=1) - oriented) > roundings).any()

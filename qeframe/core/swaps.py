"""The exchanges of a contest: which cells are swapped in which draws, and the differences of pairs after it.

Those of a score over several parts are summed, each part times its share. The sums of all pairs are kept, unless they
are many: test and correction share them, and a part that is tested by itself adds what it has exchanged before it frees
its memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qeframe.core import metric_calls as checked
from qeframe.core.batch import FloatArray
from qeframe.core.component import at_work, is_foreign
from qeframe.core.draws import (
    CELLS_IN_CACHE,
    MOST_KEPT,
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
from qeframe.core.exchange import RESAMPLED, Exchange, Masks, Swap, count_block, differences_of_block
from qeframe.core.ragged import freeze
from qeframe.core.significance import IsExtreme, Pairs, select_pairs

if TYPE_CHECKING:
    from qeframe.core.contest import Contest

_MANY = 50_000
"""From this number of recomputed scores on, the runner reports that the work may take long."""


def exchange_of(term: Contest) -> Exchange:
    """Return the exchange in force: that of a test, or that of the metric."""
    return term.own_exchange or term.made.once(term.swap, lambda: term.sample.exchange(term.metric, term.swap))


def _sign(term: Contest) -> float:
    return 1.0 if term.own_exchange else term.sign


def count_exchanges(contest: Contest, draws: int, extreme: IsExtreme) -> tuple[FloatArray, int, bool]:
    """Count the exchanges whose differences are extreme.

    Parameters
    ----------
    draws : int
        How many exchanges are drawn. In a single task all 2**n are enumerated if there are not more than `draws`.
    extreme : callable
        From differences (b, p) and the slice of their pairs to bool (b, p).

    Returns
    -------
    counts : (pairs,) float64
    total : int
    exhaustive : bool
        Whether all exchanges were enumerated, including the one that changes nothing.
    """
    (first, second), counts = contest.pairs, np.zeros(len(contest.pairs[0]))
    if not contest.is_single:
        for part in bounded_slices(len(first), draws):
            differences = exchanged_differences(contest, draws, (first[part], second[part]))
            counts[part] = extreme(differences, part).sum(axis=0, dtype=np.float64)
        return counts, draws, False
    if (kept := _kept_differences(contest, draws, enumerable=True)) is not None:
        for part in bounded_slices(len(counts), len(kept), most=CELLS_IN_CACHE):
            counts[part] = extreme(kept[:, part], part).sum(axis=0, dtype=np.float64)
        return counts, len(kept), enumerates(contest, draws)
    blocks, total, exhaustive, masks = _exchanging(contest, draws, len(first), enumerable=True)
    work = partial(count_block, exchange_of(contest), contest.pairs, _sign(contest), extreme, masks)
    with at_work(contest.metric, "exchange"):
        for block_counts in contest.sample.runner.imap(work, blocks):
            counts += block_counts
    return counts, total, exhaustive


def exchanged_differences(contest: Contest, draws: int, pairs: Pairs, *, enumerable: bool = False) -> FloatArray:
    """Return the oriented differences of pairs in every drawn exchange, (draws, pairs).

    If they are `enumerable` and `enumerates` says so, the rows are all exchanges instead, first that of nothing.
    NaN for a pair that a part does not have.
    """
    if not contest.is_single:
        return _sum_differences(contest, draws, pairs)
    if (kept := _kept_differences(contest, draws, enumerable=enumerable)) is not None:
        differences = select_pairs(kept, contest.pairs, pairs)
        if differences is not None:
            return differences
    return compute_differences(contest, draws, pairs, enumerable=enumerable)


def _kept_differences(term: Contest, draws: int, *, enumerable: bool) -> FloatArray | None:
    """Return the differences of all pairs, which test, correction and sums share; None if there are many."""
    _, total, enumerated = blocks_of(term, draws, enumerable=enumerable)
    if term.own_exchange is not None:
        return None
    key, kept = (draws, enumerated), term.exchanged
    if key not in kept and kept.numbers + total * len(term.pairs[0]) > MOST_KEPT_OF_TASK:
        return None
    return kept.once(key, lambda: freeze(compute_differences(term, draws, term.pairs, enumerable=enumerable)))


def compute_differences(term: Contest, draws: int, pairs: Pairs, *, enumerable: bool) -> FloatArray:
    """Return the differences of pairs of a term after exchanges, (draws, pairs), that are not kept."""
    blocks, total, _, masks = _exchanging(term, draws, len(pairs[0]), enumerable=enumerable)
    work = partial(differences_of_block, exchange_of(term), pairs, _sign(term), masks)
    differences, done = np.empty((total, len(pairs[0]))), 0
    with at_work(term.metric, "exchange"):
        for block in term.sample.runner.imap(work, blocks):
            differences[done : done + len(block)] = block
            done += len(block)
        if done and len(pairs[0]) and is_foreign(term.metric) and term.own_exchange is None:
            last = term.sign * exchange_of(term)(masks(blocks[-1][-1:])[-1:], pairs[0][-1:], pairs[1][-1:])
            size = np.nanmax(np.abs(term.oriented[[side[-1] for side in pairs]]), initial=0.0)
            what = "the same exchange of the same pair"
            checked.check_equal(term.metric, differences[done - 1, -1:], "alone", last[0], what, size)
    return differences[:done]


def exchanged_by(contest: Contest, masks: NDArray[Any], pairs: Pairs) -> FloatArray:
    """Return the oriented differences of pairs, (draws, pairs), after exchanges by masks (draws, n) of 0 and 1."""
    term = contest.only_term("exchanges of units")
    with at_work(term.metric, "exchange"):
        return np.asarray(_sign(term) * exchange_of(term)(masks, *pairs))


def unexchanged(contest: Contest, pairs: Pairs) -> FloatArray:
    """Return the oriented differences of pairs without an exchange, (pairs,): what drawn ones are compared with.

    They are those of the scores, unless the exchange has a statistic of its own.
    """
    of_scores = contest.oriented[pairs[0]] - contest.oriented[pairs[1]]
    if not contest.has_own_statistic:
        return of_scores
    if contest.is_single:
        return exchanged_by(contest, np.zeros((1, exchange_of(contest).cells), dtype=np.uint8), pairs)[0]
    of_parts = np.zeros((1, len(pairs[0])))
    for nth in range(len(contest.parts)):
        _add_share(contest, of_parts, nth, pairs, lambda part, of: part.unexchanged(of))
    return np.where(np.isnan(of_scores), np.nan, of_parts[0]) if contest.is_sum else of_parts[0]


def enumerates(contest: Contest, draws: int) -> bool:
    """Return whether `count_exchanges` enumerates all exchanges, since there are not more than `draws`."""
    return contest.is_single and blocks_of(contest, draws, enumerable=True)[2]


def kept_exchanges(contest: Contest) -> list[tuple[Swap, int]]:
    """Return what was swapped how often in the drawn exchanges whose differences are kept."""
    if not contest.is_single:
        return [(contest.terms[0].swap, draws) for draws in contest.exchanged]
    return [(swap, draws) for swap, (draws, enumerated) in _kept(contest) if not enumerated]


def swapped(contest: Contest) -> set[Swap]:
    """Return what was swapped in the exchanges, drawn or enumerated, whose differences are kept."""
    return {swap for term in contest.terms for swap, _ in _kept(term)}


def _kept(term: Contest) -> Iterator[tuple[Swap, tuple[int, bool]]]:
    """Yield what was swapped where the differences of a term are kept, how often, and whether these are all ways."""
    for each in (term, *term.moved.values()):
        yield from ((each.swap, key) for key in each.exchanged)


def blocks_of(term: Contest, draws: int, *, enumerable: bool) -> tuple[list[DrawBlock], int, bool]:
    """Return the blocks of exchanges of a term, their total, and whether they are all that there are."""
    blocks = exchange_blocks(key_of(term), draws, exchange_of(term).cells, enumerable=enumerable)
    drawn = drawn_cells(term)
    if blocks[2] or drawn is None:
        return blocks
    return exchange_blocks(key_of(term), draws, drawn.count, enumerable=False)


def drawn_cells(term: Contest) -> DrawnCells | None:
    """Return the cells that are drawn for all readings of the data together; None if there are none beside those here.

    Cells of a grid lie unit by unit. Other cells, such as pairs of systems, are drawn for each reading by itself.
    """
    sample, unit = term.sample, term.swap.unit
    joint, ungrouped = sample.joint, sample.grouping is None
    if joint is None:
        return None
    cells = exchange_of(term).cells
    if unit == "system":  # readings with equally many systems swap the same ones
        return DrawnCells(cells, np.arange(cells))
    by_unit = unit in {RESAMPLED, sample.resample} or (ungrouped and unit == sample.batches[0].unit)
    return joint.cells_of(cells, by_unit=by_unit, by_cell=ungrouped and unit == "cell")


def key_of(term: Contest) -> Key:
    """Return the key of the stream of exchanges: it depends on the cells that are swapped, not on the metric.

    * Units that are resampled, without a `stream`: all metrics of the task share the draws, and all joint readings.
    * Another axis, or a `stream`: terms share them that have axis, number of cells, ids and stream in common.
      Of joint readings that draw their cells together, ids and number are those of all, which so share the draws.
    * Cells that joint readings do not draw together, such as pairs: likewise, with ids and number of one reading.
    """
    sample, joint, drawn = term.sample, term.sample.joint, drawn_cells(term)
    batch, stream_of_task = sample.batches[0], (*sample.key, 2)
    is_shared = joint is None or drawn is not None  # with all readings that there are
    if is_shared and not term.stream and term.swap.unit in {RESAMPLED, batch.unit}:
        return stream_of_task
    if joint is not None and drawn is not None:
        ids, cells = joint.ids, drawn.count
    else:
        ids, cells = batch.ids, exchange_of(term).cells
    digest = hashlib.sha256(ids.tobytes()).hexdigest()
    return (*stream_of_task, *named_key(term.swap.unit, cells, digest, term.stream))


def _exchanging(
    term: Contest, draws: int, pairs: int, *, enumerable: bool
) -> tuple[list[list[DrawBlock]], int, bool, Masks]:
    """Return the exchanges in groups of blocks, their total, whether they are all, and what makes masks of a group.

    The runner reports long work before it begins.
    """
    if draws * pairs >= _MANY and term.recomputes:
        term.sample.runner.on_notice(
            f"{term.metric.name} is recomputed for {pairs:,} pairs x {draws:,} exchanges, which may take long; "
            "an empty rule 'test' leaves the test out"
        )
    cells = exchange_of(term).cells
    blocks, total, exhaustive = blocks_of(term, draws, enumerable=enumerable)
    masks = partial(enumerated_masks, cells) if exhaustive else partial(drawn_masks, drawn_cells(term), cells)
    return grouped_blocks(blocks, cells), total, exhaustive, masks


def check_sum(contest: Contest) -> None:
    """Refuse exchanges of a score that is no sum of its parts, or of a part whose test has none."""
    rule = contest.aggregation
    if rule is not None and not rule.linear:
        raise CapabilityError(f"differences of '{rule.name}' over tasks are not sums; choose a test that needs 'bind'")
    if contest.is_sum and (lacking := sorted(part.name for part in contest.parts if part.swap is None)):
        what = f"the overall score is tested by the exchanges of its parts, and the test of {lacking[0]} has none"
        raise CapabilityError(f"{what}; set test=jackknife or test=bootstrap, or one of exchanges for all parts")


def _sum_differences(contest: Contest, draws: int, pairs: Pairs) -> FloatArray:
    """Return the differences of pairs in every draw, (draws, pairs); NaN for a pair that a part does not have."""
    check_sum(contest)
    if _fits(contest, draws):
        for nth in range(len(contest.parts)):
            _add_part(contest, nth, draws)
        differences = select_pairs(_sum(contest, draws)[0], contest.pairs, pairs)
        if differences is not None:
            return differences
    total = np.zeros((draws, len(pairs[0])))
    for nth in range(len(contest.parts)):
        _add_share(contest, total, nth, pairs, lambda part, of: part.exchanged_differences(draws, of))
    return total


def _add_part(contest: Contest, nth: int, draws: int) -> None:
    """Add what a part has exchanged to the sum that is kept for all pairs, unless it is in it or there are many."""
    if not _fits(contest, draws):
        return
    total, parts = _sum(contest, draws)
    if nth not in parts:
        parts.add(nth)
        _add_share(contest, total, nth, contest.pairs, lambda part, of: part.exchanged_differences(draws, of))


def _fits(contest: Contest, draws: int) -> bool:
    return draws * len(contest.pairs[0]) <= MOST_KEPT


def _sum(contest: Contest, draws: int) -> tuple[FloatArray, set[int]]:
    """Return the differences of all pairs, (draws, pairs), summed over some parts so far, and which: both grow."""
    return contest.exchanged.once(draws, lambda: (np.zeros((draws, len(contest.pairs[0]))), set[int]()))


def _add_share(
    contest: Contest, total: FloatArray, nth: int, pairs: Pairs, of_part: Callable[[Contest, Pairs], FloatArray]
) -> None:
    """Add the share of a part to sums over parts, (rows, pairs); NaN for a pair that it does not have."""
    part, share = contest.parts[nth], contest.shares[nth]
    if not share:
        return
    there = np.flatnonzero(part.positions >= 0)
    position_in_part = np.full(contest.submissions, -1)
    position_in_part[part.positions[there]] = there
    left, right = (position_in_part[side] for side in pairs)
    both = (left >= 0) & (right >= 0)
    total[:, slice(None) if both.all() else both] += share * of_part(part.exchanging, (left[both], right[both]))
    total[:, ~both] = np.nan


def collect(contest: Contest, nth: int) -> None:
    """Add what the test of a part has exchanged to the sums over parts, before the part frees its memory."""
    part = contest.parts[nth]
    if not contest.linear or (contest.is_sum and any(other.swap is None for other in contest.parts)):
        return
    for swap, draws in part.exchanging.kept_exchanges:
        if swap == part.exchanging.terms[0].swap or not contest.is_sum:
            _add_part(contest.along(swap.unit, standardize=swap.standardize), nth, draws)

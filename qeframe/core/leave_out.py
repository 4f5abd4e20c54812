"""The scores of a contest with units left out: each unit, groups of them, parts of grids; and their covariances.

A change of the units of a sample changes its terms, and the terms change the score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from qeframe.core import metric_calls as checked
from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.component import at_work
from qeframe.core.draws import DrawBlock, bootstrap_counts, bounded_slices, draw_blocks, grouped_counts
from qeframe.core.errors import CapabilityError
from qeframe.core.ranking import of_part
from qeframe.core.sample import Sample, unchecked_bind
from qeframe.core.standard_errors import GridLeftOut, covariance_by_influence, leave_out_of_grids
from qeframe.core.standard_errors import without_groups as scores_without_groups
from qeframe.core.statistic import Additive

if TYPE_CHECKING:
    from qeframe.core.contest import Contest, Part

_LEAST_UNITS = 2
"""Fewer units have no variance: such a part is a sample of its own."""


def jackknife(contest: Contest) -> FloatArray:
    """Return the oriented scores with each unit left out in turn, (n, S), sample after sample.

    In a sum a unit is left out of all parts that have it.
    """
    if contest.is_single:
        return contest.sign * contest.sample.left_out(contest.nth)
    if contest.is_sum:
        left_out = {part.name: (part.of.jackknife(), part.of.sizes) for part in contest.parts}
        whole = [part.of.oriented[None] for part in contest.parts]
        return np.concatenate(_sums_without(contest, contest.oriented[None], whole, left_out))
    replaced = _replacing(contest, [term.oriented for term in contest.terms])
    return np.concatenate([replaced(nth, term.jackknife()) for nth, term in enumerate(contest.terms)])


def _sums_without(
    contest: Contest,
    total: FloatArray,
    whole: Sequence[FloatArray],
    left_out: Mapping[str, tuple[FloatArray, tuple[int, ...]]],
    groups: int | None = None,
) -> list[FloatArray]:
    """Return the sums without each unit, or each of at most so many groups, of each sample, (..., n, S).

    `total` (..., 1, S). `whole` (..., 1, s): of each part. `left_out`: by part its scores, (..., n of all samples, s),
    and how many each sample has. A unit is left out of all parts that have it; groups are the same ones in all parts.
    """
    before = {part.name: contest.add(part, of) for part, of in zip(contest.parts, whole, strict=True)}
    columns = []
    for sample, members in _samples(contest):
        count = _drawn_units(sample) if groups is None else min(groups, sample.drawn_units)
        values = np.repeat(total, count, axis=-2)
        for part, nth in members:
            scores, sizes = left_out[part.name]
            without = np.split(scores, np.cumsum(sizes)[:-1], axis=-2)[nth]
            units: Any = slice(None)
            if groups is None:
                units = part.of.terms[nth].sample.drawn_members if count >= _LEAST_UNITS else [0]
            values[..., units, :] += contest.add(part, without) - before[part.name]
        columns.append(values)
    return columns


def without_groups(contest: Contest, draws: int, groups: int) -> tuple[FloatArray, tuple[int, ...]]:
    """Return the oriented scores with each group of units left out in turn, in every draw.

    Parameters
    ----------
    groups : int
        How many groups each sample (task) has at most: a sample of fewer units has as many as it has units.

    Returns
    -------
    left_out : (1 + draws, groups of all samples, S) float64
        Of all units, then of each draw of `resample`.
    sizes : tuple of int
        How many groups each sample has.
    """
    if contest.is_single:
        sample, count = contest.sample, min(groups, contest.sample.drawn_units)
        # the group of a unit is its position modulo their number
        dealt = (np.arange(count)[:, None] == sample.drawn_members % count)[None].astype(np.int64)
        counts = partial(grouped_counts, units=sample.drawn_units, groups=count)
        compute = partial(scores_without_groups, sample.stack_of(contest.nth))
        return contest.sign * _in_draws(contest, draws, dealt, counts, compute, count), (count,)
    whole = [np.concatenate([part.of.oriented[None], part.of.resample(draws)])[:, None] for part in contest.parts]
    if contest.is_sum:
        total = np.concatenate([contest.oriented[None], contest.resample(draws)])[:, None]
        left_out = {part.name: part.of.without_groups(draws, groups) for part in contest.parts}
        columns = _sums_without(contest, total, whole, left_out, groups)
    else:
        replaced = _replacing(contest, whole)
        columns = [replaced(nth, term.without_groups(draws, groups)[0]) for nth, term in enumerate(contest.terms)]
    return np.concatenate(columns, axis=1), tuple(values.shape[1] for values in columns)


def sizes(contest: Contest) -> tuple[int, ...]:
    """Return how many units each independent sample has: each task, or what parts of a sum draw together."""
    if contest.is_sum:
        return tuple(_drawn_units(sample) for sample, _ in _samples(contest))
    return tuple(term.sample.stack.units for term in contest.terms)


def _samples(contest: Contest) -> list[tuple[Sample, list[tuple[Part, int]]]]:
    """Return of each sample of a sum one of its readings, and the parts that have it, with the position of their term.

    Parts of a language pair are drawn together. A row of system scores alone is a sample of its own, whatever is drawn
    beside it.
    """
    samples: dict[object, tuple[Sample, list[tuple[Part, int]]]] = {}
    for part in contest.parts:
        for nth, term in enumerate(part.of.terms):
            alone = part.name if term.sample.stack.units < _LEAST_UNITS else ""
            samples.setdefault((term.sample.identity, alone), (term.sample, []))[1].append((part, nth))
    return list(samples.values())


def covariances(contest: Contest, draws: int) -> FloatArray:
    """Return the covariances of the oriented scores, (1 + draws, S, S): of all units, then of each draw.

    They are those of the infinitesimal jackknife; the draws are those of `resample`. Refused unless the scores are
    smooth functions of sums over units, or a weighted mean of such scores.
    """
    if contest.is_single:
        sample = contest.sample
        is_additive = all(isinstance(each, Additive) for each in sample.statistics_of(contest.nth))
        if not (contest.smooth and is_additive):
            raise CapabilityError(f"the scores of metric '{contest.metric.name}' are not smooth functions of sums")
        stack, counts = sample.stack_of(contest.nth), partial(bootstrap_counts, units=sample.drawn_units)
        ones = np.ones((1, stack.units), dtype=np.int64)
        return _in_draws(contest, draws, ones, counts, partial(covariance_by_influence, stack), len(stack))
    if contest.aggregation is None:
        raise contest.lacking("covariances by influence")
    if not contest.aggregation.linear:
        raise CapabilityError(f"the aggregate '{contest.aggregation.name}' is no mean")
    # tasks are independent: the sum over tasks of share squared x covariance
    total: FloatArray = np.zeros((1, contest.submissions, contest.submissions))
    for term, part, share in zip(contest.terms, contest.parts, contest.shares, strict=True):
        if share:
            covariances = term.covariances(draws)
            of_task = np.full((len(covariances), *total.shape[1:]), np.nan)
            of_task[:, part.positions[:, None], part.positions] = share**2 * covariances
            total = total + of_task
    return total


def left_out_of_grids(contest: Contest) -> Sequence[GridLeftOut]:
    """Return the oriented scores with each segment, system and cell left out in turn, for each task.

    The segments and systems of a task are both samples; the other tasks keep their scores.
    """
    if contest.is_sum:
        raise contest.lacking("jackknife of its grids")
    if contest.is_single:
        return (contest.left_out_of_grid,)
    replaced = _replacing(contest, [term.oriented for term in contest.terms])
    return tuple(term.left_out_of_grid.changed(partial(replaced, nth)) for nth, term in enumerate(contest.terms))


def left_out_of_grid(term: Contest) -> GridLeftOut:
    """Return the oriented scores of one metric with each segment, system and cell left out."""
    checked.check_ungrouped(term, "cells")
    metric, batches = term.metric, term.sample.batches
    if not all(batch.crossed for batch in batches):
        raise CapabilityError(f"metric '{metric.name}' does not score grids of segments and systems")
    checked.check_common(term, "cells", [])
    with at_work(metric, "bind"):
        bind_parts = metric.bind_parts or (lambda _: unchecked_bind(metric))
        binds = [bind_parts(checked.batch_for(metric, grid)) for grid in batches]
        return leave_out_of_grids(binds, batches, term.sign, term.sample.runner.on_notice, metric.name)


def _replacing(contest: Contest, oriented: Sequence[FloatArray]) -> Callable[[int, FloatArray], FloatArray]:
    """Return what replaces the oriented scores of one term, (..., s), and aggregates them: to (..., S).

    Where an aggregate is a mean of numbers of the tasks, it changes by the share of the task in the change of its
    number. All tasks are aggregated anew where a number becomes defined or undefined: elsewhere the weights that
    the mean is divided by stay, and are summed once.
    """

    def anew(nth: int, values: FloatArray, rows: Any = ...) -> FloatArray:
        others = [np.broadcast_to(of_task, (*values.shape[:-1], of_task.shape[-1]))[rows] for of_task in oriented]
        return contest.combine([*others[:nth], values[rows], *others[nth + 1 :]])

    if contest.aggregation is None or contest.aggregation.part is None:
        return anew
    whole = contest.combine(oriented)
    numbers = [_number(contest, nth, scores) for nth, scores in enumerate(oriented)]
    # a mean changes by w_task (after - before) / (sum of the weights of the tasks where it is defined)
    total = sum(weight * ~np.isnan(number) for weight, number in zip(contest.weights, numbers, strict=True))
    per_weight = contest.sign / np.where(total > 0, total, np.nan)

    def changed(nth: int, values: FloatArray) -> FloatArray:
        before, after = numbers[nth], _number(contest, nth, values)
        change = np.where(np.isnan(before) & np.isnan(after), 0.0, contest.weights[nth] * per_weight * (after - before))
        replaced = np.asarray(whole + change if contest.weights[nth] else np.broadcast_to(whole, after.shape))
        differ = (np.isnan(before) != np.isnan(after)).any(axis=-1) & (contest.weights[nth] > 0)
        if differ.any():
            replaced[differ] = anew(nth, values, differ)
        return replaced

    return changed


def _number(contest: Contest, nth: int, oriented: FloatArray) -> FloatArray:
    """Return the numbers of one task, (..., S), of which the aggregate is the mean."""
    assert contest.aggregation is not None
    return of_part(contest.aggregation, contest.of_task(nth, oriented), contest.metric.higher_is_better)


def _drawn_units(sample: Sample) -> int:
    """Return how many units are drawn; a row of system scores alone has one, whatever is drawn beside it."""
    return sample.drawn_units if sample.stack.units >= _LEAST_UNITS else sample.stack.units


_ARRAYS = 3
"""How many arrays of one number a draw, unit, and statistic or group live at once."""


def _in_draws(
    term: Contest,
    draws: int,
    all_units: IntArray,
    counts: Callable[[DrawBlock], IntArray],
    compute: Callable[[IntArray], FloatArray],
    arrays: int,
) -> FloatArray:
    """Return what `compute` makes of all units, then of the counts of every block of draws of `resample`.

    `arrays`: how many numbers a unit has in an array of one draw.
    """
    sample = term.sample
    chunks = list(draw_blocks((*sample.key, 1), draws, sample.drawn_units))
    chosen, cells = sample.joint.members if sample.joint else None, _ARRAYS * arrays * sample.stack.units
    whole = compute(all_units)
    with checked.statistics_at_work((term.metric,), len(sample.batches)):
        return np.concatenate([whole, *sample.runner.map(partial(_of_block, counts, chosen, compute, cells), chunks)])


def _of_block(
    counts: Callable[[DrawBlock], IntArray],
    chosen: IntArray | None,
    compute: Callable[[IntArray], FloatArray],
    cells: int,
    block: DrawBlock,
) -> FloatArray:
    """Return what is computed of the counts of one block; `chosen`: the units of this reading, None if they are all."""
    drawn = counts(block) if chosen is None else counts(block)[..., chosen]
    return np.concatenate([compute(drawn[part]) for part in bounded_slices(len(drawn), cells)])

"""The scores of a contest with units left out: each unit, groups of them, parts of grids; and their covariances.

A change of the units of a sample changes its terms, and the terms change the score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, BoolArray, FloatArray, IntArray
from qeframe.core.draws import DrawBlock, bootstrap_counts, bounded_slices, draw_blocks, grouped_counts
from qeframe.core.errors import CapabilityError
from qeframe.core.ranking import of_part
from qeframe.core.sample import Sample
from qeframe.core.scales import GridLeftOut, covariance_by_influence
from qeframe.core.scales import without_groups as scores_without_groups
from qeframe.core.statistic import Additive, Statistic, mean_of_sums
from qeframe.core.statistic_stack import StatisticStack

if TYPE_CHECKING:
    from qeframe.core.contest import Contest
    from qeframe.core.parts import Part

_LEAST_UNITS = 2
"""Fewer units have no variance: such a part is a sample of its own."""


def jackknife(contest: Contest) -> FloatArray:
    """Return the oriented scores with each unit left out in turn, (n, S), sample after sample.

    In a sum a unit is left out of all parts that have it.
    """
    if contest.is_single:
        return contest.terms[0].jackknife()
    if contest.is_sum:
        return np.concatenate(_sums_without_units(contest))
    replaced = _replacing(contest, [term.oriented for term in contest.terms])
    return np.concatenate([replaced(nth, term.jackknife()) for nth, term in enumerate(contest.terms)])


def _sums_without_units(contest: Contest) -> list[FloatArray]:
    """Return the sums without each unit of each sample: a unit is left out of all parts that have it."""
    left_out, rows = {}, []
    for part in contest.parts:
        starts = np.cumsum([term.units for term in part.of.terms])[:-1]
        left_out[part.name] = np.split(part.of.jackknife(), starts)
    for sample, members in _samples(contest):
        values = np.tile(contest.oriented, (_drawn_units(sample), 1))
        for part, nth in members:
            whole = contest.add(part, part.of.oriented)
            units = part.of.terms[nth].sample.drawn_members if len(values) >= _LEAST_UNITS else [0]
            values[units] += contest.add(part, left_out[part.name][nth]) - whole
        rows.append(values)
    return rows


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
        values = contest.terms[0].without_groups(draws, groups)
        return values, (values.shape[1],)
    whole = [np.concatenate([part.of.oriented[None], part.of.resample(draws)])[:, None] for part in contest.parts]
    if contest.is_sum:
        columns = _sums_without_groups(contest, draws, groups, whole)
    else:
        replaced = _replacing(contest, whole)
        columns = [replaced(nth, term.without_groups(draws, groups)) for nth, term in enumerate(contest.terms)]
    return np.concatenate(columns, axis=1), tuple(values.shape[1] for values in columns)


def _sums_without_groups(contest: Contest, draws: int, groups: int, whole: Sequence[FloatArray]) -> list[FloatArray]:
    """Return the sums without each group of units of each sample, (1 + draws, groups, S) each."""
    total = np.concatenate([contest.oriented[None], contest.resample(draws)])[:, None]
    before = {part.name: contest.add(part, of) for part, of in zip(contest.parts, whole, strict=True)}
    left_out = {}
    for part in contest.parts:
        values, sizes = part.of.without_groups(draws, groups)
        left_out[part.name] = np.split(values, np.cumsum(sizes)[:-1], axis=1)
    columns = []
    for sample, members in _samples(contest):
        values = np.repeat(total, min(groups, sample.drawn_units), axis=1)
        for part, nth in members:
            values += contest.add(part, left_out[part.name][nth]) - before[part.name]
        columns.append(values)
    return columns


def sizes(contest: Contest) -> tuple[int, ...]:
    """Return how many units each independent sample has: each task, or what parts of a sum draw together."""
    if contest.is_sum:
        return tuple(_drawn_units(sample) for sample, _ in _samples(contest))
    return tuple(term.units for term in contest.terms)


def _samples(contest: Contest) -> list[tuple[Sample, list[tuple[Part, int]]]]:
    """Return of each sample of a sum one of its readings, and the parts that have it, with the position of their term.

    Parts of a language pair are drawn together. A row of system scores alone is a sample of its own, whatever is drawn
    beside it.
    """
    samples: dict[object, tuple[Sample, list[tuple[Part, int]]]] = {}
    for part in contest.parts:
        for nth, term in enumerate(part.of.terms):
            alone = part.name if term.units < _LEAST_UNITS else ""
            samples.setdefault((term.sample.identity, alone), (term.sample, []))[1].append((part, nth))
    return list(samples.values())


def covariances(contest: Contest, draws: int) -> FloatArray:
    """Return the covariances of the oriented scores, (1 + draws, S, S): of all units, then of each draw.

    They are those of the infinitesimal jackknife; the draws are those of `resample`. Refused unless the scores are
    smooth functions of sums over units, or a weighted mean of such scores.
    """
    if contest.is_single:
        return contest.terms[0].covariances(draws)
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
        return (contest.terms[0].left_out_of_grid,)
    replaced = _replacing(contest, [term.oriented for term in contest.terms])
    return tuple(term.left_out_of_grid.changed(partial(replaced, nth)) for nth, term in enumerate(contest.terms))


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
    whole = scores_without_groups(stack, dealt[None].astype(np.int64))
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
    return np.concatenate([scores_without_groups(stack, counts[part]) for part in parts])


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

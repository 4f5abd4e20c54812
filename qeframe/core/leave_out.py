"""The scores of a contest with units left out: each unit, groups of them, parts of grids; and their covariances.

A change of the units of a sample changes its terms, and the terms change the score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from qeframe.core.aggregation import of_part
from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.errors import CapabilityError
from qeframe.core.parts import Part
from qeframe.core.sample import Sample
from qeframe.core.scales import GridLeftOut
from qeframe.core.term import Term

if TYPE_CHECKING:
    from qeframe.core.contest import Contest


_LEAST_UNITS = 2
"""Fewer units have no variance: such a part is a sample of its own."""


def jackknife(contest: Contest) -> FloatArray:
    """Return the oriented scores with each unit left out in turn, (n, S), sample after sample."""
    if contest.is_single:
        return contest.terms[0].jackknife()
    if contest.is_sum:
        return np.concatenate(_sums_without_units(contest))
    replaced = _replacing(contest, [term.oriented for term in contest.terms])
    return np.concatenate([replaced(nth, term.jackknife()) for nth, term in enumerate(contest.terms)])


def _sums_without_units(contest: Contest) -> list[FloatArray]:
    """Return the sums without each unit of each sample: a unit is left out of all parts that have it."""
    left_out = {part.name: np.split(part.of.jackknife(), _starts(part.of.terms)) for part in contest.parts}
    rows = []
    for sample, members in _samples(contest):
        values = np.tile(contest.oriented, (_drawn_units(sample), 1))
        for part, nth in members:
            whole = contest.add(part, part.of.oriented)
            units = part.of.terms[nth].sample.drawn_members if len(values) >= _LEAST_UNITS else [0]
            values[units] += contest.add(part, left_out[part.name][nth]) - whole
        rows.append(values)
    return rows


def without_groups(contest: Contest, draws: int, groups: int) -> tuple[FloatArray, tuple[int, ...]]:
    """Return the oriented scores with each group of units left out in turn, in every draw, and how many groups."""
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


def sizes_of_sum(contest: Contest) -> tuple[int, ...]:
    """Return how many units each sample of a sum has: what its parts draw together is one sample."""
    return tuple(_drawn_units(sample) for sample, _ in _samples(contest))


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
    """Return the covariances of the oriented scores, (1 + draws, S, S): of all units, then of each draw."""
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
    """Return the oriented scores with each segment, system and cell left out in turn, for each task."""
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


def _starts(terms: Sequence[Term]) -> IntArray:
    """Return where the units of each term but the first begin among those of all."""
    return np.cumsum([term.units for term in terms])[:-1]


def _drawn_units(sample: Sample) -> int:
    """Return how many units are drawn; a row of system scores alone has one, whatever is drawn beside it."""
    return sample.drawn_units if sample.stack.units >= _LEAST_UNITS else sample.stack.units

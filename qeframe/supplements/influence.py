"""What single units do to scores: those without which another submission wins, that move or lower a score most.

An explanation has the score in every slice too. Both are weightings of the units: a slice gives weight 1 to the units
of a group and 0 to the others, and the cost of a unit is what the score gains without it, a term of the jackknife. For
an additive metric both follow from its sums. Any other metric is recomputed for each slice and each unit; if that is
too much work, the explanation says so instead.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np

from qeframe.core.batch import BoolArray, FloatArray, IntArray, labels_to_index
from qeframe.core.component import StatisticError
from qeframe.core.errors import DataError
from qeframe.core.findings import FewestUnits, Influence, MovedScore, WinnerWithout
from qeframe.core.ranking import ROUNDING, rounding_slack
from qeframe.core.statistic import Additive, Grouped, by_group
from qeframe.core.statistic_stack import StatisticStack
from qeframe.supplements.given import SupplementInput, TaskScores

_MOST_LEFT_OUT = 0.5  # the largest share of the units that is left out
_GROWTH = 1.1


def influence(units: int) -> Callable[[SupplementInput], Influence]:
    """Return the function that finds the units that change the winner, and those that move each score most.

    `units`: how many of them are listed, at least 1; DataError if it is less.
    """
    if units < 1:
        raise DataError(f"the number of influential units must be at least 1, not {units}")
    return partial(_influence, units)


def _influence(most: int, given: SupplementInput) -> Influence:
    """Return the units that change the winner, and those that move each score most; `most` of them are listed.

    The influence of unit i is theta - theta(1 - e_i), a term of the jackknife (Cook 1977; Efron and Stein 1981). The
    search for the fewest units adds the influences on the lead until they exceed it (Broderick, Giordano and Meager
    2020), and then scores the other units to confirm the set, or to enlarge or shrink it.
    """
    contest, names = given.contest, given.submissions
    none = Influence(metric=given.metric, units=sum(contest.sizes), unit=given.unit, reason=given.not_left_out)
    if none.reason:
        return none
    oriented, left_out = contest.oriented, contest.jackknife()
    leading = _best(oriented)
    defined = ~np.isnan(left_out[:, leading]).any(axis=-1)
    changed = np.flatnonzero((_best(left_out) != leading).any(axis=-1) & leading.any() & defined)
    return attrs.evolve(
        none,
        leaders=_named(given, leading),
        changing=len(changed),
        winners_without=tuple(_winners_without(given, left_out, leading, changed, most)),
        fewest=_fewest(given, left_out, leading, most),
        moved={
            names[i]: tuple(_moved(given, i, left_out[:, i], most))
            for i in np.argsort(-np.nan_to_num(oriented, nan=-np.inf), kind="stable").tolist()
        },
    )


def _best(oriented: FloatArray) -> BoolArray:
    """Return which scores are the best of their row, (..., S) bool; none where all are undefined."""
    best = np.fmax.reduce(oriented, axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray(oriented >= best - rounding_slack(best, best))


def _named(given: SupplementInput, chosen: BoolArray) -> tuple[str, ...]:
    return tuple(name for name, is_chosen in zip(given.submissions, chosen, strict=True) if is_chosen)


def _winners_without(
    given: SupplementInput, left_out: FloatArray, leading: BoolArray, changed: IntArray, most: int
) -> list[WinnerWithout]:
    """Return the units without which the leaders are others, the largest new lead first."""
    rows = left_out[changed]
    if not len(rows):
        return []
    before = np.fmax.reduce(np.where(leading, rows, np.nan), axis=-1)
    leads = np.fmax.reduce(rows, axis=-1) - before
    leads = np.where(leads <= ROUNDING, 0.0, leads)
    order = np.argsort(-np.nan_to_num(leads, nan=np.inf), kind="stable")[:most]
    best = _best(rows)
    return [
        WinnerWithout(unit=given.describe(int(changed[i])), leaders=_named(given, best[i]), lead=float(leads[i]))
        for i in map(int, order)
    ]


def _moved(given: SupplementInput, position: int, left_out: FloatArray, most: int) -> list[MovedScore]:
    """Return the units that move the score of one submission most; none if the score is undefined."""
    sign, oriented = given.contest.sign, given.contest.oriented[position]
    if math.isnan(oriented):
        return []
    influence = oriented - left_out
    size = np.nan_to_num(np.abs(influence), nan=np.inf)
    return [
        MovedScore(
            unit=given.describe(int(i)), influence=float(sign * influence[i]), without=float(sign * left_out[i]) + 0.0
        )
        for i in np.argsort(-size, kind="stable")[:most]
        if size[i] > ROUNDING
    ]


def _fewest(given: SupplementInput, left_out: FloatArray, leading: BoolArray, most: int) -> FewestUnits | None:
    """Return the small set of units without which the only leader is passed; None if there is none."""
    contest = given.contest
    if leading.sum() != 1 or len(leading) < 2:
        return None
    fewest = fewest_to_pass(contest.weighted, contest.oriented, left_out, int(np.flatnonzero(leading)[0]))
    if fewest is None:
        return None
    challenger, chosen = fewest
    return FewestUnits(
        count=len(chosen),
        share=len(chosen) / len(left_out),
        challenger=given.submissions[challenger],
        units=tuple(given.describe(int(i)) for i in chosen[:most]),
    )


def fewest_to_pass(
    weighted: Callable[[FloatArray], FloatArray], oriented: FloatArray, left_out: FloatArray, leader: int
) -> tuple[int, IntArray] | None:
    """Return a challenger, and units without which it is better than the leader, the most influential first.

    It is the challenger that needs the fewest units by the sum of influences on the lead, from oriented scores (S,) and
    those with each unit left out, (n, S). Without the units the challenger is better, and without one unit less it is
    not. None if leaving out up to half of the units does not suffice, or no other submission has a score.

    The influences add up to a first guess of the number of units. The scores of the remaining units then decide, so
    that what is returned is a fact; that no smaller set exists is not.
    """
    units = len(left_out)
    with np.errstate(invalid="ignore"):
        lead = oriented[leader] - oriented
        falls = lead - (left_out[:, [leader]] - left_out)
    falls = np.where(np.isfinite(falls), falls, 0.0)
    largest = int(_MOST_LEFT_OUT * units)
    rivals = [i for i in range(len(oriented)) if i != leader and np.isfinite(lead[i])]
    if not rivals or not largest:
        return None
    needed = {i: _count_to(falls[:, i], lead[i]) for i in rivals}
    challenger = min(rivals, key=lambda i: (needed[i], lead[i]))
    order = np.argsort(-falls[:, challenger], kind="stable")

    def is_passed(count: int) -> bool:
        weights = np.ones(units)
        weights[order[:count]] = 0.0
        scores = weighted(weights)
        return bool(scores[challenger] > scores[leader])

    count = _smallest(is_passed, int(min(needed[challenger], largest)), largest)
    return None if count is None else (challenger, order[:count])


def _count_to(falls: FloatArray, lead: float) -> float:
    """Return how many of the largest falls add up to more than the lead; infinite if all do not, or it is undefined."""
    exceeded = np.cumsum(np.sort(falls)[::-1]) > lead
    return float(np.argmax(exceeded)) + 1 if exceeded.any() else math.inf


def _smallest(is_passed: Callable[[int], bool], start: int, largest: int) -> int | None:
    """Return a count that passes while one less does not; None if none is found from `start` up to `largest`."""
    high = start
    while not is_passed(high):
        if high >= largest:
            return None
        high = min(largest, max(high + 1, math.ceil(high * _GROWTH)))
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_passed(middle) else (middle, high)
    return high


_WORST = 5
_MOST_WEIGHTS = 2**24
"""The largest number of weights times submissions for which a non-additive metric is recomputed: about two seconds."""


def explain(scores: TaskScores) -> list[dict[str, Any]]:
    """Explain the scores of all submissions of a task.

    ``slices``: by grouping, the score in each of its groups. ``worst_units``: up to five units without which the score
    would be best, with their ``name`` if that is not the id, and the ``gain`` (positive: better without it).
    ``not_computed``: the reason, under ``worst_units`` or ``slices NAME``, if something was too much work.
    """
    reasons = dict[str, str]()
    slices, worst = _slices(scores, reasons), _worst_units(scores, reasons)
    omitted = {"not_computed": reasons} if reasons else {}
    return [{"slices": scored, "worst_units": units, **omitted} for scored, units in zip(slices, worst, strict=True)]


def _too_much(stack: StatisticStack, rounds: int, what: str) -> str:
    """Return the reason why a number of computations on all units is too much work; empty if it is not."""
    if stack.additive or rounds * stack.units * len(stack) <= _MOST_WEIGHTS:
        return ""
    return f"the metric is not additive, and would be recomputed for each of {rounds} {what}"


def _slices(scores: TaskScores, reasons: dict[str, str]) -> list[dict[str, dict[str, float]]]:
    """Return the score of every group of every grouping, by submission; add the reasons for what is left out."""
    slices = [dict[str, dict[str, float]]() for _ in scores.contest.oriented]
    for grouping, labels in scores.groups.items():
        index, names = labels_to_index(labels)
        if reason := _too_much(scores.stack, len(names), "groups"):
            reasons[f"slices {grouping}"] = reason
            continue
        for i, of_groups in enumerate(_group_scores(scores.stack, index, len(names)).T):
            slices[i][grouping] = dict(zip(names, map(float, of_groups), strict=True))
    return slices


def _group_scores(stack: StatisticStack, index: IntArray, groups: int) -> FloatArray:
    """Return the score of the units of each group alone, (groups, S)."""
    columns: list[FloatArray] = []
    for position, statistic in enumerate(by_group(ungrouped, index, groups, "group") for ungrouped in stack.statistics):
        if isinstance(statistic, Grouped):
            return stack(index == np.arange(groups)[:, None])
        try:
            columns.append(statistic.unit_scores() if isinstance(statistic, Additive) else statistic(np.eye(groups)))
        except Exception as error:
            raise StatisticError(position, error) from error
    return np.stack(columns, axis=-1)


def _worst_units(scores: TaskScores, reasons: dict[str, str]) -> Sequence[Sequence[Mapping[str, Any]]]:
    """Return the units that lower each score most, by submission; add the reason if they are left out."""
    contest, stack, ids = scores.contest, scores.stack, scores.ids
    if reason := _too_much(stack, stack.units, "units"):
        reasons["worst_units"] = reason
        return [[] for _ in contest.oriented]
    left_out = stack.jackknife()
    gains = np.nan_to_num(contest.sign * left_out - contest.oriented, nan=-np.inf)
    order = np.argsort(-gains, axis=0, kind="stable")[:_WORST]
    called = {unit: scores.unit_name(int(ids[unit])) for unit in np.unique(order).tolist()}
    return [
        [
            {
                "id": int(ids[unit]),
                **({"name": called[unit]} if called[unit] != str(ids[unit]) else {}),
                "score_without": float(left_out[unit, i]),
                "gain": float(gains[unit, i]),
            }
            for unit in order[:, i]
            if gains[unit, i] > 0
        ]
        for i in range(len(contest.oriented))
    ]

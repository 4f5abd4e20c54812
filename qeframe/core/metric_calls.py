"""What a metric returns: statistics, scores within its bounds, exchanges, vectors, values of units, details."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

import numpy as np

from qeframe.core.batch import Batch, FloatArray, have_equal_units, labels_to_index, private_copy
from qeframe.core.component import (
    StatisticError,
    WrongReturnError,
    at_work,
    check_returned,
    describe,
    failure_of,
    full_name,
    is_foreign,
    named_output,
)
from qeframe.core.errors import CapabilityError, PluginError
from qeframe.core.exchange import AxisExchange, Exchange, Standardize
from qeframe.core.metric import Metric, bound_segment_scores
from qeframe.core.ragged import read_only_view
from qeframe.core.statistic import Additive, Score, Statistic, by_group
from qeframe.core.statistic_stack import StatisticStack

if TYPE_CHECKING:
    from qeframe.core.contest import Contest

_ROUNDING, _ROUNDING_OF_SUMS = 1e-9, 1e-3
"""By how much scores of the same units differ by rounding: computed alike, and with others, in single precision too."""
_GIVEN: WeakKeyDictionary[Batch, list[Batch]] = WeakKeyDictionary()
"""The copies of each batch that metrics of third parties were given."""


def batch_for(metric: Metric, batch: Batch) -> Batch:
    """Return the batch that a metric may see.

    That of a third party has one of its own, so that another shape or type of an array, set in place, reaches no other.
    It lives as long as the batch, so that no other object has its id, by which a metric may keep what it computed.
    """
    if not is_foreign(metric):
        return batch
    seen: Batch = private_copy(batch)
    _GIVEN.setdefault(batch, []).append(seen)
    return seen


def bind(metric: Metric, batch: Batch) -> Statistic:
    """Bind a metric to a batch."""
    with at_work(metric, "bind"):
        statistic = metric.bind(batch_for(metric, batch))
        if not (callable(statistic) and hasattr(statistic, "units") and hasattr(statistic, "unit")):
            raise WrongReturnError("bind", describe(statistic), "a statistic: a function of weights, units and unit")
        if statistic.units != len(batch):
            raise WrongReturnError(
                "bind", f"a statistic of {statistic.units} units", f"{len(batch)}, those of the batch"
            )
    return statistic


@contextmanager
def statistics_at_work(metrics: Sequence[Metric], submissions: int) -> Iterator[None]:
    """Run a stack of statistics, metric after metric, each on all submissions; name the metric that fails."""
    who = ", ".join(dict.fromkeys(map(full_name, metrics)))
    try:
        with named_output(who):
            yield
    except StatisticError as error:
        cause = error.cause
        raise failure_of(full_name(metrics[error.position // submissions]), "score", cause) from cause


def stack(metrics: Sequence[Metric], statistics: Sequence[Statistic]) -> StatisticStack:
    """Return the stack of the statistics of metrics, metric after metric, on equally many submissions each."""
    with statistics_at_work(metrics, len(statistics) // len(metrics)):
        return StatisticStack(statistics)


def check_scores(metric: Metric, scores: FloatArray, what: str = "score") -> FloatArray:
    """Return scores of any shape if they are numbers within the bounds of the metric, up to rounding, or NaN.

    Raises PluginError naming the first score that is not.
    """
    low, high = metric.bounds
    slack = _ROUNDING * max([1.0, *(abs(bound) for bound in metric.bounds if np.isfinite(bound))])
    wrong = np.isinf(scores) | (scores < low - slack) | (scores > high + slack)
    if wrong.any():
        bounds = f"a number from {low:g} to {high:g}" if np.isfinite(metric.bounds).any() else "a finite number"
        returned = f"{float(np.asarray(scores)[wrong][0])!r}"
        raise PluginError(f"{full_name(metric)}: {what} returned {returned}, expected {bounds}, or NaN")
    return scores


def scores(metric: Metric, function: Score, numbers: FloatArray, of: str = "weights") -> FloatArray:
    """Return the scores of a bound metric: within its bounds, or NaN.

    `numbers`: weights, (..., n), or the sums of an additive metric, (..., k), as `of` says. Result: (...).
    """
    with at_work(metric, "score"):
        returned = function(read_only_view(numbers))
        checked = check_returned("score" if of == "weights" else f"score, of {of}", returned, numbers.shape[:-1])
    return check_scores(metric, checked)


def score_of(metric: Metric, batch: Batch) -> float:
    """Return the score of a batch."""
    return float(scores(metric, bind(metric, batch), np.ones(len(batch))))


def check_own_rows(metric: Metric, statistics: Sequence[Statistic], batches: Sequence[Batch]) -> None:
    """Raise a `PluginError` if a metric gave a submission what it made of another, such as rows kept by the gold."""
    first = dict[int, Batch]()
    for statistic, batch in zip(statistics, batches, strict=True) if is_foreign(metric) else ():
        rows: Any = statistic.rows if isinstance(statistic, Additive) else statistic
        owner = rows if getattr(rows, "base", None) is None else rows.base
        if getattr(owner, "size", 1) < getattr(rows, "size", 1):  # a constant, the same for all by design
            continue
        if not have_equal_units(first.setdefault(id(owner), batch), batch):
            what = "bind returned for one submission what it had returned for another, expected rows of its own"
            raise PluginError(f"{full_name(metric)}: {what}; what is kept must be kept by the answers too")


How = Literal["again", "alone", "absent"]
_ASKED: Mapping[How, tuple[str, str]] = {
    "again": ("and then {!r}", "a metric that draws must seed its generator in bind"),
    "alone": ("with others and {!r} by itself", "use its own weights, draw nothing, and center sums that cancel"),
    "absent": ("with units of weight 0 and {!r} without", "count them as absent, or say why in left_out['absence']"),
}


def check_equal(metric: Metric, scores: Any, how: How, others: Any, units: str, size: float = 0.0) -> None:
    """Raise a `PluginError` if scores of a metric of third parties differ by more than rounding, asked in another way.

    `how`: "again"; "alone": rounded like sums of all, of such a `size`, and undefined elsewhere; "absent": on a part.
    """
    told, remedy = _ASKED[how]
    rounding = _ROUNDING if how == "again" else _ROUNDING_OF_SUMS
    most = float(np.nanmax(np.abs(scores), initial=max(1.0, size))) if how == "alone" else 1.0
    for first, second in zip(map(float, scores), map(float, others), strict=True):
        unlike = abs(first - second) > rounding * max(most, abs(first))
        undefined = how != "alone" and math.isnan(first) != math.isnan(second)
        if (unlike or undefined) and is_foreign(metric):
            what = f"score returned {first!r} {told.format(second)} for {units}, expected equal scores"
            raise PluginError(f"{full_name(metric)}: {what}; {remedy}")


def check_absent(metric: Metric, batch: Batch) -> None:
    """Raise a `PluginError` if units of weight 0 count in a metric of third parties that has no reason for it.

    A metric that cannot be asked on half of the units, as one of classes that are not all there, passes.
    """
    half = np.sort(np.random.default_rng(0).permutation(len(batch))[: len(batch) // 2])
    if not len(half) or "absence" in metric.left_out:
        return
    try:
        score = scores(metric, bind(metric, batch), np.bincount(half, minlength=len(batch)).astype(np.float64))
        without = score_of(metric, batch.take(half))
    except PluginError:
        return
    check_equal(metric, [score], "absent", [without], "half of the units of a submission")


def unit_scores(metric: Metric, statistic: Statistic) -> FloatArray:
    """Return the score of each unit alone under a bound metric, (n,): see `segment_scores`."""
    with at_work(metric, "score"):
        scores = check_returned("score, of a unit", bound_segment_scores(statistic), (statistic.units,))
    return check_scores(metric, scores, "score of a unit")


def scores_of_groups(metric: Metric, statistic: Statistic, groups: Sequence[str]) -> FloatArray:
    """Return the score of each group of units alone under a bound metric: the document level of a corpus metric.

    `groups` (n,): the group of every unit. Result (groups,): in order of first appearance; where the score of a group
    is undefined, NaN or the metric's `degenerate` value.
    """
    index, names = labels_to_index(groups)
    with at_work(metric, "score"):
        returned = np.asarray(by_group(statistic, index, len(names), "group")(np.eye(len(names))), dtype=np.float64)
        scores = check_returned("score, of a group", returned, (len(names),))
    return check_scores(metric, scores, "score of a group")


def exchange(metric: Metric, batches: Sequence[Batch]) -> Exchange:
    """Return the metric's own exchange, which it must have."""
    assert metric.exchange is not None
    with at_work(metric, "exchange"):
        returned = metric.exchange([batch_for(metric, batch) for batch in batches])
        if not (callable(returned) and isinstance(getattr(returned, "cells", None), (int, np.integer))):
            raise WrongReturnError(
                "exchange", describe(returned), "an Exchange: a function of masks with a number of cells"
            )
    return returned


def exchange_along(metric: Metric, exchange: AxisExchange, axis: str, standardize: Standardize) -> Exchange:
    """Return the exchange along an axis of the metric's own exchange."""
    with at_work(metric, "exchange"):
        return exchange.along(axis, standardize=standardize)


def vectors(metric: Metric, batch: Batch) -> tuple[FloatArray, FloatArray]:
    """Return the vectors of a correlation, of equal lengths."""
    assert metric.vectors is not None
    with at_work(metric, "vectors"):
        returned: Any = metric.vectors(batch_for(metric, batch))
        if not (isinstance(returned, tuple) and len(returned) == 2):
            raise WrongReturnError("vectors", describe(returned), "two arrays, gold and predicted")
        gold = check_returned("vectors, gold", returned[0], (None,))
        return gold, check_returned("vectors, predicted", returned[1], (len(gold),))


def values(metric: Metric, batch: Batch, what: Literal["per_unit", "outcomes"]) -> FloatArray:
    """Return the values whose mean is the score, one for each unit, or the outcomes that a sign test counts."""
    with at_work(metric, what):
        returned = getattr(metric, what)(batch_for(metric, batch))
        return check_returned(what, returned, (len(batch) if what == "per_unit" else None,))


def details(metric: Metric, batch: Batch) -> Mapping[str, Any]:
    """Return the further results of a metric by name; none if it has none."""
    if metric.details is None:
        return {}
    with at_work(metric, "details"):
        returned = metric.details(batch_for(metric, batch))
        if not (isinstance(returned, Mapping) and all(isinstance(name, str) for name in returned)):
            raise WrongReturnError("details", describe(returned), "a mapping from names to results")
    return returned


def outcomes_of_all(contest: Contest) -> FloatArray:
    """Return the outcomes (S, m) that a sign test compares, one for each pair of systems or each unit.

    Their means are the oriented scores: outcomes of the metric, or its values of single units.
    """
    metric = contest.only_term("outcomes of pairs or units").metric
    check_ungrouped(contest, "outcomes")
    if metric.outcomes is None and metric.per_unit is None:
        raise CapabilityError(
            f"metric '{metric.name}' has no outcomes to exchange: it is neither a mean over pairs nor a mean "
            "of one value per unit"
        )
    if metric.outcomes is None:
        found = values_of_units(contest)
    else:
        by_submission = [values(metric, batch, "outcomes") for batch in contest.sample.batches]
        check_common(contest, "outcomes", by_submission)
        found = contest.sign * np.stack(by_submission)
    if found.size and not _are_means(contest.oriented, found):
        raise CapabilityError(
            f"the outcomes of metric '{metric.name}' have different weights in its score, as when items have "
            "different numbers of pairs; a test that needs 'exchange' weighs them as the score does"
        )
    return found


def vectors_of_all(contest: Contest) -> tuple[FloatArray, FloatArray]:
    """Return gold (n,) and predicted (S, n); the scores are their correlations."""
    metric = contest.only_term("vectors of gold and predictions").metric
    check_ungrouped(contest, "vectors")
    if metric.vectors is None:
        raise CapabilityError(f"metric '{metric.name}' is not a correlation of two vectors")
    found = [vectors(metric, batch) for batch in contest.sample.batches]
    check_common(contest, "vectors", [gold for gold, _ in found])
    if any(not np.array_equal(gold, found[0][0]) for gold, _ in found):
        raise CapabilityError(f"the vectors of metric '{metric.name}' differ in their gold")
    return found[0][0], contest.sign * np.stack([predicted for _, predicted in found])


def values_of_units(contest: Contest) -> FloatArray:
    """Return values (S, n); the oriented scores are their means."""
    metric = contest.only_term("values of single units").metric
    check_ungrouped(contest, "values per unit")
    if metric.per_unit is None:
        raise CapabilityError(f"metric '{metric.name}' is not a mean of one value per unit")
    return contest.sign * np.stack([values(metric, batch, "per_unit") for batch in contest.sample.batches])


def check_ungrouped(term: Contest, what: str) -> None:
    """Refuse `what`, which exists for single units only, if groups of units are scored or resampled."""
    within = term.sample.within.by if term.sample.within else ""
    if within or term.sample.grouping is not None:
        drawn = "whole groups ('resample', 'groups') are drawn"
        why = f"'within' scores every {within} separately" if within else drawn
        none = f"there are no {what} of metric '{term.metric.name}' over groups of units: {why}"
        raise CapabilityError(f"{none}; choose a test that resamples or exchanges")


def check_common(term: Contest, what: str, by_submission: Sequence[FloatArray]) -> None:
    """Refuse `what` unless it belongs to the same units in all submissions."""
    first, *others = term.sample.batches
    if len({len(values) for values in by_submission}) > 1 or not all(map(first.answers_same_cells, others)):
        raise CapabilityError(f"submissions that lack different units have no common {what}")


def _are_means(oriented: FloatArray, outcomes: FloatArray) -> bool:
    """Return whether all defined scores, (S,), are the means of the outcomes, (S, m), up to rounding."""
    roundings = 1e-9 * np.maximum(1.0, np.abs(outcomes).max(axis=1))
    return not (np.abs(outcomes.mean(axis=1) - oriented) > roundings).any()

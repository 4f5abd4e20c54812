"""The laws that other laws of metrics presuppose: what a metric returns and leaves alone, where it is defined."""

from collections.abc import Sequence
from typing import Any, cast

import attrs
import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qeframe.core.batch import Batch, FloatArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.errors import QeframeError
from qeframe.core.loader import load
from qeframe.core.metric import Attack, Metric, segment_scores
from qeframe.core.standard_errors import RANGE_OF_SCALE
from qeframe.core.statistic import Additive, Statistic
from qeframe.testing.laws.any_component import (
    OVERWRITES,
    array_fault,
    basic_laws,
    fresh,
    is_refused_write,
    share_memory,
)
from qeframe.testing.laws.law import BreachError, Law, drawn_from, having
from qeframe.testing.laws.metric import dense, score
from qeframe.testing.laws.probes import ordinary_batches
from qeframe.testing.strategies import weights

_DEFINED = 0.99
_FEW_DRAWN = 20
_SLACK = 1e-12
_REGULAR_UNITS, _REGULAR_DRAWS = 200, 200
_MOST_UNEXPLAINED = 0.05
"""In 200 repetitions the median over five data sets was at most .029 for correlations, RMSE, MCC and F1-mult. It was at
least .09 for medians, quantiles and the score under the best threshold."""
_FRACTIONS = np.array([0.25, 1.5, 0.7])
"""Factors that make weights fractional."""
_CAPABILITIES = ("vectors", "per_unit", "outcomes", "details")


@st.composite
def _weighted(draw: DrawFn, _metric: Metric, kind: BatchKind) -> tuple[Batch, FloatArray]:
    (batch,) = draw(drawn_from(kind, submissions=1))
    return batch, draw(weights(len(batch))).astype(np.float64)


# --- what it returns ------------------------------------------------------------------------------------------------


def _shape(metric: Metric, _kind: BatchKind, batch: Batch, weight: FloatArray) -> None:
    batch = fresh(batch)
    try:
        statistic = metric.bind(batch)
        _check_statistic(statistic, batch)
        for stacked in (weight, np.stack([weight, np.ones(len(batch))]), np.ones((2, 3, len(batch))), 97 * weight):
            what = f"for weights of shape {stacked.shape} the score is"
            fault = array_fault(statistic(stacked), stacked.shape[:-1], what=what)
            assert not fault, fault
    except ValueError as error:  # a write into the batch is told by the law of inputs
        if not is_refused_write(error):
            raise


def _check_statistic(statistic: Any, batch: Batch) -> None:
    if not isinstance(statistic, Statistic):
        what = f"'bind' returns {type(statistic).__name__}"
        raise AssertionError(f"{what} instead of a statistic, which has 'units', 'unit' and a call")
    assert statistic.units == len(batch), f"'bind' returns a statistic of {statistic.units} units for {len(batch)}"


# --- what it leaves alone -------------------------------------------------------------------------------------------


def _computed(metric: Metric, _kind: BatchKind, batch: Batch, weight: FloatArray) -> tuple[Any, ...]:
    """Return all that a metric computes: scores, scores of units, and what it offers beside them."""
    statistic = metric.bind(batch)
    scores = [np.asarray(statistic(stacked)) for stacked in (weight[None], weight[None] + 1)]
    assert not share_memory(*scores), OVERWRITES
    assert not any(share_memory(weight, score) for score in scores), "it returns the memory of the weights"
    scores += [segment_scores(metric, batch), *([dense(statistic.rows)] if isinstance(statistic, Additive) else [])]
    scores += batch._extracted.values()  # as they were returned: the statistic has a copy
    for name in _CAPABILITIES:
        offered = getattr(metric, name)
        try:
            scores += [] if offered is None else [offered(batch)]
        except (QeframeError, ImportError):  # refused for this batch, or it needs a library that is not installed
            continue
    return tuple(scores)


# --- what it says -----------------------------------------------------------------------------------------------


def _resists(metric: Metric, _kind: BatchKind) -> None:
    attacked = any(issubclass(metric.kind, attack.kind) for attack in load().all(Attack))
    assert metric.claims or metric.known_weaknesses or not attacked, (
        "it makes no claim and declares no known weakness: measure it by 'qeframe audit', and declare the largest "
        "index of each kind of attack, known_weaknesses={'blind': ..., 'cosmetic': ...}"
    )


# --- where it is defined --------------------------------------------------------------------------------------------


def _ordinary_examples(_metric: Metric, kind: BatchKind) -> SearchStrategy[tuple[Any, ...]]:
    batches = ordinary_batches(kind)
    if batches:
        return st.just((batches,))
    drawn = drawn_from(kind, complete=True, submissions=1, min_units=6, max_units=8)
    return st.lists(drawn.map(lambda lists: lists[0]), min_size=_FEW_DRAWN, max_size=_FEW_DRAWN).map(
        lambda batches: (tuple(batches),)
    )


def _defined(metric: Metric, kind: BatchKind, batches: tuple[Batch, ...]) -> None:
    """Count the scores that are a number; of batches that are drawn to be extreme, one is enough."""
    assert _scored(metric, batches), f"the metric declares itself undefined on all {len(batches)} examples"
    _check_defined(metric, kind, batches, "ordinary examples")
    if kind.audit is not None:
        _check_defined(metric, kind, list(map(kind.audit.perfect, batches[:_FEW_DRAWN])), "examples of perfect answers")


def _scored(metric: Metric, batches: Sequence[Batch]) -> list[Batch]:
    """Return the batches where a metric does not declare itself undefined."""
    return [fresh(batch) for batch in batches if metric.undefined is None or not metric.undefined(batch)]


def _check_defined(metric: Metric, kind: BatchKind, batches: Sequence[Batch], what: str) -> None:
    defined = _scored(metric, batches)
    scores = np.array([score(metric, batch) for batch in defined])
    missing = np.flatnonzero(~np.isfinite(scores))
    ordinary = kind.ordinary is not None or kind.fixed_submissions is not None
    if len(missing) > (1 - _DEFINED) * len(defined) if ordinary else 0 < len(missing) == len(defined):
        smallest = defined[missing[0]]
        example = dict(kind.plain(smallest)) if kind.plain is not None else {"batch": smallest}
        raise BreachError(f"the score is {scores[missing[0]]:g} for {len(missing)} of {len(defined)} {what}", **example)


# --- what doing nothing gains ---------------------------------------------------------------------------------------


def _nothing(metric: Metric, kind: BatchKind, batch: Batch, _weight: FloatArray) -> None:
    """Hand in the same answers in another batch: attack and base are then one number, to the last bit."""
    base, attack = (score(metric, copy) for copy in (fresh(batch), fresh(attrs.evolve(cast("Any", batch)))))
    if np.isnan(base) and np.isnan(attack):
        return
    if attack != base:
        raise BreachError(f"the same answers score {attack!r} in place of {base!r}: doing nothing has an index")


# --- whether it is smooth -------------------------------------------------------------------------------------------


def _regular_examples(_metric: Metric, kind: BatchKind) -> SearchStrategy[tuple[Any, ...]]:
    assert kind.regular is not None
    return st.just((tuple(kind.regular(np.random.default_rng(number), _REGULAR_UNITS) for number in range(5)),))


def _smooth(metric: Metric, _kind: BatchKind, batches: tuple[Batch, ...]) -> None:
    """Compare bootstrap draws with what the jackknife makes of them: the sum of the influences of the units drawn.

    References
    ----------
    Efron and Tibshirani (1993), An introduction to the bootstrap, chapter 20.
    """
    scored = _scored(metric, batches)
    unexplained = np.array([_unexplained(metric.bind(batch)) for batch in scored])
    if not len(unexplained):
        return
    if np.isnan(unexplained).all():
        what = (
            f"it is undefined on all {len(scored)} regular data sets, whole or in some draw, so that nothing shows it "
            "to be smooth: declare smooth=False, or by 'undefined' where it has no score"
        )
        raise BreachError(what)
    median = float(np.nanmedian(unexplained))
    if median > _MOST_UNEXPLAINED:
        what = (
            f"single units do not explain {median:.3f} of the variance of its bootstrap draws, more than "
            f"{_MOST_UNEXPLAINED}: the jackknife is not valid for it, declare smooth=False"
        )
        raise BreachError(what, unexplained=[round(float(value), 3) for value in unexplained])


def _unexplained(statistic: Statistic) -> float:
    """Return the share of the variance of draws that influences leave; NaN where a score is undefined."""
    units = statistic.units
    drawn = np.random.default_rng(0).multinomial(units, np.full(units, 1 / units), _REGULAR_DRAWS).astype(np.float64)
    score = float(statistic(np.ones(units)))
    influences = score - statistic(1 - np.eye(units))
    changes = statistic(drawn) - score
    if not (np.isfinite(influences).all() and np.isfinite(changes).all()):
        return np.nan
    # The slope is 1 by theory, not fitted: an error of the jackknife's scale counts too.
    left = np.var(changes - (drawn - 1) @ influences)
    return float(left / np.var(changes)) if left > _SLACK else 0.0


# --- its bounds -----------------------------------------------------------------------------------------------------


@st.composite
def _ordinary(draw: DrawFn, batches: tuple[Batch, ...]) -> tuple[Batch, FloatArray]:
    batch = draw(st.sampled_from(batches))
    return batch, draw(weights(len(batch))).astype(np.float64)


def _bounded_examples(metric: Metric, kind: BatchKind) -> SearchStrategy[tuple[Any, ...]]:
    batches = ordinary_batches(kind, _FEW_DRAWN)
    return st.one_of(_weighted(metric, kind), _ordinary(batches)) if batches else _weighted(metric, kind)


def _bounds(metric: Metric, _kind: BatchKind, batch: Batch, weight: FloatArray) -> None:
    """Try the weights of a score, of a sample, of single units and of all units but one, then fractions.

    All draws have whole weights. A metric may refuse others, as DeltaAvg does, whose quantiles are of whole units.
    """
    single = np.eye(len(batch))
    drawn = np.vstack([np.ones(len(batch)), weight, single, 1 - single])
    statistic = metric.bind(batch)
    _check_within(statistic(drawn), metric.bounds, "score")
    try:
        fractional = statistic(drawn * _FRACTIONS[np.arange(len(batch)) % len(_FRACTIONS)])
    except QeframeError:
        return
    _check_within(fractional, metric.bounds, "score")


def _check_within(values: Any, bounds: tuple[float, float], what: str) -> None:
    (low, high), numbers = bounds, np.asarray(values)
    outside = numbers[(numbers < low - _SLACK) | (numbers > high + _SLACK)]
    assert not len(outside), f"{what} {outside[0]} lies outside [{low}, {high}]"


def _on_interval_scale(metric: Metric, _kind: BatchKind, batch: Batch, weight: FloatArray) -> None:
    assert metric.interval_scale is not None
    single = np.eye(len(batch))
    scores = metric.bind(batch)(np.vstack([np.ones(len(batch)), weight, single, 1 - single]))
    numbers = scores if metric.higher_is_better else -scores
    what = f"the interval scale '{metric.interval_scale}' has no value for a score: oriented"
    _check_within(numbers, RANGE_OF_SCALE[metric.interval_scale], what)


CONDUCT_LAWS: tuple[Law[Metric], ...] = (
    Law(
        name="shape",
        states="bound to a batch, weights (..., n) have scores (...) of float64",
        examples=_weighted,
        holds=_shape,
        first=True,
    ),
    *basic_laws(_computed, _weighted),
    Law(
        name="defined",
        states="on ordinary data at least 99 % of the scores are numbers, unless it declares where not",
        examples=_ordinary_examples,
        holds=_defined,
        exact=True,
        first=True,
    ),
    Law(
        name="nothing",
        states="the same answers in another batch have the same score, so that doing nothing has the gaming index 0",
        examples=_weighted,
        holds=_nothing,
        needs=("audit",),
    ),
    Law(
        name="smooth",
        states="the influences of single units explain at least 95 % of the variance of bootstrap draws",
        examples=_regular_examples,
        holds=_smooth,
        concerns=having("smooth"),
        needs=("regular",),
        exact=True,
    ),
    Law(
        name="resists",
        states="it says what it resists: it makes claims, or bounds what attacks gain by its known weaknesses",
        holds=_resists,
        needs=("audit",),
        exact=True,
    ),
    Law(name="bounds", states="no score lies outside the bounds", examples=_bounded_examples, holds=_bounds),
    Law(
        name="interval_scale",
        states="the scale of intervals has a value for every score",
        examples=_bounded_examples,
        holds=_on_interval_scale,
        concerns=having("interval_scale"),
    ),
)
"""The laws that the other laws of metrics presuppose, and that of bounds."""

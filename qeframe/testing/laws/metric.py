"""The laws of metrics: a metric is a function from unit weights to scores."""

import pickle
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from numpy.typing import NDArray
from scipy.sparse import issparse

from qeframe.core.batch import Batch, FloatArray, IntArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.errors import CapabilityError
from qeframe.core.exchange import Exchange, RecomputedExchange, exchange_rows
from qeframe.core.metric import Metric
from qeframe.core.statistic import Additive, Statistic
from qeframe.core.statistic_stack import StatisticStack
from qeframe.kinds.drawing import whole_numbers
from qeframe.testing.laws.any_component import fresh
from qeframe.testing.laws.elsewhere import scores_of_process, scores_of_threads
from qeframe.testing.laws.law import Law, agree, drawn_from, having
from qeframe.testing.laws.probes import ordinary_batches
from qeframe.testing.strategies import exchanges, weights

_MANY = 60
"""How often weights are repeated: more than the draws of a block, for which a metric may have a way of its own."""


def score(metric: Metric, batch: Batch) -> float:
    """Return the score with all weights one."""
    return float(metric.bind(batch)(np.ones(len(batch))))


@st.composite
def _weighted(draw: DrawFn, _metric: Metric, kind: BatchKind) -> tuple[Batch, IntArray]:
    (batch,) = draw(drawn_from(kind, submissions=1))
    return batch, draw(weights(len(batch)))


@st.composite
def _ordered(draw: DrawFn, metric: Metric, kind: BatchKind) -> tuple[Batch, IntArray, IntArray]:
    batch, weight = draw(_weighted(metric, kind))
    return batch, weight, np.argsort(draw(whole_numbers(len(batch), 0, 255)), kind="stable")


@st.composite
def _sharded(draw: DrawFn, _metric: Metric, kind: BatchKind) -> tuple[Batch, IntArray]:
    (batch,) = draw(drawn_from(kind, submissions=1))
    return batch, draw(whole_numbers(len(batch), 0, 2))


@st.composite
def _stacked(draw: DrawFn, _metric: Metric, kind: BatchKind) -> tuple[tuple[Batch, ...], IntArray]:
    batches = draw(drawn_from(kind, submissions=3))
    drawn = draw(whole_numbers(6 * len(batches[0]), 0, 3)).reshape(6, -1)
    drawn[:, 0] += ~drawn.any(axis=1)
    return batches, drawn


@st.composite
def _exchanged(draw: DrawFn, _metric: Metric, kind: BatchKind) -> tuple[tuple[Batch, ...], NDArray[np.uint8]]:
    batches = draw(drawn_from(kind, submissions=3, max_units=6))
    return batches, draw(exchanges(len(batches[0]), draws=2))  # each is computed again for each pair


def _order(metric: Metric, _kind: BatchKind, batch: Batch, weight: IntArray, order: IntArray) -> None:
    reordered = metric.bind(batch.take(order))(weight[order].astype(np.float64))
    agree(reordered, metric.bind(batch)(weight.astype(np.float64)), "the score of the units in another order")


def _repetition(metric: Metric, _kind: BatchKind, batch: Batch, weight: IntArray) -> None:
    repeated = batch.take(np.repeat(np.arange(len(batch)), weight))
    weighted = metric.bind(batch)(weight.astype(np.float64))
    agree(weighted, score(metric, repeated), "the score under weights instead of repeated units")


def _absence(metric: Metric, _kind: BatchKind, batch: Batch, weight: IntArray) -> None:
    present = np.flatnonzero(weight)
    kept = metric.bind(batch.take(present))(weight[present].astype(np.float64))
    agree(metric.bind(batch)(weight.astype(np.float64)), kept, "the score with weights 0 instead of absent units")


def _subset(metric: Metric, kind: BatchKind, batch: Batch, weight: IntArray) -> None:
    assert kind.with_answers is not None
    part = batch.take(np.flatnonzero(weight))
    alone = kind.with_answers(part, part.predicted)  # type: ignore[attr-defined]  # a kind with answers has the field
    agree(score(metric, part), score(metric, alone), "the score of a part instead of the same units on their own")


def dense(rows: Any) -> FloatArray:
    """Return the rows of an additive statistic as an array."""
    return np.asarray(rows.toarray() if issparse(rows) else rows)


def _shards(metric: Metric, _kind: BatchKind, batch: Batch, shard: IntArray) -> None:
    whole = metric.bind(batch)
    if not isinstance(whole, Additive):
        return
    total = np.zeros(whole.rows.shape[1])
    for number in np.unique(shard):
        units = np.flatnonzero(shard == number)
        part = metric.bind(batch.take(units))
        assert isinstance(part, Additive), "a shard is not additive, the whole is"
        agree(dense(part.rows), dense(whole.rows[units]), "the rows of a shard (row i depends on unit i only)")
        total += part.rows.sum(axis=0)
    agree(total, whole.rows.sum(axis=0), "the sums of all shards instead of the whole")
    agree(whole.score(total), whole(np.ones(len(batch))), "the score of the sums of all shards")


def _degenerate(metric: Metric, _kind: BatchKind, batch: Batch, weight: IntArray) -> None:
    value = float(metric.bind(batch)(weight.astype(np.float64)))
    assert not np.isnan(value), f"the score is NaN, where {metric.degenerate} is declared for undefined scores"


def _broadcasting(metric: Metric, _kind: BatchKind, batches: tuple[Batch, ...], drawn: IntArray) -> None:
    weight = drawn.astype(np.float64)
    statistic = metric.bind(batches[0])
    assert statistic.units == len(batches[0]), f"{statistic.units} units instead of {len(batches[0])}"
    one_by_one = np.array([float(statistic(of_draw)) for of_draw in weight])
    agree(statistic(weight), one_by_one, "the scores of stacked weights instead of one by one")
    agree(statistic(weight.reshape(2, 3, -1)), one_by_one.reshape(2, 3), "the scores of weights (2, 3, n)")
    many = statistic(np.tile(weight, (_MANY, 1))).reshape(_MANY, -1)
    agree(many[-1], one_by_one, f"the scores of the last of {_MANY * len(weight)} stacked weights")


def _stack(metric: Metric, _kind: BatchKind, batches: tuple[Batch, ...], drawn: IntArray) -> None:
    statistics = [metric.bind(batch) for batch in batches]
    together = StatisticStack(statistics)
    apart = np.stack([statistic(drawn.astype(np.float64)) for statistic in statistics], axis=-1)
    agree(together(drawn), apart, "the scores of a stack under counts")
    agree(together(drawn.astype(np.float64)), apart, "the scores of a stack under weights")
    if len(batches[0]) > 1:
        left_out = 1.0 - np.eye(len(batches[0]))
        jackknife = np.stack([statistic(left_out) for statistic in statistics], axis=-1)
        agree(together.jackknife(), jackknife, "the jackknife of a stack")


def exchange_of(metric: Metric, batches: tuple[Batch, ...]) -> Exchange:
    """Return a metric's own exchange of units, or the one that it gets."""
    return exchange_rows(batches, metric.bind) if metric.exchange is None else metric.exchange(batches)


_FIRST, _SECOND = np.array([0, 1, 2]), np.array([1, 2, 0])


def _exchange(metric: Metric, _kind: BatchKind, batches: tuple[Batch, ...], masks: NDArray[np.uint8]) -> None:
    exchange = exchange_of(metric, batches)
    # other cells than units, or an exchange that is computed again itself
    if exchange.cells != len(batches[0]) or isinstance(exchange, RecomputedExchange):
        return
    computed_again = RecomputedExchange(batches, metric.bind)(masks, _FIRST, _SECOND)
    agree(exchange(masks, _FIRST, _SECOND), computed_again, "the differences after exchanges instead of computed again")


def _vectors(metric: Metric, _kind: BatchKind, batch: Batch, _weight: IntArray) -> None:
    assert metric.vectors is not None
    gold, predicted = metric.vectors(batch)
    assert gold.ndim == 1, f"vectors of shape {gold.shape}"
    assert gold.shape == predicted.shape, f"vectors of shapes {gold.shape} and {predicted.shape}"
    agree(_correlation(gold, predicted), score(metric, batch), "the correlation of the vectors instead of the score")


def _correlation(x: FloatArray, y: FloatArray) -> float:
    if len(x) < 2 or (x == x[0]).all() or (y == y[0]).all():
        return np.nan
    x, y = x - x.mean(), y - y.mean()
    return float((x @ y) / np.sqrt((x @ x) * (y @ y)))


def _per_unit(metric: Metric, _kind: BatchKind, batch: Batch, _weight: IntArray) -> None:
    assert metric.per_unit is not None
    try:
        values = metric.per_unit(batch)
    except CapabilityError:  # some batches have units without a value, such as items without a pair
        return
    assert values.shape == (len(batch),), f"values per unit of shape {values.shape} for {len(batch)} units"
    agree(values.mean(), score(metric, batch), "the mean of the values per unit instead of the score")


def _workers(metric: Metric, kind: BatchKind, batches: tuple[Batch, ...], drawn: IntArray) -> None:
    statistics: list[Statistic] = [metric.bind(batch) for batch in batches]
    sent = StatisticStack(statistics)
    scores = sent(drawn)
    received: StatisticStack = pickle.loads(pickle.dumps(sent))
    assert np.array_equal(received(drawn), scores, equal_nan=True), "another worker computes other scores"
    pickle.dumps(exchange_of(metric, batches))
    there = scores_of_process(metric.bind, ordinary_batches(kind, 1), fresh(batches), drawn)
    if there is not None:
        agree(there, scores, "the scores of another process, whose texts have other hashes, after another batch")
    reordered = drawn[::-1]
    for expected, of_thread in zip((scores, sent(reordered)), scores_of_threads(sent, (drawn, reordered)), strict=True):
        for again in of_thread:
            agree(again, expected, "the scores of one of two threads")


METRIC_LAWS: tuple[Law[Metric], ...] = (
    Law(name="order", states="the order of units is irrelevant", examples=_ordered, holds=_order),
    Law(
        name="repetition",
        states="a whole weight w counts like w copies of the unit",
        examples=_weighted,
        holds=_repetition,
    ),
    Law(name="absence", states="a unit of weight 0 counts like an absent one", examples=_weighted, holds=_absence),
    Law(
        name="subset",
        states="units taken from a batch score like the same units handed in on their own",
        examples=_weighted,
        holds=_subset,
        needs=("with_answers",),
    ),
    Law(name="shards", states="sums over shards add up to the whole", examples=_sharded, holds=_shards),
    Law(
        name="degenerate",
        states="where a number is declared for undefined scores, no score is NaN",
        examples=_weighted,
        holds=_degenerate,
        concerns=lambda metric: not np.isnan(metric.degenerate),
    ),
    Law(
        name="broadcasting",
        states="stacked weights give the same scores as weights one by one",
        examples=_stacked,
        holds=_broadcasting,
    ),
    Law(
        name="stack", states="scores computed together equal those computed one by one", examples=_stacked, holds=_stack
    ),
    Law(
        name="exchange",
        states="differences after an exchange equal those of exchanged batches",
        examples=_exchanged,
        holds=_exchange,
    ),
    Law(
        name="vectors",
        states="the correlation of the vectors is the score",
        examples=_weighted,
        holds=_vectors,
        concerns=having("vectors"),
    ),
    Law(
        name="per_unit",
        states="the mean of the values per unit is the score",
        examples=_weighted,
        holds=_per_unit,
        concerns=having("per_unit"),
    ),
    Law(
        name="workers",
        states="threads and other processes compute the same, whatever came before; functions are at module level",
        examples=_stacked,
        holds=_workers,
        slow=True,
    ),
)
"""The laws of metrics."""

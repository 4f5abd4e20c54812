"""Each law of metrics finds a metric that breaks it, with what the author reads, and passes one that keeps it."""

import itertools
from collections.abc import Callable
from functools import partial

import attrs
import numpy as np
import pytest

from qeframe.kinds.registered import kind_of
from qeframe.plugin import Additive, Metric, Scores, Values, additive
from qeframe.testing.laws.law import search
from qeframe.testing.laws.metric import METRIC_LAWS, exchange_of, score
from tests.registered import REGISTRY

MEAN, PEARSON, MAE = (REGISTRY.get(Metric, name) for name in ("mean", "pearson", "mae"))
NUMBERS = itertools.count()
LAWS = {law.name: law for law in METRIC_LAWS}


def broken(law: str, metric: Metric) -> str:
    """Return what the law says of the metric; empty if it keeps the law."""
    found = search(LAWS[law], metric, kind_of(metric.kind), tries=30, shrink=False).found
    return "" if found is None else found.what


@attrs.frozen
class Bound:
    """A statistic that is not additive."""

    call: Callable
    batch: Values
    unit: str = "segment"

    @property
    def units(self):
        return len(self.batch)

    def __call__(self, weights):
        return self.call(self.batch, weights)


def calling(call, kind=Values) -> Metric:
    """Return a metric whose bound statistic is `call(batch, weights)`."""
    return Metric(name="wrong", summary="", kind=kind, bind=partial(Bound, call))


def mean(values, weights):
    total = weights.sum(axis=-1)
    return np.divide(weights @ values, total, out=np.full(weights.shape[:-1], np.nan), where=total > 0)


def rows(batch):
    return np.stack([np.ones(len(batch)), batch.predicted], axis=1)


def centered_rows(batch):
    """Rows that depend on the other units of the batch."""
    return np.stack([np.ones(len(batch)), batch.predicted - batch.predicted[:1].sum()], axis=1)


def total(sums):
    return sums[..., 1]


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("metric", [MEAN, PEARSON, MAE], ids=lambda metric: metric.name)
def test_lawful_metrics_break_no_law(name, metric):
    if LAWS[name].concerns(metric):
        assert broken(name, metric) == ""


@pytest.mark.parametrize(
    ("law", "metric", "what"),
    [
        ("order", calling(lambda batch, weights: mean(batch.predicted * np.arange(len(batch)), weights)),
         "the score of the units in another order: "),
        ("repetition", calling(lambda batch, weights: mean(batch.predicted, np.minimum(weights, 1.0))),
         "the score under weights instead of repeated units: "),
        ("absence", calling(lambda batch, weights: mean(batch.predicted, weights + 1.0)),
         "the score with weights 0 instead of absent units: "),
        (
            "degenerate",
            attrs.evolve(calling(lambda batch, weights: mean(batch.predicted, weights * (batch.predicted > 0))),
                         degenerate=0.0),
            "the score is NaN, where 0.0 is declared for undefined scores",
        ),
        ("shards", attrs.evolve(MEAN, bind=additive(columns=("units", "value"), extract=centered_rows, score=total)),
         "the rows of a shard (row i depends on unit i only): "),
        ("broadcasting", calling(lambda batch, weights: np.broadcast_to(weights.sum(), weights.shape[:-1])),
         "the scores of stacked weights instead of one by one: "),
        ("stack", calling(lambda batch, weights: mean(batch.predicted, weights) + next(NUMBERS)),
         "the scores of a stack under counts: "),
        ("vectors", attrs.evolve(PEARSON, vectors=lambda batch: (batch.gold, batch.gold)), "the correlation of the "),
        ("vectors", attrs.evolve(PEARSON, vectors=lambda batch: (batch.gold, batch.predicted[:-1])),
         "vectors of shapes "),
        ("per_unit", attrs.evolve(MAE, per_unit=lambda batch: batch.predicted), "the mean of the values per unit "),
        ("per_unit", attrs.evolve(MAE, per_unit=lambda batch: batch.predicted[:0]),
         "values per unit of shape (0,) for "),
    ],
)  # fmt: skip
def test_a_broken_law_is_found(law, metric, what):
    assert broken(law, metric).startswith(what)


def test_an_exchange_of_its_own_must_equal_exchanged_batches():
    """An exchange that swaps nothing gives the observed difference under every mask."""

    @attrs.frozen
    class Still:
        inner: object
        cells: int
        unit: str = "segment"

        def __call__(self, masks, first, second):
            return self.inner(np.zeros_like(masks), first, second)

    still = attrs.evolve(MAE, exchange=lambda batches: Still(exchange_of(MAE, batches), len(batches[0])))
    assert broken("exchange", still).startswith("the differences after exchanges instead of computed again: ")
    assert broken("exchange", MAE) == ""


def test_a_function_that_cannot_be_sent_to_a_process_is_found():
    local = lambda sums: sums[..., 1]  # noqa: E731
    metric = attrs.evolve(MEAN, bind=additive(columns=("units", "value"), extract=rows, score=local))
    assert "ickle" in broken("workers", metric)
    assert broken("workers", attrs.evolve(MEAN, bind=additive(columns=("n", "v"), extract=rows, score=total))) == ""


def test_the_score_has_all_weights_one():
    batch = Scores.from_plain([1.0, 2.0, 4.0], [1.0, 2.0, 1.0])
    assert score(MAE, batch) == 1.0
    assert isinstance(MAE.bind(batch), Additive)

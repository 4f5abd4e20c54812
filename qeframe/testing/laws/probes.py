"""The simplest metrics with each capability, to try significance tests on: the core has no metric."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np

from qeframe.core.batches.base import Batch, FloatArray
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.evaluation.comparable_in_task import ComparableInTask
from qeframe.core.evaluation.scored_task import ScoredTask
from qeframe.core.resampling.parallel import Runner
from qeframe.core.resampling.statistic import additive
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.scores.batch import Scores, Values


def _value(batch: Values) -> FloatArray:
    return batch.predicted


def _counted(batch: Values) -> FloatArray:
    return np.stack([np.ones(len(batch)), batch.predicted], axis=1)


def _quotient(sums: FloatArray) -> FloatArray:
    undefined = np.full(sums.shape[:-1], np.nan)
    return np.divide(sums[..., 1], sums[..., 0], out=undefined, where=sums[..., 0] > 0)


def _both(batch: Scores) -> tuple[FloatArray, FloatArray]:
    return batch.gold, batch.predicted


def _products(batch: Scores) -> FloatArray:
    x, y = batch.gold, batch.predicted
    return np.stack([np.ones(len(batch)), x, y, x * x, y * y, x * y], axis=1)


def _products_of_cells(batch: Grid) -> FloatArray:
    x, y = (np.where(batch.present, side, 0.0) for side in (batch.gold, batch.predicted))
    return np.stack([batch.present * 1.0, x, y, x * x, y * y, x * y], axis=-1).sum(axis=1)


def _cosine(sums: FloatArray) -> FloatArray:
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    spread = np.sqrt(np.maximum(n * xx - x * x, 0.0) * np.maximum(n * yy - y * y, 0.0))
    return np.divide(n * xy - x * y, spread, out=np.full(spread.shape, np.nan), where=spread > 0)


mean = Metric(
    name="probe_mean",
    summary="A mean: additive, with one value a unit",
    kind=Values,
    bind=additive(columns=("units", "value"), extract=_counted, score=_quotient),
    smooth=True,
    per_unit=_value,
)
correlation = Metric(
    name="probe_correlation",
    summary="A correlation: additive, with two vectors; exact for the small numbers that it is tried on",
    kind=Scores,
    bind=additive(columns=("n", "x", "y", "xx", "yy", "xy"), extract=_products, score=_cosine),
    smooth=True,
    vectors=_both,
)

grid_correlation = Metric(
    name="probe_grid_correlation",
    summary="A correlation of all cells of a grid: additive over segments",
    kind=Grid,
    bind=additive(columns=("n", "x", "y", "xx", "yy", "xy"), extract=_products_of_cells, score=_cosine),
    smooth=True,
)


def giant(batch: Any) -> Batch:
    """Return a submission with answers so large that a sum over all submissions rounds the others to equal values."""
    if isinstance(batch, Grid):
        return Grid.from_plain(batch.gold, 1e13 * (2.0 + np.arange(batch.gold.size).reshape(batch.gold.shape) % 3))
    predicted = 1e13 * (2.0 + np.arange(len(batch)) % 3)
    if isinstance(batch, Scores):
        return Scores.from_plain(batch.gold, predicted)
    return Values.from_plain(None, predicted)


_KEY = (20, 1, 4)


def trial_of(
    batches: tuple[Batch, ...], *, key: tuple[int, ...] = _KEY, executor: Executor | None = None
) -> ComparableInTask:
    """Return submissions as given as a `Comparable`, under the probe metric for their kind of batch."""
    of_kind = {Scores: correlation, Grid: grid_correlation}
    metric = of_kind.get(type(batches[0]), mean)
    return ComparableInTask(
        ScoredTask(metrics=(metric,), batches=batches, key=key, runner=Runner(executor)), as_given=True
    )


def probed(test: SignificanceTest) -> tuple[Metric, ...]:
    """Return the probe metrics that have the capability that a test needs."""
    able = {"vectors": (correlation,), "per_unit": (mean,), "outcomes": (mean,)}
    if test.needs == "grid":
        return (grid_correlation,)
    return able.get(test.needs, (mean, correlation))

"""The rows of additive metrics on the chunks of a corpus: which metrics have them, and their distinct columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from qeframe.core.batches.base import Batch, FloatArray, IntArray, is_sparse
from qeframe.core.components.checks import metric as checked
from qeframe.core.components.checks.work import full_name
from qeframe.core.components.metric import Metric
from qeframe.core.errors import CapabilityError
from qeframe.core.resampling.statistic import Additive, Score
from qeframe.core.resampling.statistic_stack import distinct_columns

_EXACT_IN_FLOAT32 = 2**24


def centered(batches: Sequence[Batch], centers: Sequence[float]) -> tuple[Batch, ...]:
    """Return the batches of a chunk with the moments of numbers taken about the means of the whole corpus.

    `centers`: of the gold, then of each submission; empty for values that are no numbers.
    """
    if not centers:
        return tuple(batches)
    gold, *others = centers
    return tuple(batch.about(gold, center) for batch, center in zip(batches, others, strict=True))


def check_additive(metric: Metric, batch: Batch) -> Additive:
    """Return a metric bound to a chunk, if its scores are a function of sums over units.

    Raises CapabilityError if they are not; if the rows of units depend on other units, or the function depends on the
    data.
    """
    whole = checked.bind(metric, batch)
    half = checked.bind(metric, batch.take(np.arange((len(batch) + 1) // 2)))
    if not (isinstance(whole, Additive) and isinstance(half, Additive)):
        raise CapabilityError(f"{full_name(metric)} is not a function of sums over units")
    if whole.score != half.score or whole.rows.shape[1] != half.rows.shape[1]:
        raise CapabilityError(f"{full_name(metric)} computes its score from sums in a way that depends on the units")
    first, same = (_dense(rows[: half.units]) for rows in (whole.rows, half.rows))
    if not np.array_equal(first, same, equal_nan=True):
        raise CapabilityError(f"{full_name(metric)} computes the sums of a unit from other units too")
    return whole


def _dense(rows: Any) -> FloatArray:
    return rows.toarray() if is_sparse(rows) else rows


@define(eq=False)
class ChunkRows:
    """The columns of all metrics and submissions, chunk by chunk, each distinct column once.

    Which columns are equal (the gold side, the count of units) is found in the first chunk. In the next chunks equal
    columns are compared with each other, which is much faster than to look for them.

    `scores`: from sums (..., k) to scores (...), for each metric.
    """

    scores: tuple[Score, ...]
    _where: list[IntArray] | None = field(default=None, init=False)

    def bind(self, metrics: Sequence[Metric], batches: Sequence[Batch]) -> tuple[FloatArray, list[IntArray]]:
        """Return the distinct columns, (C, n), and where those of each metric and submission are, metric by metric.

        Raises CapabilityError if a metric is not additive on this chunk as it was on the first one.
        """
        tables = [self._rows(metric, nth, batch) for nth, metric in enumerate(metrics) for batch in batches]
        if any(is_sparse(table) for table in tables):
            return distinct_columns(tables)
        if self._where is not None:
            columns = _columns_as_before(tables, self._where)
            if columns is not None:
                return columns, self._where
        columns, where = distinct_columns(tables)
        self._where = self._where or where
        return columns, where

    def _rows(self, metric: Metric, nth: int, batch: Batch) -> FloatArray:
        bound = checked.bind(metric, batch)
        if not isinstance(bound, Additive) or bound.score != self.scores[nth]:
            what = f"{full_name(metric)} computes its score from sums in a way that depends on the units"
            raise CapabilityError(what)
        return bound.rows


def _columns_as_before(tables: Sequence[FloatArray], where: Sequence[IntArray]) -> FloatArray | None:
    """Return the distinct columns, (C, n), if those that were equal before are equal again, else None."""
    # the columns that were equal in the first chunk are nearly always equal again: no search, one comparison
    columns = np.empty((1 + max(int(positions.max(initial=-1)) for positions in where), len(tables[0])))
    filled: set[int] = set()
    for table, positions in zip(tables, where, strict=True):
        if table.shape[1] != len(positions):
            return None
        for column, position in zip(table.T, positions.tolist(), strict=True):
            if position not in filled:
                columns[position] = column
                filled.add(position)
            elif not np.array_equal(columns[position], column):
                return None
    return columns


def weighted_sums(columns: FloatArray, counts: NDArray[np.integer], *, whole: bool) -> FloatArray:
    """Return the sums of columns (C, n) under counts (draws, n), (C, draws).

    `whole`: whether the columns hold whole numbers only. Their sums are computed in single precision, in half the time,
    where they are known to be exact there.
    """
    largest = float(np.abs(columns).max(initial=0.0)) if whole else np.inf
    if whole and float(counts.sum(axis=1, dtype=np.int64).max(initial=0)) * largest < _EXACT_IN_FLOAT32:
        return (columns.astype(np.float32) @ counts.astype(np.float32).T).astype(np.float64)
    return np.asarray(columns @ counts.astype(np.float64).T)

"""What an aggregation returns: a score for each submission, in every draw."""

from __future__ import annotations

from qeframe.core.batches.base import FloatArray
from qeframe.core.batches.ragged import read_only_view
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.checks.work import at_work
from qeframe.core.returned import check_returned


def aggregate(aggregation: Aggregation, scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    """Aggregate scores (..., submissions, parts) to (..., submissions), finite or NaN."""
    with at_work(aggregation, "aggregate"):
        returned = aggregation.aggregate(read_only_view(scores), read_only_view(weights), higher_is_better)
        return check_returned("aggregate", returned, scores.shape[:-1])


def of_part(aggregation: Aggregation, scores: FloatArray, higher_is_better: bool) -> FloatArray:
    """Return what an aggregation with a `part` is the mean of, for scores (..., submissions) of one part."""
    assert aggregation.part is not None
    with at_work(aggregation, "part"):
        return check_returned("part", aggregation.part(read_only_view(scores), higher_is_better), scores.shape)

"""What an aggregation returns: a score for each submission, in every draw."""

from __future__ import annotations

import numpy as np

from qeframe.core.batches.base import FloatArray
from qeframe.core.batches.ragged import read_only_view
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.checks.work import at_work
from qeframe.core.resampling.return_checks import WrongReturnError, numbers_of_shape


def aggregate(aggregation: Aggregation, scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    """Aggregate scores (..., submissions, parts) to (..., submissions), finite or NaN."""
    with at_work(aggregation, "aggregate"):
        returned = aggregation.aggregate(read_only_view(scores), read_only_view(weights), higher_is_better)
        returned = numbers_of_shape(returned, "aggregate", scores.shape[:-1], "draws x submissions")
        if np.isinf(returned).any():
            raise WrongReturnError("aggregate", f"{float(returned[np.isinf(returned)][0])!r}", "finite numbers, or NaN")
    return returned


def of_part(aggregation: Aggregation, scores: FloatArray, higher_is_better: bool) -> FloatArray:
    """Return what an aggregation with a `part` is the mean of, for scores (..., submissions) of one part."""
    assert aggregation.part is not None
    with at_work(aggregation, "part"):
        returned = aggregation.part(read_only_view(scores), higher_is_better)
        return numbers_of_shape(returned, "part", scores.shape, "draws x submissions")

"""Parts over all language pairs together, whose scores are those of all outcomes."""

import numpy as np

from qeframe.core.batches.base import Batch, FloatArray, check_kind
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.checks import metric as checked
from qeframe.core.components.metric import Metric
from qeframe.core.errors import CapabilityError


def _mean(scores: FloatArray, weights: FloatArray, higher_is_better: bool) -> FloatArray:
    return np.asarray(scores @ (weights / weights.sum()))


POOLED = Aggregation(
    name="pooled", summary="Mean of the outcomes of all tasks", source="qeframe", aggregate=_mean, weighting="counted"
)


def count_outcomes(metric: Metric, batch: Batch) -> int:
    """Return of how many outcomes the score of a metric is the mean; 0 if there are none, and the score is undefined.

    Raises CapabilityError if the metric is not a mean of outcomes or of values per unit.
    """
    check_kind(batch, metric.kind, f"metric '{metric.name}'")
    if metric.outcomes is not None:
        return len(checked.outcomes(metric, batch))
    if metric.per_unit is not None:
        return len(checked.per_unit(metric, batch))
    raise CapabilityError(
        f"metric '{metric.name}' cannot be pooled over language pairs: it is neither a mean over pairs nor a mean of "
        "one value per unit"
    )

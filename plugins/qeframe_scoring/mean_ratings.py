"""The mean of human ratings of a translation system, over the items in which it was rated."""

from __future__ import annotations

import numpy as np

from qeframe.plugin import FloatArray, Metric, Values, additive, ratio


def _rows(batch: Values) -> FloatArray:
    rated = ~np.isnan(batch.predicted)
    return np.stack([rated, np.where(rated, batch.predicted, 0.0)], axis=1).astype(np.float64)


def _mean(sums: FloatArray) -> FloatArray:
    return ratio(sums[..., 1], sums[..., 0])


def _ratings(batch: Values) -> FloatArray:
    return batch.predicted


mean_rating = Metric(
    name="mean_rating",
    summary="Mean of the ratings of a system over the items in which it has one; n/a without any",
    source="WMT26 general MT task, human evaluation",
    formula=r"\bar{x} = \frac{1}{n_R} \sum_{i \in R} x_i",
    symbols="$R$ are the items that have a rating, $n_R$ is their number, and $x_i$ is the rating of item $i$.",
    kind=Values,
    bind=additive(columns=("rated", "rating"), extract=_rows, score=_mean),
    smooth=True,
    per_unit=_ratings,
)

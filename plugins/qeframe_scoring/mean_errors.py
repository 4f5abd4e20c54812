"""Means of one value for each unit: the mean itself, the mean absolute error, the root of the mean squared error."""

from typing import Literal

import numpy as np

from qeframe.plugin import FloatArray, Metric, Scores, Values, additive, mean_of_sums, ratio

Replicate = Literal["none", "perl"]


def _root_mean_of_sums(sums: FloatArray) -> FloatArray:
    return np.sqrt(mean_of_sums(sums))


def _counted(values: FloatArray) -> FloatArray:
    return np.stack([np.ones_like(values), values], axis=1)


def _predicted(batch: Values) -> FloatArray:
    return batch.predicted


def _predicted_rows(batch: Values) -> FloatArray:
    return _counted(batch.predicted)


mean = Metric(
    name="mean",
    summary="Mean of the submission's numbers; the gold side is not looked at",
    source="Sums of per-segment scores, and results of repeated experiments.",
    formula=r"\bar{x} = \frac{1}{n} \sum_{i=1}^{n} x_i",
    symbols="$x_i$ is the number of unit $i$, and $n$ is the number of units.",
    kind=Values,
    bind=additive(columns=("units", "value"), extract=_predicted_rows, score=mean_of_sums),
    smooth=True,
    per_unit=_predicted,
)


def _absolute_error(batch: Scores) -> FloatArray:
    return np.abs(batch.predicted - batch.gold)


def _absolute_rows(batch: Scores) -> FloatArray:
    return _counted(_absolute_error(batch))


def _rounded_error(batch: Scores) -> FloatArray:
    """Return absolute errors as the script printed them: two decimals, halves of the binary value to even."""
    return np.array([float(f"{error:.2f}") for error in _absolute_error(batch)])


def _rounded_rows(batch: Scores) -> FloatArray:
    return _counted(_rounded_error(batch))


def _squared_rows(batch: Scores) -> FloatArray:
    return _counted(_absolute_error(batch) ** 2)


def _rounded_squared_rows(batch: Scores) -> FloatArray:
    return _counted(_rounded_error(batch) ** 2)


def mae(*, replicate: Replicate = "none") -> Metric:
    """Mean absolute error between predicted and gold values.

    The official measure of the scoring variant of sentence-level QE from 2012 to 2015. It rewards predictions that
    shrink towards the median of the gold: see Graham (2015), who replaced it by Pearson's correlation.

    Parameters
    ----------
    replicate : {"none", "perl"}
        perl: each error is rounded to two decimals before the mean, as in the official script of 2013 (harmless on a
        scale of 0 to 100, not on 0 to 1).

    Returns
    -------
    Metric
        On `Scores`; 0 is perfect, lower is better. Undefined (NaN) only without units.

    References
    ----------
    WMT12 to WMT15 QE task 1. Graham (2015), Improving Evaluation of Machine Translation Quality Estimation, ACL.
    """
    rounded = replicate == "perl"
    extract = _rounded_rows if rounded else _absolute_rows
    return Metric(
        name="mae",
        summary="Mean absolute error; rewards answers near the median",
        source="WMT12-15 QE task 1, scoring; Graham (2015)",
        formula=r"\frac{1}{n} \sum_{i=1}^{n} \left| x_i - y_i \right|",
        symbols="$x_i$ is the prediction for unit $i$, $y_i$ its gold value, and $n$ the number of units.",
        kind=Scores,
        bind=additive(columns=("units", "error"), extract=extract, score=mean_of_sums),
        smooth=True,
        per_unit=_rounded_error if rounded else _absolute_error,
        bounds=(0.0, np.inf),
        interval_scale="log",
        higher_is_better=False,
        claims=("monotone",),
    )


def rmse(*, replicate: Replicate = "none") -> Metric:
    """Root of the mean squared error between predicted and gold values.

    Secondary measure of the scoring variant of sentence-level QE. It rewards predictions that shrink towards the mean
    of the gold.

    Parameters
    ----------
    replicate : {"none", "perl"}
        perl: each error is rounded to two decimals before it is squared, as in the official script of 2013.

    Returns
    -------
    Metric
        On `Scores`; 0 is perfect, lower is better. Undefined (NaN) only without units.

    References
    ----------
    WMT12 to WMT24 QE, sentence level. Graham (2015), ACL.
    """
    extract = _rounded_squared_rows if replicate == "perl" else _squared_rows
    return Metric(
        name="rmse",
        summary="Root mean squared error; rewards answers near the mean",
        source="WMT12-24 QE, sentence level; Graham (2015)",
        formula=r"\sqrt{\frac{1}{n} \sum_{i=1}^{n} \left( x_i - y_i \right)^2}",
        symbols="$x_i$ is the prediction for unit $i$, $y_i$ its gold value, and $n$ the number of units.",
        kind=Scores,
        bind=additive(columns=("units", "squared error"), extract=extract, score=_root_mean_of_sums),
        smooth=True,
        bounds=(0.0, np.inf),
        interval_scale="log",
        higher_is_better=False,
        claims=("monotone",),
    )


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

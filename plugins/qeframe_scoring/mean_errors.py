"""Means of one value for each unit: the mean itself, the mean absolute error, the root of the mean squared error."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, Metric, Scores, Values, additive, mean_of_sums

Replicate = Literal["none", "perl"]


@frozen
class _RootMean:
    """The root of a mean, from a count and a sum."""

    def __call__(self, sums: FloatArray) -> FloatArray:
        return np.sqrt(mean_of_sums(sums))

    def differentiate(self, *sums: FloatArray) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
        """Return the root, and its derivatives by count and sum, 0 where the root is."""
        count, total = sums
        root = np.sqrt(total / count)
        by_total = np.divide(0.5, root * count, out=np.zeros(root.shape), where=root > 0)
        return root, (-by_total * total / count, by_total)


_root_mean_of_sums = _RootMean()


@frozen
class Counted:
    """A 1 for each unit, and a power of its value, (n, 2): the rows of a mean."""

    value: Callable[[Any], FloatArray]
    power: int = 1

    def __call__(self, batch: Any) -> FloatArray:
        values = self.value(batch) ** self.power
        return np.stack([np.ones_like(values), values], axis=1)


def _predicted(batch: Values) -> FloatArray:
    return batch.predicted


mean = Metric(
    name="mean",
    summary="Mean of the submission's numbers; the gold side is not looked at",
    source="Sums of per-segment scores, and results of repeated experiments.",
    formula=r"\bar{x} = \frac{1}{n} \sum_{i=1}^{n} x_i",
    symbols="$x_i$ is the number of unit $i$, and $n$ is the number of units.",
    kind=Values,
    bind=additive(columns=("units", "value"), extract=Counted(_predicted), score=mean_of_sums),
    smooth=True,
    per_unit=_predicted,
)


def _absolute_error(batch: Scores) -> FloatArray:
    return np.abs(batch.predicted - batch.gold)


def _rounded_error(batch: Scores) -> FloatArray:
    """Return absolute errors as the script printed them: two decimals, halves of the binary value to even."""
    return np.array([float(f"{error:.2f}") for error in _absolute_error(batch)])


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
    error = _rounded_error if replicate == "perl" else _absolute_error
    return Metric(
        name="mae",
        summary="Mean absolute error; rewards answers near the median",
        source="WMT12-15 QE task 1, scoring; Graham (2015)",
        formula=r"\frac{1}{n} \sum_{i=1}^{n} \left| x_i - y_i \right|",
        symbols="$x_i$ is the prediction for unit $i$, $y_i$ its gold value, and $n$ the number of units.",
        kind=Scores,
        bind=additive(columns=("units", "error"), extract=Counted(error), score=mean_of_sums),
        smooth=True,
        per_unit=error,
        bounds=(0.0, np.inf),
        interval_scale="log",
        higher_is_better=False,
        claims=("monotone",),
        known_weaknesses={"blind": 0.3, "cosmetic": 0.14},
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
    error = _rounded_error if replicate == "perl" else _absolute_error
    return Metric(
        name="rmse",
        summary="Root mean squared error; rewards answers near the mean",
        source="WMT12-24 QE, sentence level; Graham (2015)",
        formula=r"\sqrt{\frac{1}{n} \sum_{i=1}^{n} \left( x_i - y_i \right)^2}",
        symbols="$x_i$ is the prediction for unit $i$, $y_i$ its gold value, and $n$ the number of units.",
        kind=Scores,
        bind=additive(columns=("units", "squared error"), extract=Counted(error, power=2), score=_root_mean_of_sums),
        smooth=True,
        bounds=(0.0, np.inf),
        interval_scale="log",
        higher_is_better=False,
        claims=("monotone",),
        known_weaknesses={"blind": 0.31, "cosmetic": 0.15},
    )


def _rows(batch: Values) -> FloatArray:
    rated = ~np.isnan(batch.predicted)
    return np.stack([rated, np.where(rated, batch.predicted, 0.0)], axis=1).astype(np.float64)


mean_rating = Metric(
    name="mean_rating",
    summary="Mean of the ratings of a system over the items in which it has one; n/a without any",
    source="WMT26 general MT task, human evaluation",
    formula=r"\bar{x} = \frac{1}{n_R} \sum_{i \in R} x_i",
    symbols="$R$ are the items that have a rating, $n_R$ is their number, and $x_i$ is the rating of item $i$.",
    kind=Values,
    bind=additive(columns=("rated", "rating"), extract=_rows, score=mean_of_sums),
    smooth=True,
    per_unit=_predicted,
)

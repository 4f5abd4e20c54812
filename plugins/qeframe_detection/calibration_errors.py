"""Calibration: whether predictions are the probabilities of the positive class."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.plugin import BoolArray, DataError, Detections, FloatArray, Metric, additive, ratio

_MOST_BINS = 1000


def _outside(batch: Detections) -> BoolArray:
    """Return which predictions are no probabilities, (n,)."""
    return np.asarray((batch.predicted < 0) | (batch.predicted > 1))


def _has_no_probabilities(batch: Detections) -> bool:
    return bool(_outside(batch).any())


def _squared_rows(batch: Detections) -> FloatArray:
    outside = _outside(batch)
    error = np.where(outside, 0.0, batch.predicted - batch.gold)
    return np.stack([np.ones(len(batch)), error**2, outside], axis=1)


def _mean_of_probabilities(sums: FloatArray) -> FloatArray:
    return np.where(sums[..., 2] > 0, np.nan, ratio(sums[..., 1], sums[..., 0]))


brier = Metric(
    name="brier",
    summary="Mean squared error of probabilities; undefined if a prediction is not from 0 to 1",
    source="Brier (1950), Verification of forecasts expressed in terms of probability",
    formula=r"\frac{1}{n} \sum_{i=1}^{n} \left( x_i - y_i \right)^2",
    symbols="$x_i$ is the predicted probability of unit $i$, $y_i$ its gold class (1 or 0), $n$ the number of units.",
    kind=Detections,
    bind=additive(columns=("units", "squared_error", "outside"), extract=_squared_rows, score=_mean_of_probabilities),
    smooth=True,
    interval_scale="log",
    bounds=(0.0, 1.0),
    higher_is_better=False,
    undefined=_has_no_probabilities,
    claims=("monotone",),
    known_weaknesses={"blind": 0.52, "cosmetic": 0.33},
)


@frozen
class _BinRows:
    """Rows of units, of predictions that are no probabilities, and of the differences in each bin, (n, 2 + bins)."""

    bins: int

    def __call__(self, batch: Detections) -> FloatArray:
        outside = _outside(batch)
        rows = np.zeros((len(batch), 2 + self.bins))
        rows[:, 0], rows[:, 1] = 1.0, outside
        inside = np.flatnonzero(~outside)
        rows[inside, 2 + bin_of(batch.predicted[inside], self.bins)] = (batch.predicted - batch.gold)[inside]
        return rows


def bin_of(probabilities: FloatArray, bins: int) -> Any:
    """Return the bin of each probability: bin b is from b / bins, included, to (b + 1) / bins; the last includes 1."""
    return np.searchsorted(np.arange(1, bins) / bins, probabilities, side="right")


def _gap(sums: FloatArray) -> FloatArray:
    return np.where(sums[..., 1] > 0, np.nan, ratio(np.abs(sums[..., 2:]).sum(axis=-1), sums[..., 0]))


def _ece_details(batch: Detections, *, bins: int) -> Mapping[str, Any]:
    if not len(batch) or _has_no_probabilities(batch):
        return {}
    which = bin_of(batch.predicted, bins)
    count, predicted, positive, variance = (
        np.bincount(which, values, minlength=bins)
        for values in (np.ones(len(batch)), batch.predicted, batch.gold, batch.predicted * (1 - batch.predicted))
    )
    table = {
        f"{low / bins:g}": {"units": int(n), "mean_prediction": float(p / n), "share_positive": float(y / n)}
        for low, (n, p, y) in enumerate(zip(count, predicted, positive, strict=True))
        if n
    }
    # the mean size of a normal variable is sqrt(2 / pi) deviations
    return {"bins": table, "expected_if_calibrated": float(np.sqrt(2 / np.pi * variance).sum() / len(batch))}


def ece(*, bins: int = 10) -> Metric:
    """Mean distance of the predicted and the observed shares of the positive class in bins: expected calibration error.

    The score is biased upward: also probabilities that are calibrated perfectly score above 0, since the observed
    shares vary by chance. The details have the score to be expected then (``expected_if_calibrated``, by the normal
    approximation in each bin). The bias grows with the number of bins and falls with the square root of the number of
    units. A bootstrap adds a bias of about the same size once more, so that the low end of an interval is too high.

    Parameters
    ----------
    bins : int
        From 1 to 1000, of equal width. Bin b is from b / bins, included, to (b + 1) / bins; the last includes 1.

    Returns
    -------
    Metric
        On `Detections`, in [0, 1], low is good. Undefined (NaN) if a prediction is not from 0 to 1, or without units.

    Raises
    ------
    DataError
        For a number of bins out of range.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning.
    """
    if not 1 <= bins <= _MOST_BINS:
        raise DataError(f"ece: bins must be from 1 to {_MOST_BINS}, not {bins}", remedy="set bins=10")
    columns = ("units", "outside", *(f"bin {number}" for number in range(bins)))
    return Metric(
        name="ece",
        summary="Expected calibration error by bins, biased upward; undefined if a prediction is not from 0 to 1",
        source="Naeini, Cooper and Hauskrecht (2015), AAAI",
        formula=r"\sum_{b=1}^{B} \frac{n_b}{n} \left| \bar{x}_b - \bar{y}_b \right|",
        symbols=r"$B$ is the number of bins (`bins`), $n_b$ the number of units whose probability is in bin $b$, "
        r"$\bar{x}_b$ their mean probability, $\bar{y}_b$ their share of positive units, and $n$ the number of all "
        r"units.",
        kind=Detections,
        bind=additive(columns=columns, extract=_BinRows(bins), score=_gap),
        smooth=True,
        details=partial(_ece_details, bins=bins),
        bounds=(0.0, 1.0),
        higher_is_better=False,
        undefined=_has_no_probabilities,
        known_weaknesses={"blind": 1.02, "cosmetic": 0.89},
    )

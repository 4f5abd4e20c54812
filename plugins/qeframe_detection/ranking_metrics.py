"""AUROC, average precision, and recall at a number of units or at a precision: metrics of a ranking of units."""

from functools import partial

import numpy as np

from qeframe.plugin import DataError, Detections, FloatArray, Metric, ratio
from qeframe.plugin.resampling import ExchangeByWeights
from qeframe_detection.decision_counts import BindSweep, top_hits

_SLACK = 1e-12  # of a precision that is reached up to rounding


def _area(hits: FloatArray, totals: FloatArray) -> FloatArray:
    misses = totals - hits
    above = hits.cumsum(axis=0) - hits / 2
    return ratio((above * misses).sum(axis=0), hits.sum(axis=0) * misses.sum(axis=0))


def _average_precision(hits: FloatArray, totals: FloatArray) -> FloatArray:
    true_positives, called = hits.cumsum(axis=0), totals.cumsum(axis=0)
    precision = np.divide(true_positives, called, out=np.zeros_like(true_positives), where=called > 0)
    return ratio((hits * precision).sum(axis=0), hits.sum(axis=0))


def _recall_of_top(k: float, hits: FloatArray, totals: FloatArray) -> FloatArray:
    units = totals.sum(axis=0)
    count = np.full_like(units, k) if k >= 1 else k * units
    return ratio(top_hits(hits, totals, count), hits.sum(axis=0))


def _recall_at_precision(precision: float, hits: FloatArray, totals: FloatArray) -> FloatArray:
    true_positives, called = hits.cumsum(axis=0), totals.cumsum(axis=0)
    reached = true_positives >= precision * called - _SLACK * (1 + called)
    return ratio(np.where(reached, true_positives, 0.0).max(axis=0, initial=0.0), hits.sum(axis=0))


_AREA, _AVERAGE = BindSweep(_area), BindSweep(_average_precision)

auroc = Metric(
    name="auroc",
    summary="Area under the ROC curve: how often a positive unit is above a negative one; undefined for one class",
    source="WMT23 QE hallucinations; ties count one half, as in the statistic of Mann and Whitney",
    formula=r"\frac{1}{n_1 n_0} \sum_{i:\, y_i = 1} \; \sum_{j:\, y_j = 0} \left( [x_i > x_j] + \frac{1}{2} [x_i = "
    r"x_j] \right)",
    symbols="$x_i$ is the prediction for unit $i$, $y_i$ its gold class; $n_1$ and $n_0$ are the numbers of positive "
    "and negative units. A bracket is 1 where its condition holds, else 0.",
    kind=Detections,
    bind=_AREA,
    smooth=True,
    exchange=ExchangeByWeights(_AREA),
    bounds=(0.0, 1.0),
    claims=("constant_proof", "blind_proof", "monotone"),
    known_weaknesses={"cosmetic": 0.05},
)

average_precision = Metric(
    name="average_precision",
    summary="Mean precision at the positive units, a tied group as one step; undefined without a positive unit",
    source="The step function of scikit-learn's average_precision_score, without interpolation",
    formula=r"\frac{1}{n_1} \sum_{i:\, y_i = 1} \frac{\sum_{j=1}^{n} y_j [x_j \ge x_i]}{\sum_{j=1}^{n} [x_j \ge x_i]}",
    symbols="$x_i$ is the prediction for unit $i$, $y_i$ its gold class (1 or 0), $n$ the number of units, and $n_1$ "
    "that of the positive ones. A bracket is 1 where its condition holds, else 0.",
    kind=Detections,
    bind=_AVERAGE,
    smooth=True,
    exchange=ExchangeByWeights(_AVERAGE),
    bounds=(0.0, 1.0),
    claims=("constant_proof",),
    known_weaknesses={"blind": 0.05, "cosmetic": 0.05},
)


def recall_at_k(*, k: float = 0.1) -> Metric:
    """Share of the positive units that are among the k highest predictions.

    Parameters
    ----------
    k : float
        From 1: a whole number of units. Above 0 and below 1: a share of the units; scores on data sets of different
        sizes are then comparable. Units that are tied at the border count in proportion. For as many as the gold has
        positive units, use ``detection_recall(at=gold_rate)``.

    Returns
    -------
    Metric
        On `Detections`, in [0, 1]. Undefined (NaN) if the gold has no positive unit; 1 if there are at most k units.

    Raises
    ------
    DataError
        If k is not positive, or from 1 on not a whole number.

    References
    ----------
    WMT23 QE hallucinations: recall at n.
    """
    if not 0 < k < np.inf or (k >= 1 and k != round(k)):
        what = f"recall_at_k: k must be a share of the units or a whole number of them, not {k:g}"
        raise DataError(what, remedy="set k=0.1 or k=100")
    bind = BindSweep(partial(_recall_of_top, k))
    return Metric(
        name="recall_at_k",
        summary="Share of the positive units among the k highest; undefined without a positive unit",
        source="WMT23 QE hallucinations (recall at n)",
        formula=r"\frac{1}{n_1} \sum_{i:\, y_i = 1} [r_i \le K]",
        symbols="$r_i$ is the rank of the prediction for unit $i$, the highest first; $y_i$ is its gold class, and "
        "$n_1$ the number of positive units. $K$ is `k`, below 1 the share `k` of all units. Of units tied at the "
        "border, each counts with the share of them that is within.",
        kind=Detections,
        bind=bind,
        exchange=ExchangeByWeights(bind),
        bounds=(0.0, 1.0),
        smooth=False,
        claims=("constant_proof", "blind_proof", "monotone"),
        known_weaknesses={"cosmetic": 0.05},
    )


def recall_at_precision(*, precision: float = 0.9) -> Metric:
    """Largest recall of a threshold whose precision is at least the given one.

    Parameters
    ----------
    precision : float
        Above 0, at most 1.

    Returns
    -------
    Metric
        On `Detections`, in [0, 1]. 0 if no threshold reaches the precision, undefined (NaN) if the gold has no positive
        unit. The threshold is chosen on the same units, so the score is optimistic.

    Raises
    ------
    DataError
        For a precision out of range.

    References
    ----------
    Threshold use of quality estimates: https://arxiv.org/abs/2410.05183
    """
    if not 0 < precision <= 1:
        what = f"recall_at_precision: precision must be above 0 and at most 1, not {precision:g}"
        raise DataError(what, remedy="set precision=0.9")
    bind = BindSweep(partial(_recall_at_precision, precision))
    return Metric(
        name="recall_at_precision",
        summary="Largest recall at a threshold of at least this precision; undefined without a positive unit",
        source="Threshold use of quality estimates",
        formula=r"\max_{t:\, P(t) \ge p} R(t)",
        symbols="$t$ is a threshold; $P(t)$ and $R(t)$ are the precision and the recall of calling the units positive "
        "whose prediction is at least $t$. $p$ is the parameter `precision`. Without such a threshold the score is 0.",
        kind=Detections,
        bind=bind,
        exchange=ExchangeByWeights(bind),
        bounds=(0.0, 1.0),
        smooth=False,
        claims=("monotone",),
        known_weaknesses={"blind": 0.05, "cosmetic": 0.05},
    )

"""MCC, kappa, precision, recall and F1 of decisions at a threshold."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np

from qeframe.plugin import DataError, Detections, Metric, additive
from qeframe.plugin.resampling import ExchangeByWeights
from qeframe_detection.decision_counts import (
    COLUMNS,
    MEASURES,
    BindCrossFitted,
    BindSweep,
    Counts,
    at_best,
    at_gold_rate,
)

At = Literal["threshold", "gold_rate", "cross_fitted", "best"]
Of = Literal["positive", "negative", "product"]

_MOST_FOLDS = 20
_BOUNDS = {"mcc": (-1.0, 1.0), "kappa": (-1.0, 1.0)}
_SCALES: Mapping[str, Literal["arctanh", "identity"]] = {"detection_mcc": "arctanh", "detection_kappa": "identity"}
_SOURCE = "WMT21-22 QE critical error detection; WMT26 error-free segments"

_TP, _FP, _FN, _TN = (rf"\text{{{count}}}" for count in ("TP", "FP", "FN", "TN"))
_DIFFERENCE = rf"{_TP} \cdot {_TN} - {_FP} \cdot {_FN}"
_FORMULAS = {
    "mcc": rf"\frac{{{_DIFFERENCE}}}{{\sqrt{{({_TP}+{_FP})({_TP}+{_FN})({_TN}+{_FP})({_TN}+{_FN})}}}}",
    "kappa": rf"\frac{{2 ({_DIFFERENCE})}}{{({_TP}+{_FP})({_FP}+{_TN}) + ({_FN}+{_TN})({_TP}+{_FN})}}",
    "precision": rf"\frac{{{_TP}}}{{{_TP} + {_FP}}}",
    "recall": rf"\frac{{{_TP}}}{{{_TP} + {_FN}}}",
    "f1": rf"\frac{{2 {_TP}}}{{2 {_TP} + {_FP} + {_FN}}}",
    "f1_negative": rf"\frac{{2 {_TN}}}{{2 {_TN} + {_FN} + {_FP}}}",
}
_FORMULAS["f1_product"] = rf"{_FORMULAS['f1']} \cdot {_FORMULAS['f1_negative']}"
_SYMBOLS = (
    r"A unit with gold class $y_i$ and prediction $x_i$ is called positive if $x_i \ge t$, where $t$ is `threshold` "
    rf"(with `at=threshold`). $ {_TP} $ counts the positive units that are called so, $ {_FN} $ the other positive "
    rf"units, $ {_FP} $ the negative units that are called positive, and $ {_TN} $ the other negative units."
)


def _details(batch: Detections, *, counts: Counts) -> Mapping[str, Any]:
    return dict(zip(COLUMNS, map(int, counts(batch).sum(axis=0)), strict=True))


def _rate_details(batch: Detections) -> Mapping[str, Any]:
    """Return how many units are called positive, and how many of them are tied with units that are not."""
    count = int(batch.gold.sum())
    if not 0 < count < len(batch):
        return {"called_positive": count}
    border = np.sort(batch.predicted)[::-1][count - 1]
    tied = int((batch.predicted == border).sum())
    above = int((batch.predicted > border).sum())
    tied = tied if above + tied > count else 0
    return {"called_positive": count, "threshold": float(border), "tied_at_threshold": tied}


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "detection_mcc": {"cosmetic": 0.05},
    "detection_kappa": {"cosmetic": 0.05},
    "detection_precision": {"blind": 0.05, "cosmetic": 0.05},
    "detection_recall": {"blind": 1.02, "cosmetic": 0.05},
    "detection_f1": {"blind": 0.13, "cosmetic": 0.05},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _metric(
    name: str, summary: str, at: At, threshold: float, strict: bool, folds: int, claims: tuple[Any, ...], of: str = ""
) -> Metric:
    if not np.isfinite(threshold):
        raise DataError(f"{name}: threshold must be a finite number", remedy="decisions are 0 or 1: threshold=0.5")
    if not 2 <= folds <= _MOST_FOLDS:
        raise DataError(f"{name}: folds must be from 2 to {_MOST_FOLDS}, not {folds}", remedy="set folds=2")
    measure = MEASURES[of or name.removeprefix("detection_")]
    counts = Counts(threshold, strict)
    details: Callable[[Any], Mapping[str, Any]] | None = None
    exchange = None
    if at == "threshold":
        bind: Any = additive(columns=COLUMNS, extract=counts, score=measure)
        details = partial(_details, counts=counts)
    else:
        bind = BindCrossFitted(measure, folds)
        if at != "cross_fitted":
            bind = BindSweep(partial(at_gold_rate if at == "gold_rate" else at_best, measure))
        details = _rate_details if at == "gold_rate" else None
        exchange = ExchangeByWeights(bind)
    return Metric(
        name=name,
        summary=summary,
        source=_SOURCE,
        kind=Detections,
        bind=bind,
        exchange=exchange,
        details=details,
        smooth=at == "threshold",
        degenerate=0.0,
        interval_scale=_SCALES.get(name, "logit"),
        bounds=_BOUNDS.get(name.removeprefix("detection_"), (0.0, 1.0)),
        formula=_FORMULAS[of or name.removeprefix("detection_")],
        symbols=_SYMBOLS,
        claims=claims if at in ("threshold", "gold_rate") else (),
        known_weaknesses=_KNOWN[name],
    )


def detection_mcc(*, at: At = "threshold", threshold: float = 0.5, strict: bool = False, folds: int = 2) -> Metric:
    """Matthews' correlation coefficient of decisions: Pearson's correlation of two binary variables.

    Parameters
    ----------
    at : {"threshold", "gold_rate", "cross_fitted", "best"}
        Which units are called positive. threshold: those whose prediction reaches a fixed `threshold`. gold_rate: the
        highest ones, as many as the gold has; units that are tied at the border count in proportion, which is the exact
        expectation over their orders. cross_fitted: those that reach the threshold that is best on other units; the
        unit with id i is in fold i modulo `folds`, and the threshold of a fold is chosen on all other folds. best:
        those that reach the threshold that is best on the same units, an optimistic score.
    threshold : float
        Finite. Used with ``at=threshold`` only.
    strict : bool
        Whether a prediction must exceed the threshold to be called positive. Used with ``at=threshold`` only.
    folds : int
        From 2 to 20. Used with ``at=cross_fitted`` only.

    Returns
    -------
    Metric
        On `Detections`, in [-1, 1]. 0 if the gold has only one class, or all decisions are equal.

    Raises
    ------
    DataError
        If the threshold is not finite, or for a number of folds out of range.

    References
    ----------
    WMT21 QE task 3 and WMT22 QE task 3 (primary; in 2022 at the gold's rate); WMT26 task 3 (primary).
    """
    summary = "Matthews' correlation of decisions; 0 for a gold of one class, and if all decisions are equal"
    claims = ("constant_proof", "blind_proof", "monotone")
    return _metric("detection_mcc", summary, at, threshold, strict, folds, claims)


def detection_kappa(*, at: At = "threshold", threshold: float = 0.5, strict: bool = False, folds: int = 2) -> Metric:
    """Cohen's kappa of decisions: agreement beyond that expected from the rates of both sides.

    Parameters
    ----------
    at, threshold, strict, folds
        As of `detection_mcc`. At the gold's rate kappa is equal to MCC.

    Returns
    -------
    Metric
        On `Detections`, in [-1, 1]. 0 if the gold has only one class, or all decisions are equal.

    Raises
    ------
    DataError
        If the threshold is not finite, or for a number of folds out of range.

    References
    ----------
    Cohen (1960), A coefficient of agreement for nominal scales.
    """
    summary = "Cohen's kappa of decisions; 0 for a gold of one class, and if all decisions are equal"
    return _metric("detection_kappa", summary, at, threshold, strict, folds, ("constant_proof", "blind_proof"))


def detection_precision(
    *, at: At = "threshold", threshold: float = 0.5, strict: bool = False, folds: int = 2
) -> Metric:
    """Share of the positive decisions that are right.

    Parameters
    ----------
    at, threshold, strict, folds
        As of `detection_mcc`. At the gold's rate precision, recall and F1 are equal.

    Returns
    -------
    Metric
        On `Detections`, in [0, 1]. 0 if nothing is called positive.

    Raises
    ------
    DataError
        If the threshold is not finite, or for a number of folds out of range.

    References
    ----------
    WMT22 QE task 3; WMT26 task 3 (secondary).
    """
    summary = "Share of the positive decisions that are right; 0 if there are none"
    return _metric("detection_precision", summary, at, threshold, strict, folds, ("monotone",))


def detection_recall(*, at: At = "threshold", threshold: float = 0.5, strict: bool = False, folds: int = 2) -> Metric:
    """Share of the positive units that are found; calling everything positive scores 1.

    Parameters
    ----------
    at, threshold, strict, folds
        As of `detection_mcc`. At the gold's rate precision, recall and F1 are equal.

    Returns
    -------
    Metric
        On `Detections`, in [0, 1]. 0 if the gold has no positive unit.

    Raises
    ------
    DataError
        If the threshold is not finite, or for a number of folds out of range.

    References
    ----------
    WMT22 QE task 3; WMT23 QE hallucinations, recall at the number of positive units; WMT26 task 3 (secondary).
    """
    summary = "Share of the positive units that are found; 1 if everything is called positive"
    return _metric("detection_recall", summary, at, threshold, strict, folds, ("monotone",))


def detection_f1(
    *, at: At = "threshold", threshold: float = 0.5, strict: bool = False, folds: int = 2, of: Of = "positive"
) -> Metric:
    """Harmonic mean of the precision and the recall of decisions.

    Parameters
    ----------
    at, threshold, strict, folds
        As of `detection_mcc`. At the gold's rate precision, recall and F1 are equal.
    of : {"positive", "negative", "product"}
        The class whose precision and recall are joined, such as ERR or NOT; or the product of both F1.

    Returns
    -------
    Metric
        On `Detections`, in [0, 1]. 0 without a hit, also if the gold has no unit of the class, or of one of them.

    Raises
    ------
    DataError
        If the threshold is not finite, or for a number of folds out of range.

    References
    ----------
    WMT21 QE task 3: F1 of ERR, F1 of NOT, and their product (secondary).
    """
    if of == "product":
        summary = "Product of the F1 of both classes; 0 if a class has no hit"
        claims: tuple[str, ...] = ("constant_proof", "monotone")
        return _metric("detection_f1", summary, at, threshold, strict, folds, claims, "f1_product")
    summary = f"F1 of the {of} class; rewards calling everything {of}"
    measure = "f1" if of == "positive" else "f1_negative"
    return _metric("detection_f1", summary, at, threshold, strict, folds, ("monotone",), measure)

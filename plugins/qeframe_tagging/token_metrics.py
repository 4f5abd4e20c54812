"""Metrics on single tags, pooled over all tokens: the F1 family, precision, recall, MCC, kappa."""

from __future__ import annotations

import math
from collections.abc import Callable

from qeframe.plugin import DataError, FloatArray, Metric, Tags
from qeframe_tagging.confusion_counts import (
    FMeasure,
    Weighting,
    bind_counts,
    chance_corrected,
    confusion_details,
    matthews,
    product_of_f1,
    weighted_f1,
)

__all__ = ["cohen_kappa", "f1_bad", "f1_mult", "f1_ok", "f1_weighted", "f_beta", "mcc", "precision", "recall"]


def _of_class(tag: str, beta: float = 1.0) -> Callable[[Tags], FMeasure]:
    def score_for(batch: Tags) -> FMeasure:
        return FMeasure(batch.class_code(tag), beta)

    return score_for


def _same(score: Callable[[FloatArray], FloatArray]) -> Callable[[Tags], Callable[[FloatArray], FloatArray]]:
    def score_for(batch: Tags) -> Callable[[FloatArray], FloatArray]:
        return score

    return score_for


f1_bad = Metric(
    name="f1_bad",
    summary="F1 of the class BAD; rewards tagging everything BAD; 0 without a hit",
    source="WMT14-15 QE word level (primary), later secondary; Logacheva et al. (2016)",
    kind=Tags,
    bind=bind_counts(_of_class("BAD")),
    details=confusion_details,
    bounds=(0.0, 1.0),
    degenerate=0.0,
    claims=("monotone",),
)

f1_ok = Metric(
    name="f1_ok",
    summary="F1 of the class OK; rewards tagging everything OK; 0 without a hit",
    source="WMT15-23 QE word level (secondary); Logacheva et al. (2016)",
    kind=Tags,
    bind=bind_counts(_of_class("OK")),
    details=confusion_details,
    bounds=(0.0, 1.0),
    degenerate=0.0,
    claims=("monotone",),
)

f1_mult = Metric(
    name="f1_mult",
    summary="Product of the F1 of all classes; 0 if a class has no hit, as for any constant tagging",
    source="WMT16-19 QE word level (primary); Logacheva et al. (2016)",
    kind=Tags,
    bind=bind_counts(_same(product_of_f1)),
    details=confusion_details,
    bounds=(0.0, 1.0),
    degenerate=0.0,
    claims=("constant_proof", "monotone"),
)

mcc = Metric(
    name="mcc",
    summary="Matthews' correlation coefficient; 0 if gold or prediction is constant",
    source="WMT20-23 QE word level (primary); Matthews (1975), for more classes Gorodkin (2004)",
    kind=Tags,
    bind=bind_counts(_same(matthews)),
    details=confusion_details,
    bounds=(-1.0, 1.0),
    degenerate=0.0,
    claims=("constant_proof", "blind_proof", "monotone"),
)

cohen_kappa = Metric(
    name="cohen_kappa",
    summary="Agreement beyond that expected from the class frequencies; 0 if both sides are the same constant",
    source="Cohen (1960)",
    kind=Tags,
    bind=bind_counts(_same(chance_corrected)),
    details=confusion_details,
    bounds=(-1.0, 1.0),
    degenerate=0.0,
    claims=("constant_proof", "blind_proof"),
)


def f1_weighted(*, classes: Weighting = "all") -> Metric:
    """Mean F1 of the classes, weighted by their numbers of gold tokens.

    Parameters
    ----------
    classes : {"all", "non_ok"}
        non_ok: without the class OK, as in WMT14; with two classes this is `f1_bad`.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]; 0 if the classes have no gold token. Close to F1-OK where most tokens are OK.

    References
    ----------
    WMT14 QE word level (primary, non_ok), WMT15 (secondary, all).
    """
    return Metric(
        name="f1_weighted",
        summary="Mean F1 of the classes, weighted by their gold tokens; 0 if they have none",
        source="WMT14 QE word level (non_ok: primary), WMT15 (secondary)",
        kind=Tags,
        bind=bind_counts(lambda batch: weighted_f1(batch, classes)),
        details=confusion_details,
        bounds=(0.0, 1.0),
        degenerate=0.0,
        claims=("monotone",),
    )


def f_beta(*, beta: float = 1.0, tag: str = "BAD") -> Metric:
    """F-beta of one class: (1 + beta^2) P R / (beta^2 P + R).

    Parameters
    ----------
    beta : float
        How much more recall counts than precision; 1 is F1, 0 is precision.
    tag : str
        The class.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]; 0 without a hit. A batch without that class is an error.

    Raises
    ------
    DataError
        If `beta` is negative or not finite.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval.
    """
    if not (math.isfinite(beta) and beta >= 0):
        raise DataError(f"f_beta: parameter beta = {beta} must be a finite number, not negative")
    return Metric(
        name="f_beta",
        summary="F-beta of one class, by default BAD; 0 without a hit",
        source="van Rijsbergen (1979)",
        kind=Tags,
        bind=bind_counts(_of_class(tag, beta)),
        details=confusion_details,
        bounds=(0.0, 1.0),
        degenerate=0.0,
        claims=("monotone",),
    )


def precision(*, tag: str = "BAD") -> Metric:
    """Share of the tokens tagged as a class that are of that class.

    Parameters
    ----------
    tag : str
        The class.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]; 0 if no token has that tag (1 in the script of WMT19).
    """
    return Metric(
        name="precision",
        summary="Share of the tokens tagged as a class, by default BAD, that are of that class; 0 if there are none",
        source="WMT QE word level, all years (details)",
        kind=Tags,
        bind=bind_counts(_of_class(tag, 0.0)),
        details=confusion_details,
        bounds=(0.0, 1.0),
        degenerate=0.0,
        claims=("constant_proof", "blind_proof", "monotone"),
    )


def recall(*, tag: str = "BAD") -> Metric:
    """Share of the gold tokens of a class that have its tag.

    Parameters
    ----------
    tag : str
        The class.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]; 0 if the gold has no such token. A submission with only this tag scores 1.
    """
    return Metric(
        name="recall",
        summary="Share of the gold tokens of a class, by default BAD, that have its tag; 0 if there are none",
        source="WMT QE word level, all years (details)",
        kind=Tags,
        bind=bind_counts(_of_class(tag, math.inf)),
        details=confusion_details,
        bounds=(0.0, 1.0),
        degenerate=0.0,
        claims=("monotone",),
    )

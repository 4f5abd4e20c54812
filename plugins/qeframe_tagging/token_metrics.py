"""Metrics on single tags, pooled over all tokens: the F1 family, precision, recall, accuracy, MCC, kappa."""

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Literal

from qeframe.plugin import Claim, DataError, FloatArray, Metric, Tags
from qeframe_tagging.confusion_counts import (
    FMeasure,
    Weighting,
    average_of_classes,
    bind_counts,
    chance_corrected,
    confusion_details,
    matthews,
    product_of_f1,
)

_CELLS = (
    r"$N_{cd}$ is the number of tokens with gold class $c$ that are tagged $d$; $N_{c \cdot}$ and $N_{\cdot c}$ are "
    "the numbers of tokens of class $c$ in the gold and in the submission, and $N$ is the number of all tokens of all "
    "sentences."
)
_HITS = (
    r"$ \text{TP} $ is the number of tokens of the class that are tagged so, $ \text{FP} $ that of other tokens "
    r"with this tag, and $ \text{FN} $ that of the tokens of the class with another tag, over all sentences."
)
_F1 = r"F_1 = \frac{2 P R}{P + R} = \frac{2 \text{TP}}{2 \text{TP} + \text{FP} + \text{FN}}"


ScoreFor = Callable[[Tags], Callable[[FloatArray], FloatArray]]
"""From a batch to the score of its sums of confusion counts."""


def _of_class(tag: str, beta: float = 1.0) -> ScoreFor:
    return lambda batch: FMeasure(batch.class_code(tag), beta)


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "accuracy": {"blind": 0.41},
    "f1_average": {"blind": 0.41},
    "f1_bad": {"blind": 0.17},
    "f1_mult": {"blind": 0.05},
    "f1_ok": {"blind": 0.47},
    "f1_weighted": {"blind": 0.14},
    "f_beta": {"blind": 1.02},
    "recall": {"blind": 1.02},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _counted(
    *,
    name: str,
    summary: str,
    source: str,
    score_for: ScoreFor,
    claims: tuple[Claim, ...],
    formula: str,
    symbols: str = _CELLS,
    least: float = 0.0,
    interval_scale: Literal["logit", "arctanh", "identity"] = "logit",
) -> Metric:
    """Return a metric on the confusion counts of all tokens, from `least` to 1, that is 0 where it is undefined."""
    return Metric(
        name=name,
        summary=summary,
        source=source,
        kind=Tags,
        bind=bind_counts(score_for),
        smooth=True,
        details=confusion_details,
        bounds=(least, 1.0),
        interval_scale=interval_scale,
        degenerate=0.0,
        claims=claims,
        formula=formula,
        symbols=symbols,
        known_weaknesses=_KNOWN.get(name, {}),
    )


f1_bad = _counted(
    name="f1_bad",
    summary="F1 of the class BAD; rewards tagging everything BAD; 0 without a hit",
    source="WMT14-15 QE word level (primary), later secondary; Logacheva et al. (2016)",
    score_for=_of_class("BAD"),
    formula=_F1,
    symbols=f"{_HITS} The class is BAD; $P$ is its precision and $R$ its recall.",
    claims=("monotone",),
)

f1_ok = _counted(
    name="f1_ok",
    summary="F1 of the class OK; rewards tagging everything OK; 0 without a hit",
    source="WMT15-23 QE word level (secondary); Logacheva et al. (2016)",
    score_for=_of_class("OK"),
    formula=_F1,
    symbols=f"{_HITS} The class is OK; $P$ is its precision and $R$ its recall.",
    claims=("monotone",),
)

f1_mult = _counted(
    name="f1_mult",
    summary="Product of the F1 of all classes; 0 if a class has no hit, as for any constant tagging",
    source="WMT16-19 QE word level (primary); Logacheva et al. (2016)",
    score_for=lambda batch: product_of_f1,
    formula=r"\prod_{c} \frac{2 N_{cc}}{N_{c \cdot} + N_{\cdot c}}",
    symbols=f"{_CELLS} A class without a hit has the factor 0.",
    claims=("constant_proof", "monotone"),
)

mcc = _counted(
    name="mcc",
    summary="Matthews' correlation coefficient; 0 if gold or prediction is constant",
    source="WMT20-23 QE word level (primary); Matthews (1975), for more classes Gorodkin (2004)",
    score_for=lambda batch: matthews,
    formula=r"\frac{N \sum_{c} N_{cc} - \sum_{c} N_{c \cdot} N_{\cdot c}}{\sqrt{N^2 - \sum_{c} N_{c \cdot}^2} "
    r"\sqrt{N^2 - \sum_{c} N_{\cdot c}^2}}",
    symbols=f"{_CELLS} For two classes this is the correlation of two binary variables, with TP TN - FP FN above the "
    "line; Logacheva et al. (2016) print a plus sign there, with which chance would score 1/2.",
    least=-1.0,
    interval_scale="arctanh",
    claims=("constant_proof", "blind_proof", "monotone"),
)

cohen_kappa = _counted(
    name="cohen_kappa",
    summary="Agreement beyond that expected from the class frequencies; 0 if both sides are the same constant",
    source="Cohen (1960)",
    score_for=lambda batch: chance_corrected,
    formula=r"\frac{N \sum_{c} N_{cc} - \sum_{c} N_{c \cdot} N_{\cdot c}}{N^2 - \sum_{c} N_{c \cdot} N_{\cdot c}}",
    least=-1.0,
    interval_scale="identity",
    claims=("constant_proof", "blind_proof"),
)


accuracy = _counted(
    name="accuracy",
    summary="Share of the tokens whose tag is right; rewards the most frequent class; 0 without a token",
    source="taggers and classifiers of text",
    score_for=lambda batch: average_of_classes(batch, "micro"),
    formula=r"\frac{1}{N} \sum_{c} N_{cc}",
    claims=("monotone",),
)

balanced_accuracy = _counted(
    name="balanced_accuracy",
    summary="Mean recall of the classes of the gold; 1/2 for all constants of two classes; 0 without a token",
    source="Brodersen et al. (2010), The balanced accuracy and its posterior distribution",
    score_for=lambda batch: average_of_classes(batch, "macro", beta=math.inf),
    formula=r"\frac{1}{C} \sum_{c} \frac{N_{cc}}{N_{c \cdot}}",
    symbols=f"{_CELLS} $C$ is the number of classes that the gold has, and the sum is over these.",
    claims=("constant_proof", "blind_proof", "monotone"),
)


def f1_average(*, average: Literal["macro", "micro"] = "macro", classes: Weighting = "all") -> Metric:
    """F1 over several classes, where each class counts alike, or each token.

    Parameters
    ----------
    average : {"macro", "micro"}
        macro: the mean of the F1 of the classes. micro: the F1 of the sums of their counts; over all classes that is
        `accuracy`. The mean that is weighted by gold tokens is `f1_weighted`.
    classes : {"all", "non_ok"}
        non_ok: without the class OK, the positive classes of a tagger; with two classes both averages are `f1_bad`.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]; 0 without a hit. macro leaves out classes that no token has on either side, as
        scikit-learn does where it is given no labels.

    References
    ----------
    Lewis (1991), Evaluating text categorization; Opitz and Burst (2019), Macro F1 and macro F1, on the mean of F1.
    """
    mean = r"\frac{1}{C} \sum_{c} \frac{2 N_{cc}}{N_{c \cdot} + N_{\cdot c}}"
    pooled = r"\frac{2 \sum_{c} N_{cc}}{\sum_{c} (N_{c \cdot} + N_{\cdot c})}"
    # expected hits are linear in the numbers of tags: the mean over all classes is largest where these are the gold's
    is_proof = average == "macro" and classes == "all"
    return _counted(
        name="f1_average",
        summary="F1 over several classes, the mean of theirs or that of their counts; 0 without a hit",
        source="Lewis (1991); taggers and classifiers of text",
        score_for=lambda batch: average_of_classes(batch, average, classes),
        formula=mean if average == "macro" else pooled,
        symbols=f"{_CELLS} $C$ is the number of classes that a token has on either side, and the sum is over these. "
        "With `classes=non_ok` it leaves out the class OK; `average=micro` divides the sum of all hits.",
        claims=("constant_proof", "blind_proof", "monotone") if is_proof else ("monotone",),
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
    return _counted(
        name="f1_weighted",
        summary="Mean F1 of the classes, weighted by their gold tokens; 0 if they have none",
        source="WMT14 QE word level (non_ok: primary), WMT15 (secondary)",
        score_for=lambda batch: average_of_classes(batch, "weighted", classes),
        formula=r"\frac{\sum_{c} N_{c \cdot} F_c}{\sum_{c} N_{c \cdot}}, \qquad F_c = \frac{2 N_{cc}}{N_{c \cdot} + "
        r"N_{\cdot c}}",
        symbols=f"{_CELLS} With `classes=non_ok` the sums leave out the class OK.",
        claims=("monotone",),
    )


def f_beta(*, beta: float | Literal["inf"] = 1.0, tag: str = "BAD") -> Metric:
    """F-beta of one class: (1 + beta^2) P R / (beta^2 P + R).

    Parameters
    ----------
    beta : float or "inf"
        How much more recall counts than precision; 1 is F1, 0 is precision, and inf, the limit, is recall.
    tag : str
        The class.

    Returns
    -------
    Metric
        On `Tags`, in [0, 1]; 0 without a hit. A batch without that class is an error.

    Raises
    ------
    DataError
        If `beta` is negative or not a number.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval.
    """
    factor = math.inf if beta == "inf" else beta
    if not (isinstance(factor, Real) and factor >= 0):
        raise DataError(f"f_beta: parameter beta = {beta} must be a number, not negative, or inf")
    return _counted(
        name="f_beta",
        summary="F-beta of one class, by default BAD; 0 without a hit",
        source="van Rijsbergen (1979)",
        score_for=_of_class(tag, float(factor)),
        formula=r"F_\beta = \frac{(1 + \beta^2) P R}{\beta^2 P + R}, \qquad P = \frac{\text{TP}}{\text{TP} + "
        r"\text{FP}}, \qquad R = \frac{\text{TP}}{\text{TP} + \text{FN}}",
        symbols=rf"{_HITS} $\beta$ is the parameter `beta`, and the class is `tag`.",
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
    return _counted(
        name="precision",
        summary="Share of the tokens tagged as a class, by default BAD, that are of that class; 0 if there are none",
        source="WMT QE word level, all years (details)",
        score_for=_of_class(tag, 0.0),
        formula=r"P = \frac{\text{TP}}{\text{TP} + \text{FP}}",
        symbols=f"{_HITS} The class is `tag`.",
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
    return _counted(
        name="recall",
        summary="Share of the gold tokens of a class, by default BAD, that have its tag; 0 if there are none",
        source="WMT QE word level, all years (details)",
        score_for=_of_class(tag, math.inf),
        formula=r"R = \frac{\text{TP}}{\text{TP} + \text{FN}}",
        symbols=f"{_HITS} The class is `tag`.",
        claims=("monotone",),
    )

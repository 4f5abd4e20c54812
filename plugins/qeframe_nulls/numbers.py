"""Gold scores and predictions that correlate equally with them, and values of units without a gold."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Literal

import numpy as np

from qeframe.plugin import DataError, FloatArray, IntArray, Scores, Values
from qeframe.plugin.audit import NullModel

Rng = np.random.Generator

Law = Literal["normal", "lognormal"]


def _values(rng: Rng, size: tuple[int, ...], law: Law) -> FloatArray:
    return rng.normal(size=size) if law == "normal" else rng.lognormal(size=size)


def _independent(law: Law, rng: Rng, units: int, submissions: int) -> Sequence[Values]:
    shared = _values(rng, (units,), law)
    return [Values.from_plain(None, shared + own) for own in _values(rng, (submissions, units), law)]


def independent_values(*, law: Law = "normal") -> NullModel:
    """Values of independent units; half of the variance of a unit is shared by all submissions.

    Parameters
    ----------
    law : {"normal", "lognormal"}
        The law of the values.
    """
    if law not in {"normal", "lognormal"}:
        raise DataError(f"unknown law '{law}'", remedy="give normal or lognormal")
    return NullModel(
        name="independent_values",
        summary="Values of independent units with a part that all submissions share",
        kind=Values,
        draw=partial(_independent, law),
        true_scores={"mean": 0.0 if law == "normal" else 2 * math.exp(0.5)},
    )


UNEQUAL = (0.2, 0.4, 0.8, 1.2, 2.4)
"""Lengths of successive documents of unequal size, in mean lengths."""


def document_of(length: int, unequal: bool, units: int) -> IntArray:
    """Return the number of the document of each unit: documents of one length, or of the lengths of `UNEQUAL`."""
    if not unequal:
        return np.arange(units, dtype=np.int64) // length
    lengths = np.maximum(1, np.rint(length * np.array(UNEQUAL))).astype(np.int64)
    rounds = units // int(lengths.sum()) + 1
    return np.repeat(np.arange(rounds * len(lengths)), np.tile(lengths, rounds))[:units]


def documents(length: int, unequal: bool, units: int) -> Mapping[str, Sequence[str]]:
    """Return the grouping of units by document."""
    return {"document": [f"document {number + 1}" for number in document_of(length, unequal, units)]}


def in_documents(length: int, share: float, unequal: bool, rng: Rng, shape: tuple[int, int]) -> FloatArray:
    """Draw normal values of unit variance, of which a share lies between documents; each row has its own effects."""
    document = document_of(length, unequal, shape[1])
    effects = rng.normal(size=(shape[0], document[-1] + 1 if shape[1] else 0))[:, document]
    return np.sqrt(share) * effects + np.sqrt(1 - share) * rng.normal(size=shape)


def check_documents(length: int, share: float) -> None:
    """Raise a `DataError` if a parameter is out of range."""
    if length < 1 or not 0 <= share <= 1:
        raise DataError("length must be at least 1, and share from 0 to 1")


def _values_in_documents(
    length: int, share: float, unequal: bool, rng: Rng, units: int, submissions: int
) -> Sequence[Values]:
    drawn = in_documents(length, share, unequal, rng, (submissions, units))
    return [Values.from_plain(None, values) for values in drawn]


def values_in_documents(*, length: int = 20, share: float = 0.3, unequal: bool = False) -> NullModel:
    """Values of segments in documents, on which each submission has an effect of its own.

    Parameters
    ----------
    length : int
        How many segments a document has.
    share : float
        The share of the variance that lies between documents, from 0 to 1.
    unequal : bool
        Whether documents have .2, .4, .8, 1.2 and 2.4 times this length, in turn.
    """
    check_documents(length, share)
    return NullModel(
        name="values_in_documents",
        summary="Values of segments in documents, on which each submission has an effect of its own",
        kind=Values,
        draw=partial(_values_in_documents, length, share, unequal),
        groups=partial(documents, length, unequal),
        true_scores={"mean": 0.0},
    )


Sides = tuple[FloatArray, FloatArray]
"""Gold (n,) and predictions (submissions, n)."""

_CORRELATION = 0.5
"""The correlation of each submission with normal gold."""


def _batches(sides: Callable[[Rng, int, int], Sides], rng: Rng, units: int, submissions: int) -> Sequence[Scores]:
    gold, predicted = sides(rng, units, submissions)
    return [Scores.from_plain(gold, scores, best="high") for scores in predicted]


def _on_gold(gold: FloatArray, noise: FloatArray) -> Sides:
    """Return predictions that are half gold, half noise; noise (submissions, n) of unit variance."""
    return gold, _CORRELATION * gold + np.sqrt(1 - _CORRELATION**2) * noise


def _normal(rng: Rng, units: int, submissions: int) -> Sides:
    return _on_gold(rng.normal(size=units), rng.normal(size=(submissions, units)))


def _t3(rng: Rng, size: int | tuple[int, int]) -> FloatArray:
    """Draw from Student's t with 3 degrees of freedom, scaled to unit variance."""
    return rng.standard_t(3, size=size) / np.sqrt(3)


def _t3_residuals(rng: Rng, units: int, submissions: int) -> Sides:
    return _on_gold(rng.normal(size=units), _t3(rng, (submissions, units)))


def _elliptical_t3(rng: Rng, units: int, submissions: int) -> Sides:
    gold, predicted = _normal(rng, units, submissions)
    radius = np.sqrt(3 / rng.chisquare(3, size=units))
    return gold * radius, predicted * radius


def _discrete_gold(rng: Rng, units: int, submissions: int) -> Sides:
    return _on_gold(
        rng.choice(5, size=units, p=(0.1, 0.15, 0.25, 0.3, 0.2)) / 1.2, rng.normal(size=(submissions, units))
    )


def _lognormal_gold(rng: Rng, units: int, submissions: int) -> Sides:
    gold = rng.lognormal(sigma=1.0, size=units) / np.sqrt((math.e - 1) * math.e)
    return _on_gold(gold, rng.normal(size=(submissions, units)))


def _mqm_like(rng: Rng, units: int, submissions: int) -> Sides:
    """Draw error weights: half of the segments without an error, the others with a long tail, noisier where worse."""
    weight = np.where(rng.random(units) < 0.5, 0.0, np.rint(rng.gamma(0.7, 6.0, size=units)) + 1)
    noise = rng.normal(size=(submissions, units)) * (0.5 + 0.35 * weight)
    return -weight, -0.4 * weight + noise


def _scaled(rng: Rng, units: int, submissions: int) -> Sides:
    gold, predicted = _normal(rng, units, submissions)
    predicted[0] *= 3
    return gold, predicted


def _unequal_residuals(rng: Rng, units: int, submissions: int) -> Sides:
    noise = rng.normal(size=(submissions, units))
    noise[0] = _t3(rng, units)
    return _on_gold(rng.normal(size=units), noise)


def _heteroscedastic(rng: Rng, units: int, submissions: int) -> Sides:
    gold = rng.normal(size=units)
    noise = rng.normal(size=(submissions, units))
    noise[0] *= np.abs(gold)  # of unit variance, since the gold is
    return _on_gold(gold, noise)


def _gross_errors(rng: Rng, units: int, submissions: int) -> Sides:
    """Draw predictions of which 3 % are off by ten standard deviations, as after an outage."""
    gold, shape = rng.normal(size=units), (submissions, units)
    gross = (rng.random(shape) < 0.03) * 10 * rng.normal(size=shape)
    return gold, 0.7 * gold + 0.7 * rng.normal(size=shape) + gross


def _heteroscedastic_t3(rng: Rng, units: int, submissions: int) -> Sides:
    gold = rng.normal(size=units)
    return gold, 0.6 * gold + 0.35 * rng.standard_t(3, size=(submissions, units)) * (0.4 + np.abs(gold - 1))


def _many_zeros(zeros: float, rng: Rng, units: int, submissions: int) -> Sides:
    """Draw error weights as MQM has them, most of them 0; redrawn if all are equal."""
    weight = np.zeros(units)
    while weight.min() == weight.max():
        severity = rng.choice([1.0, 5.0, 1.0, 2.0], size=units, p=(0.4, 0.3, 0.2, 0.1))
        errors = np.minimum(25, severity * rng.geometric(0.45, size=units))
        weight = np.where(rng.random(units) < zeros, 0.0, errors)
    shape = (submissions, units)
    noticed = rng.random(shape) < 0.35 + 0.5 * (weight > 0)
    noise = (0.8 + 0.3 * weight) * np.abs(rng.normal(size=shape)) * noticed
    return -weight, -np.minimum(25, np.rint(0.45 * weight + noise))


def _near_copies(rng: Rng, units: int, submissions: int) -> Sides:
    gold, common = (rng.gamma(1.5, size=units) - 1.5) / math.sqrt(1.5), rng.normal(size=units)
    return gold, gold + 0.36 * common + 0.24 * rng.normal(size=(submissions, units))


def _multiplied(rng: Rng, units: int, submissions: int) -> Sides:
    gold = rng.beta(4, 1.5, size=units)
    return gold, gold * np.exp(0.6 * rng.normal(size=(submissions, units)) - 0.18)


def _many_scales(rng: Rng, units: int, submissions: int) -> Sides:
    gold, scale = rng.normal(size=units), np.linspace(1, 20, submissions)[:, None]
    noise = rng.laplace(size=(submissions, units)) / math.sqrt(2)
    return gold, scale * (0.5 * gold + 0.866 * noise) + np.arange(submissions)[:, None]


def _uniform_in_gold(rng: Rng, gold: FloatArray, count: int) -> FloatArray:
    return math.sqrt(3) * rng.uniform(-1, 1, size=(count, len(gold))) * np.abs(gold)


def _skewed_in_gold(rng: Rng, gold: FloatArray, count: int) -> FloatArray:
    return (rng.exponential(size=(count, len(gold))) - 1) * np.abs(gold)


def _t_of(freedom: int, rng: Rng, gold: FloatArray, count: int) -> FloatArray:
    return rng.standard_t(freedom, size=(count, len(gold))) / math.sqrt(freedom / (freedom - 2))


def _alternating(
    residuals: Callable[[Rng, FloatArray, int], FloatArray], r: float, rng: Rng, units: int, submissions: int
) -> Sides:
    """Draw equal correlations; the first, third and every second submission has residuals of another law."""
    gold = rng.normal(size=units)
    noise = rng.normal(size=(submissions, units))
    noise[::2] = residuals(rng, gold, len(noise[::2]))
    return gold, r * gold + math.sqrt(1 - r**2) * noise


def _scores_in_documents(
    length: int, share: float, unequal: bool, rng: Rng, units: int, submissions: int
) -> Sequence[Scores]:
    gold, *noise = in_documents(length, share, unequal, rng, (submissions + 1, units))
    return _batches(lambda *_: _on_gold(gold, np.array(noise)), rng, units, submissions)


def scores_in_documents(*, length: int = 20, share: float = 0.3, unequal: bool = False) -> NullModel:
    """Gold and residuals as under `normal`, of segments in documents that have effects on both.

    Parameters
    ----------
    length : int
        How many segments a document has.
    share : float
        The share of the variance that lies between documents, from 0 to 1.
    unequal : bool
        Whether documents have .2, .4, .8, 1.2 and 2.4 times this length, in turn.
    """
    check_documents(length, share)
    return NullModel(
        name="scores_in_documents",
        summary="As normal, in documents that have effects on gold and residuals",
        kind=Scores,
        draw=partial(_scores_in_documents, length, share, unequal),
        groups=partial(documents, length, unequal),
        true_scores=_NORMAL,
    )


def _model(
    name: str,
    summary: str,
    sides: Callable[[Rng, int, int], Sides],
    true_scores: Mapping[str, float] = MappingProxyType({}),
    equal_under: tuple[str, ...] = (),
) -> NullModel:
    return NullModel(
        name=name,
        summary=summary,
        kind=Scores,
        draw=partial(_batches, sides),
        equal_under=equal_under,
        true_scores=dict(true_scores),
    )


_UNIT_VARIANCES = {"pearson": _CORRELATION, "rmse": 1.0}
"""True scores where gold and noise have unit variance: the errors then have the variance .25 + .75."""

_NORMAL = {
    **_UNIT_VARIANCES,
    "spearman": 6 / math.pi * math.asin(_CORRELATION / 2),
    "kendall_tau_b": 2 / math.pi * math.asin(_CORRELATION),
    "mae": math.sqrt(2 / math.pi),
}
"""True scores of two normal variables."""

_HALF = {"pearson": _CORRELATION}


NULL_MODELS: Sequence[NullModel] = (
    _model("normal", "Normal gold and normal residuals, correlation .5", _normal, _NORMAL),
    _model(
        "t3_residuals",
        "Normal gold, residuals of Student's t with 3 degrees of freedom",
        _t3_residuals,
        _UNIT_VARIANCES,
    ),
    _model(
        "elliptical_t3", "Gold and predictions of one multivariate t with 3 degrees of freedom", _elliptical_t3, _HALF
    ),
    _model("discrete_gold", "Gold of five values, normal residuals", _discrete_gold),
    _model("lognormal_gold", "Log-normal gold, normal residuals", _lognormal_gold, _HALF),
    _model("mqm_like", "Half of the gold without errors, a long tail, residuals that grow with it", _mqm_like),
    _model(
        "scaled", "As normal, the first submission on three times the scale", _scaled, _HALF, ("pearson", "spearman")
    ),
    _model(
        "unequal_residuals",
        "As normal, the first submission with t3 residuals",
        _unequal_residuals,
        _HALF,
        ("pearson",),
    ),
    _model(
        "heteroscedastic",
        "As normal, the residuals of the first submission grow with the distance of the gold from its mean",
        _heteroscedastic,
        _HALF,
        ("pearson",),
    ),
    _model(
        "gross_errors",
        "As normal, correlation .7, and 3 % of the answers off by ten deviations",
        _gross_errors,
        {"pearson": 0.7 / math.sqrt(0.98 + 3)},
    ),
    _model("heteroscedastic_t3", "t3 residuals that grow away from a gold of 1, for all", _heteroscedastic_t3),
    _model("zeros_60", "Gold and answers as of MQM, 60 % of the gold without an error", partial(_many_zeros, 0.6)),
    _model("zeros_90", "Gold and answers as of MQM, 90 % of the gold without an error", partial(_many_zeros, 0.9)),
    _model(
        "near_copies",
        "Submissions that share most of their residuals, skewed gold",
        _near_copies,
        {"pearson": 1 / math.sqrt(1 + 0.36**2 + 0.24**2)},
    ),
    _model("multiplied", "Gold from 0 to 1, multiplied by log-normal errors", _multiplied),
    _model(
        "many_scales",
        "Submissions on scales from 1 to 20, Laplace residuals",
        _many_scales,
        {"pearson": 0.5 / math.sqrt(0.25 + 0.866**2)},
        ("pearson", "spearman"),
    ),
    *(
        _model(
            f"alternating_{name}",
            f"Equal correlations of {r:g}, every second submission with {words}",
            partial(_alternating, residuals, r),
            {"pearson": r},
            ("pearson",),
        )
        for name, words, residuals, r in (
            ("t3", "t3 residuals", partial(_t_of, 3), 0.8),
            ("t6", "t6 residuals", partial(_t_of, 6), 0.8),
            ("uniform", "uniform residuals that grow with the gold", _uniform_in_gold, 0.8),
            ("skewed", "skewed residuals that grow with the gold", _skewed_in_gold, 0.5),
        )
    ),
)
"""The null models of gold and predictions."""
globals().update({model.name: model for model in NULL_MODELS})  # the hook names the place of each

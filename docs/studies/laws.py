"""Laws of data under which all submissions are equally good: what the error rates of tests are measured on.

`find_law` returns one by its name, such as ``normal`` or ``equal_metrics(segment_effect=1)``. The names are those of
the stored rates, and a generator in the same state draws the same data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray
from scipy.special import expit, logit

from qeframe.core.calls import parse_call
from qeframe.plugin import (
    Batch,
    Detections,
    FloatArray,
    Grid,
    IntArray,
    Preferences,
    Ragged,
    Scores,
    Spans,
    Tags,
    Values,
)
from qeframe.testing import error_weights, normal_scores

Rng = np.random.Generator


def _no_groups(units: int) -> Mapping[str, Sequence[str]]:
    return {}


@frozen(kw_only=True)
class Law:
    """A law of data under which all submissions are equally good.

    `kind`: the kind of batch that it draws.
    `draw`: from a generator, a number of units and a number of submissions to one batch for each submission, all on the
      same gold.
    `groups`: from a number of units to the labels of groupings, such as documents.
    `equal_under`: the metrics under which the submissions have equal true scores. Empty: all metrics, since the
      submissions can be exchanged.
    `one_truth`: whether the true scores are the same in all data sets, so that the coverage of intervals can be
      measured.
    `true_scores`: by metric, where they are known. Others are estimated from a large data set, which takes long to come
      near where tails are heavy.
    """

    name: str
    kind: type[Batch]
    draw: Callable[[Rng, int, int], Sequence[Batch]]
    groups: Callable[[int], Mapping[str, Sequence[str]]] = _no_groups
    equal_under: frozenset[str] = field(default=(), converter=frozenset)
    one_truth: bool = True
    true_scores: Mapping[str, float] = field(factory=dict, hash=False)


def find_law(name: str) -> Law:
    """Return a law by its name, with parameters where it has some."""
    call = parse_call(name)
    return evolve(LAWS[call.name](**call.parameters), name=name)


# Values of units without a gold.
def _independent(lognormal: bool, rng: Rng, units: int, submissions: int) -> Sequence[Values]:
    values = rng.lognormal if lognormal else rng.normal
    shared = values(size=(units,))
    return [Values.from_plain(None, shared + own) for own in values(size=(submissions, units))]


def independent_values(*, law: str = "normal") -> Law:
    """Values of independent units, normal or lognormal; half of the variance of a unit is shared by all submissions."""
    return Law(
        name="independent_values",
        kind=Values,
        draw=partial(_independent, law == "lognormal"),
        true_scores={"mean": 0.0 if law == "normal" else 2 * math.exp(0.5)},
    )


UNEQUAL = (0.2, 0.4, 0.8, 1.2, 2.4)
"""Lengths of successive documents of unequal size, in mean lengths."""


def _document_of(length: int, unequal: bool, units: int) -> IntArray:
    """Return the number of the document of each unit: documents of one length, or of the lengths of `UNEQUAL`."""
    if not unequal:
        return np.arange(units, dtype=np.int64) // length
    lengths = np.maximum(1, np.rint(length * np.array(UNEQUAL))).astype(np.int64)
    rounds = units // int(lengths.sum()) + 1
    return np.repeat(np.arange(rounds * len(lengths)), np.tile(lengths, rounds))[:units]


def _documents(length: int, unequal: bool, units: int) -> Mapping[str, Sequence[str]]:
    return {"document": [f"document {number + 1}" for number in _document_of(length, unequal, units)]}


def _in_documents(length: int, share: float, unequal: bool, rng: Rng, shape: tuple[int, int]) -> FloatArray:
    """Draw normal values of unit variance, of which a share lies between documents; each row has its own effects."""
    document = _document_of(length, unequal, shape[1])
    effects = rng.normal(size=(shape[0], document[-1] + 1 if shape[1] else 0))[:, document]
    return np.sqrt(share) * effects + np.sqrt(1 - share) * rng.normal(size=shape)


def _values_in_documents(
    length: int, share: float, unequal: bool, rng: Rng, units: int, submissions: int
) -> Sequence[Values]:
    drawn = _in_documents(length, share, unequal, rng, (submissions, units))
    return [Values.from_plain(None, values) for values in drawn]


def values_in_documents(*, length: int = 20, share: float = 0.3, unequal: bool = False) -> Law:
    """Values of segments in documents, on which each submission has an effect of its own.

    `length`: how many segments a document has.
    `share`: the share of the variance that lies between documents.
    `unequal`: whether documents have .2, .4, .8, 1.2 and 2.4 times this length, in turn.
    """
    return Law(
        name="values_in_documents",
        kind=Values,
        draw=partial(_values_in_documents, length, share, unequal),
        groups=partial(_documents, length, unequal),
        true_scores={"mean": 0.0},
    )


# Gold scores, and predictions that correlate equally with them.
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
    """Draw gold and predictions of one multivariate t with 3 degrees of freedom."""
    gold, predicted = _normal(rng, units, submissions)
    radius = np.sqrt(3 / rng.chisquare(3, size=units))
    return gold * radius, predicted * radius


def _discrete_gold(rng: Rng, units: int, submissions: int) -> Sides:
    return _on_gold(
        rng.choice(5, size=units, p=(0.1, 0.15, 0.25, 0.3, 0.2)) / 1.2, rng.normal(size=(submissions, units))
    )


def _ordinal(rng: Rng, units: int, submissions: int) -> Sides:
    """Draw gold and answers on a scale of five levels, most of them high."""
    gold, predicted = _normal(rng, units, submissions)
    return tuple(np.searchsorted((-1.3, -0.7, 0.0, 0.8), side).astype(np.float64) for side in (gold, predicted))


def _lognormal_gold(rng: Rng, units: int, submissions: int) -> Sides:
    gold = rng.lognormal(sigma=1.0, size=units) / np.sqrt((math.e - 1) * math.e)
    return _on_gold(gold, rng.normal(size=(submissions, units)))


def _mqm_like(rng: Rng, units: int, submissions: int) -> Sides:
    """Draw error weights: half of the segments without an error, the others with a long tail, noisier where worse."""
    weight = np.where(rng.random(units) < 0.5, 0.0, np.rint(rng.gamma(0.7, 6.0, size=units)) + 1)
    noise = rng.normal(size=(submissions, units)) * (0.5 + 0.35 * weight)
    return -weight, -0.4 * weight + noise


def _scaled(rng: Rng, units: int, submissions: int) -> Sides:
    """As normal, the first submission on three times the scale."""
    gold, predicted = _normal(rng, units, submissions)
    predicted[0] *= 3
    return gold, predicted


def _unequal_residuals(rng: Rng, units: int, submissions: int) -> Sides:
    """As normal, the first submission with t3 residuals."""
    noise = rng.normal(size=(submissions, units))
    noise[0] = _t3(rng, units)
    return _on_gold(rng.normal(size=units), noise)


def _heteroscedastic(rng: Rng, units: int, submissions: int) -> Sides:
    """As normal, the residuals of the first submission grow with the distance of the gold from its mean."""
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
    """Draw t3 residuals that grow away from a gold of 1, for all submissions."""
    gold = rng.normal(size=units)
    return gold, 0.6 * gold + 0.35 * rng.standard_t(3, size=(submissions, units)) * (0.4 + np.abs(gold - 1))


def _near_copies(rng: Rng, units: int, submissions: int) -> Sides:
    """Draw submissions that share most of their residuals, and skewed gold."""
    gold, common = (rng.gamma(1.5, size=units) - 1.5) / math.sqrt(1.5), rng.normal(size=units)
    return gold, gold + 0.36 * common + 0.24 * rng.normal(size=(submissions, units))


def _multiplied(rng: Rng, units: int, submissions: int) -> Sides:
    """Draw gold from 0 to 1, and predictions that are multiplied by log-normal errors."""
    gold = rng.beta(4, 1.5, size=units)
    return gold, gold * np.exp(0.6 * rng.normal(size=(submissions, units)) - 0.18)


def _many_scales(rng: Rng, units: int, submissions: int) -> Sides:
    """Draw submissions on scales from 1 to 20, with Laplace residuals."""
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
    gold, *noise = _in_documents(length, share, unequal, rng, (submissions + 1, units))
    return _batches(lambda *_: _on_gold(gold, np.array(noise)), rng, units, submissions)


def scores_in_documents(*, length: int = 20, share: float = 0.3, unequal: bool = False) -> Law:
    """Gold and residuals as under `normal`, of segments in documents that have effects on both.

    The parameters are those of `values_in_documents`.
    """
    return Law(
        name="scores_in_documents",
        kind=Scores,
        draw=partial(_scores_in_documents, length, share, unequal),
        groups=partial(_documents, length, unequal),
        true_scores=_NORMAL,
    )


_HALF = {"pearson": _CORRELATION}
_UNIT_VARIANCES = {**_HALF, "rmse": 1.0}
"""True scores where gold and noise have unit variance: the errors then have the variance .25 + .75."""
_NORMAL = {
    **_UNIT_VARIANCES,
    "spearman": 6 / math.pi * math.asin(_CORRELATION / 2),
    "kendall_tau_b": 2 / math.pi * math.asin(_CORRELATION),
    "mae": math.sqrt(2 / math.pi),
}
"""True scores of two normal variables."""


# Segments by systems.
def _metrics(systems: int, items: float, columns: float, rng: Rng, units: int, submissions: int) -> Sequence[Grid]:
    gold = rng.normal(size=(units, systems)) + 0.5 * rng.normal(size=(units, 1)) + 0.5 * rng.normal(size=systems)
    predicted = (
        0.5 * gold
        + rng.normal(size=(submissions, units, systems))
        + items * rng.normal(size=(submissions, units, 1))
        + columns * rng.normal(size=(submissions, 1, systems))
    )
    ids = np.arange(units)
    return [Grid(ids=ids, gold=gold, predicted=scores) for scores in predicted]


def equal_metrics(*, systems: int = 10, segment_effect: float = 0.0, system_effect: float = 0.0) -> Law:
    """Metrics with the same relation to the human scores, each with effects of its own on segments and on systems.

    `segment_effect`, `system_effect`: the standard deviations of the effects, relative to that of a single cell's
      error.
    """
    return Law(
        name="equal_metrics",
        kind=Grid,
        draw=partial(_metrics, systems, segment_effect, system_effect),
        one_truth=False,  # the systems of a data set are its own
    )


# Preferences.
_SECTIONS = ("first", "second", "third", "fourth")


def _decisions(gold: NDArray[np.int8], quality: float, first: float, rng: Rng) -> FloatArray:
    """Return the decisions in both orders, of A and B as the gold names them, without scores: (n, 4)."""
    knows = rng.random(len(gold)) < quality
    shown_first, shown_second = (np.where(rng.random(len(gold)) < first, 1.0, -1.0) for _ in range(2))
    decided = np.where(knows[:, None], gold[:, None], np.stack([shown_first, -shown_second], axis=1))
    return np.hstack([decided, np.full((len(gold), 2), np.nan)])


def _judges(ties: float, quality: float, first: float, rng: Rng, units: int, submissions: int) -> Sequence[Preferences]:
    gold = np.where(rng.random(units) < ties, 0, rng.choice([-1, 1], units)).astype(np.int8)
    section, ids = np.arange(units) % len(_SECTIONS), np.arange(units)
    drawn = [_decisions(gold, quality, first, rng) for _ in range(submissions)]
    return [
        Preferences(ids=ids, gold=gold, predicted=predicted, section=section, section_names=_SECTIONS)
        for predicted in drawn
    ]


def equal_judges(*, ties: float = 0.0, quality: float = 0.5, first: float = 0.6) -> Law:
    """Judges that know the better answer of a pair with one probability, and else guess in each order.

    Pairs are in four sections of equal size.

    `ties`: the probability that the gold is a tie. A judge that knows a pair then decides for a tie.
    `quality`: the probability of knowing a pair.
    `first`: the probability that a guess prefers the answer that is shown first.
    """
    return Law(name="equal_judges", kind=Preferences, draw=partial(_judges, ties, quality, first))


# Tags of words.
_WORDS = 20
"""The number of words of a sentence."""


def _taggers(bad: float, quality: float, rng: Rng, units: int, submissions: int) -> Sequence[Tags]:
    shape = (submissions, units, _WORDS)
    gold = rng.random(shape[1:]) < bad
    knows, guess = rng.random(shape) < quality, rng.random(shape) < bad
    truth = Ragged.from_lengths(gold.astype(np.int8).ravel(), np.full(units, _WORDS))
    tagged = np.where(knows, gold, guess).astype(np.int8)
    ids = np.arange(units)
    return [Tags(ids=ids, gold=truth, predicted=Ragged(tags.ravel(), truth.offsets)) for tags in tagged]


def equal_taggers(*, bad: float = 0.18, quality: float = 0.5) -> Law:
    """Taggers that know each word's tag with one probability, and else guess by the share of BAD words."""
    return Law(name="equal_taggers", kind=Tags, draw=partial(_taggers, bad, quality))


def _uneven(bad: float, spread: float, rng: Rng, units: int, submissions: int) -> Sequence[Tags]:
    lengths = rng.integers(4, 45, size=units)
    sentence = np.repeat(np.arange(units), lengths)
    difficulty = (spread * rng.normal(size=units))[sentence]
    gold = rng.random(len(sentence)) < expit(logit(bad) + difficulty)
    severity = 0.8 * rng.normal(size=(submissions, units))[:, sentence]
    tagged = rng.random(severity.shape) < expit(logit(bad) + 0.6 * difficulty + 2.2 * gold + severity)
    truth = Ragged.from_lengths(gold.astype(np.int8), lengths)
    ids = np.arange(units)
    return [Tags(ids=ids, gold=truth, predicted=Ragged(tags.astype(np.int8), truth.offsets)) for tags in tagged]


def uneven_taggers(*, bad: float = 0.12, spread: float = 1.2) -> Law:
    """Taggers on sentences of 4 to 44 words that differ in difficulty, so that few sentences can hold most BAD words.

    `bad`: the share of BAD words in a usual sentence. About .2 of all words are BAD by default; 0.008 with a spread of
      1.6 gives .01 to .02, most of them in few sentences.
    `spread`: the standard deviation of the log odds over sentences.
    """
    return Law(name="uneven_taggers", kind=Tags, draw=partial(_uneven, bad, spread))


# Error spans, on segments of 120 characters.
_TEXT, _MEAN_LENGTH, _MAJOR = 120, 12, 0.35
_MOVED = 3
"""The most characters by which an end of a span is moved."""


def _random_spans(rng: Rng, count: int) -> IntArray:
    """Return start, end and severity of spans anywhere in a segment, (count, 3)."""
    length = np.minimum(rng.geometric(1 / _MEAN_LENGTH, count), _TEXT)
    start = rng.integers(0, _TEXT - length + 1)
    severity = (rng.random(count) < _MAJOR).astype(np.int64)
    return np.stack([start, start + length, severity], axis=1)


def _found(gold: Ragged, found: float, rng: Rng) -> Ragged:
    """Return a share of the spans with other ends, and false spans, as many as are missed on average."""
    kept = rng.random(len(gold.values)) < found
    spans, row = gold.values[kept].copy(), gold.row_of_value[kept]
    spans[:, 0] = np.clip(spans[:, 0] + rng.integers(-_MOVED, _MOVED + 1, len(spans)), 0, _TEXT - 1)
    spans[:, 1] = np.clip(spans[:, 1] + rng.integers(-_MOVED, _MOVED + 1, len(spans)), spans[:, 0] + 1, _TEXT)
    false = rng.poisson((1 - found) * len(gold.values) / max(1, len(gold)), len(gold))
    rows = np.concatenate([row, np.repeat(np.arange(len(gold)), false)])
    order = np.argsort(rows, kind="stable")
    values = np.concatenate([spans, _random_spans(rng, int(false.sum()))])[order]
    return Ragged.from_lengths(values, np.bincount(rows, minlength=len(gold)))


def _span_detectors(spans: float, found: float, rng: Rng, units: int, submissions: int) -> Sequence[Spans]:
    counts = rng.poisson(spans, units)
    gold = Ragged.from_lengths(_random_spans(rng, int(counts.sum())), counts)
    text, ids = np.full(units, _TEXT), np.arange(units)
    return [Spans(ids=ids, gold=gold, predicted=_found(gold, found, rng), text=text) for _ in range(submissions)]


def equal_span_detectors(*, spans: float = 1.2, found: float = 0.6) -> Law:
    """Detectors that find each span with one probability, and add as many false spans as they miss on average.

    A segment has 120 characters, and a number of spans from a Poisson distribution. A span has 12 characters on
    average, and is major with probability .35. Each end of a span that is found is moved by up to 3 characters.

    `spans`: the mean number of gold spans of a segment.
    `found`: the probability of finding a span.
    """
    return Law(name="equal_span_detectors", kind=Spans, draw=partial(_span_detectors, spans, found))


# A gold of two classes.
def _probabilities(gold: FloatArray, share: float, separation: float, rng: Rng) -> FloatArray:
    """Return the probability of the positive class, given a normal feature whose mean depends on the class."""
    feature = separation * gold + rng.normal(size=gold.shape)
    log_odds = np.log(share / (1 - share)) + separation * (feature - separation / 2)
    return np.asarray(1 / (1 + np.exp(-log_odds)))


def _detectors(positive: float, separation: float, rng: Rng, units: int, submissions: int) -> Sequence[Detections]:
    gold = (rng.random(units) < positive).astype(np.float64)
    ids = np.arange(units)
    return [
        Detections(ids=ids, gold=gold, predicted=_probabilities(gold, positive, separation, rng))
        for _ in range(submissions)
    ]


def equal_detectors(*, positive: float = 0.2, separation: float = 1.0) -> Law:
    """Detectors that give each unit the probability of the positive class, from a feature of their own.

    The feature is normal, with mean `separation` in the positive class and 0 in the negative one. So the probabilities
    are calibrated, and all detectors have the same true AUROC. `positive`: the probability that a unit is positive.
    """
    return Law(name="equal_detectors", kind=Detections, draw=partial(_detectors, positive, separation))


def _of_scores(
    name: str,
    sides: Callable[[Rng, int, int], Sides],
    true_scores: Mapping[str, float] | None = None,
    equal_under: tuple[str, ...] = (),
) -> Law:
    return Law(
        name=name, kind=Scores, draw=partial(_batches, sides), equal_under=equal_under, true_scores=true_scores or {}
    )


_FIXED = (
    Law(name="normal", kind=Scores, draw=normal_scores, true_scores=_NORMAL),
    Law(name="zeros_60", kind=Scores, draw=partial(error_weights, zeros=0.6)),
    Law(name="zeros_90", kind=Scores, draw=partial(error_weights, zeros=0.9)),
    _of_scores("t3_residuals", _t3_residuals, _UNIT_VARIANCES),
    _of_scores("elliptical_t3", _elliptical_t3, _HALF),
    _of_scores("discrete_gold", _discrete_gold),
    _of_scores("ordinal", _ordinal),
    _of_scores("lognormal_gold", _lognormal_gold, _HALF),
    _of_scores("mqm_like", _mqm_like),
    _of_scores("scaled", _scaled, _HALF, ("pearson", "spearman")),
    _of_scores("unequal_residuals", _unequal_residuals, _HALF, ("pearson",)),
    _of_scores("heteroscedastic", _heteroscedastic, _HALF, ("pearson",)),
    _of_scores("gross_errors", _gross_errors, {"pearson": 0.7 / math.sqrt(0.98 + 3)}),
    _of_scores("heteroscedastic_t3", _heteroscedastic_t3),
    _of_scores("near_copies", _near_copies, {"pearson": 1 / math.sqrt(1 + 0.36**2 + 0.24**2)}),
    _of_scores("multiplied", _multiplied),
    _of_scores("many_scales", _many_scales, {"pearson": 0.5 / math.sqrt(0.25 + 0.866**2)}, ("pearson", "spearman")),
    *(
        _of_scores(f"alternating_{name}", partial(_alternating, residuals, r), {"pearson": r}, ("pearson",))
        for name, residuals, r in (
            ("t3", partial(_t_of, 3), 0.8),
            ("t6", partial(_t_of, 6), 0.8),
            ("uniform", _uniform_in_gold, 0.8),  # that grow with the gold
            ("skewed", _skewed_in_gold, 0.5),
        )
    ),
)
_FAMILIES = (
    scores_in_documents,
    independent_values,
    values_in_documents,
    equal_taggers,
    uneven_taggers,
    equal_span_detectors,
    equal_metrics,
    equal_judges,
    equal_detectors,
)
LAWS: Mapping[str, Callable[..., Law]] = {
    **{fixed.name: partial(evolve, fixed) for fixed in _FIXED},
    **{family.__name__: family for family in _FAMILIES},
}
"""By name, what makes each law; those of `_FAMILIES` have parameters."""


def exchanged_answers(batches: Sequence[Batch], name: str) -> Law:
    """Return a law that draws units of real data, and exchanges the answers of submissions to each unit.

    `batches`: at least two submissions on the same units. Each data set has some of them, chosen at random. Units are
    drawn with replacement. The answers to each unit are given to the submissions in random order, so that the
    submissions can be exchanged. Each data set has a true score of its own, that of the chosen submissions.
    """
    return Law(name=name, kind=type(batches[0]), draw=partial(_exchanged, tuple(batches)), one_truth=False)


def _exchanged(batches: Sequence[Any], rng: Rng, units: int, submissions: int) -> Sequence[Batch]:
    taken, ids = rng.integers(len(batches[0]), size=units), np.arange(units)
    chosen = rng.choice(len(batches), size=submissions, replace=False)
    drawn = [evolve(batches[i].take(taken), ids=ids) for i in chosen]
    for i in range(submissions - 1):  # the shuffle of Fisher and Yates, for all units at once
        partner = rng.integers(i, submissions, size=units)
        for j in range(i + 1, submissions):
            drawn[i], drawn[j] = drawn[i].swap_answers(drawn[j], partner == j)
    return drawn


def equalized_answers(batches: Sequence[Any], name: str) -> Law:
    """Return a law that draws units of real scores, whose correlations with the gold were made equal.

    `batches`: at least two submissions on the same units. The residuals of each on the gold are multiplied by a factor
    of its own, so that on all units each has the median of all correlations, and keep their shape. Units are drawn with
    replacement; each data set has some of the submissions, chosen at random, in random order.
    """
    gold, answers = batches[0].gold, np.stack([batch.predicted for batch in batches])
    r = np.array([np.corrcoef(gold, side)[0, 1] for side in answers])
    positive = r > 0
    equal = float(np.median(r[positive]))
    slope = (r * answers.std(axis=1) / gold.std())[positive, None]
    fitted = answers[positive].mean(axis=1)[:, None] + slope * (gold - gold.mean())
    residuals = answers[positive] - fitted
    wanted = slope * gold.std() * np.sqrt(1 / equal**2 - 1) / residuals.std(axis=1, keepdims=True)
    sides = partial(_drawn_from, gold, fitted + wanted * residuals)
    return _of_scores(name, sides, {"pearson": equal}, ("pearson",))


def _drawn_from(gold: FloatArray, answers: FloatArray, rng: Rng, units: int, submissions: int) -> Sides:
    taken = rng.integers(len(gold), size=units)
    chosen = rng.choice(len(answers), size=min(submissions, len(answers)), replace=False)
    return gold[taken], answers[chosen][:, taken]

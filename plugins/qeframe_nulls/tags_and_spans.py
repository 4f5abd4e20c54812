"""Taggers of equal quality, and detectors of error spans of equal quality on segments of 120 characters."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from qeframe.plugin import DataError, IntArray, Ragged, Spans, Tags
from qeframe.plugin.audit import NullModel

_WORDS = 20
"""The number of words of a sentence."""


def _taggers(bad: float, quality: float, rng: np.random.Generator, units: int, submissions: int) -> Sequence[Tags]:
    shape = (submissions, units, _WORDS)
    gold = rng.random(shape[1:]) < bad
    knows, guess = rng.random(shape) < quality, rng.random(shape) < bad
    lengths = np.full(units, _WORDS)
    truth = Ragged.from_lengths(gold.astype(np.int8).ravel(), lengths)
    tagged = np.where(knows, gold, guess).astype(np.int8)
    ids = np.arange(units)
    return [Tags(ids=ids, gold=truth, predicted=Ragged(tags.ravel(), truth.offsets)) for tags in tagged]


def equal_taggers(*, bad: float = 0.18, quality: float = 0.5) -> NullModel:
    """Taggers that know each word's tag with one probability, and else guess by the share of BAD words.

    Parameters
    ----------
    bad : float
        The share of BAD words, between 0 and 1.
    quality : float
        The probability of knowing a tag, from 0 to 1.
    """
    if not (0 < bad < 1 and 0 <= quality <= 1):
        raise DataError("bad must lie between 0 and 1, quality from 0 to 1")
    return NullModel(
        name="equal_taggers",
        summary="Taggers that know each tag with one probability and guess the others, sentences of 20 words",
        kind=Tags,
        draw=partial(_taggers, bad, quality),
    )


_TEXT = 120
_MEAN_LENGTH = 12
_MAJOR = 0.35
_MOVED = 3
"""The most characters by which an end of a span is moved."""


def _random_spans(rng: np.random.Generator, count: int) -> IntArray:
    """Return start, end and severity of spans anywhere in a segment, (count, 3)."""
    length = np.minimum(rng.geometric(1 / _MEAN_LENGTH, count), _TEXT)
    start = rng.integers(0, _TEXT - length + 1)
    severity = (rng.random(count) < _MAJOR).astype(np.int64)
    return np.stack([start, start + length, severity], axis=1)


def _found(gold: Ragged, found: float, rng: np.random.Generator) -> Ragged:
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


def _detectors(spans: float, found: float, rng: np.random.Generator, units: int, submissions: int) -> Sequence[Spans]:
    counts = rng.poisson(spans, units)
    gold = Ragged.from_lengths(_random_spans(rng, int(counts.sum())), counts)
    text, ids = np.full(units, _TEXT), np.arange(units)
    return [Spans(ids=ids, gold=gold, predicted=_found(gold, found, rng), text=text) for _ in range(submissions)]


def equal_span_detectors(*, spans: float = 1.2, found: float = 0.6) -> NullModel:
    """Detectors that find each span with one probability, and add as many false spans as they miss on average.

    A segment has 120 characters, and a number of spans from a Poisson distribution. A span has 12 characters on
    average, and is major with probability .35. Each end of a span that is found is moved by up to 3 characters.

    Parameters
    ----------
    spans : float
        The mean number of gold spans of a segment, above 0 and up to 20.
    found : float
        The probability of finding a span, from 0 to 1.

    Raises
    ------
    DataError
        If a parameter is out of range.
    """
    if not (0 < spans <= 20 and 0 <= found <= 1):
        raise DataError("spans must lie above 0 and up to 20, found from 0 to 1")
    return NullModel(
        name="equal_span_detectors",
        summary="Detectors that find each span with one probability, and add as many false spans as they miss",
        kind=Spans,
        draw=partial(_detectors, spans, found),
    )


def uneven_taggers(*, bad: float = 0.12, spread: float = 1.2) -> NullModel:
    """Taggers on sentences of 4 to 44 words that differ in difficulty, so that few sentences can hold most BAD words.

    Parameters
    ----------
    bad : float
        The share of BAD words in a usual sentence, between 0 and 1. About .2 of all words are BAD by default; 0.008
        with a spread of 1.6 gives .01 to .02, most of them in few sentences.
    spread : float
        The standard deviation of the log odds over sentences, not negative.
    """
    if not (0 < bad < 1 and spread >= 0):
        raise DataError("bad must lie between 0 and 1, spread must not be negative")
    return NullModel(
        name="uneven_taggers",
        summary="Taggers on sentences of 4 to 44 words, of which some have many BAD words",
        kind=Tags,
        draw=partial(_uneven, bad, spread),
    )


def _uneven(bad: float, spread: float, rng: np.random.Generator, units: int, submissions: int) -> Sequence[Tags]:
    from scipy.special import expit, logit

    lengths = rng.integers(4, 45, size=units)
    sentence = np.repeat(np.arange(units), lengths)
    difficulty = (spread * rng.normal(size=units))[sentence]
    gold = rng.random(len(sentence)) < expit(logit(bad) + difficulty)
    severity = 0.8 * rng.normal(size=(submissions, units))[:, sentence]
    tagged = rng.random(severity.shape) < expit(logit(bad) + 0.6 * difficulty + 2.2 * gold + severity)
    truth = Ragged.from_lengths(gold.astype(np.int8), lengths)
    ids = np.arange(units)
    return [Tags(ids=ids, gold=truth, predicted=Ragged(tags.astype(np.int8), truth.offsets)) for tags in tagged]

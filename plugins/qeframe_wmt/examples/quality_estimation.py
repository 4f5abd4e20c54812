"""Generated tasks of quality estimation: scores of sentences, and tags of words, whose BAD ones come in runs."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from qeframe.plugin import FloatArray, IntArray
from qeframe.plugin.readers import ExampleRequest, Files
from qeframe_wmt.examples.lines import one_a_line, rows, submitted


class _System(NamedTuple):
    """The correlation with the gold; then location and scale of the answers, which do not make a system better."""

    correlation: float
    shift: float
    scale: float


_SYSTEMS: Mapping[str, _System] = {
    "Aster-ensemble": _System(0.62, 0.0, 0.9),
    "Aster-single": _System(0.60, 0.0, 0.8),
    "Birch-large": _System(0.57, 0.08, 1.3),
    "Cedar-tree": _System(0.50, -0.03, 0.45),
    "Dune": _System(0.46, 0.0, 1.0),
    "Elm-sparse": _System(0.41, 0.12, 0.6),
    "Fern-lite": _System(0.22, 0.05, 1.6),
}

_BASELINE_SYSTEM = _System(0.33, 0.0, 0.5)


def draw_scores(rng: np.random.Generator, request: ExampleRequest) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Return a gold from 0 to 1, and the answers of each submission; two submissions are of one team."""
    gold = rng.beta(3.2, 1.2, request.units)
    standard = (gold - gold.mean()) / gold.std()
    shared, team = rng.standard_normal((2, request.units))
    answers = {}
    for name, system in request.with_baselines(_SYSTEMS, _BASELINE_SYSTEM).items():
        noise = 0.5 * shared + (0.75 * team if name.startswith("Aster") else 0.0)
        noise = noise + np.sqrt(1 - noise.var()) * rng.standard_normal(request.units) if noise.var() < 1 else noise
        answer = system.correlation * standard + np.sqrt(1 - system.correlation**2) * noise
        answers[name] = np.clip(gold.mean() + system.shift + system.scale * gold.std() * answer, None, 1.0)
    return gold, answers


def plain(rng: np.random.Generator, request: ExampleRequest, pair: str, *, gold: str) -> Files:
    """Return one number a line; `gold` is the name of the file of the gold."""
    values, answers = draw_scores(rng, request)
    return submitted({gold: one_a_line(values)}, {name: one_a_line(a) for name, a in answers.items()})


Tagged = list[list[str]]


class _Tagger(NamedTuple):
    """The share of BAD words that are tagged BAD, and of OK words that are tagged BAD."""

    recall: float
    false_alarms: float


_TAGGERS: Mapping[str, _Tagger] = {
    "Hazel-large": _Tagger(0.52, 0.050),
    "Hazel-small": _Tagger(0.45, 0.045),
    "Iris": _Tagger(0.60, 0.120),
    "Juniper-careful": _Tagger(0.20, 0.006),
    "Kale-eager": _Tagger(0.85, 0.450),
}

_BASELINE_TAGGER = _Tagger(0.35, 0.100)

_BAD_RATE, _BAD_RUN = 0.18, 2.2

_MEAN, _DEVIATION = 20, 7  # of the number of words of a sentence


def draw_lengths(rng: np.random.Generator, request: ExampleRequest) -> IntArray:
    """Return the number of words of each sentence."""
    return np.maximum(np.rint(rng.normal(_MEAN, _DEVIATION, request.units)), 1).astype(np.int64)


def draw_tags(rng: np.random.Generator, request: ExampleRequest, lengths: IntArray) -> tuple[Tagged, dict[str, Tagged]]:
    """Return the tags of the gold and of each submission, by sentences of given lengths."""
    from qeframe.plugin.kinds import bad_runs  # readers of scores need no kind of tags

    gold = bad_runs(rng, int(lengths.sum()), rate=_BAD_RATE, run=_BAD_RUN)

    def by_sentence(is_bad: np.ndarray) -> Tagged:
        return [tags.tolist() for tags in np.split(np.where(is_bad, "BAD", "OK"), np.cumsum(lengths)[:-1])]

    answers = {}
    for name, tagger in request.with_baselines(_TAGGERS, _BASELINE_TAGGER).items():
        is_bad = rng.random(len(gold)) < np.where(gold, tagger.recall, tagger.false_alarms)
        answers[name] = by_sentence(is_bad)
    return by_sentence(gold), answers


def tag_lines(rng: np.random.Generator, request: ExampleRequest, pair: str, *, gaps: bool, gold: str) -> Files:
    """Return the tags of a sentence a line; with gaps, 2 N + 1 tags of N words. `gold` is the name of its file."""
    lengths = draw_lengths(rng, request)
    tagged, answers = draw_tags(rng, request, 2 * lengths + 1 if gaps else lengths)
    tables = {name: rows(tags, " ") for name, tags in answers.items()}
    return submitted({gold: rows(tagged, " ")}, tables, "tags")

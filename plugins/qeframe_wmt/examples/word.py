"""Generated tasks of tags of words: BAD words in runs, and submissions that find some of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from qeframe.plugin import IntArray
from qeframe.plugin.kinds import bad_runs
from qeframe.plugin.readers import ExampleRequest, Files
from qeframe_wmt.examples.lines import header_lines, published_gold, published_team, rows, sentences, submitted

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
_BASELINE = _Tagger(0.35, 0.100)
_BAD_RATE, _BAD_RUN = 0.18, 2.2
_MEAN, _DEVIATION = 20, 7  # of the number of words of a sentence


def _lengths(rng: np.random.Generator, request: ExampleRequest) -> IntArray:
    return np.maximum(np.rint(rng.normal(_MEAN, _DEVIATION, request.units)), 1).astype(np.int64)


def _tagged(rng: np.random.Generator, request: ExampleRequest, lengths: IntArray) -> tuple[Tagged, dict[str, Tagged]]:
    """Return the tags of the gold and of each submission, by sentences of given lengths."""
    gold = bad_runs(rng, int(lengths.sum()), rate=_BAD_RATE, run=_BAD_RUN)

    def by_sentence(found: np.ndarray) -> Tagged:
        return [each.tolist() for each in np.split(np.where(found, "BAD", "OK"), np.cumsum(lengths)[:-1])]

    answers = {}
    for name, tagger in request.with_baselines(_TAGGERS, _BASELINE).items():
        found = rng.random(len(gold)) < np.where(gold, tagger.recall, tagger.false_alarms)
        answers[name] = by_sentence(found)
    return by_sentence(gold), answers


def tag_lines(request: ExampleRequest, *, gaps: bool, gold: str) -> Files:
    """Return the tags of a sentence a line; with gaps, 2 N + 1 tags of N words. `gold` is the name of its file."""

    def task(rng: np.random.Generator, pair: str) -> Files:
        lengths = _lengths(rng, request)
        tagged, answers = _tagged(rng, request, 2 * lengths + 1 if gaps else lengths)
        tables = {name: rows(tags, " ") for name, tags in answers.items()}
        return submitted({gold: rows(tagged, " ")}, tables, "tags")

    return request.in_folders(task)


def columns_2014(request: ExampleRequest, *, accuracy: Sequence[str], fluency: Sequence[str]) -> Files:
    """Return six columns, one word a line; a BAD word has a class of accuracy or of fluency."""
    classes = [(fine, "Accuracy") for fine in accuracy] + [(fine, "Fluency") for fine in fluency]

    def task(rng: np.random.Generator, pair: str) -> Files:
        lengths = _lengths(rng, request)
        words = sentences(rng, lengths)
        gold, answers = _tagged(rng, request, lengths)

        def table(tags: Tagged) -> str:
            return rows(
                (f"{i + 1}.1", k, word, *_classes(rng, classes, tag))
                for i, sentence in enumerate(words)
                for k, (word, tag) in enumerate(zip(sentence, tags[i], strict=True))
            )

        return submitted({"gold.txt": table(gold)}, {name: table(tags) for name, tags in answers.items()})

    return request.in_folders(task)


def _classes(rng: np.random.Generator, classes: Sequence[tuple[str, str]], tag: str) -> tuple[str, str, str]:
    return ("OK", "OK", "OK") if tag == "OK" else (*classes[int(rng.integers(len(classes)))], "BAD")


_Row = Callable[[str, str, tuple[object, ...]], tuple[object, ...]]
"""From a language pair, a submission, and sentence, index, word and tag to a row of its file."""


def columns_2015(request: ExampleRequest, *, tokens: str) -> Files:
    """Return submissions of METHOD, SEG, WORD_INDEX, WORD and TAG, and the tokens."""

    def task(rng: np.random.Generator, pair: str) -> Files:
        gold, words, tables = _word_tables(rng, request, pair, lambda pair, name, row: (name, *row), 0)
        return submitted({"gold.tags": gold, tokens: words}, tables)

    return request.in_folders(task)


def columns_2020(request: ExampleRequest, *, header: int, kind: str, tokens: str, published: str) -> Files:
    """Return submissions of LP, METHOD, TYPE, SENT_ID, WORD_IDX, WORD and TAG; `kind` is the TYPE."""

    def task(rng: np.random.Generator, pair: str) -> Files:
        gold, words, tables = _word_tables(rng, request, pair, lambda pair, name, row: (pair, name, kind, *row), header)
        if not published:
            return submitted({"gold.tags": gold} | ({tokens: words} if tokens else {}), tables)
        path = published_gold(published, pair, "tags")
        sent = {published_team(f"{published}/{pair}", name): text for name, text in tables.items()}
        return {path: gold, path.replace(f"{pair}.tags", tokens): words, **sent}

    return request.in_tree(task) if published else request.in_folders(task)


def _word_tables(
    rng: np.random.Generator, request: ExampleRequest, pair: str, row: _Row, header: int
) -> tuple[str, str, dict[str, str]]:
    """Return the files of the gold and of the words, and of each submission."""
    lengths = _lengths(rng, request)
    words = sentences(rng, lengths)
    gold, answers = _tagged(rng, request, lengths)
    tables = {
        name: header_lines(header, number)
        + rows(
            row(pair, name, (i, k, word, tags[i][k]))
            for i, sentence in enumerate(words)
            for k, word in enumerate(sentence)
        )
        for number, (name, tags) in enumerate(answers.items(), 1)
    }
    return rows(gold, " "), rows(words, " "), tables


def explained_words(request: ExampleRequest, *, published: str) -> Files:
    """Return a gold of tags, and numbers for each token: high ones where a submission would tag BAD."""

    def task(rng: np.random.Generator, pair: str) -> Files:
        gold, answers = _tagged(rng, request, _lengths(rng, request))
        numbers = {
            name: rows([[f"{0.5 * (tag == 'BAD') + 0.5 * rng.random():.4f}" for tag in line] for line in tags], " ")
            for name, tags in answers.items()
        }
        if not published:
            return submitted({"gold.tags": rows(gold, " ")}, numbers)
        sent = {published_team(f"{published}/{pair}", n, "target.submission"): text for n, text in numbers.items()}
        return {published_gold("task1_word-level", pair, "tags"): rows(gold, " "), **sent}

    return request.in_tree(task) if published else request.in_folders(task)

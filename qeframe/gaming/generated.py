"""The generated gold of the gaming audit, for each kind of batch: the same for everybody who asks with one seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.batches.base import Batch, BoolArray
from qeframe.batches.grid import Grid
from qeframe.batches.judgments import Judgments
from qeframe.batches.ragged import Ragged
from qeframe.batches.scores import Scores
from qeframe.batches.spans import Spans
from qeframe.batches.tags import Tags
from qeframe.batches.texts import Texts
from qeframe.errors import DataError
from qeframe.gaming.honest import perfect

__all__ = ["QUALITIES", "GeneratedGold", "bad_runs", "generate_gold"]

QUALITIES = (0.3, 0.5, 0.7)
"""The qualities of the honest submissions that cosmetic attacks transform."""

_BAD_RATE, _BAD_RUN = 0.18, 2.2
_TIE_RATE = 0.2
_TYPES = 5000
_ITEMS, _SYSTEMS = 240, 12


@frozen(eq=False)
class GeneratedGold:
    """A generated gold.

    Parameters
    ----------
    batch : Batch
        With the gold handed in as the submission.
    told : str
        What it is like, in one line.
    least : int
        The first units that are worth trying where metrics are slow; 0 for all.
    """

    batch: Batch
    told: str
    least: int = 0


def generate_gold(kind: type[Batch], seed: int = 0) -> GeneratedGold:
    """Return the generated gold of a kind of batch.

    Raises
    ------
    DataError
        If there is none for that kind.
    """
    made = next((_MAKERS[ancestor] for ancestor in kind.__mro__ if ancestor in _MAKERS), None)
    if made is None:
        remedy = "audit it on real gold, if the kind has any"
        raise DataError(f"there is no generated gold for metrics on {kind.__name__}", remedy=remedy)
    return made(np.random.default_rng([seed, *kind.__name__.encode()]))


def _scores(rng: np.random.Generator, units: int = 8000) -> GeneratedGold:
    gold = rng.beta(1.2, 3.2, units)
    told = f"{units} scores from beta(1.2, 3.2), low is good"
    return GeneratedGold(Scores.from_plain(gold, gold), told)


def _tags(rng: np.random.Generator, sentences: int = 4000) -> GeneratedGold:
    lengths = np.maximum(np.rint(rng.normal(20, 7, sentences)), 1).astype(np.int64)
    bad = bad_runs(rng, int(lengths.sum()), rate=_BAD_RATE, run=_BAD_RUN)
    side = Ragged.from_lengths(bad.astype(np.int8), lengths)
    told = f"{sentences} sentences of N(20, 7) words, {_BAD_RATE:.0%} BAD in runs of mean length {_BAD_RUN}"
    return GeneratedGold(Tags.pair(ids=np.arange(sentences), gold=side, predicted=side), told)


def bad_runs(rng: np.random.Generator, words: int, *, rate: float, run: float) -> BoolArray:
    """Return which words are BAD, (words,): runs of geometric lengths in turn, BAD ones of mean length `run`."""
    ok_run = run * (1 - rate) / rate
    runs = np.stack([rng.geometric(1 / ok_run, words), rng.geometric(1 / run, words)], axis=1).ravel()
    return np.repeat(np.arange(len(runs)) % 2 == 1, runs)[:words]


def _judgments(rng: np.random.Generator, units: int = 200_000) -> GeneratedGold:
    decided = (1 - _TIE_RATE) / 2
    human = rng.choice(np.array([-1, 0, 1], dtype=np.int8), units, p=[decided, _TIE_RATE, decided])
    batch = Judgments.pair(ids=np.arange(units), gold=human, predicted=np.zeros((units, 2)))
    return GeneratedGold(perfect(batch), f"{units} human judgments, {_TIE_RATE:.0%} ties")


def _grid(rng: np.random.Generator) -> GeneratedGold:
    """Return scores of items by systems, in steps that make the wanted share of the pairs within items tie."""
    shape = _ITEMS, _SYSTEMS
    item, system = rng.normal(0, 1, shape[0]), rng.normal(0, 0.4, shape[1])
    cells = item[:, None] + system + rng.normal(0, 1, shape)
    within = np.sqrt(1 + system.var())
    gold = np.floor(cells / (_TIE_RATE * 2 * np.sqrt(np.pi) * within))
    told = f"{shape[0]} items by {shape[1]} systems, {_TIE_RATE:.0%} human ties within items"
    return GeneratedGold(Grid.from_plain(gold, gold), told)


def _texts(rng: np.random.Generator, segments: int = 2500) -> GeneratedGold:
    lengths = np.maximum(np.rint(rng.normal(25, 8, segments)), 1).astype(np.int64)
    chance = 1 / np.arange(1, _TYPES + 1)
    words = rng.choice(_TYPES, int(lengths.sum()), p=chance / chance.sum())
    rows = np.split(np.array([f"w{i}" for i in range(_TYPES)], dtype=np.object_)[words], np.cumsum(lengths)[:-1])
    texts = [" ".join(row) for row in rows]
    told = f"{segments} references of N(25, 8) independent words, Zipf over {_TYPES} types"
    return GeneratedGold(Texts.from_plain(texts, texts), told, least=40)


def _spans(rng: np.random.Generator, segments: int = 3000) -> GeneratedGold:
    text = np.maximum(np.rint(rng.normal(120, 40, segments)), 20).astype(np.int64)
    counts = rng.poisson(1.2, segments)
    room = np.repeat(text, counts)
    length = np.minimum(rng.geometric(1 / 12, len(room)), room)
    start = np.floor(rng.random(len(room)) * (room - length + 1)).astype(np.int64)
    severity = (rng.random(len(room)) < 0.35).astype(np.int64)
    side = Ragged.from_lengths(np.stack([start, start + length, severity], axis=1), counts)
    told = f"{segments} segments of N(120, 40) characters, 1.2 spans of mean length 12 each, 35% major, 65% minor"
    return GeneratedGold(Spans(ids=np.arange(segments), gold=side, predicted=side, text=text), told)


_MAKERS: Mapping[type[Any], Callable[[np.random.Generator], GeneratedGold]] = {
    Scores: _scores,
    Tags: _tags,
    Judgments: _judgments,
    Grid: _grid,
    Texts: _texts,
    Spans: _spans,
}

"""Taggers of equal quality on sentences with few BAD words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from qeframe.plugin import DataError, Ragged, Tags
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
    return [Tags(ids=ids, gold=truth, predicted=Ragged(one.ravel(), truth.offsets)) for one in tagged]


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

"""Attacks on tags that know the share of BAD, and where sentences begin and end.

Some streams of tags have a token of its own at the end of each sentence, which is nearly always OK or decides little. A
metric over the whole stream then rewards a pattern that knows no more than where sentences end. That is a fault of the
stream: such a pattern refutes no claim of the metric, which is about answers that are independent of the gold.
"""

from functools import partial
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import BoolArray, DataError, FloatArray, Ragged, Tags
from qeframe.plugin.audit import Attack
from qeframe_attacks.constant_and_random_tags import bad_code, tag_at_random

_RATES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_attack = partial(Attack, kind=Tags, source="qeframe")
_blind = partial(_attack, manner="blind", knowledge="nothing")


def _tag_last(share: float, batch: Tags, rng: np.random.Generator) -> Tags:
    """Tag the last part of every sentence BAD, rounded to whole words."""
    lengths = batch.gold.lengths
    return _tag(batch, _positions(batch)[0] >= np.repeat(np.rint((1 - share) * lengths), lengths))


over_tagging = _blind(
    name="over_tagging",
    summary="Tags tokens BAD at random, at the rate that scores best",
    source="Logacheva et al. (2016), WMT, for other rates than the prior",
    knowledge="the best rate, from earlier data",
    answer=partial(tag_at_random, 0.4),
    settings={f"rate={rate:g}": partial(tag_at_random, rate) for rate in _RATES},
    refutes="blind_proof",
)

block_tagging = _blind(
    name="block_tagging",
    summary="Tags the last part of every sentence BAD, of the length that scores best",
    knowledge="the best length, from earlier data",
    answer=partial(_tag_last, 0.5),
    settings={f"share={share:g}": partial(_tag_last, share) for share in _SHARES},
    refutes="blind_proof",
)

best_of_tags = _attack(
    name="best_of_tags",
    summary="Tags at random ten times, and keeps the tags that score best on the test set",
    manner="selection",
    knowledge="the scores of ten tries on the test set itself",
    answer=partial(tag_at_random, "prior"),
    tries=10,
)


_RATES_OF_SENTENCES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9)
_ENDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.333, 0.4, 0.45)


def _positions(batch: Tags) -> tuple[FloatArray, FloatArray]:
    """Return the position of each token from the beginning and from the end of its sentence, from 0, (tokens,)."""
    gold = batch.gold
    first = (np.arange(len(gold.values)) - np.repeat(gold.offsets[:-1], gold.lengths)).astype(np.float64)
    last: FloatArray = np.repeat(gold.lengths, gold.lengths) - 1.0 - first
    return first, last


def _tag(batch: Tags, bad: BoolArray) -> Tags:
    tags = np.where(bad, bad_code(batch), batch.class_code("OK")).astype(np.int8)
    return attrs.evolve(batch, predicted=Ragged(tags, batch.gold.offsets))


def _whole(rate: float, batch: Tags, rng: np.random.Generator) -> Tags:
    """Tag whole sentences BAD, each with the given probability."""
    return _tag(batch, np.repeat(rng.random(len(batch)) < rate, batch.gold.lengths))


def _ends(share: float, batch: Tags, rng: np.random.Generator) -> Tags:
    """Tag a share of each sentence BAD at its beginning and at its end, rounded to whole words."""
    first, last = _positions(batch)
    words = np.rint(share * np.repeat(batch.gold.lengths, batch.gold.lengths))
    return _tag(batch, (first < words) | (last < words))


def _spare_last(tokens: int, batch: Tags, rng: np.random.Generator) -> Tags:
    return _tag(batch, _positions(batch)[1] >= tokens)


def _only_last(tokens: int, batch: Tags, rng: np.random.Generator) -> Tags:
    return _tag(batch, _positions(batch)[1] < tokens)


def _from_grammar(
    sentences: float,
    order: str,
    words: float,
    first: float,
    last: float,
    end: int,
    batch: Tags,
    rng: np.random.Generator,
) -> Tags:
    lengths = batch.gold.lengths
    rank = rng.random(len(batch))
    if order != "random":
        rank = rank + (lengths if order == "short" else -lengths)
    chosen = np.argsort(np.argsort(rank)) < round(sentences * len(batch))
    long = np.repeat(lengths, lengths)
    at, left = _positions(batch)
    within = (at < np.rint(first * long)) | (left < np.rint(last * long))
    bad = np.repeat(chosen, lengths) & within & (rng.random(len(at)) < words)
    if end:
        bad = np.where(left < abs(end), end > 0, bad)
    return _tag(batch, bad)


whole_sentences = _blind(
    name="whole_sentences",
    summary="Tags whole sentences BAD at random, as many as scores best",
    source="qeframe: rules that count phrases see one phrase in each",
    knowledge="the best share of sentences, from earlier data",
    answer=partial(_whole, 0.45),
    settings={f"rate={rate:g}": partial(_whole, rate) for rate in _RATES_OF_SENTENCES},
    refutes="blind_proof",
)

first_and_last = _blind(
    name="first_and_last",
    summary="Tags the first and the last part of every sentence BAD, of the length that scores best",
    knowledge="the best length, from earlier data",
    answer=partial(_ends, 0.333),
    settings={f"share={share:g}": partial(_ends, share) for share in _ENDS},
)

all_but_last = _blind(
    name="all_but_last",
    summary="Tags every token BAD but the last ones of each sentence",
    source="qeframe, on streams with a tag for the end of the sentence (WMT22 QE)",
    knowledge="how many last tokens are nearly always OK",
    answer=partial(_spare_last, 2),
    settings={f"tokens={tokens}": partial(_spare_last, tokens) for tokens in (1, 2, 3)},
)

last_token = _blind(
    name="last_token",
    summary="Tags the last token of each sentence as one class, and all others as the other",
    source="qeframe, on streams with a tag for the end of the sentence (WMT22 QE)",
    knowledge="whether the end of a sentence is OK or BAD more often than other tokens",
    answer=partial(_spare_last, 1),
    settings={"last=OK": partial(_spare_last, 1), "last=BAD": partial(_only_last, 1)},
)


def tag_grammar(
    *,
    sentences: float = 1.0,
    order: Literal["random", "long", "short"] = "random",
    words: float = 1.0,
    first: float = 0.0,
    last: float = 0.5,
    end: int = 0,
) -> Attack:
    """Tag tokens BAD by a pattern of sentences, positions and chance.

    Parameters
    ----------
    sentences : float
        The share of sentences that have BAD tokens.
    order : {"random", "long", "short"}
        Which sentences these are: any, the longest, or the shortest.
    words : float
        The probability of BAD within the parts below.
    first, last : float
        The shares of each sentence, at its beginning and at its end, where BAD is possible. The parts may overlap.
    end : int
        How many last tokens of every sentence are BAD (positive) or OK (negative), whatever the rest says.

    Returns
    -------
    Attack
        On `Tags`, blind.

    Raises
    ------
    DataError
        If a share is not between 0 and 1.
    """
    for key, value in {"sentences": sentences, "words": words, "first": first, "last": last}.items():
        if not 0 <= value <= 1:
            raise DataError(f"tag_grammar: parameter {key} = {value} must be a share from 0 to 1")
    return _blind(
        name="tag_grammar",
        summary="Tags by a pattern of sentences, positions and chance: the space of labelings that a search tries",
        knowledge="the pattern that scores best, from earlier data, and the lengths of the sentences",
        answer=partial(_from_grammar, sentences, order, words, first, last, end),
        space={
            "sentences": (0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
            "order": ("random", "long", "short"),
            "words": (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
            "first": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
            "last": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
            "end": (-3, -2, -1, 0, 1, 2),
        },
    )

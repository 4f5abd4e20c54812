"""Detectors of equal quality: a number for each unit, or for each token of a sentence, and a gold of two classes."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from qeframe.plugin import DataError, Detections, FloatArray, Ragged, TokenScores
from qeframe.plugin.audit import NullModel

_TOKENS = 20
"""The number of tokens of a sentence."""


def _probabilities(gold: FloatArray, share: float, separation: float, rng: np.random.Generator) -> FloatArray:
    """Return the probability of the positive class, given a normal feature whose mean depends on the class."""
    feature = separation * gold + rng.normal(size=gold.shape)
    log_odds = np.log(share / (1 - share)) + separation * (feature - separation / 2)
    return np.asarray(1 / (1 + np.exp(-log_odds)))


def _detectors(
    positive: float, separation: float, rng: np.random.Generator, units: int, submissions: int
) -> Sequence[Detections]:
    gold = (rng.random(units) < positive).astype(np.float64)
    ids = np.arange(units)
    return [
        Detections(ids=ids, gold=gold, predicted=_probabilities(gold, positive, separation, rng))
        for _ in range(submissions)
    ]


def _scorers(
    bad: float, separation: float, rng: np.random.Generator, units: int, submissions: int
) -> Sequence[TokenScores]:
    lengths = np.full(units, _TOKENS)
    gold = Ragged.from_lengths((rng.random(units * _TOKENS) < bad).astype(np.float64), lengths)
    drawn = [_probabilities(gold.values, bad, separation, rng) for _ in range(submissions)]
    ids = np.arange(units)
    return [TokenScores(ids=ids, gold=gold, predicted=Ragged(values, gold.offsets)) for values in drawn]


def _check(share: float, separation: float, name: str) -> None:
    if not (0 < share < 1 and 0 <= separation <= 20):
        raise DataError(f"{name} must lie between 0 and 1, separation from 0 to 20")


def equal_detectors(*, positive: float = 0.2, separation: float = 1.0) -> NullModel:
    """Detectors that give each unit the probability of the positive class, from a feature of their own.

    The feature is normal, with mean `separation` in the positive class and 0 in the negative one. So the probabilities
    are calibrated, and all detectors have the same true AUROC.

    Parameters
    ----------
    positive : float
        The probability that a unit is positive, between 0 and 1.
    separation : float
        The difference of the means of both classes in standard deviations, from 0 to 20.

    Raises
    ------
    DataError
        If a parameter is out of range.
    """
    _check(positive, separation, "positive")
    return NullModel(
        name="equal_detectors",
        summary="Calibrated detectors of equal quality, each with a feature of its own",
        kind=Detections,
        draw=partial(_detectors, positive, separation),
    )


def equal_token_scorers(*, bad: float = 0.18, separation: float = 1.0) -> NullModel:
    """Systems that give each token the probability of being BAD, from a feature of their own; sentences of 20 tokens.

    Parameters
    ----------
    bad : float
        The probability that a token is BAD, between 0 and 1.
    separation : float
        The difference of the means of both classes in standard deviations, from 0 to 20.

    Raises
    ------
    DataError
        If a parameter is out of range.
    """
    _check(bad, separation, "bad")
    return NullModel(
        name="equal_token_scorers",
        summary="Scores of tokens of equal quality, sentences of 20 tokens",
        kind=TokenScores,
        draw=partial(_scorers, bad, separation),
    )

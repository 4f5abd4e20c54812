"""Attacks on a gold of two classes: decisions without looking, and numbers of tokens by their position."""

from functools import partial

import attrs
import numpy as np

from qeframe.plugin import Detections, FloatArray, Ragged, TokenScores
from qeframe.plugin.audit import Attack

_RATES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
_blind = partial(Attack, source="qeframe", manner="blind", knowledge="nothing")


def _decide(decision: float, batch: Detections, rng: np.random.Generator) -> Detections:
    return _decided(batch, np.full(len(batch), decision))


def _decide_at_random(rate: float | None, batch: Detections, rng: np.random.Generator) -> Detections:
    """Call each unit positive with a probability; None: that of the gold."""
    share = batch.gold.mean() if rate is None and len(batch) else rate or 0.0
    return _decided(batch, (rng.random(len(batch)) < share).astype(np.float64))


def _decided(batch: Detections, answers: FloatArray) -> Detections:
    return Detections.pair(ids=batch.ids, gold=batch.gold, predicted=answers, best=batch.best)


def _answered(batch: TokenScores, numbers: FloatArray) -> TokenScores:
    return attrs.evolve(batch, predicted=Ragged(numbers, batch.gold.offsets))


def _equal(batch: TokenScores, rng: np.random.Generator) -> TokenScores:
    return _answered(batch, np.zeros(len(batch.gold.values)))


def _by_position(batch: TokenScores, rng: np.random.Generator) -> TokenScores:
    return _answered(batch, np.arange(len(batch.gold.values), dtype=np.float64))


def _at_random(batch: TokenScores, rng: np.random.Generator) -> TokenScores:
    return _answered(batch, rng.permutation(len(batch.gold.values)).astype(np.float64))


all_positive = _blind(
    name="all_positive",
    summary="Calls every unit positive",
    kind=Detections,
    answer=partial(_decide, 1.0),
    refutes="constant_proof",
)

all_negative = _blind(
    name="all_negative",
    summary="Calls every unit negative",
    source="Baseline of WMT26 task 3",
    kind=Detections,
    answer=partial(_decide, 0.0),
    refutes="constant_proof",
)

random_decisions = _blind(
    name="random_decisions",
    summary="Calls units positive at random, at the rate that scores best",
    kind=Detections,
    knowledge="the best rate, from earlier data",
    answer=partial(_decide_at_random, None),
    settings={f"rate={rate:g}": partial(_decide_at_random, rate) for rate in _RATES},
    refutes="blind_proof",
)

equal_token_scores = _blind(
    name="equal_token_scores",
    summary="Gives every token the same number: a rule for ties by position then chooses the tokens",
    source="Official script of WMT22 QE task 2, which takes the last tokens of equal ones",
    kind=TokenScores,
    answer=_equal,
    refutes="constant_proof",
)

later_tokens = _blind(
    name="later_tokens",
    summary="Gives later tokens higher numbers",
    kind=TokenScores,
    knowledge="the lengths of the sentences",
    answer=_by_position,
)

random_token_scores = _blind(
    name="random_token_scores",
    summary="Gives tokens random numbers, no two equal",
    source="Baseline of WMT22 QE task 2",
    kind=TokenScores,
    answer=_at_random,
    refutes="blind_proof",
)


_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _near_a_place(middle: float, steps: int, noise: float, batch: TokenScores, rng: np.random.Generator) -> TokenScores:
    gold = batch.gold
    at = np.arange(len(gold.values)) - np.repeat(gold.offsets[:-1], gold.lengths)
    share = (at + 0.5) / np.maximum(1, np.repeat(gold.lengths, gold.lengths))
    near = 1 - np.abs(share - middle)
    near = np.floor(near * steps) / steps if steps else near
    return _answered(batch, near + noise * rng.random(len(at)))


def position_scores(*, middle: float = 1.0, steps: int = 0, noise: float = 0.0) -> Attack:
    """Give tokens higher numbers the nearer they are to a place in their sentence.

    Parameters
    ----------
    middle : float
        The place, from 0, the beginning, to 1, the end.
    steps : int
        To how many steps the numbers are rounded; 0: not rounded.
    noise : float
        The range of a random number that is added.

    Returns
    -------
    Attack
        On `TokenScores`, blind.
    """
    return _blind(
        name="position_scores",
        summary="Gives tokens numbers by their place in the sentence: a space for a search",
        kind=TokenScores,
        knowledge="the lengths of the sentences, and the place that scores best, from earlier data",
        answer=partial(_near_a_place, middle, max(steps, 0), noise),
        space={"middle": _SHARES, "steps": (0, 1, 2, 3, 5), "noise": (0.0, 0.2, 0.5, 1.0)},
    )

"""Attacks on pairwise preferences: by position, by length, by ties, and by hiding inconsistent decisions."""

from __future__ import annotations

import attrs
import numpy as np
from numpy.typing import ArrayLike

from qeframe.plugin import FloatArray, Preferences
from qeframe.plugin.audit import Attack

_POSITION = "Wang et al. (2023), Large language models are not fair evaluators"


def _answered(batch: Preferences, first: ArrayLike, second: ArrayLike) -> Preferences:
    """Return the batch with decisions in both orders, and without scores."""
    unknown = np.full(len(batch), np.nan)
    return attrs.evolve(batch, predicted=np.stack([np.asarray(first), np.asarray(second), unknown, unknown], axis=1))


def _signs(batch: Preferences, rng: np.random.Generator) -> FloatArray:
    return rng.choice(np.array([-1.0, 1.0]), len(batch))


def _random(batch: Preferences, rng: np.random.Generator) -> Preferences:
    signs = _signs(batch, rng)
    return _answered(batch, signs, signs)


def _first(batch: Preferences, rng: np.random.Generator) -> Preferences:
    """Prefer what is shown first; where the order is unknown, either answer at random."""
    known = batch.shown_first != 0
    signs = _signs(batch, rng)
    return _answered(batch, np.where(known, batch.shown_first, signs), np.where(known, -batch.shown_first, signs))


def _longer(batch: Preferences, rng: np.random.Generator) -> Preferences:
    """Prefer the longer answer; where both are equally long, or lengths are unknown, either at random."""
    longer = np.sign(batch.lengths[:, 0] - batch.lengths[:, 1])
    decided = np.where(longer == 0, _signs(batch, rng), longer)
    return _answered(batch, decided, decided)


def _tie(batch: Preferences, rng: np.random.Generator) -> Preferences:
    return _answered(batch, np.zeros(len(batch)), np.zeros(len(batch)))


def _copy_first(batch: Preferences, rng: np.random.Generator) -> Preferences:
    return _answered(batch, batch.decisions[:, 0], batch.decisions[:, 0])


def _break(batch: Preferences, rng: np.random.Generator) -> Preferences:
    """Decide for the same answer, at random, wherever the submission ties."""
    broken = np.where(batch.decisions == 0, _signs(batch, rng)[:, None], batch.decisions)
    return _answered(batch, *broken.T)


first_answer = Attack(
    name="first_answer",
    summary="Prefers the answer that is shown first, in both orders",
    source=_POSITION,
    kind=Preferences,
    manner="blind",
    knowledge="nothing",
    answer=_first,
    refutes="constant_proof",
)

longer_answer = Attack(
    name="longer_answer",
    summary="Prefers the longer answer",
    source="Dubois et al. (2024), Length-controlled AlpacaEval",
    kind=Preferences,
    manner="blind",
    knowledge="the lengths of both answers",
    answer=_longer,
)

tie_every_pair = Attack(
    name="tie_every_pair",
    summary="Calls every pair a tie",
    source="qeframe",
    kind=Preferences,
    manner="blind",
    knowledge="nothing",
    answer=_tie,
    refutes="constant_proof",
)

random_preference = Attack(
    name="random_preference",
    summary="Prefers either answer at random, the same one in both orders",
    source="qeframe",
    kind=Preferences,
    manner="blind",
    knowledge="nothing",
    answer=_random,
    refutes="blind_proof",
)

one_order = Attack(
    name="one_order",
    summary="Asks the judge in one order only, and hands in that decision for both",
    source="qeframe",
    kind=Preferences,
    manner="cosmetic",
    knowledge="its own decisions",
    answer=_copy_first,
)

break_pair_ties = Attack(
    name="break_pair_ties",
    summary="Breaks the ties of a judge at random",
    source="qeframe",
    kind=Preferences,
    manner="cosmetic",
    knowledge="its own decisions",
    answer=_break,
    refutes="tie_neutral",
)

"""Attacks on pairwise preferences: by position, by length, by ties, and by hiding inconsistent decisions."""

from functools import partial
from typing import Literal

import attrs
import numpy as np
from numpy.typing import ArrayLike

from qeframe.plugin import FloatArray, Preferences
from qeframe.plugin.audit import Attack

_POSITION = "Wang et al. (2023), Large language models are not fair evaluators"
_blind = partial(Attack, kind=Preferences, source="qeframe", manner="blind", knowledge="nothing")
_cosmetic = partial(Attack, kind=Preferences, source="qeframe", manner="cosmetic", knowledge="nothing")


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
    ordered = batch.shown_first != 0
    signs = _signs(batch, rng)
    return _answered(batch, np.where(ordered, batch.shown_first, signs), np.where(ordered, -batch.shown_first, signs))


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


first_answer = _blind(
    name="first_answer",
    summary="Prefers the answer that is shown first, in both orders",
    source=_POSITION,
    answer=_first,
    refutes="constant_proof",
)

longer_answer = _blind(
    name="longer_answer",
    summary="Prefers the longer answer",
    source="Dubois et al. (2024), Length-controlled AlpacaEval",
    knowledge="the lengths of both answers",
    answer=_longer,
)

tie_every_pair = _blind(name="tie_every_pair", summary="Calls every pair a tie", answer=_tie, refutes="constant_proof")

random_preference = _blind(
    name="random_preference",
    summary="Prefers either answer at random, the same one in both orders",
    answer=_random,
    refutes="blind_proof",
)

one_order = _cosmetic(
    name="one_order",
    summary="Asks the judge in one order only, and hands in that decision for both",
    knowledge="its own decisions",
    answer=_copy_first,
)

break_pair_ties = _cosmetic(
    name="break_pair_ties",
    summary="Breaks the ties of a judge at random",
    knowledge="its own decisions",
    answer=_break,
    refutes="tie_neutral",
)


_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _prefer(follow: str, ties: float, swapped: float, batch: Preferences, rng: np.random.Generator) -> Preferences:
    sides = _signs(batch, rng)
    length = np.sign(batch.lengths[:, 0] - batch.lengths[:, 1]).astype(np.float64)
    chosen = {"random": sides, "longer": np.where(length == 0, sides, length)}
    chosen["shorter"] = -chosen["longer"]
    first = np.where(rng.random(len(batch)) < ties, 0.0, chosen[follow])
    second = np.where(rng.random(len(batch)) < swapped, -first, first)
    return _answered(batch, first, second)


def preference_grammar(
    *, follow: Literal["longer", "shorter", "random"] = "longer", ties: float = 0.0, swapped: float = 0.0
) -> Attack:
    """Prefer an answer by its length or at random, with ties and with other decisions in the other order.

    Parameters
    ----------
    follow : {"longer", "shorter", "random"}
        Which answer is preferred.
    ties : float
        The probability of a tie.
    swapped : float
        The probability of the opposite decision when the answers are shown in the other order.

    Returns
    -------
    Attack
        On `Preferences`, blind.
    """
    return _blind(
        name="preference_grammar",
        summary="Prefers by length or at random, with ties and swapped decisions: a space for a search",
        knowledge="the lengths of both answers, and the shares that score best, from earlier data",
        answer=partial(_prefer, follow, ties, swapped),
        space={"follow": ("longer", "shorter", "random"), "ties": _SHARES, "swapped": _SHARES},
    )

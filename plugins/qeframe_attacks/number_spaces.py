"""Spaces for a search of attacks on numbers, judgments and scores of tokens.

Each is an attack with parameters that declares the values to try.
"""

from __future__ import annotations

from functools import partial

import attrs
import numpy as np

from qeframe.plugin import Judgments, Ragged, Scores, TokenScores
from qeframe.plugin.audit import Attack

_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_BEST = ", from earlier data"


# --- numbers ----------------------------------------------------------------------------------------------------------


def _quantile(at: float, batch: Scores, rng: np.random.Generator) -> Scores:
    if not len(batch):
        return batch
    return attrs.evolve(batch, predicted=np.full(len(batch), float(np.quantile(batch.gold, min(max(at, 0), 1)))))


def constant_quantile(*, at: float = 0.5) -> Attack:
    """Answer a quantile of the gold everywhere.

    Parameters
    ----------
    at : float
        From 0, the smallest value, to 1, the largest.

    Returns
    -------
    Attack
        On `Scores`, blind.
    """
    return Attack(
        name="constant_quantile",
        summary="Answers a quantile of the gold everywhere: a space for a search",
        source="qeframe",
        kind=Scores,
        manner="blind",
        knowledge=f"the quantile that scores best{_BEST}",
        answer=partial(_quantile, at),
        space={"at": tuple(round(0.05 * i, 2) for i in range(21))},
        refutes="constant_proof",
    )


def _reshape(shift: float, spread: float, power: float, levels: int, batch: Scores, rng: np.random.Generator) -> Scores:
    """Bend the deviations from the mean, scale them, move them towards the mean of the gold, and round them."""
    if not len(batch):
        return batch
    own = batch.predicted
    width = own.std() or 1.0
    bent = (own - own.mean()) / width
    bent = np.sign(bent) * np.abs(bent) ** power
    answers = own.mean() + shift * (batch.gold.mean() - own.mean()) + spread * width * (bent - bent.mean())
    if levels > 1:
        step = np.ptp(answers) / (levels - 1) or 1.0
        answers = answers.min() + np.rint((answers - answers.min()) / step) * step
    return attrs.evolve(batch, predicted=answers)


def reshape_scores(*, shift: float = 1.0, spread: float = 0.5, power: float = 1.0, levels: int = 0) -> Attack:
    """Give the answers of a submission another mean, spread and shape, in the same order.

    Parameters
    ----------
    shift : float
        How far the mean moves from its own (0) to that of the gold (1).
    spread : float
        The factor of the deviations.
    power : float
        The exponent of the standardized deviations: below 1 extremes come nearer.
    levels : int
        To how many equally spaced levels the answers are rounded; 0 or 1: not rounded.

    Returns
    -------
    Attack
        On `Scores`, cosmetic.
    """
    return Attack(
        name="reshape_scores",
        summary="Gives the answers another mean, spread and shape, in the same order: a space for a search",
        source="qeframe",
        kind=Scores,
        manner="cosmetic",
        knowledge=f"the mean of the gold, and the shape that scores best{_BEST}",
        answer=partial(_reshape, shift, spread, power, levels),
        space={
            "shift": (0.0, 0.5, 1.0),
            "spread": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2),
            "power": (0.5, 0.7, 1.0, 1.4, 2.0),
            "levels": (0, 2, 3, 5, 10),
        },
    )


# --- judgments --------------------------------------------------------------------------------------------------------


def _differ(batch: Judgments, differences: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Judgments:
    return attrs.evolve(batch, predicted=np.stack([differences, np.zeros(len(batch))], axis=1))


def _tie_at_random(rate: float, batch: Judgments, rng: np.random.Generator) -> Judgments:
    tied = rng.random(len(batch)) < rate
    return _differ(batch, np.where(tied, 0.0, rng.choice(np.array([-1.0, 1.0]), len(batch))))


def tie_at_random(*, rate: float = 0.5) -> Attack:
    """Tie pairs at random, and prefer either side of the others at random.

    Parameters
    ----------
    rate : float
        The probability of a tie.

    Returns
    -------
    Attack
        On `Judgments`, blind.
    """
    return Attack(
        name="tie_at_random",
        summary="Ties pairs at random, and prefers either side of the others: a space for a search",
        source="qeframe",
        kind=Judgments,
        manner="blind",
        knowledge=f"the rate that scores best{_BEST}",
        answer=partial(_tie_at_random, rate),
        space={"rate": _SHARES},
        refutes="blind_proof",
    )


def _tie_and_break(tied: float, broken: float, batch: Judgments, rng: np.random.Generator) -> Judgments:
    differences = batch.predicted[:, 0] - batch.predicted[:, 1]
    sizes = np.abs(differences)
    sides = rng.choice(np.array([-1.0, 1.0]), len(batch)) * (rng.random(len(batch)) < broken)
    unsure = sizes <= np.quantile(sizes, tied) if len(sizes) and tied > 0 else np.zeros(len(sizes), dtype=np.bool_)
    small = 0.5 * sizes[sizes > 0].min(initial=1.0)
    return _differ(batch, np.where(sizes == 0, small * sides, np.where(unsure, 0.0, differences)))


def tie_and_break(*, tied: float = 0.5, broken: float = 0.0) -> Attack:
    """Tie the pairs with the smallest differences, and break ties that were there.

    Parameters
    ----------
    tied : float
        The share of pairs up to whose difference all are tied.
    broken : float
        The probability with which a tie of the submission is broken at random.

    Returns
    -------
    Attack
        On `Judgments`, cosmetic.
    """
    return Attack(
        name="tie_and_break",
        summary="Ties unsure pairs and breaks ties that were there: a space for a search",
        source="qeframe",
        kind=Judgments,
        manner="cosmetic",
        knowledge=f"its own differences, and the shares that score best{_BEST}",
        answer=partial(_tie_and_break, tied, broken),
        space={"tied": (*_SHARES[:-1], 0.95, 0.98, 0.99, 0.995, 0.998), "broken": _SHARES},
        refutes="tie_neutral",
    )


# --- scores of tokens -------------------------------------------------------------------------------------------------


def _by_position(middle: float, steps: int, noise: float, batch: TokenScores, rng: np.random.Generator) -> TokenScores:
    gold = batch.gold
    at = np.arange(len(gold.values)) - np.repeat(gold.offsets[:-1], gold.lengths)
    share = (at + 0.5) / np.maximum(1, np.repeat(gold.lengths, gold.lengths))
    near = 1 - np.abs(share - middle)
    near = np.floor(near * steps) / steps if steps else near
    return attrs.evolve(batch, predicted=Ragged(near + noise * rng.random(len(at)), gold.offsets))


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
    return Attack(
        name="position_scores",
        summary="Gives tokens numbers by their place in the sentence: a space for a search",
        source="qeframe",
        kind=TokenScores,
        manner="blind",
        knowledge=f"the lengths of the sentences, and the place that scores best{_BEST}",
        answer=partial(_by_position, middle, max(steps, 0), noise),
        space={"middle": _SHARES, "steps": (0, 1, 2, 3, 5), "noise": (0.0, 0.2, 0.5, 1.0)},
    )

"""Attacks on judgments that make ties or break them."""

from functools import partial

import attrs
import numpy as np

from qeframe.plugin import FloatArray, Judgments
from qeframe.plugin.audit import Attack

_SOURCE = "Machacek and Bojar (2014), WMT"
_SHARES = (0.1, 0.3, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998)
_attack = partial(Attack, kind=Judgments, source=_SOURCE)
_blind = partial(_attack, manner="blind", knowledge="nothing")
_cosmetic = partial(_attack, manner="cosmetic", knowledge="nothing")


def _answered(batch: Judgments, differences: FloatArray) -> Judgments:
    return attrs.evolve(batch, predicted=np.stack([differences, np.zeros(len(batch))], axis=1))


def _signs(batch: Judgments, rng: np.random.Generator) -> FloatArray:
    return rng.choice(np.array([-1.0, 1.0]), len(batch))


def _tie_all(batch: Judgments, rng: np.random.Generator) -> Judgments:
    return _answered(batch, np.zeros(len(batch)))


def _tie_none(batch: Judgments, rng: np.random.Generator) -> Judgments:
    return _answered(batch, _signs(batch, rng))


def _break(batch: Judgments, rng: np.random.Generator) -> Judgments:
    """Break ties by amounts below the smallest difference."""
    differences = batch.predicted[:, 0] - batch.predicted[:, 1]
    sizes = np.abs(differences[differences != 0])
    small = 0.5 * sizes.min() if len(sizes) else 1.0
    return _answered(batch, np.where(differences == 0, small * _signs(batch, rng), differences))


def _tie_most(share: float, batch: Judgments, rng: np.random.Generator) -> Judgments:
    differences = batch.predicted[:, 0] - batch.predicted[:, 1]
    sizes = np.abs(differences)
    unsure = sizes <= (np.quantile(sizes, share) if len(sizes) else 0.0)
    return _answered(batch, np.where(unsure, 0.0, differences))


always_tie = _blind(
    name="always_tie",
    summary="Gives both sides of every pair the same score",
    answer=_tie_all,
    refutes="constant_proof",
)

never_tie = _blind(
    name="never_tie", summary="Prefers a side of every pair at random", answer=_tie_none, refutes="blind_proof"
)

break_ties = _cosmetic(
    name="break_ties", summary="Breaks the ties of a submission at random", answer=_break, refutes="tie_neutral"
)

tie_unsure = _cosmetic(
    name="tie_unsure",
    summary="Ties the pairs with the smallest differences, as many as scores best",
    knowledge="its own differences, and from earlier data how many pairs to tie",
    answer=partial(_tie_most, 0.9),
    settings={f"share={share:g}": partial(_tie_most, share) for share in _SHARES},
    refutes="tie_neutral",
)

best_of_judgments = _attack(
    name="best_of_judgments",
    summary="Prefers sides at random thirty times, and keeps the answers that score best on the test set",
    source="qeframe",
    manner="selection",
    knowledge="the scores of thirty tries on the test set itself",
    answer=_tie_none,
    tries=30,
)


_RATES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _tie_at_random(rate: float, batch: Judgments, rng: np.random.Generator) -> Judgments:
    tied = rng.random(len(batch)) < rate
    return _answered(batch, np.where(tied, 0.0, _signs(batch, rng)))


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
    return _blind(
        name="tie_at_random",
        summary="Ties pairs at random, and prefers either side of the others: a space for a search",
        source="qeframe",
        knowledge="the rate that scores best, from earlier data",
        answer=partial(_tie_at_random, rate),
        space={"rate": _RATES},
        refutes="blind_proof",
    )


def _tie_and_break(tied: float, broken: float, batch: Judgments, rng: np.random.Generator) -> Judgments:
    differences = batch.predicted[:, 0] - batch.predicted[:, 1]
    sizes = np.abs(differences)
    sides = _signs(batch, rng) * (rng.random(len(batch)) < broken)
    unsure = sizes <= np.quantile(sizes, tied) if len(sizes) and tied > 0 else np.zeros(len(sizes), dtype=np.bool_)
    small = 0.5 * sizes[sizes > 0].min(initial=1.0)
    return _answered(batch, np.where(sizes == 0, small * sides, np.where(unsure, 0.0, differences)))


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
    return _cosmetic(
        name="tie_and_break",
        summary="Ties unsure pairs and breaks ties that were there: a space for a search",
        source="qeframe",
        knowledge="its own differences, and the shares that score best, from earlier data",
        answer=partial(_tie_and_break, tied, broken),
        space={"tied": (*_RATES[:-1], 0.95, 0.98, 0.99, 0.995, 0.998), "broken": _RATES},
        refutes="tie_neutral",
    )

"""Attacks on judgments that make ties or break them."""

from __future__ import annotations

from functools import partial

import attrs
import numpy as np

from qeframe.plugin import FloatArray, Judgments
from qeframe.plugin.audit import Attack

_SOURCE = "Machacek and Bojar (2014), WMT"
_SHARES = (0.1, 0.3, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998)


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


always_tie = Attack(
    name="always_tie",
    summary="Gives both sides of every pair the same score",
    source=_SOURCE,
    kind=Judgments,
    manner="blind",
    knowledge="nothing",
    answer=_tie_all,
    refutes="constant_proof",
)

never_tie = Attack(
    name="never_tie",
    summary="Prefers a side of every pair at random",
    source=_SOURCE,
    kind=Judgments,
    manner="blind",
    knowledge="nothing",
    answer=_tie_none,
    refutes="blind_proof",
)

break_ties = Attack(
    name="break_ties",
    summary="Breaks the ties of a submission at random",
    source=_SOURCE,
    kind=Judgments,
    manner="cosmetic",
    knowledge="nothing",
    answer=_break,
    refutes="tie_neutral",
)

tie_unsure = Attack(
    name="tie_unsure",
    summary="Ties the pairs with the smallest differences, as many as scores best",
    source=_SOURCE,
    kind=Judgments,
    manner="cosmetic",
    knowledge="its own differences, and from earlier data how many pairs to tie",
    answer=partial(_tie_most, 0.9),
    settings={f"share={share:g}": partial(_tie_most, share) for share in _SHARES},
    refutes="tie_neutral",
)

best_of_judgments = Attack(
    name="best_of_judgments",
    summary="Prefers sides at random thirty times, and keeps the answers that score best on the test set",
    source="qeframe",
    kind=Judgments,
    manner="selection",
    knowledge="the scores of thirty tries on the test set itself",
    answer=_tie_none,
    tries=30,
)
